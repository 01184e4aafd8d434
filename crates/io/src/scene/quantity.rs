//! A number with a unit.

use super::unit::{self, Dimension};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::borrow::Cow;
use std::fmt;

/// A finite number in SI units, given as a number (SI) or as a text with a unit.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Quantity<const M: i8, const KG: i8, const S: i8, const RAD: i8>(pub f64);

/// A number without a unit.
pub type Number = Quantity<0, 0, 0, 0>;
/// A length (m).
pub type Length = Quantity<1, 0, 0, 0>;
/// A time (s).
pub type Time = Quantity<0, 0, 1, 0>;
/// An angle (rad).
pub type Angle = Quantity<0, 0, 0, 1>;
/// A velocity (m/s).
pub type Velocity = Quantity<1, 0, -1, 0>;
/// An angular velocity (rad/s).
pub type Spin = Quantity<0, 0, -1, 1>;
/// An acceleration (m/s²).
pub type Acceleration = Quantity<1, 0, -2, 0>;
/// A mass (kg).
pub type Mass = Quantity<0, 1, 0, 0>;
/// A mass per volume (kg/m³); in the plane bodies are one metre thick.
pub type Density = Quantity<-3, 1, 0, 0>;
/// A force (N).
pub type Force = Quantity<1, 1, -2, 0>;
/// A frequency (Hz).
pub type Frequency = Quantity<0, 0, -1, 0>;
/// A stiffness (N/m).
pub type Stiffness = Quantity<0, 1, -2, 0>;
/// A damping (N s/m).
pub type Damping = Quantity<0, 1, -1, 0>;

impl<const M: i8, const KG: i8, const S: i8, const RAD: i8> Quantity<M, KG, S, RAD> {
    const DIMENSION: Dimension = [M, KG, S, RAD];

    fn finite<E: Error>(x: f64) -> Result<Self, E> {
        if x.is_finite() { Ok(Self(x)) } else { Err(E::custom(format!("{x} is not a finite number"))) }
    }
}

impl<'de, const M: i8, const KG: i8, const S: i8, const RAD: i8> Deserialize<'de> for Quantity<M, KG, S, RAD> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read<const M: i8, const KG: i8, const S: i8, const RAD: i8>;
        impl<const M: i8, const KG: i8, const S: i8, const RAD: i8> Visitor<'_> for Read<M, KG, S, RAD> {
            type Value = Quantity<M, KG, S, RAD>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match unit::si([M, KG, S, RAD]).as_str() {
                    "no unit" => write!(f, "a number"),
                    si => write!(f, "a number in {si}, or a text with a unit"),
                }
            }

            fn visit_f64<E: Error>(self, x: f64) -> Result<Self::Value, E> {
                Quantity::finite(x)
            }

            fn visit_i64<E: Error>(self, x: i64) -> Result<Self::Value, E> {
                Quantity::finite(x as f64)
            }

            fn visit_u64<E: Error>(self, x: u64) -> Result<Self::Value, E> {
                Quantity::finite(x as f64)
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Self::Value, E> {
                unit::parse(text, [M, KG, S, RAD]).map_err(E::custom).and_then(Quantity::finite)
            }
        }
        deserializer.deserialize_any(Read::<M, KG, S, RAD>)
    }
}

impl<const M: i8, const KG: i8, const S: i8, const RAD: i8> JsonSchema for Quantity<M, KG, S, RAD> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Cow::Owned(format!("quantity in {}", unit::si(Self::DIMENSION)))
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({ "type": ["number", "string"], "x-unit": unit::si(Self::DIMENSION) })
    }
}

/// The numbers in SI.
pub fn values<const M: i8, const KG: i8, const S: i8, const RAD: i8>(x: &[Quantity<M, KG, S, RAD>]) -> Vec<f64> {
    x.iter().map(|x| x.0).collect()
}
