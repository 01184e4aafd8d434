//! The local solvers of [C] on one scene, and what its experiments share.

use super::motion::distances;
use super::page::{Cell, Choice, Table};
use super::simulate::{Case, Ran, ledger};
use anyhow::Result;

/// The paper.
pub const PAPER: &str = "Renouf & Acary, Comparison and coupling of algorithms for collisions, contact and friction in \
                         rigid multi-body simulations, sections 4 and 5 [C]";

/// A local solver of the paper, and its name here.
pub struct Local {
    /// On the page and of files.
    pub label: &'static str,
    /// `one_contact` of `nsgs`.
    pub one_contact: &'static str,
}

impl Local {
    /// Whether it solves the law of a polygon in place of Coulomb's disc.
    pub fn polygon(&self) -> bool {
        ["Lemke", "QP"].contains(&self.label)
    }
}

/// The case that is solved by the default of the program: the motion that the others are held against.
pub const REFERENCE: &str = "auto";
/// The tolerance of all cases, of the free velocity: for the certificate, and for the moves of a sweep on a polygon.
const TOLERANCE: f64 = 1e-4;
/// Most sweeps a step: more than any step takes.
const SWEEPS: u32 = 50_000;

/// The dedicated solver of spheres, Newton, Lemke, quadratic program.
pub const LOCALS: [Local; 4] = [
    Local { label: "dedicated", one_contact: "\"exact\"" },
    Local { label: "Newton", one_contact: "\"ac\"" },
    Local { label: "Lemke", one_contact: "{lemke_polygon={nu=12}}" },
    Local { label: "QP", one_contact: "{qp_polygon={nu=12}}" },
];

/// Step, solver and output of a scene.
pub struct Scheme {
    /// The step (s).
    pub h: f64,
    /// The end (s).
    pub end: f64,
    /// Time between frames (s).
    pub every: f64,
}

impl Scheme {
    /// As a scene writes it. Sweeps on a polygon end where they settle: the certificate is that of the cone.
    pub fn text(&self, local: &Local) -> String {
        let settled = if local.polygon() { format!(",settled={TOLERANCE:e}") } else { String::new() };
        self.with(&format!("nsgs{{one_contact={}{settled}}}", local.one_contact))
    }

    /// With the default solver.
    pub fn reference(&self) -> String {
        self.with(REFERENCE)
    }

    fn with(&self, solver: &str) -> String {
        format!(
            "[time]\nh = {:e}\nend = {:e}\n\n[solver]\nname = '{solver}'\ntolerance = {TOLERANCE:e}\n\
             max_iterations = {}\n\n[output]\nevery = {:e}\n\n",
            self.h, self.end, SWEEPS, self.every
        )
    }
}

/// A case a local solver.
pub fn cases(scene: impl Fn(&Local) -> String) -> Vec<Case> {
    LOCALS.iter().map(|l| Case { label: l.label.into(), scene: scene(l), repeat: 1 }).collect()
}

/// CPU microseconds of a visit: over sweeps times contacts, step by step. Nothing where iterations are no sweeps.
fn visit(ran: &Ran) -> Result<Option<f64>> {
    if ran.figures.case == REFERENCE {
        return Ok(None);
    }
    let visits: f64 = ledger(&ran.files.ledger, ["contacts", "iterations"])?.iter().map(|[c, i]| c * i).sum();
    Ok(Some(1e6 * ran.figures.contact_seconds / visits.max(1.0)))
}

/// Steps that ended at their limit of sweeps.
fn out_of_sweeps(ran: &Ran) -> Result<u64> {
    let steps = ledger(&ran.files.ledger, ["iterations"])?;
    Ok(steps.iter().filter(|[i]| *i >= f64::from(SWEEPS)).count() as u64)
}

/// Times and motions, those of the dedicated solver first; `extra` adds the experiment's own columns of the k-th run.
pub fn table(ran: &[Ran], extra_head: &[&'static str], extra: impl Fn(usize) -> Result<Vec<Cell>>) -> Result<Table> {
    let mut head = vec![
        "local solver",
        "simulated s",
        "CPU s",
        "contact s",
        "sweeps a step",
        "µs a visit",
        "visit / Newton",
        "uncertified steps",
        "out of sweeps",
        "largest error",
        "farthest from dedicated, first tenth (m)",
    ];
    head.extend(extra_head);
    let number = |x: Option<f64>| x.map_or(Cell::None, Cell::Number);
    let newton = visit(&ran[1])?;
    let mut rows = Vec::new();
    for (k, r) in ran.iter().enumerate() {
        let (f, cost) = (&r.figures, visit(r)?);
        let t = r.last()?.t;
        let course = distances(r, &ran[0])?;
        let early = course.iter().filter(|d| d.0 <= 0.1 * t).map(|d| d.1).fold(0.0, f64::max);
        let mut row = vec![
            Cell::from(f.case.as_str()),
            Cell::Number(t),
            Cell::Number(f.seconds),
            Cell::Number(f.contact_seconds),
            Cell::Number(r.iterations()),
            number(cost),
            number(cost.zip(newton).map(|(v, n)| v / n)),
            Cell::Count(f.uncertified),
            Cell::Count(out_of_sweeps(r)?),
            Cell::Number(f.error),
            Cell::Number(early),
        ];
        row.extend(extra(k)?);
        rows.push(row);
    }
    Ok(Table { head, rows })
}

/// What is said of times: the paper has no table, but an order.
pub fn timing(ran: &[Ran]) -> Result<String> {
    let mut order = Vec::new();
    for r in ran {
        order.extend(visit(r)?.map(|cost| (cost, r.figures.case.as_str())));
    }
    order.sort_by(|a, b| a.0.total_cmp(&b.0));
    let told: Vec<String> = order.iter().map(|(c, l)| format!("{l} {c:.3} µs")).collect();
    let paper = order.iter().position(|o| o.1 == "Newton") < order.iter().position(|o| o.1 == "Lemke")
        && order.iter().position(|o| o.1 == "Lemke") < order.iter().position(|o| o.1 == "QP");
    Ok(format!(
        "A visit of a contact costs: {}. The paper finds Newton the fastest general method, Lemke good but slower, the QP \
         last: {}.",
        told.join(", "),
        if paper { "the same order here" } else { "here the order differs" }
    ))
}

/// What is left open in all experiments of [C].
pub fn choices(scene: &str) -> Vec<Choice> {
    let choice = |what, taken: &str| Choice { what, taken: taken.into() };
    vec![
        choice("scene", scene),
        choice("tolerance", "1e-4 of the free velocity (measure scaled), warm start, as many sweeps as that takes"),
        choice("scheme", "contacts take part with their gap, so that they close without overlap"),
        choice(
            "dedicated solver",
            "one_contact = exact: closed form for spheres, enumeration of states with a bracketed root otherwise",
        ),
        choice(
            "Newton",
            "one_contact = ac: Newton on the function of Alart and Curnier, and the enumeration where it does not arrive",
        ),
        choice(
            "polygon",
            "nu = 12 corners for Lemke and QP (which hands over to Lemke where its active sets do not end). The inscribed \
             polygon is another law than Coulomb's cone. The certificate is recomputed for the cone, so steps with sliding \
             contacts count as uncertified, and the largest error is the distance between the two laws; a step ends when a \
             sweep moves by less than 1e-4 of the free velocity, which is what their own law asks for",
        ),
    ]
}
