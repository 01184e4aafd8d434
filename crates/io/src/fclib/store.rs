//! From a problem to the mirror of a file.

use std::collections::BTreeMap;

use stickslip_contact::cone::{Cone, rolls};
use stickslip_contact::matrix::{Csr, Triplet};
use stickslip_contact::problem::{GlobalProblem, LocalProblem};

use super::{FclibFile, Formulation, Info, Solution, Storage, StoredMatrix, Text};
use crate::error::IoError;

/// How to store a problem.
#[derive(Debug, Clone)]
pub struct StoreOptions {
    /// Storage of W, V, R.
    pub local: Storage,
    /// Storage of M, H, G.
    pub global: Storage,
    /// What to say about the problem.
    pub info: Info,
}

impl Default for StoreOptions {
    /// As the genuine files: W in compressed rows, M and H in triplets, empty texts.
    fn default() -> Self {
        let empty = || Some(Text::default());
        let info = Info { title: empty(), description: empty(), math_info: empty(), attributes: Vec::new() };
        Self { local: Storage::Csr, global: Storage::Triplet, info }
    }
}

impl FclibFile {
    /// Stores a local problem; joints must come last and become V, R, s.
    ///
    /// # Errors
    /// When FCLIB has no place for a law: Tresca, joints between contacts, rolling mixed with friction in space.
    pub fn from_local<const D: usize>(problem: &LocalProblem<D>, options: &StoreOptions) -> Result<Self, IoError> {
        let laws = Laws::new::<D>(&problem.cones)?;
        let formulation = if laws.mu_r.is_some() { Formulation::LocalRolling } else { Formulation::Local };
        let (w, q) = (problem.w.to_csr(), problem.q.as_flattened());
        let m = D * laws.mu.len();
        // rows that are zero throughout and last are padding
        let p = (m..q.len()).rev().find(|&i| q[i] != 0.0 || w.row(i).any(|e| e.1 != 0.0)).map_or(0, |i| i + 1 - m);
        let mut file = Self::empty::<D>(formulation, options);
        file.put_matrix("W", &part(&w, 0..m, 0..m), options.local)?;
        file.vectors.insert("q".into(), q[..m].to_vec());
        if p > 0 {
            file.put_matrix("V", &part(&w, 0..m, m..m + p), options.local)?;
            file.put_matrix("R", &part(&w, m..m + p, m..m + p), options.local)?;
            file.vectors.insert("s".into(), q[m..m + p].to_vec());
        }
        file.put_laws(laws);
        Ok(file)
    }

    /// Stores a global problem; joints must come last and become G, b.
    ///
    /// # Errors
    /// As [`from_local`](Self::from_local).
    pub fn from_global<const D: usize>(problem: &GlobalProblem<D>, options: &StoreOptions) -> Result<Self, IoError> {
        let laws = Laws::new::<D>(&problem.cones)?;
        let formulation = if laws.mu_r.is_some() { Formulation::GlobalRolling } else { Formulation::Global };
        let (h, w, n) = (&problem.h, problem.w.as_flattened(), problem.dofs());
        let m = D * laws.mu.len();
        let last_used = h.columns().iter().zip(h.values()).filter(|e| *e.1 != 0.0).map(|e| *e.0 as usize + 1).max();
        let last_given = w.iter().rposition(|&x| x != 0.0).map(|i| i + 1);
        let p = last_used.max(last_given).unwrap_or(0).saturating_sub(m);
        let mut file = Self::empty::<D>(formulation, options);
        file.put_matrix("M", &problem.m, options.global)?;
        file.put_matrix("H", &part(h, 0..n, 0..m), options.global)?;
        file.vectors.insert("f".into(), problem.f.clone());
        file.vectors.insert("w".into(), w[..m].to_vec());
        if p > 0 {
            file.put_matrix("G", &part(h, 0..n, m..m + p), options.global)?;
            file.vectors.insert("b".into(), w[m..m + p].to_vec());
        }
        file.put_laws(laws);
        Ok(file)
    }

    /// Attaches a solution: flat `u` and `r` as long as the problem (joints last), and `v` of a global problem.
    ///
    /// # Errors
    /// When a length does not fit.
    pub fn set_solution(&mut self, u: &[f64], r: &[f64], v: Option<&[f64]>) -> Result<(), IoError> {
        self.solution = Some(self.split(u, r, v)?);
        Ok(())
    }

    /// Adds a guess, as [`set_solution`](Self::set_solution) takes a solution.
    ///
    /// # Errors
    /// When a length does not fit.
    pub fn add_guess(&mut self, u: &[f64], r: &[f64], v: Option<&[f64]>) -> Result<(), IoError> {
        let guess = self.split(u, r, v)?;
        self.guesses.get_or_insert_default().push(guess);
        Ok(())
    }

    fn split(&self, u: &[f64], r: &[f64], v: Option<&[f64]>) -> Result<Solution, IoError> {
        let (m, p) = self.unknowns();
        let d = usize::try_from(self.spacedim).unwrap_or(1).max(1);
        // p says how many rows of the last joint are real, so more padding than one block cannot be meant
        let fits = |x: &[f64]| x.len() == m + p || x.len() == m + p.next_multiple_of(d);
        for (name, x) in [("u", u), ("r", r)] {
            if !fits(x) {
                return Err(IoError::size(name, x.len(), m + p.next_multiple_of(d), "as long as the problem"));
            }
        }
        let n = self.vectors.get("f").map_or(0, Vec::len);
        if let Some(v) = v.filter(|v| v.len() != n) {
            return Err(IoError::size("v", v.len(), n, "one for each degree of freedom"));
        }
        let l = (p > 0).then(|| r[m..m + p].to_vec());
        Ok(Solution { u: Some(u[..m].to_vec()), r: Some(r[..m].to_vec()), v: v.map(<[f64]>::to_vec), l })
    }

    fn empty<const D: usize>(formulation: Formulation, options: &StoreOptions) -> Self {
        Self {
            formulation,
            spacedim: D as i32,
            matrices: BTreeMap::new(),
            vectors: BTreeMap::new(),
            info: Some(options.info.clone()),
            guesses: None,
            solution: None,
        }
    }

    fn put_matrix(&mut self, name: &str, a: &Csr, storage: Storage) -> Result<(), IoError> {
        self.matrices.insert(name.into(), StoredMatrix::from_csr(a, storage)?);
        Ok(())
    }

    fn put_laws(&mut self, laws: Laws) {
        self.vectors.insert("mu".into(), laws.mu);
        self.vectors.extend(laws.mu_r.map(|mu_r| ("mu_r".into(), mu_r)));
    }
}

/// The coefficients of the contacts before the joints.
struct Laws {
    mu: Vec<f64>,
    mu_r: Option<Vec<f64>>,
}

impl Laws {
    fn new<const D: usize>(cones: &[Cone]) -> Result<Self, IoError> {
        let refuse = |contact: usize, what: &str, remedy: &str| {
            Err(IoError::Unstorable { what: format!("contact {contact}, {what},"), remedy: remedy.into() })
        };
        let joints = cones.iter().rev().take_while(|c| matches!(c, Cone::Bilateral)).count();
        let contacts = &cones[..cones.len() - joints];
        let rolling = D == 5 || rolls(contacts);
        let (mut mu, mut mu_r) = (Vec::new(), Vec::new());
        for (k, cone) in contacts.iter().enumerate() {
            let (a, b) = match *cone {
                Cone::Coulomb { .. } if rolling && D == 3 => {
                    return refuse(k, "friction in space among rolling in the plane", "FCLIB files hold one kind");
                }
                Cone::Rolling { .. } if D == 2 => {
                    return refuse(k, "rolling with two rows", "rolling takes 3 or 5 rows");
                }
                Cone::Coulomb { mu } => (mu, 0.0),
                Cone::Rolling { mu, mu_r } => (mu, mu_r),
                Cone::Frictionless => (0.0, 0.0),
                Cone::Tresca { .. } => {
                    return refuse(k, "with Tresca friction", "FCLIB knows Coulomb friction only");
                }
                Cone::Bilateral => return refuse(k, "a joint between contacts", "order the joints after the contacts"),
            };
            mu.push(a);
            mu_r.push(b);
        }
        Ok(Self { mu, mu_r: rolling.then_some(mu_r) })
    }
}

/// The rows and columns of a part of a matrix.
fn part(a: &Csr, rows: std::ops::Range<usize>, cols: std::ops::Range<usize>) -> Csr {
    let mut t = Triplet::empty(rows.len(), cols.len());
    for i in rows.clone() {
        for (j, x) in a.row(i).filter(|e| cols.contains(&e.0)) {
            t.push(i - rows.start, j - cols.start, x);
        }
    }
    Csr::from(&t)
}
