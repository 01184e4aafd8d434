//! Siconos' solvers on the same files: which there are, and how they are reached.
//!
//! The script of the peer travels inside this program and is handed to Python, so that an installed `stickslip` works
//! alone. It is given arrays, not files: what a file means is decided once, by our reader.

pub mod handover;

use super::clock::{ANNOUNCED, Repetition};
use handover::{Handover, Kind};
use serde::Serialize;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use stickslip::contact::names;

/// What the names of its solvers begin with.
pub const PREFIX: &str = "siconos:";

/// The script that calls Siconos.
const SCRIPT: &str = include_str!("siconos.py");

/// Dense storage is not tried beyond this many unknowns.
const DENSE_LIMIT: usize = 1500;
/// Enumeration is not tried beyond this many unknowns.
const ENUMERATION_LIMIT: usize = 24;
/// Iterations of methods whose iteration is a product or a sweep: time alone is the budget.
const SWEEPS: u32 = 10_000_000;
/// Iterations of methods with a solver inside.
const OUTER: u32 = 100_000;

/// How W is stored for a solver.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Storage {
    /// Sparse blocks.
    Blocks,
    /// Compressed columns.
    Columns,
    /// Every entry.
    Dense,
}

/// A solver of Siconos under the name it has in its own list, for one kind of problem.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    kind: Kind,
    constant: &'static str,
    storage: Storage,
    max_iterations: u32,
}

impl Entry {
    /// The kind of problem.
    pub fn kind(&self) -> Kind {
        self.kind
    }
}

/// One method of Siconos, for every kind of problem that it takes.
#[derive(Debug, PartialEq)]
pub struct PeerSolver {
    /// The name on the command line.
    pub name: &'static str,
    /// One of its one-contact solvers instead of the default one.
    inner: Option<&'static str>,
    /// By kind of problem.
    entries: &'static [Entry],
    /// Tried when no peer solvers are named.
    pub usual: bool,
    /// It solves the convex relaxation and not Coulomb's law: it is ranked with no other.
    pub relaxation: bool,
}

const fn local(constant: &'static str, storage: Storage, max_iterations: u32) -> Entry {
    Entry { kind: Kind::Space, constant, storage, max_iterations }
}

const fn plane(constant: &'static str, storage: Storage) -> Entry {
    Entry { kind: Kind::Plane, constant, storage, max_iterations: SWEEPS }
}

const fn rolling(constant: &'static str, storage: Storage) -> Entry {
    Entry { kind: Kind::Rolling, constant, storage, max_iterations: SWEEPS }
}

const fn global(constant: &'static str, max_iterations: u32) -> Entry {
    Entry { kind: Kind::GlobalSpace, constant, storage: Storage::Columns, max_iterations }
}

const fn solver(name: &'static str, usual: bool, entries: &'static [Entry]) -> PeerSolver {
    PeerSolver { name, inner: None, entries, usual, relaxation: false }
}

use Storage::{Blocks, Columns, Dense};

/// The solvers of Siconos 4.4 that its Python interface reaches. `NSGSV` is missing: it ends the process.
pub static SOLVERS: &[PeerSolver] = &[
    solver(
        "nsgs",
        true,
        &[
            local("SICONOS_FRICTION_3D_NSGS", Blocks, SWEEPS),
            plane("SICONOS_FRICTION_2D_NSGS", Blocks),
            // asserts on block storage
            rolling("SICONOS_ROLLING_FRICTION_3D_NSGS", Dense),
        ],
    ),
    PeerSolver {
        name: "nsgs-quartic",
        inner: Some("SICONOS_FRICTION_3D_ONECONTACT_QUARTIC"),
        entries: &[local("SICONOS_FRICTION_3D_NSGS", Blocks, SWEEPS)],
        usual: true,
        relaxation: false,
    },
    PeerSolver {
        name: "nsgs-poc",
        inner: Some("SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration"),
        entries: &[local("SICONOS_FRICTION_3D_NSGS", Blocks, SWEEPS)],
        usual: true,
        relaxation: false,
    },
    solver("eg", true, &[local("SICONOS_FRICTION_3D_EG", Blocks, SWEEPS)]),
    solver("prox", true, &[local("SICONOS_FRICTION_3D_PROX", Blocks, OUTER)]),
    solver(
        "admm",
        true,
        &[local("SICONOS_FRICTION_3D_ADMM", Columns, SWEEPS), rolling("SICONOS_ROLLING_FRICTION_3D_ADMM", Columns)],
    ),
    solver("nsn-ac", true, &[local("SICONOS_FRICTION_3D_NSN_AC", Columns, OUTER)]),
    solver("cpg", true, &[plane("SICONOS_FRICTION_2D_CPG", Dense)]),
    solver("lemke", true, &[plane("SICONOS_FRICTION_2D_LEMKE", Dense)]),
    solver("enum", false, &[plane("SICONOS_FRICTION_2D_ENUM", Dense)]),
    solver("tfp", false, &[local("SICONOS_FRICTION_3D_TFP", Blocks, OUTER)]),
    solver("aclm", false, &[local("SICONOS_FRICTION_3D_ACLMFP", Blocks, OUTER)]),
    solver("pfp", false, &[local("SICONOS_FRICTION_3D_PFP", Blocks, OUTER)]),
    solver("dsfp", false, &[local("SICONOS_FRICTION_3D_DSFP", Blocks, SWEEPS)]),
    solver("fpp", false, &[local("SICONOS_FRICTION_3D_FPP", Blocks, SWEEPS)]),
    solver("hp", false, &[local("SICONOS_FRICTION_3D_HP", Blocks, SWEEPS)]),
    solver("vi-fp", false, &[local("SICONOS_FRICTION_3D_VI_FPP", Blocks, SWEEPS)]),
    solver("vi-eg", false, &[local("SICONOS_FRICTION_3D_VI_EG", Blocks, SWEEPS)]),
    solver("nsn-fb", false, &[local("SICONOS_FRICTION_3D_NSN_FB", Columns, OUTER)]),
    solver("nsn-nm", false, &[local("SICONOS_FRICTION_3D_NSN_NM", Columns, OUTER)]),
    solver("g-admm", false, &[global("SICONOS_GLOBAL_FRICTION_3D_ADMM", SWEEPS)]),
    solver("g-nsn-ac", false, &[global("SICONOS_GLOBAL_FRICTION_3D_NSN_AC", OUTER)]),
    solver("g-aclm", false, &[global("SICONOS_GLOBAL_FRICTION_3D_ACLMFP", OUTER)]),
    solver("g-vi-fp", false, &[global("SICONOS_GLOBAL_FRICTION_3D_VI_FPP", SWEEPS)]),
    solver("g-vi-eg", false, &[global("SICONOS_GLOBAL_FRICTION_3D_VI_EG", SWEEPS)]),
    PeerSolver {
        name: "soclcp",
        inner: None,
        entries: &[local("SICONOS_FRICTION_3D_SOCLCP", Blocks, OUTER)],
        usual: false,
        relaxation: true,
    },
    PeerSolver {
        name: "g-ipm",
        inner: None,
        entries: &[global("SICONOS_GLOBAL_FRICTION_3D_IPM", OUTER)],
        usual: false,
        relaxation: true,
    },
];

/// The solvers named in a comma-separated list; the usual ones for none, `all` for all.
pub fn solvers(names: Option<&str>) -> anyhow::Result<Vec<&'static PeerSolver>> {
    match names.map(str::trim) {
        None => Ok(SOLVERS.iter().filter(|s| s.usual).collect()),
        Some("all") => Ok(SOLVERS.iter().collect()),
        Some(list) => {
            let find = |name: &str| {
                let bare = name.trim().trim_start_matches(PREFIX);
                let wanted = names::bare(bare);
                SOLVERS.iter().find(|s| names::bare(s.name) == wanted).ok_or_else(|| {
                    let all = SOLVERS.iter().map(|s| s.name);
                    let near = names::nearest(bare, all.clone());
                    let all = all.collect::<Vec<_>>().join(", ");
                    anyhow::anyhow!("siconos has no solver '{bare}' here; did you mean '{near}'? All: {all}")
                })
            };
            list.split(',').map(find).collect()
        }
    }
}

impl PeerSolver {
    /// The entry for a problem, or why there is none.
    pub fn entry(&self, problem: &Handover) -> Result<&'static Entry, &'static str> {
        let kinds = problem.kinds();
        let entry = self.entries.iter().find(|e| kinds.contains(&e.kind));
        let entry = entry.ok_or("not offered for this kind of problem")?;
        if entry.storage == Dense && problem.unknowns() > DENSE_LIMIT {
            return Err("not tried: W would be dense");
        }
        if self.name == "enum" && problem.unknowns() > ENUMERATION_LIMIT {
            return Err("not tried: too many cases to enumerate");
        }
        Ok(entry)
    }
}

/// One solve of the peer's, as its script reads it.
#[derive(Debug, Serialize)]
pub struct Job<'a> {
    problem: &'a std::path::Path,
    kind: Kind,
    constant: &'static str,
    inner: Option<&'static str>,
    storage: Storage,
    max_iterations: u32,
    tolerance: f64,
    time_limit: f64,
    repeat: usize,
    enough: f64,
    at_least: f64,
    most: usize,
    announced: f64,
    start: Option<&'a [f64]>,
}

/// What a solve needs beside the solver.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// The arrays of the problem.
    pub problem: &'a std::path::Path,
    /// The tolerance asked for.
    pub tolerance: f64,
    /// CPU seconds.
    pub time_limit: f64,
    /// How often.
    pub repetition: Repetition,
    /// A flat r to start from.
    pub start: Option<&'a [f64]>,
}

impl PeerSolver {
    /// The job that the script is sent.
    pub fn job<'a>(&self, entry: &Entry, request: Request<'a>) -> Job<'a> {
        let (enough, at_least, most) = request.repetition.limits();
        Job {
            problem: request.problem,
            kind: entry.kind,
            constant: entry.constant,
            inner: self.inner,
            storage: entry.storage,
            max_iterations: entry.max_iterations,
            tolerance: request.tolerance,
            time_limit: request.time_limit,
            repeat: request.repetition.repeat,
            enough,
            at_least,
            most,
            announced: ANNOUNCED,
            start: request.start,
        }
    }
}

/// A Python that can import Siconos: that of `STICKSLIP_SICONOS_PYTHON`, or the system's; with the version.
pub fn python() -> Option<(PathBuf, String)> {
    let named = std::env::var_os("STICKSLIP_SICONOS_PYTHON").filter(|p| !p.is_empty()).map(PathBuf::from);
    let usual = ["/usr/bin/python3", "python3"].map(PathBuf::from);
    named.into_iter().chain(usual).find_map(|python| {
        let question = "import siconos.numerics, scipy.sparse\n\
                        from importlib import metadata\n\
                        try: print(metadata.version('siconos'))\n\
                        except Exception: print('of unknown version')";
        let output = Command::new(&python).args(["-c", question]).stdin(Stdio::null()).output().ok()?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
        output.status.success().then_some((python, version))
    })
}

/// The command that starts the peer's worker: one thread, as ours.
pub fn command(python: &std::path::Path) -> Command {
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]).env("OMP_NUM_THREADS", "1").env("OPENBLAS_NUM_THREADS", "1");
    command
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_relaxations_are_not_usual() {
        let mut names: Vec<&str> = SOLVERS.iter().map(|s| s.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), SOLVERS.len());
        assert!(SOLVERS.iter().all(|s| !s.usual || !s.relaxation));
    }

    #[test]
    fn lists_of_peers() {
        assert_eq!(
            solvers(Some("nsgs, siconos:eg")).unwrap().iter().map(|s| s.name).collect::<Vec<_>>(),
            ["nsgs", "eg"]
        );
        assert_eq!(solvers(Some("all")).unwrap().len(), SOLVERS.len());
        assert!(solvers(None).unwrap().len() >= 8);
        assert!(solvers(Some("nsgsv")).unwrap_err().to_string().contains("no solver 'nsgsv'"));
        for (word, near) in [("nsgsv", "nsgs"), ("aclmm", "aclm"), ("quartic", "nsgs-quartic"), ("dfsp", "dsfp")] {
            let error = solvers(Some(word)).unwrap_err().to_string();
            assert!(error.contains(&format!("did you mean '{near}'")), "{error}");
        }
        assert_eq!(solvers(Some("SICONOS_FRICTION_3D_NSN_AC")).unwrap()[0].name, "nsn-ac");
    }
}
