//! A problem whose contact dimension is known only at run time.

use stickslip_contact::cone::Cone;
use stickslip_contact::matrix::Csr;
use stickslip_contact::operator::BlockCsr;
use stickslip_contact::problem::{GlobalProblem, LocalProblem, Notice};

use crate::error::IoError;

/// A problem of any form and dimension, as files give it.
#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    /// Local, contacts of two rows.
    Local2(LocalProblem<2>),
    /// Local, contacts of three rows: in space, or rolling in the plane.
    Local3(LocalProblem<3>),
    /// Local, contacts of five rows: rolling in space.
    Local5(LocalProblem<5>),
    /// Global, contacts of two rows.
    Global2(GlobalProblem<2>),
    /// Global, contacts of three rows: in space, or rolling in the plane.
    Global3(GlobalProblem<3>),
    /// Global, contacts of five rows: rolling in space.
    Global5(GlobalProblem<5>),
}

/// Evaluates an expression for the problem inside, whatever its dimension.
#[macro_export]
macro_rules! on_each {
    ($problem:expr, local $l:ident => $local:expr, global $g:ident => $global:expr) => {
        match $problem {
            $crate::Problem::Local2($l) => $local,
            $crate::Problem::Local3($l) => $local,
            $crate::Problem::Local5($l) => $local,
            $crate::Problem::Global2($g) => $global,
            $crate::Problem::Global3($g) => $global,
            $crate::Problem::Global5($g) => $global,
        }
    };
}

impl Problem {
    /// Rows a contact.
    pub fn dimension(&self) -> usize {
        match self {
            Self::Local2(_) | Self::Global2(_) => 2,
            Self::Local3(_) | Self::Global3(_) => 3,
            Self::Local5(_) | Self::Global5(_) => 5,
        }
    }

    /// Number of contacts, joints included.
    pub fn contacts(&self) -> usize {
        on_each!(self, local p => p.contacts(), global p => p.contacts())
    }

    /// Degrees of freedom of a global problem.
    pub fn dofs(&self) -> Option<usize> {
        on_each!(self, local _p => None, global p => Some(p.dofs()))
    }

    /// Whether it is written with M and H.
    pub fn is_global(&self) -> bool {
        self.dofs().is_some()
    }

    /// The law of each contact.
    pub fn cones(&self) -> &[Cone] {
        on_each!(self, local p => &p.cones, global p => &p.cones)
    }

    /// Builds a local problem from flat arrays; `place` names it in errors.
    pub(crate) fn local(
        dimension: usize,
        w: &Csr,
        q: &[f64],
        cones: Vec<Cone>,
        place: &str,
    ) -> Result<(Self, Vec<Notice>), IoError> {
        match dimension {
            2 => local(w, q, cones, place).map(|(p, n)| (Self::Local2(p), n)),
            3 => local(w, q, cones, place).map(|(p, n)| (Self::Local3(p), n)),
            5 => local(w, q, cones, place).map(|(p, n)| (Self::Local5(p), n)),
            other => Err(unknown_dimension(place, other)),
        }
    }

    /// Builds a global problem from flat arrays; `place` names it in errors.
    pub(crate) fn global(
        dimension: usize,
        [m, h]: [Csr; 2],
        [f, w]: [Vec<f64>; 2],
        cones: Vec<Cone>,
        place: &str,
    ) -> Result<(Self, Vec<Notice>), IoError> {
        let fault = |e| IoError::problem(place, e);
        match dimension {
            2 => GlobalProblem::new(m, h, f, blocks(&w), cones).map(|(p, n)| (Self::Global2(p), n)).map_err(fault),
            3 => GlobalProblem::new(m, h, f, blocks(&w), cones).map(|(p, n)| (Self::Global3(p), n)).map_err(fault),
            5 => GlobalProblem::new(m, h, f, blocks(&w), cones).map(|(p, n)| (Self::Global5(p), n)).map_err(fault),
            other => Err(unknown_dimension(place, other)),
        }
    }
}

fn local<const D: usize>(
    w: &Csr,
    q: &[f64],
    cones: Vec<Cone>,
    place: &str,
) -> Result<(LocalProblem<D>, Vec<Notice>), IoError> {
    let w = BlockCsr::from_csr(w).map_err(|e| IoError::matrix(place, e))?;
    LocalProblem::assembled(w, blocks(q), cones).map_err(|e| IoError::problem(place, e))
}

/// Whole blocks only: callers have checked that the length is a multiple of D.
fn blocks<const D: usize>(x: &[f64]) -> Vec<[f64; D]> {
    x.as_chunks::<D>().0.to_vec()
}

fn unknown_dimension(place: &str, dimension: usize) -> IoError {
    IoError::content(place, format!("contacts of {dimension} rows"), "contacts have 2, 3 or (rolling in space) 5 rows")
}
