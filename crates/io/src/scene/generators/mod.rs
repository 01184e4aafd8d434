//! Many bodies from a few keys. One generator a file.

mod arch;
mod deposit;
mod granulometry;
mod heap;
mod lattice;
mod tower;
mod wall;

pub use arch::Arch;
pub use deposit::Deposit;
pub use granulometry::Granulometry;
pub use heap::Heap;
pub use lattice::Lattice;
pub use tower::Tower;
pub use wall::Wall;

use super::fault::Fault;
use super::plan::PlannedBody;
use super::quantity::{Length, values};

/// Where generated bodies go, up to a limit.
pub(crate) struct Sink<'a> {
    pub bodies: &'a mut Vec<PlannedBody>,
    /// Most bodies of the scene.
    pub most: usize,
    pub dimension: usize,
}

impl Sink<'_> {
    /// Refuses, before any is made, more bodies than the scene may have.
    pub(crate) fn reserve(&self, counts: &[u64], key: &str) -> Result<(), Fault> {
        let count = counts.iter().fold(1u64, |n, &c| n.saturating_mul(c));
        let total = count.saturating_add(self.bodies.len() as u64);
        if total > self.most as u64 {
            let most = self.most;
            let fault = format!(
                "makes {total} bodies in all, more than max_bodies = {most}; ask for fewer, or raise max_bodies"
            );
            return Err(Fault::new(fault).under(key));
        }
        Ok(())
    }

    pub(crate) fn push(&mut self, body: PlannedBody) {
        self.bodies.push(body);
    }

    /// A point of the scene, the origin by default.
    pub(crate) fn point(&self, at: &Option<Vec<Length>>) -> Result<[f64; 3], Fault> {
        match at {
            Some(at) => super::placement::lift(&values(at), self.dimension).map_err(|e| e.under("at")),
            None => Ok([0.0; 3]),
        }
    }

    /// The last axis, along which things are stacked.
    pub(crate) fn up(&self) -> usize {
        self.dimension - 1
    }
}

/// Refuses a gap that is not zero or more.
pub(crate) fn gap(gap: Option<Length>) -> Result<f64, Fault> {
    let gap = gap.unwrap_or_default().0;
    if gap >= 0.0 { Ok(gap) } else { Err(Fault::new(format!("{gap} must be zero or more")).under("gap")) }
}
