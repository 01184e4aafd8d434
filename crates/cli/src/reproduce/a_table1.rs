//! [A, table 1]: one ball that slides on a plane.

use super::a_methods::{METHODS, PAPER, Rho, cases, scheme};
use super::experiment::{Experiment, Job};
use super::motion::{apart, distances};
use super::page::{Cell, Choice, Page, Table};
use super::simulate::Ran;
use anyhow::Result;

/// Iterations, CPU seconds, contact seconds.
const TABLE: [(u64, f64, f64); 5] =
    [(18, 4.10, 1.29e-1), (17, 4.07, 1.11e-1), (2, 4.00, 8.40e-2), (2, 4.02, 9.5e-2), (1, 3.91, 7.7e-2)];
/// With these the standard methods need the iterations of the paper.
const RHO: Rho = Rho { sbp: 0.40, sal: 0.42 };
const H: f64 = 1e-4;

/// The experiment.
pub struct Table1;

impl Experiment for Table1 {
    fn name(&self) -> &'static str {
        "A.table1"
    }

    fn what(&self) -> &'static str {
        "a sliding ball: iterations a step and times of SBP, SAL, EBP, EAL, PDAS"
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let steps = job.pick(200, 2000);
        let scene = |solver: &str| {
            format!(
                "# [A, section 5.1]: a ball slides on a plane without friction\nname = \"sliding ball\"\ndimension = 2\n\n\
                 {}[[law]]\nfrictionless = {{}}\n\n[[body]]\nshape = \"half_plane\"\nfixed = true\n\n[[body]]\n\
                 shape.disc.radius = \"1 cm\"\nat = [0, \"1 cm\"]\nvelocity = [1.5, 0]\n",
                scheme(solver, (H, steps), 20, 1e-7)
            )
        };
        let stop = ",stop_test={exact={every=1}}";
        let Some(ran) = job.simulate(cases(&RHO, job.pick(1, 5), stop, scene))? else { return Ok(None) };
        Ok(Some(page(job, steps, &ran)?))
    }
}

fn page(job: &Job, steps: u64, ran: &[Ran]) -> Result<Page> {
    let pdas = &ran[4];
    let head = vec![
        "method",
        "paper: iterations",
        "iterations",
        "paper: CPU s",
        "CPU s",
        "paper: contact s",
        "contact s",
        "paper: contact / PDAS",
        "contact / PDAS",
        "farthest from PDAS (m)",
    ];
    let mut rows = Vec::new();
    let mut far: f64 = 0.0;
    for ((method, (iterations, total, contact)), r) in METHODS.iter().zip(TABLE).zip(ran) {
        let f = &r.figures;
        let distance = apart(&distances(r, pdas)?);
        far = far.max(distance);
        rows.push(vec![
            Cell::from(*method),
            Cell::Count(iterations),
            Cell::Number(r.iterations()),
            Cell::Number(total),
            Cell::Number(f.seconds),
            Cell::Number(contact),
            Cell::Number(f.contact_seconds),
            Cell::Number(contact / TABLE[4].2),
            Cell::Number(f.contact_seconds / pdas.figures.contact_seconds),
            Cell::Number(distance),
        ]);
    }
    let last = pdas.last()?;
    let slid = last.x.get(1).map_or(f64::NAN, |x| x[0]);
    let exact = 1.5 * H * steps as f64;
    Ok(Page {
        title: "A.table1: one ball slides on a plane".into(),
        reference: PAPER,
        intro: format!(
            "A ball with 1.5 m/s on a plane without friction, one contact, {steps} steps of 1e-4 s. Every step starts from \
             zero impulse, as in the paper; eps_glob is looked at after every sweep."
        ),
        table: Table { head, rows },
        findings: vec![
            "The order of the iterations is the paper's, SBP > SAL > EBP, EAL >= PDAS. EBP and EAL need 1 sweep here and 2 in \
             the paper. Here their Newton step is exact without friction, and eps_glob, recomputed from r, shows it after \
             that sweep. The paper does not say how it counts; one more sweep that finds nothing to move would make its 2."
                .into(),
            format!(
                "The iterations of SBP and SAL are those of their rho: one contact contracts by 1 - rho W_NN a sweep. rho = {} \
                 and {} of 1 / W_NN give the paper's 18 and 17; rho = 1 / W_NN would give 1.",
                RHO.sbp, RHO.sal
            ),
            format!(
                "All five end in the same motion: the largest distance is {far:.1e} m; the ball has slid {slid:.9} m where \
                 1.5 m/s gives {exact:.9} m, without rolling."
            ),
            "Times are of microseconds a step: most of one is not the sweep but what surrounds it, in the paper as here."
                .into(),
        ],
        choices: vec![
            Choice { what: "tolerance", taken: "eps_glob = 1e-7, that of the other two experiments".into() },
            Choice { what: "rho of SBP, SAL", taken: format!("{} and {} of 1 / W_NN: see above", RHO.sbp, RHO.sal) },
            Choice { what: "gamma of PDAS", taken: "1 / W_NN; any positive value gives the same set here".into() },
            Choice { what: "radius, density", taken: "1 cm, 1000 kg/m3; neither changes an iteration".into() },
            Choice { what: "dimension", taken: "the plane, for which the paper writes its matrices (eq. 34)".into() },
            Choice { what: "theta, e_n", taken: "1/2 (its eq. 18) and 0".into() },
        ],
        quick: job.quick.then(|| format!("{steps} steps instead of 2000, each method run once instead of five times")),
        ..Page::default()
    })
}
