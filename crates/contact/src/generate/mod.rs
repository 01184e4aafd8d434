//! Reproducible synthetic problems: the same options give the same bits on every run and every machine.
//!
//! | options | bodies and contacts | methods, and what they give |
//! |---|---|---|
//! | [`SphereLattice`] | close-packed spheres, up to tens of millions of contacts | `spheres` local, `global` |
//! | [`BoxWall`] | a running-bond wall of bricks, four points a joint | `generate` global |
//! | [`RandomSparse`] | random pairs of rigid bodies, D = 2, 3, 5, any ratio of masses | `global`, `local` |
//! | [`ElasticBlock`] | finite elements on a floor: the condensed W is full | `generate` global |
//! | [`SingleContact`] | one contact, D = 2, 3, 5, W of given condition number | `generate` local |
//!
//! [`nearby`] moves any problem a little, for warm starts.
//!
//! Options are plain structs with defaults; what cannot be built is refused with a [`GenerateError`]. Numbers come
//! from SplitMix64 and from `+ - * /` and `sqrt` alone, which IEEE 754 defines to the last bit.
//!
//! ```
//! use stickslip_contact::generate::SphereLattice;
//!
//! let cube = SphereLattice { nx: 6, ny: 6, nz: 6, ..Default::default() };
//! assert_eq!(cube.spheres()?.contacts(), 1098);
//! # Ok::<(), stickslip_contact::generate::GenerateError>(())
//! ```

mod box_wall;
mod elastic_block;
mod error;
mod gravity;
mod hexahedron;
mod nearby;
mod orthogonal;
mod random;
mod random_sparse;
mod rigid_assembly;
mod single_contact;
mod sphere_lattice;
mod window;

pub use box_wall::BoxWall;
pub use elastic_block::ElasticBlock;
pub use error::{GenerateError, MEMORY_LIMIT};
pub use nearby::nearby;
pub use random::Random;
pub use random_sparse::RandomSparse;
pub use single_contact::SingleContact;
pub use sphere_lattice::SphereLattice;
pub(crate) use window::colour_windows;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::GlobalProblem;

    /// Mixes the bits of all numbers, in order.
    fn digest(numbers: impl IntoIterator<Item = f64>) -> u64 {
        numbers
            .into_iter()
            .fold(0xcbf2_9ce4_8422_2325, |h: u64, x| (h ^ x.to_bits()).wrapping_mul(0x0100_0000_01b3).rotate_left(23))
    }

    fn global<const D: usize>(p: &GlobalProblem<D>) -> u64 {
        digest(p.m.values().iter().chain(p.h.values()).chain(&p.f).copied())
    }

    /// The digests hold on every machine; a change of any generator shows here.
    #[test]
    fn bits_never_change() {
        let spheres = SphereLattice { tilt: 0.3, ..Default::default() };
        let found = [
            digest(spheres.spheres().unwrap().q.into_iter().flatten()),
            global(&spheres.global().unwrap()),
            global(&BoxWall { tilt: 0.3, ..Default::default() }.generate().unwrap()),
            global(&RandomSparse::default().global::<2>().unwrap()),
            global(&RandomSparse::default().global::<3>().unwrap()),
            global(&RandomSparse::default().global::<5>().unwrap()),
            global(&ElasticBlock::default().generate().unwrap()),
            digest(SingleContact::default().generate::<5>().unwrap().w.to_csr().values().iter().copied()),
        ];
        let expected = [
            6339062254388757921,
            12857946228419613810,
            5520659913598679053,
            1130035301994596924,
            12014067550244815954,
            5849860045587987913,
            12663519229139210141,
            4215730204919935571,
        ];
        assert_eq!(found, expected);
    }
}
