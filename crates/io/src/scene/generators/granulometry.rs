//! Distributions of size.

use crate::scene::fault::{Fault, positive};
use crate::scene::quantity::{Length, Number};
use schemars::JsonSchema;
use serde::Deserialize;
use stickslip_contact::generate::Random;

/// A distribution of radii.
#[derive(Debug, Clone, PartialEq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Granulometry {
    /// All alike.
    Equal(Length),
    /// As many of every radius.
    Uniform {
        /// Smallest.
        min: Length,
        /// Largest.
        max: Length,
    },
    /// As much volume of every radius (area in the plane): small ones are many.
    UniformVolume {
        /// Smallest.
        min: Length,
        /// Largest.
        max: Length,
    },
    /// Around a mean, cut at three deviations.
    Normal {
        /// Mean.
        mean: Length,
        /// Standard deviation, less than a third of the mean.
        deviation: Length,
    },
    /// A sieve curve: radii of the meshes, and the part of all grains, by number, that passes each.
    Sieve {
        /// Radii, increasing.
        radius: Vec<Length>,
        /// Parts that pass, from 0 to 1, increasing.
        passing: Vec<Number>,
    },
}

impl Granulometry {
    /// Refuses what is no distribution; the largest radius.
    pub(crate) fn check(&self) -> Result<f64, Fault> {
        match self {
            Self::Equal(r) => positive("equal", r.0),
            Self::Uniform { min, max } | Self::UniformVolume { min, max } => {
                positive("min", min.0)?;
                if max >= min { Ok(max.0) } else { Err(Fault::new("must not be less than min").under("max")) }
            }
            Self::Normal { mean, deviation } => {
                positive("mean", mean.0)?;
                if deviation.0 >= 0.0 && 3.0 * deviation.0 < mean.0 {
                    Ok(mean.0 + 3.0 * deviation.0)
                } else {
                    Err(Fault::new("must lie between 0 and a third of the mean").under("deviation"))
                }
            }
            Self::Sieve { radius, passing } => {
                let sorted = |x: &[f64]| x.windows(2).all(|w| w[0] < w[1]);
                let (r, p): (Vec<f64>, Vec<f64>) =
                    (radius.iter().map(|x| x.0).collect(), passing.iter().map(|x| x.0).collect());
                if r.len() < 2 || r.len() != p.len() {
                    return Err(Fault::new("give as many radii as passing parts, at least two").under("sieve"));
                }
                positive("radius", r[0])?;
                if !sorted(&r) || !sorted(&p) || p[0] != 0.0 || p[p.len() - 1] != 1.0 {
                    let fault = "radii must increase, and the parts that pass must increase from 0 to 1";
                    return Err(Fault::new(fault).under("sieve"));
                }
                Ok(r[r.len() - 1])
            }
        }
    }

    /// A radius of the distribution.
    pub(crate) fn draw(&self, dice: &mut Random, dimension: usize) -> f64 {
        match self {
            Self::Equal(r) => r.0,
            Self::Uniform { min, max } => dice.between(min.0, max.0),
            Self::UniformVolume { min, max } => {
                // density of number ~ r^-n: the inverse of its integral, r^(1-n)
                let u = dice.uniform();
                if dimension == 2 {
                    1.0 / (1.0 / min.0 + u * (1.0 / max.0 - 1.0 / min.0))
                } else {
                    let (a, b) = (min.0.powi(-2), max.0.powi(-2));
                    1.0 / (a + u * (b - a)).sqrt()
                }
            }
            Self::Normal { mean, deviation } => mean.0 + deviation.0 * dice.normal().clamp(-3.0, 3.0),
            Self::Sieve { radius, passing } => {
                let u = dice.uniform();
                let k = passing.windows(2).position(|w| u < w[1].0).unwrap_or(passing.len() - 2);
                let part = (u - passing[k].0) / (passing[k + 1].0 - passing[k].0);
                radius[k].0 + part * (radius[k + 1].0 - radius[k].0)
            }
        }
    }
}
