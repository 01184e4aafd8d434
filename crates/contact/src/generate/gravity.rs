//! The direction of gravity, tilted.

use super::error::{GenerateError, within};

/// The unit vector $(\sin t, 0, -\cos t)$: straight down, turned by the angle `tilt` (radian) towards +x.
///
/// Taylor series, summed in a fixed order, for the same bits on every machine; the angle is at most a right angle.
pub(super) fn gravity(tilt: f64) -> Result<[f64; 3], GenerateError> {
    within("tilt", tilt, -std::f64::consts::FRAC_PI_2, std::f64::consts::FRAC_PI_2)?;
    let (mut sin, mut cos, mut term) = (0.0, 0.0, 1.0);
    for k in 0..14 {
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        cos += sign * term;
        term *= tilt / (2 * k + 1) as f64;
        sin += sign * term;
        term *= tilt / (2 * k + 2) as f64;
    }
    Ok([sin, 0.0, -cos])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_the_library() {
        assert_eq!(gravity(0.0).unwrap(), [0.0, 0.0, -1.0]);
        for t in [-1.5, -0.3, 1e-9, 0.7, 1.57] {
            let g = gravity(t).unwrap();
            assert!((g[0] - t.sin()).abs() < 1e-15 && (g[2] + t.cos()).abs() < 1e-15, "{t}");
        }
        assert!(gravity(2.0).is_err() && gravity(f64::NAN).is_err());
    }
}
