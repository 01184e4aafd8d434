//! A problem as the peer is handed it: arrays in a file of our own.

use anyhow::{Context, Result};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use stickslip::contact::cone::Cone;
use stickslip::contact::matrix::Csr;
use stickslip::contact::problem::LocalProblem;

/// The kinds of problem that Siconos tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// Two rows a contact, Coulomb.
    Plane,
    /// Three rows a contact, Coulomb.
    Space,
    /// Five rows a contact, rolling.
    Rolling,
    /// Three rows a contact, Coulomb, written with M and H.
    GlobalSpace,
}

/// One array, its bytes little-endian.
struct Array {
    name: &'static str,
    kind: &'static str,
    count: usize,
    bytes: Vec<u8>,
}

/// The arrays of a problem.
pub struct Handover {
    kinds: Vec<Kind>,
    dimension: usize,
    contacts: usize,
    dofs: usize,
    arrays: Vec<Array>,
    /// CPU seconds of our own condensing, which the peer's reduced solvers are charged for a global problem.
    pub condensing: f64,
}

/// M, H, f and w.
pub type Global<'a> = (&'a Csr, &'a Csr, &'a [f64], &'a [f64]);

impl Handover {
    /// Gathers the arrays.
    pub fn new<const D: usize>(local: &LocalProblem<D>, global: Option<Global<'_>>, condensing: f64) -> Self {
        let (kinds, mu, mu_r) = laws::<D>(&local.cones, global.is_some());
        let mut arrays = Vec::new();
        matrix(&mut arrays, ["W_ptr", "W_col", "W_val"], &local.w.to_csr());
        arrays.push(numbers("q", local.q.as_flattened()));
        arrays.push(numbers("mu", &mu));
        arrays.push(numbers("mu_r", &mu_r));
        let mut dofs = 0;
        if let Some((m, h, f, w)) = global {
            dofs = m.rows();
            matrix(&mut arrays, ["M_ptr", "M_col", "M_val"], m);
            matrix(&mut arrays, ["H_ptr", "H_col", "H_val"], h);
            arrays.extend([numbers("f", f), numbers("w", w)]);
        }
        Self { kinds, dimension: D, contacts: local.contacts(), dofs, arrays, condensing }
    }

    /// What Siconos can take it as; empty where one of the laws is not its own.
    pub fn kinds(&self) -> &[Kind] {
        &self.kinds
    }

    /// Rows of W.
    pub fn unknowns(&self) -> usize {
        self.dimension * self.contacts
    }

    /// Writes one line of JSON and then the arrays.
    pub fn write(&self, path: &Path) -> Result<()> {
        let doing = || format!("cannot hand the problem to the peer through {}", path.display());
        let index: Vec<_> = self.arrays.iter().map(|a| (a.name, a.kind, a.count)).collect();
        let header = serde_json::json!({
            "dimension": self.dimension, "contacts": self.contacts, "dofs": self.dofs, "arrays": index,
        });
        let mut file = std::io::BufWriter::new(std::fs::File::create(path).with_context(doing)?);
        writeln!(file, "{header}").with_context(doing)?;
        for array in &self.arrays {
            file.write_all(&array.bytes).with_context(doing)?;
        }
        file.flush().with_context(doing)
    }
}

/// The coefficients, and the kinds when every law is Siconos' own; frictionless contact is friction with mu = 0.
fn laws<const D: usize>(cones: &[Cone], global: bool) -> (Vec<Kind>, Vec<f64>, Vec<f64>) {
    let (mut mu, mut mu_r, mut coulomb, mut rolling) = (Vec::new(), Vec::new(), true, true);
    for cone in cones {
        let (m, r) = match cone {
            Cone::Coulomb { mu } => {
                rolling = false;
                (*mu, 0.0)
            }
            Cone::Rolling { mu, mu_r } => {
                coulomb = false;
                (*mu, *mu_r)
            }
            Cone::Frictionless => (0.0, 0.0),
            Cone::Tresca { .. } | Cone::Bilateral => {
                (coulomb, rolling) = (false, false);
                (0.0, 0.0)
            }
        };
        mu.push(m);
        mu_r.push(r);
    }
    let kinds = match D {
        2 if coulomb => vec![Kind::Plane],
        3 if coulomb && global => vec![Kind::Space, Kind::GlobalSpace],
        3 if coulomb => vec![Kind::Space],
        5 if rolling => vec![Kind::Rolling],
        _ => Vec::new(),
    };
    (kinds, mu, mu_r)
}

fn numbers(name: &'static str, x: &[f64]) -> Array {
    Array { name, kind: "<f8", count: x.len(), bytes: x.iter().flat_map(|x| x.to_le_bytes()).collect() }
}

fn matrix(arrays: &mut Vec<Array>, names: [&'static str; 3], a: &Csr) {
    let ptr = a.pointers().iter().flat_map(|p| (*p as i64).to_le_bytes()).collect();
    let col = a.columns().iter().flat_map(|c| i64::from(*c).to_le_bytes()).collect();
    arrays.push(Array { name: names[0], kind: "<i8", count: a.pointers().len(), bytes: ptr });
    arrays.push(Array { name: names[1], kind: "<i8", count: a.columns().len(), bytes: col });
    arrays.push(numbers(names[2], a.values()));
}

#[cfg(test)]
mod tests {
    use super::*;
    use stickslip::contact::operator::BlockCsr;

    fn problem(cone: Cone) -> LocalProblem<3> {
        let eye = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0], [0.0, 0.0, 2.0]];
        let w = BlockCsr::new(vec![0, 1], vec![0], vec![eye]).unwrap();
        LocalProblem::new(w, vec![[-1.0, 0.5, 0.0]], vec![cone]).unwrap()
    }

    #[test]
    fn only_laws_that_the_peer_knows_are_handed_over() {
        let kinds = |cone| Handover::new(&problem(cone), None, 0.0).kinds().to_vec();
        assert_eq!(kinds(Cone::Coulomb { mu: 0.3 }), [Kind::Space]);
        assert_eq!(kinds(Cone::Frictionless), [Kind::Space]);
        assert!(kinds(Cone::Bilateral).is_empty());
        assert!(kinds(Cone::Tresca { radius: 1.0 }).is_empty());
    }

    #[test]
    fn the_file_is_a_line_and_the_bytes_it_announces() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("p.bin");
        Handover::new(&problem(Cone::Coulomb { mu: 0.3 }), None, 0.0).write(&path).unwrap();
        let bytes = std::fs::read(&path).unwrap();
        let end = bytes.iter().position(|b| *b == b'\n').unwrap();
        let header: serde_json::Value = serde_json::from_slice(&bytes[..end]).unwrap();
        let total: u64 = header["arrays"].as_array().unwrap().iter().map(|a| 8 * a[2].as_u64().unwrap()).sum();
        assert_eq!(bytes.len() as u64, end as u64 + 1 + total);
        assert_eq!(header["contacts"], 1);
    }
}
