//! What the impulses of a step come to: works, and counts of contacts.

use crate::assembly::Input;
use crate::ledger::StepWork;
use crate::space::{Rigid, Space};
use stickslip_contact::cone::ContactStatus;
use stickslip_contact::operator::RigidContact;
use stickslip_contact::operator::rigid::velocity_at;

/// What comes back of a solve beside the contacts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Outcome {
    pub(crate) work: StepWork,
    pub(crate) touching: usize,
    pub(crate) slipping: usize,
    /// Deepest overlap at the start of the step (m).
    pub(crate) penetration: f64,
    /// Sum and number of overlaps.
    pub(crate) overlap: (f64, usize),
}

impl Outcome {
    /// The works of one contact: impulses times mean velocities.
    #[inline(always)]
    pub fn take<const N: usize, const D: usize>(
        &mut self,
        (before, push): (&[f64; D], f64),
        r: &[f64; D],
        after: &[f64; D],
        status: ContactStatus,
    ) {
        self.touching += 1;
        self.slipping += usize::from(status == ContactStatus::Slip);
        let work = |d: usize| 0.5 * r[d] * (before[d] + after[d]);
        // half of what a push gives is the scheme's doing, and so is all that a joint works
        let pushed = -0.5 * r[0] * push;
        if status == ContactStatus::Joint {
            self.work.scheme -= (0..D).map(work).sum::<f64>();
            return;
        }
        self.work.scheme -= pushed;
        self.work.impact -= work(0) - pushed;
        for d in 1..D {
            if d < N { self.work.friction -= work(d) } else { self.work.rolling -= work(d) }
        }
    }

    /// The work that driven bodies do through a contact.
    #[inline(always)]
    pub fn drive<const N: usize, const V: usize>(
        &mut self,
        input: &Input<'_, N, V>,
        k: &RigidContact<N>,
        impulse: &[f64; N],
        moment: &[f64; 3],
    ) where
        Rigid: Space<N, V>,
    {
        for (slot, arm, sign) in [(k.a as usize, &k.arm_a, 1.0), (k.b as usize, &k.arm_b, -1.0)] {
            if input.bodies.movable[slot] {
                continue;
            }
            let mean: [f64; V] = std::array::from_fn(|i| 0.5 * (input.bodies.v[slot][i] + input.v_free[slot][i]));
            let at = velocity_at(&mean, arm);
            let turn = if N == 2 { moment[0] * mean[2] } else { (0..3).map(|i| moment[i] * mean[V - 3 + i]).sum() };
            self.work.driven -= sign * (impulse.iter().zip(&at).map(|(p, u)| p * u).sum::<f64>() + turn);
        }
    }

    /// Spinning friction: a moment about the normal of at most `mu_s r_N` that stops the relative spin at best.
    #[inline(always)]
    pub fn spin<const N: usize, const V: usize>(
        &mut self,
        input: &Input<'_, N, V>,
        k: &RigidContact<N>,
        r_n: f64,
        (v, spun): (&[[f64; V]], &mut Vec<[f64; V]>),
    ) where
        Rigid: Space<N, V>,
    {
        let (a, b) = (k.a as usize, k.b as usize);
        let mu_s = input.laws.of(input.bodies.material[a], input.bodies.material[b]).mu_s();
        if mu_s == 0.0 {
            return;
        }
        if spun.is_empty() {
            spun.resize(v.len(), [0.0; V]);
        }
        let normal: [f64; 3] = std::array::from_fn(|i| k.normal[i]);
        let zero = [0.0; N];
        // the answer to a unit moment, turning both bodies
        let turn = |slot: usize| input.bodies.response(slot).response(&zero, &zero, &normal);
        let (da, db) = (turn(a), turn(b));
        let along = |v: &[f64; V]| (0..3).map(|i| normal[i] * v[V - 3 + i]).sum::<f64>();
        let spin = |slot: usize, spun: &[[f64; V]]| along(&v[slot]) + along(&spun[slot]);
        let before = spin(a, spun) - spin(b, spun);
        let w = along(&da) + along(&db);
        if w <= 0.0 {
            return;
        }
        let moment = (-before / w).clamp(-mu_s * r_n, mu_s * r_n);
        for i in 0..V {
            spun[a][i] += moment * da[i];
            spun[b][i] -= moment * db[i];
        }
        // a driven body keeps its spin against the moment
        for (slot, sign) in [(a, 1.0), (b, -1.0)] {
            if !input.bodies.movable[slot] {
                self.work.driven -= sign * moment * along(&v[slot]);
            }
        }
        // exact: the kinetic energy changes by the moment times the mean spin
        self.work.rolling -= moment * (before + 0.5 * w * moment);
    }

    #[inline(always)]
    pub fn measure(&mut self, gap: f64) {
        if gap < 0.0 {
            self.penetration = self.penetration.max(-gap);
            self.overlap.0 -= gap;
            self.overlap.1 += 1;
        }
    }
}
