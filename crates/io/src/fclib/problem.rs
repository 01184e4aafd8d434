//! From the mirror of a file to a problem.
//!
//! Equality constraints become joints: blocks of the cone [`Cone::Bilateral`] after the contacts, padded with zero
//! rows up to whole blocks. Local, `u_b = V^T r + R l + s = 0`; global, `u_b = G^T v + b = 0`.

use stickslip_contact::cone::Cone;
use stickslip_contact::matrix::{Csr, Triplet};
use stickslip_contact::problem::Notice;

use super::{FclibFile, Solution};
use crate::error::IoError;
use crate::problem::Problem;
use crate::stored_solution::StoredSolution;

/// A problem with what came along in its file.
#[derive(Debug, Clone)]
pub struct Converted {
    /// The problem.
    pub problem: Problem,
    /// What a user should know about the file.
    pub notices: Vec<Notice>,
    /// The first guess of the impulses, flat, joints last.
    pub guess: Option<Vec<f64>>,
    /// The stored solution, flat, joints last.
    pub solution: Option<StoredSolution>,
}

impl FclibFile {
    /// The problem that the file describes.
    ///
    /// # Errors
    /// When sizes disagree, a number is not finite, or the problem cannot be solved.
    pub fn problem(&self) -> Result<Converted, IoError> {
        let mut notes = Vec::new();
        let d = self.dimension()?;
        let cones = self.cones(d)?;
        let (problem, mut notices) = if self.formulation.is_global() {
            self.global(d, cones, &mut notes)?
        } else {
            self.local(d, cones, &mut notes)?
        };
        let rows = d * problem.contacts();
        let guess = self.first_guess(rows, &mut notes);
        let solution = self.solution.as_ref().map(|s| self.stored_solution(s, rows, &mut notes));
        notices.extend(notes.into_iter().map(Notice::File));
        Ok(Converted { problem, notices, guess, solution })
    }

    fn place(&self, name: &str) -> String {
        format!("{}/{name}", self.formulation.group())
    }

    fn dimension(&self) -> Result<usize, IoError> {
        let allowed: &[i32] = if self.formulation.is_rolling() { &[3, 5] } else { &[2, 3] };
        if !allowed.contains(&self.spacedim) {
            let what = format!("{} found, {} or {} expected", self.spacedim, allowed[0], allowed[1]);
            return Err(IoError::content(self.place("spacedim"), what, "it is the number of unknowns a contact"));
        }
        Ok(self.spacedim as usize)
    }

    fn vector(&self, name: &str) -> Result<&[f64], IoError> {
        self.vectors.get(name).map(Vec::as_slice).ok_or_else(|| self.missing(&format!("vectors/{name}")))
    }

    fn missing(&self, name: &str) -> IoError {
        IoError::content(self.place(name), "not found in this file", "the problem is incomplete; write it again")
    }

    /// The named matrix, which must have the given shape.
    fn csr(&self, name: &str, rows: usize, cols: usize, notes: &mut Vec<String>) -> Result<Csr, IoError> {
        let stored = self.matrices.get(name).ok_or_else(|| self.missing(name))?;
        stored.to_csr(&self.place(name), rows, cols, notes)
    }

    /// The laws of the contacts, after checking that there is one for each.
    fn cones(&self, d: usize) -> Result<Vec<Cone>, IoError> {
        let (rows, mu) = (self.unknowns().0, self.vector("mu")?);
        let name = if self.formulation.is_global() { "vectors/w" } else { "vectors/q" };
        if !rows.is_multiple_of(d) {
            let why = format!("whole contacts of spacedim = {d} rows");
            return Err(IoError::size(self.place(name), rows, rows.next_multiple_of(d), &why));
        }
        let check = |name: &str, found: usize| {
            let why = format!("{rows} unknowns, {d} a contact");
            if found == rows / d { Ok(()) } else { Err(IoError::size(self.place(name), found, rows / d, &why)) }
        };
        check("vectors/mu", mu.len())?;
        if !self.formulation.is_rolling() {
            return Ok(mu.iter().map(|&mu| Cone::Coulomb { mu }).collect());
        }
        let mu_r = self.vector("mu_r")?;
        check("vectors/mu_r", mu_r.len())?;
        Ok(mu.iter().zip(mu_r).map(|(&mu, &mu_r)| Cone::Rolling { mu, mu_r }).collect())
    }

    fn local(
        &self,
        d: usize,
        mut cones: Vec<Cone>,
        notes: &mut Vec<String>,
    ) -> Result<(Problem, Vec<Notice>), IoError> {
        let (m, mut q) = (self.unknowns().0, self.vector("q")?.to_vec());
        let mut w = self.csr("W", m, m, notes)?;
        if self.has_constraints(&["V", "R"], "s") {
            let s = self.vector("s")?;
            let p = s.len();
            let (v, r) = (self.csr("V", m, p, notes)?, self.csr("R", p, p, notes)?);
            let total = m + p.next_multiple_of(d);
            let mut all = Triplet::empty(total, total);
            entries(&w).for_each(|(i, j, x)| all.push(i, j, x));
            entries(&r).for_each(|(i, j, x)| all.push(m + i, m + j, x));
            for (i, j, x) in entries(&v) {
                all.push(i, m + j, x);
                all.push(m + j, i, x);
            }
            w = Csr::from(&all);
            q.extend_from_slice(s);
            q.resize(total, 0.0);
            note_joints(p, d, &mut cones, notes);
        }
        Problem::local(d, &w, &q, cones, self.formulation.group())
    }

    fn global(
        &self,
        d: usize,
        mut cones: Vec<Cone>,
        notes: &mut Vec<String>,
    ) -> Result<(Problem, Vec<Notice>), IoError> {
        let (f, mut w) = (self.vector("f")?.to_vec(), self.vector("w")?.to_vec());
        let (n, m) = (f.len(), w.len());
        let (mass, mut h) = (self.csr("M", n, n, notes)?, self.csr("H", n, m, notes)?);
        if self.has_constraints(&["G"], "b") {
            let b = self.vector("b")?;
            let p = b.len();
            let g = self.csr("G", n, p, notes)?;
            let total = m + p.next_multiple_of(d);
            let mut all = Triplet::empty(n, total);
            entries(&h).for_each(|(i, j, x)| all.push(i, j, x));
            entries(&g).for_each(|(i, j, x)| all.push(i, m + j, x));
            h = Csr::from(&all);
            w.extend_from_slice(b);
            w.resize(total, 0.0);
            note_joints(p, d, &mut cones, notes);
        }
        Problem::global(d, [mass, h], [f, w], cones, self.formulation.group())
    }

    /// Whether any part of the equality constraints is there; all are then asked for.
    fn has_constraints(&self, matrices: &[&str], vector: &str) -> bool {
        matrices.iter().any(|name| self.matrices.contains_key(*name))
            || self.vectors.get(vector).is_some_and(|x| !x.is_empty())
    }

    fn first_guess(&self, rows: usize, notes: &mut Vec<String>) -> Option<Vec<f64>> {
        let guess = self.guesses.as_ref()?.first()?;
        let r = self.impulses(guess, "guesses/1", rows, notes)?;
        if r.iter().all(|&x| x == 0.0) {
            notes.push("the guess in the file is zero, so solvers start from zero as without a guess".into());
            return None;
        }
        Some(r)
    }

    fn stored_solution(&self, s: &Solution, rows: usize, notes: &mut Vec<String>) -> StoredSolution {
        let zero = |x: &Option<Vec<f64>>| x.as_ref().is_some_and(|x| x.iter().all(|&x| x == 0.0));
        let (m, _) = self.unknowns();
        let mut u = usable(s.u.as_deref(), "solution/u", m, notes);
        if let Some(u) = &mut u {
            u.resize(rows, 0.0);
        }
        let mut r = self.impulses(s, "solution", rows, notes);
        let mut v = usable(s.v.as_deref(), "solution/v", self.vectors.get("f").map_or(0, Vec::len), notes);
        if zero(&r) && u.is_some() && !zero(&u) {
            notes.push(
                "the reactions of the stored solution were not stored: r is zero throughout while u is not; \
                 u is kept, r is left out"
                    .into(),
            );
            r = None;
            if zero(&v) {
                v = None;
            }
        }
        StoredSolution { u, r, v }
    }

    /// The impulses of contacts and joints, padded as the problem is.
    fn impulses(&self, s: &Solution, place: &str, rows: usize, notes: &mut Vec<String>) -> Option<Vec<f64>> {
        let (m, p) = self.unknowns();
        let mut r = usable(s.r.as_deref(), &format!("{place}/r"), m, notes)?;
        if rows > m {
            match usable(s.l.as_deref(), &format!("{place}/l"), p, notes) {
                Some(l) => r.extend(l),
                None => notes.push(format!("{place} has no impulses l of the equality constraints; taken as zero")),
            }
        }
        r.resize(rows, 0.0);
        Some(r)
    }
}

fn entries(a: &Csr) -> impl Iterator<Item = (usize, usize, f64)> + '_ {
    (0..a.rows()).flat_map(|i| a.row(i).map(move |(j, x)| (i, j, x)))
}

fn note_joints(p: usize, d: usize, cones: &mut Vec<Cone>, notes: &mut Vec<String>) {
    cones.extend(std::iter::repeat_n(Cone::Bilateral, p.div_ceil(d)));
    if p > 0 {
        notes.push(format!("{p} equality constraints became {} joints of {d} rows after the contacts", p.div_ceil(d)));
    }
}

/// A stored array of the right length with finite numbers, or a note why not.
fn usable(x: Option<&[f64]>, place: &str, length: usize, notes: &mut Vec<String>) -> Option<Vec<f64>> {
    let x = x?;
    if x.len() != length {
        notes.push(format!("{place} has {} entries, {length} were expected; it is ignored", x.len()));
        return None;
    }
    if let Some(k) = x.iter().position(|x| !x.is_finite()) {
        notes.push(format!("{place}[{k}] = {} is not a finite number; {place} is ignored", x[k]));
        return None;
    }
    Some(x.to_vec())
}
