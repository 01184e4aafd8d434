//! Bodies that appear and leave.

use crate::bodies::{Bodies, Body, BodyId};
use crate::space::{Rigid, Space};

/// A box along the axes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Region<const N: usize> {
    /// Its lowest corner (m).
    pub low: [f64; N],
    /// Its highest corner (m).
    pub high: [f64; N],
}

/// What is to come and go, and where bodies are removed.
#[derive(Debug, Clone)]
pub(crate) struct Exchange<const N: usize, const V: usize>
where
    Rigid: Space<N, V>,
{
    /// Bodies by the time of their appearance.
    inlet: Vec<(f64, Body<N, V>)>,
    /// How many of them have appeared.
    appeared: usize,
    outlet: Vec<(f64, BodyId)>,
    region: Option<Region<N>>,
    keep: Vec<bool>,
}

impl<const N: usize, const V: usize> Default for Exchange<N, V>
where
    Rigid: Space<N, V>,
{
    fn default() -> Self {
        Self { inlet: Vec::new(), appeared: 0, outlet: Vec::new(), region: None, keep: Vec::new() }
    }
}

impl<const N: usize, const V: usize> Exchange<N, V>
where
    Rigid: Space<N, V>,
{
    pub fn appear(&mut self, time: f64, body: Body<N, V>) {
        // behind all that come no later, and never among those that have come
        let at = self.inlet[self.appeared..].partition_point(|(t, _)| *t <= time) + self.appeared;
        self.inlet.insert(at, (time, body));
    }

    pub fn leave(&mut self, time: f64, body: BodyId) {
        self.outlet.push((time, body));
    }

    pub fn keep_within(&mut self, region: Region<N>) {
        self.region = Some(region);
    }

    /// How many bodies are announced and have not appeared yet.
    pub fn to_come(&self) -> usize {
        self.inlet.len() - self.appeared
    }

    /// How many bodies have appeared.
    pub fn appeared(&self) -> usize {
        self.appeared
    }

    /// The masses of the bodies still to come that move of themselves (kg).
    pub fn masses_to_come(&self) -> impl Iterator<Item = f64> {
        self.inlet[self.appeared..].iter().filter_map(|(_, body)| {
            let mut one = Bodies::default();
            one.add(body.clone()).ok()?;
            one.movable[0].then_some(one.mass[0])
        })
    }

    /// Adds the bodies whose time has come; returns how many.
    pub fn bring(&mut self, t: f64, bodies: &mut Bodies<N, V>) -> usize {
        let mut count = 0;
        while let Some((time, body)) = self.inlet.get(self.appeared) {
            if *time > t {
                break;
            }
            // it was checked when it was announced
            if bodies.add(body.clone()).is_ok() {
                count += 1;
            }
            self.appeared += 1;
        }
        count
    }

    /// Adds the bodies that had appeared when a state was stored.
    pub fn bring_number(&mut self, appeared: usize, bodies: &mut Bodies<N, V>) {
        while self.appeared < appeared.min(self.inlet.len()) {
            let body = self.inlet[self.appeared].1.clone();
            let _ = bodies.add(body);
            self.appeared += 1;
        }
    }

    /// Removes the bodies that have to leave; returns the new slots of all when any did.
    pub fn take(&mut self, t: f64, bodies: &mut Bodies<N, V>) -> Option<Vec<Option<u32>>> {
        if self.region.is_none() && self.outlet.is_empty() {
            return None;
        }
        self.keep.clear();
        self.keep.resize(bodies.len(), true);
        if let Some(region) = &self.region {
            for k in (0..bodies.len()).filter(|&k| bodies.movable[k]) {
                let inside = |i: usize| (region.low[i]..=region.high[i]).contains(&bodies.x[k][i]);
                self.keep[k] = (0..N).all(inside);
            }
        }
        for (time, id) in &self.outlet {
            if *time <= t
                && let Some(k) = bodies.slot(*id)
            {
                self.keep[k] = false;
            }
        }
        self.outlet.retain(|(time, _)| *time > t);
        self.keep.contains(&false).then(|| bodies.retain(&self.keep))
    }
}
