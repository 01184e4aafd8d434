//! Many bodies from a few keys. One generator a file.

mod arch;
mod deposit;
mod granulometry;
mod heap;
mod lattice;
mod memory;
mod tower;
mod wall;

pub use arch::Arch;
pub use deposit::Deposit;
pub use granulometry::Granulometry;
pub use heap::Heap;
pub use lattice::Lattice;
pub use tower::Tower;
pub use wall::Wall;

use super::fault::{Fault, positive, within};
use super::plan::PlannedBody;
use super::quantity::{Length, Time, values};
use schemars::JsonSchema;
use serde::Deserialize;

/// A generator that runs more than once.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// Time from one batch to the next.
    pub every: Time,
    /// Batches in all. Seeds grow by 1 from batch to batch, so that no two are alike.
    pub times: u32,
}

/// When the bodies of a generator come and go.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Visit {
    pub enter: Option<Time>,
    pub leave: Option<Time>,
    pub repeat: Option<Repeat>,
}

impl Visit {
    /// Runs a generator once a batch, and tells its bodies when they come and go.
    pub(crate) fn batches(
        &self,
        sink: &mut Sink<'_>,
        generate: impl Fn(&mut Sink<'_>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        let repeat = self.repeat.unwrap_or(Repeat { every: Time::default(), times: 1 });
        let under = |e: Fault| e.under("repeat");
        if self.repeat.is_some() {
            positive("every", repeat.every.0).map_err(under)?;
            let most = sink.most as f64;
            within("times", repeat.times.into(), 1.0, most).map_err(under)?;
        }
        for batch in 0..repeat.times {
            let later = f64::from(batch) * repeat.every.0;
            let enter = (self.enter.is_some() || batch > 0).then(|| self.enter.unwrap_or_default().0 + later);
            if let (Some(leave), Some(enter)) = (self.leave, enter)
                && leave.0 <= enter
            {
                return Err(Fault::new(format!("at {} s is before they enter at {enter} s", leave.0)).under("leave"));
            }
            let first = sink.bodies.len();
            sink.batch = batch.into();
            generate(sink)?;
            for body in &mut sink.bodies[first..] {
                (body.enter, body.leave) = (enter, self.leave.map(|t| t.0));
            }
        }
        Ok(())
    }
}

/// Where generated bodies go, up to a limit.
pub(crate) struct Sink<'a> {
    pub bodies: &'a mut Vec<PlannedBody>,
    /// Most bodies of the scene.
    pub most: usize,
    pub dimension: usize,
    /// Which run of a generator this is, from 0.
    pub batch: u64,
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
        memory::enough_for(total).map_err(|e| Fault::new(e).under(key))
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
