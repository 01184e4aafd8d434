//! The contact problem of a step in the global form, for files and bug reports.

use crate::bodies::Bodies;
use crate::space::{Rigid, Space};
use stickslip_contact::cone::Cone;
use stickslip_contact::matrix::{Csr, Triplet};
use stickslip_contact::operator::rigid::world_impulse;
use stickslip_contact::operator::{RigidContact, RigidInertia};
use stickslip_contact::problem::GlobalProblem;

/// A global problem of two, three or five rows a contact.
#[derive(Debug, Clone, PartialEq)]
pub enum Dump {
    /// The plane.
    Two(GlobalProblem<2>),
    /// Space, or the plane with rolling.
    Three(GlobalProblem<3>),
    /// Space with rolling.
    Five(GlobalProblem<5>),
}

/// A problem with the impulses that were found.
#[derive(Debug, Clone, PartialEq)]
pub struct Dumped {
    /// The problem: M, H, f, w and the laws.
    pub problem: Dump,
    /// The impulses, contact by contact.
    pub r: Vec<f64>,
}

/// A problem that did not certify.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Which part of the step it belongs to, from 0.
    pub part: u32,
    /// Into how many equal parts the step was halved there: 1 for the whole.
    pub parts: u32,
    /// The problem.
    pub problem: Dumped,
}

impl Dump {
    /// The problem under its number of rows.
    pub(crate) fn of<const D: usize>(p: &GlobalProblem<D>) -> Dump {
        fn rows<const D: usize, const E: usize>(p: &GlobalProblem<D>) -> GlobalProblem<E> {
            let w = p.w.iter().map(|w| std::array::from_fn(|d| w[d])).collect();
            GlobalProblem { m: p.m.clone(), h: p.h.clone(), f: p.f.clone(), w, cones: p.cones.clone() }
        }
        match D {
            2 => Dump::Two(rows(p)),
            3 => Dump::Three(rows(p)),
            _ => Dump::Five(rows(p)),
        }
    }
}

/// `M v = H r + f`, `u = H^T v + w` over the bodies that move of themselves; prescribed velocities go into w.
pub(crate) fn global_problem<const N: usize, const V: usize, const D: usize>(
    bodies: &Bodies<N, V>,
    v_free: &[[f64; V]],
    rows: impl Iterator<Item = (RigidContact<N>, [f64; D])>,
    cones: &[Cone],
) -> GlobalProblem<D>
where
    Rigid: Space<N, V>,
{
    let mut dof = Vec::with_capacity(bodies.len());
    let mut dofs = 0;
    for k in 0..bodies.len() {
        dof.push(dofs);
        dofs += if bodies.movable[k] { V } else { 0 };
    }
    let (mut m, mut f) = (Triplet::empty(dofs, dofs), vec![0.0; dofs]);
    for k in (0..bodies.len()).filter(|&k| bodies.movable[k]) {
        mass_block(bodies, k, |i, j, x| {
            m.push(dof[k] + i, dof[k] + j, x);
            f[dof[k] + i] += x * v_free[k][j];
        });
    }
    let mut h = Triplet::empty(dofs, D * cones.len());
    let mut w = Vec::with_capacity(cones.len());
    // unit inertias turn a response into a column of H
    let unit: RigidInertia<V> = RigidInertia { inv_mass: 1.0, inv_inertia: std::array::from_fn(|i| f64::from(i < 3)) };
    for (c, (k, bias)) in rows.enumerate() {
        let mut prescribed = bias;
        for d in 0..D {
            let mut r = [0.0; D];
            r[d] = 1.0;
            let (p, moment) = world_impulse(&k.normal, &r);
            for (slot, arm, sign) in [(k.a as usize, &k.arm_a, 1.0), (k.b as usize, &k.arm_b, -1.0)] {
                let column = unit.response(&p, arm, &moment);
                for i in 0..V {
                    if !bodies.movable[slot] {
                        prescribed[d] += sign * column[i] * v_free[slot][i];
                    } else if column[i] != 0.0 {
                        h.push(dof[slot] + i, D * c + d, sign * column[i]);
                    }
                }
            }
        }
        w.push(prescribed);
    }
    GlobalProblem { m: Csr::from(&m).into(), h: Csr::from(&h), f, w, cones: cones.to_vec() }
}

fn mass_block<const N: usize, const V: usize>(bodies: &Bodies<N, V>, k: usize, mut put: impl FnMut(usize, usize, f64))
where
    Rigid: Space<N, V>,
{
    for i in 0..N {
        put(i, i, bodies.mass[k]);
    }
    if N == 2 {
        put(2, 2, bodies.inertia[k][2]);
        return;
    }
    for j in 0..3 {
        let mut e = [0.0; 3];
        e[j] = 1.0;
        let column = bodies.inertia_times(k, &e);
        for i in 0..3 {
            if column[i] != 0.0 {
                put(3 + i, 3 + j, column[i]);
            }
        }
    }
}
