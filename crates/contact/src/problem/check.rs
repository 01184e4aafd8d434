//! What can be wrong with a problem, by name and place.

use crate::block::is_positive_definite;
use crate::cone::Cone;
use crate::operator::{BlockCsr, Delassus};

/// A problem that cannot be solved as it stands.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// Two parts of the problem disagree about a size.
    #[error("{what}: {found} found, {expected} expected")]
    Size {
        /// The part.
        what: String,
        /// Its size.
        found: usize,
        /// The size that the other parts ask for.
        expected: usize,
    },
    /// NaN or infinity in a vector or matrix.
    #[error("{what}[{index}] = {value} is not a finite number")]
    NotFinite {
        /// The array.
        what: String,
        /// Position in it.
        index: usize,
        /// The value.
        value: f64,
    },
    /// NaN or infinity in a block of W.
    #[error("W holds a number that is not finite in the block of contacts {contact} and {column}")]
    NotFiniteBlock {
        /// Contact of the block row.
        contact: usize,
        /// Contact of the block column.
        column: usize,
    },
    /// A number whose square or cube is lost in double precision.
    #[error(
        "{what} = {value:e} at contact {contact}: numbers must lie between 1e-50 and 1e50, so that products of a few of \
         them can be computed; change the units"
    )]
    OutOfRange {
        /// The part.
        what: &'static str,
        /// Where it is.
        contact: usize,
        /// The number.
        value: f64,
    },
    /// A coefficient that no law allows.
    #[error("contact {contact}: {fault}")]
    Cone {
        /// The contact.
        contact: usize,
        /// What is wrong.
        fault: String,
    },
    /// W_cc is not positive definite, so the contact cannot be solved even alone.
    #[error(
        "contact {contact}: the diagonal block of W is not positive definite; \
         a contact between two bodies that cannot move, or a wrong sign in W, gives this"
    )]
    Diagonal {
        /// The contact.
        contact: usize,
    },
    /// M is not positive definite.
    #[error("M is not symmetric positive definite{}; check for a zero mass or a wrong sign", at_dof(*.dof))]
    Mass {
        /// Where it showed.
        dof: Option<usize>,
    },
    /// W or M is far from symmetric.
    #[error(
        "{matrix} is not symmetric: |A - A^T| is {asymmetry:.1e} of |A|; more than 1 % is no rounding or gyroscopic term"
    )]
    Unsymmetric {
        /// The matrix.
        matrix: &'static str,
        /// Relative asymmetry.
        asymmetry: f64,
    },
    /// Condensing would need more memory than is reasonable.
    #[error("the condensed W would take {gigabytes:.1} GB; solve the global form matrix-free instead")]
    TooLarge {
        /// Size of W.
        gigabytes: f64,
    },
}

fn at_dof(dof: Option<usize>) -> String {
    dof.map_or(String::new(), |d| format!(" (degree of freedom {d})"))
}

/// Something odd that does not prevent a solution.
#[derive(Debug, Clone, PartialEq)]
pub enum Notice {
    /// Slightly unsymmetric: solved as it stands.
    Asymmetry {
        /// The matrix.
        matrix: &'static str,
        /// `|A - A^T|_F / |A|_F`.
        asymmetry: f64,
    },
    /// Only one triangle was stored; the other was filled in by symmetry.
    TriangleReflected {
        /// The matrix.
        matrix: &'static str,
    },
    /// Anything a file reader has to say.
    File(String),
}

impl std::fmt::Display for Notice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Notice::Asymmetry { matrix, asymmetry } => write!(
                f,
                "{matrix} is slightly unsymmetric (|A - A^T| = {asymmetry:.1e} |A|: \
                 a gyroscopic term, or few digits in a text file); solved as it stands"
            ),
            Notice::TriangleReflected { matrix } => {
                write!(f, "only one triangle of {matrix} is stored; the other was filled in by symmetry")
            }
            Notice::File(text) => f.write_str(text),
        }
    }
}

/// Beyond this an asymmetry is worth a word: rounding alone stays below.
const NOTICEABLE: f64 = 1e-14;
/// Beyond this it is no longer "slightly". Genuine files stay below 1e-3.
const REFUSED: f64 = 1e-2;

pub(super) fn asymmetry_notice(matrix: &'static str, asymmetry: f64) -> Result<Option<Notice>, ProblemError> {
    if asymmetry > REFUSED {
        Err(ProblemError::Unsymmetric { matrix, asymmetry })
    } else {
        Ok((asymmetry > NOTICEABLE).then_some(Notice::Asymmetry { matrix, asymmetry }))
    }
}

pub(super) fn length(what: &str, found: usize, expected: usize) -> Result<(), ProblemError> {
    if found == expected { Ok(()) } else { Err(ProblemError::Size { what: what.into(), found, expected }) }
}

pub(super) fn sizes<const D: usize>(contacts: usize, q: &[[f64; D]], cones: &[Cone]) -> Result<(), ProblemError> {
    length("contacts in q", q.len(), contacts)?;
    length("coefficients of friction", cones.len(), contacts)
}

pub(super) fn finite(what: &str, x: &[f64]) -> Result<(), ProblemError> {
    match x.iter().position(|x| !x.is_finite()) {
        Some(index) => Err(ProblemError::NotFinite { what: what.into(), index, value: x[index] }),
        None => Ok(()),
    }
}

/// The largest number that a problem may hold, and one over the smallest.
///
/// r is then below 1e100, and a product of three numbers below 1e300.
const LARGEST: f64 = 1e50;

fn in_range(what: &'static str, contact: usize, value: f64) -> Result<(), ProblemError> {
    let out = value.abs() > LARGEST || (value != 0.0 && value.abs() < 1.0 / LARGEST);
    if out { Err(ProblemError::OutOfRange { what, contact, value }) } else { Ok(()) }
}

/// No entry of q may be too large, nor all of them too small: beside larger ones the small count for nothing.
pub(super) fn free_velocity<const D: usize>(q: &[[f64; D]]) -> Result<(), ProblemError> {
    finite("q", q.as_flattened())?;
    let larger = |a: (usize, f64), b: (usize, f64)| if b.1.abs() > a.1.abs() { b } else { a };
    let (entry, value) = q.as_flattened().iter().copied().enumerate().fold((0, 0.0), larger);
    in_range("q", entry / D, value)
}

/// No entry of W may be too large, or no number at all.
pub(super) fn entries<const D: usize>(w: &BlockCsr<D>) -> Result<(), ProblemError> {
    if let Some((contact, column)) = w.first_not_finite() {
        return Err(ProblemError::NotFiniteBlock { contact, column });
    }
    for contact in 0..w.contacts() {
        let mut row = w.block_row(contact).flat_map(|(_, block)| block.as_flattened());
        if let Some(&value) = row.find(|x| x.abs() > LARGEST) {
            return Err(ProblemError::OutOfRange { what: "an entry of W", contact, value });
        }
    }
    Ok(())
}

/// The largest coefficient of friction: with |r_T| = mu r_N beyond it no digit of r_N is left in r.
const STEEPEST: f64 = 1e10;

fn coefficients(contact: usize, cone: &Cone) -> Result<(), ProblemError> {
    let friction = |mu: f64| {
        let fault =
            format!("mu = {mu:e} is above {STEEPEST:e}; a contact that may neither slide nor part is bilateral");
        if mu > STEEPEST { Err(ProblemError::Cone { contact, fault }) } else { Ok(()) }
    };
    match *cone {
        Cone::Coulomb { mu } => friction(mu),
        Cone::Rolling { mu, mu_r } => friction(mu).and_then(|()| in_range("mu_r", contact, mu_r)),
        Cone::Tresca { radius } => in_range("radius", contact, radius),
        Cone::Frictionless | Cone::Bilateral => Ok(()),
    }
}

pub(super) fn cones(cones: &[Cone]) -> Result<(), ProblemError> {
    match cones.iter().enumerate().find_map(|(c, k)| k.fault().map(|fault| (c, fault))) {
        Some((contact, fault)) => Err(ProblemError::Cone { contact, fault }),
        None => cones.iter().enumerate().try_for_each(|(contact, cone)| coefficients(contact, cone)),
    }
}

/// Each W_cc must be positive definite on the rows where its impulse may be nonzero.
pub(super) fn diagonal<const D: usize, W: Delassus<D> + ?Sized>(
    w: &W,
    q: &[[f64; D]],
    cones: &[Cone],
) -> Result<(), ProblemError> {
    for (contact, cone) in cones.iter().enumerate() {
        let mut block = w.diagonal(contact);
        if matches!(cone, Cone::Bilateral) {
            // rows that are zero throughout pad a joint up to D rows
            for d in 0..D {
                if block[d].iter().all(|x| *x == 0.0) && q[contact][d] == 0.0 {
                    block[d][d] = 1.0;
                }
            }
        }
        if !is_positive_definite(&block, cone.live_rows::<D>()) {
            return Err(ProblemError::Diagonal { contact });
        }
        (0..cone.live_rows::<D>()).try_for_each(|d| in_range("a diagonal entry of W", contact, block[d][d]))?;
    }
    Ok(())
}
