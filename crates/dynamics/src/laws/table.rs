//! Which pair of materials follows which law.

use super::Law;
use crate::error::WorldError;
use serde::{Deserialize, Serialize};

/// The number of a material.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize)]
pub struct Material(pub u32);

/// A law for every pair of materials; pairs not named follow the default.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Laws {
    names: Vec<String>,
    /// The law of (i, j), i <= j, row by row of a full square.
    pairs: Vec<Law>,
    default: Law,
}

impl Default for Laws {
    /// One material, named `default`.
    fn default() -> Self {
        Self { names: vec!["default".into()], pairs: vec![Law::default()], default: Law::default() }
    }
}

impl Laws {
    /// One material whose law is `law`, which is also that of all pairs not named.
    pub fn new(law: Law) -> Result<Self, WorldError> {
        check(&law)?;
        Ok(Self { names: vec!["default".into()], pairs: vec![law], default: law })
    }

    /// Adds a material; its pairs follow the default until set.
    pub fn material(&mut self, name: &str) -> Material {
        let n = self.names.len();
        let mut pairs = vec![self.default; (n + 1) * (n + 1)];
        for i in 0..n {
            pairs[i * (n + 1)..i * (n + 1) + n].copy_from_slice(&self.pairs[i * n..(i + 1) * n]);
        }
        self.pairs = pairs;
        self.names.push(name.into());
        Material(n as u32)
    }

    /// Sets the law of a pair.
    pub fn set(&mut self, a: Material, b: Material, law: Law) -> Result<(), WorldError> {
        check(&law)?;
        let n = self.names.len();
        let (i, j) = (a.0 as usize, b.0 as usize);
        if i.max(j) >= n {
            return Err(WorldError::NoSuchMaterial { material: i.max(j), materials: n });
        }
        self.pairs[i * n + j] = law;
        self.pairs[j * n + i] = law;
        Ok(())
    }

    /// The law of a pair.
    #[inline(always)]
    pub fn of(&self, a: u32, b: u32) -> &Law {
        &self.pairs[a as usize * self.names.len() + b as usize]
    }

    /// The material of a name.
    pub fn named(&self, name: &str) -> Option<Material> {
        self.names.iter().position(|n| n == name).map(|k| Material(k as u32))
    }

    /// The names of the materials, by number.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The first pair of materials, by names, whose law is such.
    pub fn find(&self, such: impl Fn(&Law) -> bool) -> Option<(&str, &str)> {
        let n = self.names.len();
        let k = self.pairs.iter().position(such)?;
        Some((&self.names[k / n], &self.names[k % n]))
    }

    /// Whether any pair resists rolling.
    pub fn any_rolls(&self) -> bool {
        self.pairs.iter().any(Law::rolls)
    }
}

fn check(law: &Law) -> Result<(), WorldError> {
    law.fault().map_or(Ok(()), |fault| Err(WorldError::Law { fault }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_new_material_leaves_the_laws_of_the_others() {
        let mut laws = Laws::default();
        let steel = laws.material("steel");
        laws.set(steel, steel, Law::coulomb(0.1)).unwrap();
        laws.set(Material(0), steel, Law::coulomb(0.2)).unwrap();
        let ice = laws.material("ice");
        assert_eq!(laws.of(1, 1).mu(), 0.1);
        assert_eq!((laws.of(1, 0).mu(), laws.of(0, 1).mu()), (0.2, 0.2));
        assert_eq!(laws.of(2, 1).mu(), 0.5);
        assert_eq!(laws.named("ice"), Some(ice));
        assert!(laws.set(ice, Material(3), Law::default()).is_err());
        assert!(laws.set(ice, ice, Law::coulomb(-1.0)).is_err());
        assert!(laws.set(ice, ice, Law::bouncing(0.5, 1.5)).is_err());
    }
}
