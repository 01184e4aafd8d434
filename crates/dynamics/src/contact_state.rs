//! What a contact did in a step.

use stickslip_contact::cone::ContactStatus;

/// A contact that took part in a step, with its impulse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ContactState<const N: usize> {
    /// Slot of the first body; the impulse acts on it, and its opposite on the second.
    pub a: u32,
    /// Slot of the second body.
    pub b: u32,
    /// Which features touch: the same from step to step.
    pub feature: u32,
    /// Open, stick or slip.
    pub status: ContactStatus,
    /// Midway between the two surfaces (m).
    pub point: [f64; N],
    /// Unit normal from b to a.
    pub normal: [f64; N],
    /// Distance at the start of the step (m), negative in overlap.
    pub gap: f64,
    /// Impulse on a, in the frame of the world (N s).
    pub impulse: [f64; N],
    /// Moment of rolling resistance on a, in the frame of the world (N m s); its first entry in the plane.
    pub moment: [f64; 3],
    /// Relative velocity at the end of the step: normal, then tangential (m/s).
    pub velocity: [f64; N],
}

impl<const N: usize> ContactState<N> {
    /// The normal impulse `rln` (N s).
    pub fn rln(&self) -> f64 {
        self.impulse.iter().zip(&self.normal).map(|(p, n)| p * n).sum()
    }

    /// The length of the tangential impulse `rlt` (N s).
    pub fn rlt(&self) -> f64 {
        let rln = self.rln();
        (0..N).map(|i| (self.impulse[i] - rln * self.normal[i]).powi(2)).sum::<f64>().sqrt()
    }

    /// The normal velocity `vln` (m/s).
    pub fn vln(&self) -> f64 {
        self.velocity[0]
    }

    /// What names the contact from step to step.
    pub(crate) fn key(&self) -> (u32, u32, u32) {
        (self.a, self.b, self.feature)
    }
}
