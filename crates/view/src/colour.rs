//! Colours: a perceptually uniform map for figures, distinct ones for ids, and how they become bytes.

/// Points of viridis (sRGB, 0 to 255), by Smith and van der Walt, in the public domain (CC0). The darkest quarter is left
/// out: shading would not show on bodies at rest.
pub const VIRIDIS: [[u8; 3]; 13] = [
    [59, 82, 139],
    [51, 99, 141],
    [44, 114, 142],
    [38, 130, 142],
    [33, 145, 140],
    [31, 160, 136],
    [40, 174, 128],
    [63, 188, 115],
    [94, 201, 98],
    [132, 212, 75],
    [173, 220, 48],
    [216, 226, 25],
    [253, 231, 37],
];

/// Colour by which figure of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ColourBy {
    /// Speed (m/s).
    #[default]
    Speed,
    /// Size (m).
    Size,
    /// A colour of its own for each.
    Id,
    /// Sum of the normal contact impulses on the body, over h (N).
    Force,
}

impl ColourBy {
    /// From its name: speed, size, id, force.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Speed, Self::Size, Self::Id, Self::Force].into_iter().find(|by| by.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Speed => "speed",
            Self::Size => "size",
            Self::Id => "id",
            Self::Force => "force",
        }
    }

    /// The words on the legend.
    pub fn title(self, h: f64) -> &'static str {
        match self {
            Self::Speed => "speed (m/s)",
            Self::Size => "radius (m)",
            Self::Id => "id",
            Self::Force if h > 0.0 => "contact force (N)",
            Self::Force => "contact impulse (N s)",
        }
    }
}

/// The colour of a value in 0 to 1, sRGB in 0 to 1.
pub fn viridis(value: f64) -> [f64; 3] {
    let place = value.clamp(0.0, 1.0) * (VIRIDIS.len() - 1) as f64;
    let k = (place as usize).min(VIRIDIS.len() - 2);
    let part = place - k as f64;
    std::array::from_fn(|c| (f64::from(VIRIDIS[k][c]) * (1.0 - part) + f64::from(VIRIDIS[k + 1][c]) * part) / 255.0)
}

/// A colour for an id, well apart from those of its neighbours: hues by the golden ratio, sRGB in 0 to 1.
pub fn distinct(id: u32) -> [f64; 3] {
    let hue = (f64::from(id) * 0.618_033_988_75).fract();
    // the same lightness all around, as a cosine palette
    let channel = |shift: f64| 0.58 + 0.26 * (std::f64::consts::TAU * (hue + shift)).cos();
    [channel(0.0), channel(0.667), channel(0.333)]
}

/// sRGB to light.
pub fn to_linear(c: [f64; 3]) -> [f64; 3] {
    c.map(|v| if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) })
}

/// Light to sRGB.
pub fn to_srgb(c: [f64; 3]) -> [f64; 3] {
    c.map(|v| if v <= 0.003_130_8 { 12.92 * v.max(0.0) } else { (1.055 * v.min(1.0).powf(1.0 / 2.4) - 0.055).min(1.0) })
}

/// `#rrggbb`.
pub fn hex(c: [f64; 3]) -> String {
    let byte = |v: f64| (v.clamp(0.0, 1.0) * 255.0).round() as u8;
    format!("#{:02x}{:02x}{:02x}", byte(c[0]), byte(c[1]), byte(c[2]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_map_grows_lighter_from_end_to_end() {
        let lightness = |v: f64| {
            let [r, g, b] = to_linear(viridis(v));
            (0.2126 * r + 0.7152 * g + 0.0722 * b).cbrt()
        };
        assert!((0..100).all(|i| lightness((f64::from(i) + 1.0) / 100.0) > lightness(f64::from(i) / 100.0)));
        assert_eq!(hex(viridis(0.0)), "#3b528b");
        assert_eq!(hex(viridis(9.0)), "#fde725");
        assert!((to_srgb(to_linear([0.2, 0.5, 0.9]))[1] - 0.5).abs() < 1e-12);
    }
}
