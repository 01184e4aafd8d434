//! The Delassus operator W, in every form a solver can use.
//!
//! | type | holds | [`Delassus`] | [`Sweep`] |
//! |---|---|---|---|
//! | [`BlockCsr`] | W, assembled by blocks | yes | yes |
//! | [`MatrixFree`] | H and M^-1 H, M block diagonal | yes | yes |
//! | [`SphereContacts`] | normals and masses of spheres | yes | yes |
//! | [`DiscContacts`] | normals and masses of discs in the plane | yes | yes |
//! | [`RigidContacts`] | normals, arms and inertias of rigid bodies | yes | yes |
//! | [`Regularised`] | any of these plus a multiple of I | yes | as W |
//! | [`Factored`] | H and a Cholesky factor of any M | yes | no |
//!
//! A gradient-like method asks for `W r`; a Gauss-Seidel-like one reads the velocity at one contact and pushes an
//! impulse increment. Matrix-free operators keep the body velocities `v = M^-1 H r` as state between the two.

mod block_csr;
mod bodies;
mod disc_groups;
mod discs;
mod factored;
mod gram;
mod link;
mod matrix_free;
mod part;
mod regularised;
pub mod rigid;
mod spheres;

pub use block_csr::BlockCsr;
pub use bodies::Bodies;
pub(crate) use bodies::body_dofs;
pub use discs::{DiscContact, DiscContacts};
pub use factored::Factored;
pub use link::Link;
pub(crate) use link::arm;
pub use matrix_free::MatrixFree;
pub use part::Numbers;
pub use regularised::Regularised;
pub use rigid::{RigidContact, RigidContacts, RigidInertia};
pub use spheres::{SphereContact, SphereContacts};

use crate::block::{Block, add, mul, sub};
use crate::cone::Cone;
use crate::one_contact::{Exact, OneContact};
use pulp::Arch;
use std::borrow::Cow;
use std::ops::Range;

/// W as a linear map.
pub trait Delassus<const D: usize> {
    /// Number of contacts.
    fn contacts(&self) -> usize;

    /// Length of the state `v` that the operator needs (0 for an assembled W).
    fn state_len(&self) -> usize;

    /// The diagonal block W_cc.
    fn diagonal(&self, c: usize) -> Block<D>;

    /// W as blocks: itself when it is assembled, formed when it is not; `None` when it would not fit in memory.
    fn assemble(&self) -> Option<Cow<'_, BlockCsr<D>>>;

    /// M and H behind W, when the operator knows them.
    fn bodies(&self) -> Option<&dyn Bodies<D>> {
        None
    }

    /// `out = W r`; `v` has [`state_len`](Self::state_len) entries and becomes `M^-1 H r`.
    fn apply(&self, r: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]);

    /// `out = W r + q`. Where memory bounds the speed, an operator does both at once.
    fn apply_plus(&self, r: &[[f64; D]], q: &[[f64; D]], out: &mut [[f64; D]], v: &mut [f64]) {
        self.apply(r, out, v);
        out.iter_mut().zip(q).for_each(|(out, q)| *out = add(out, q));
    }
}

/// W as Gauss-Seidel sees it: one contact at a time.
pub trait Sweep<const D: usize>: Delassus<D> {
    /// `(W r)_c`, from r (assembled) or from the state v (matrix-free).
    fn row(&self, c: usize, r: &[[f64; D]], v: &[f64]) -> [f64; D];

    /// `(W r)_c - W_cc r_c`: the same without the contact's own impulse.
    #[inline(always)]
    fn row_of_others(&self, c: usize, r: &[[f64; D]], v: &[f64]) -> [f64; D] {
        sub(&self.row(c, r, v), &mul(&self.diagonal(c), &r[c]))
    }

    /// Tells the state that r_c grew by `dr`. Nothing to do for an assembled W.
    fn push(&self, c: usize, dr: &[f64; D], v: &mut [f64]);

    /// Recomputes the state from r, so that rounding of many pushes does not pile up.
    fn load(&self, r: &[[f64; D]], v: &mut [f64]);

    /// Solves contact c exactly with the others held fixed, in r and in the state; returns its move. `q` is that of the
    /// contact. An operator whose W_cc makes this cheap has its own way.
    #[inline(always)]
    fn relax(&self, c: usize, q: &[f64; D], cone: &Cone, r: &mut [[f64; D]], v: &mut [f64]) -> [f64; D] {
        relax_exactly(self, c, q, cone, r, v)
    }

    /// Contacts that are swept at a time, window by window, where all that is read of the others is in the state: what is
    /// done to a window before and after may then be done while it is near. All of them elsewhere.
    fn window(&self) -> usize {
        usize::MAX
    }

    /// Solves every contact of one [`window`](Self::window) exactly, once, in an order of the operator's own choice: where
    /// the processor would wait for the body that the contact before has just moved, it need not be that of the numbers.
    #[inline(always)]
    fn sweep(
        &self,
        _arch: Arch,
        window: Range<usize>,
        q: &[[f64; D]],
        cones: &[Cone],
        r: &mut [[f64; D]],
        v: &mut [f64],
    ) {
        sweep_strands::<1, D, Self>(self, window, q, cones, r, v);
    }

    /// What a visit takes in an accelerated sweep, in blocks of an assembled row; `None` where that is not known.
    fn blocks_a_visit(&self) -> Option<f64> {
        None
    }

    /// What contacts are coupled through, counted: bodies, degrees of freedom, or the contacts themselves; 0 where the
    /// operator does not know.
    fn nodes(&self) -> usize {
        0
    }

    /// Calls `meet` for every node that contact c moves.
    fn meets(&self, _c: usize, _meet: impl FnMut(usize))
    where
        Self: Sized,
    {
    }

    /// The operator of these contacts alone, sorted, of which none is coupled with any other; `room` is reused. It may want
    /// them in another order, and then puts them into it. `None` where it cannot be had.
    fn part(&self, _contacts: &mut [u32], _numbers: &mut Numbers, _room: Option<Self>) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// The [`Sweep::window`] of operators with a state: its contacts and what goes with them stay in the nearest caches.
const WINDOW: usize = 512;

/// [`Sweep::sweep`] in S strands.
#[inline(always)]
fn sweep_strands<const S: usize, const D: usize, W: Sweep<D> + ?Sized>(
    w: &W,
    window: Range<usize>,
    q: &[[f64; D]],
    cones: &[Cone],
    r: &mut [[f64; D]],
    v: &mut [f64],
) {
    in_strands::<S>(
        window,
        #[inline(always)]
        |c| {
            w.relax(c, &q[c], &cones[c], r, v);
        },
    );
}

/// Calls `visit` for each of these contacts, in S parts of them side by side, one contact of each in turn.
#[inline(always)]
fn in_strands<const S: usize>(contacts: Range<usize>, mut visit: impl FnMut(usize)) {
    let length = contacts.len().div_ceil(S);
    for i in contacts.start..contacts.start + length {
        for strand in 0..S {
            let c = i + strand * length;
            if c < contacts.end {
                visit(c);
            }
        }
    }
}

/// [`Sweep::relax`] for any W_cc.
#[inline(always)]
fn relax_exactly<const D: usize, W: Sweep<D> + ?Sized>(
    w: &W,
    c: usize,
    q: &[f64; D],
    cone: &Cone,
    r: &mut [[f64; D]],
    v: &mut [f64],
) -> [f64; D] {
    let free = add(q, &w.row_of_others(c, r, v));
    let mut new = r[c];
    Exact.visit(&w.diagonal(c), &free, cone, &mut new);
    let dr = sub(&new, &r[c]);
    w.push(c, &dr, v);
    r[c] = new;
    dr
}

/// `x_+`, one instruction; NaN becomes 0 no less than anything else that is not positive.
#[inline(always)]
fn positive(x: f64) -> f64 {
    if x > 0.0 { x } else { 0.0 }
}
