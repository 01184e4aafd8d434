//! [C, figure 3]: a masonry wall on a floor of which one part subsides.

use super::c_cracks::{Crack, OPEN, svg};
use super::c_joints::{Joint, state};
use super::c_solvers::{LOCALS, PAPER, REFERENCE, Scheme, choices, table, timing};
use super::experiment::{Experiment, Job};
use super::page::{Cell, Choice, Page};
use super::scene_picture::last_frame;
use super::simulate::{Case, Ran};
use crate::bench::figures::Picture;
use anyhow::Result;

/// How far a part of the floor goes down (m).
const SUBSIDENCE: f64 = 0.04;

/// The experiment.
pub struct Wall;

impl Experiment for Wall {
    fn name(&self) -> &'static str {
        "C.wall"
    }

    fn what(&self) -> &'static str {
        "a running-bond wall on a floor of which one part subsides: the pattern of cracks"
    }

    fn may_end(&self) -> bool {
        true
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let (columns, courses) = job.pick((4, 3), (10, 8));
        let end = job.end(0.2, 1.0);
        // a visit on a polygon costs some ten times that of Newton: these go a part of the way
        let part = end * job.pick(0.3, 0.11);
        let scheme = |until: f64| Scheme { h: job.pick(5e-3, 2e-3), end: until, every: end / 40.0 };
        let case = |label: &str, text: &str| Case {
            label: label.into(),
            scene: scene(text, columns, courses, end),
            repeat: 1,
        };
        let mut cases: Vec<Case> =
            LOCALS.iter().map(|l| case(l.label, &scheme(if l.polygon() { part } else { end }).text(l))).collect();
        cases.push(case(REFERENCE, &scheme(end).reference()));
        let Some(ran) = job.simulate(cases)? else { return Ok(None) };
        Ok(Some(page(job, columns * courses + courses / 2, end, &ran)?))
    }
}

/// Bricks of 25 cm x 12 cm x 10 cm; the right part of the floor sinks by 4 cm after a tenth of the time.
fn scene(scheme: &str, columns: u32, courses: u32, end: f64) -> String {
    let half = 0.5 * 0.25 * f64::from(columns);
    let (start, stop) = (0.1 * end, 0.9 * end);
    let floor = 1.2 * half;
    format!(
        "# [C, figure 3]: a wall on a floor of two parts, one of which goes down\nname = \"wall on a subsiding floor\"\n\
         dimension = 3\n\n{scheme}[material.default]\ndensity = \"1800 kg/m3\"\n\n[[law]]\ncoulomb = {{ mu = 0.6 }}\n\n\
         [[body]]\nname = \"left\"\nshape.box.size = [{floor:.4}, 0.5, 0.2]\nat = [{:.4}, 0, -0.1]\nfixed = true\n\n\
         [[body]]\nname = \"right\"\nshape.box.size = [{floor:.4}, 0.5, 0.2]\nat = [{:.4}, 0, -0.1]\n\
         drive = {{ velocity = [0, 0, {:.6}], start = {start:.4}, stop = {stop:.4} }}\n\n\
         [[wall]]\nbrick = [\"25 cm\", \"12 cm\", \"10 cm\"]\ncolumns = {columns}\ncourses = {courses}\n",
        -0.5 * floor,
        0.5 * floor,
        -SUBSIDENCE / (stop - start)
    )
}

/// Joints of a run at its end beside those of the reference at that time: open, and those that both count alike.
struct Compared {
    open: usize,
    slid: usize,
    alike: usize,
    all: usize,
}

fn compared(r: &Ran, reference: &Ran) -> Result<Compared> {
    let t = r.last()?.t;
    let cracks = |r: &Ran| Ok::<Vec<Crack>, anyhow::Error>(state(r, t)?.joints.iter().map(Crack::of).collect());
    let (here, there) = (cracks(r)?, cracks(reference)?);
    let count = |what: Crack| here.iter().filter(|c| **c == what).count();
    Ok(Compared {
        open: count(Crack::Open),
        slid: count(Crack::Slid),
        alike: here.iter().zip(&there).filter(|(a, b)| (**a == Crack::Open) == (**b == Crack::Open)).count(),
        all: here.len(),
    })
}

/// Half of the open joints lie nearer to the cut than this (m).
fn median_place(joints: &[Joint]) -> f64 {
    let mut places: Vec<f64> = joints.iter().filter(|j| Crack::of(j) == Crack::Open).map(|j| j.at[0].abs()).collect();
    places.sort_by(f64::total_cmp);
    places.get(places.len() / 2).copied().unwrap_or(0.0)
}

fn page(job: &Job, bricks: u32, end: f64, ran: &[Ran]) -> Result<Page> {
    let reference = &ran[LOCALS.len()];
    let wall = state(reference, end)?;
    let compared = ran.iter().map(|r| compared(r, reference)).collect::<Result<Vec<_>>>()?;
    let columns = |k: usize| {
        let c = &compared[k];
        Ok(vec![
            Cell::Count(c.open as u64),
            Cell::Count(c.slid as u64),
            Cell::Number(c.alike as f64 / c.all.max(1) as f64),
        ])
    };
    let (last, all) = (&compared[LOCALS.len()], wall.joints.len());
    let least = compared.iter().map(|c| c.alike).min().unwrap_or(all);
    let subsided = 0.8 * end;
    Ok(Page {
        title: format!("C.wall: a wall of {bricks} bricks on a subsiding floor"),
        reference: PAPER,
        intro: format!(
            "A wall in running bond stands on a floor of two parts; the right one goes down by 4 cm in {subsided:.2} s. The \
             paper reproduces an experiment of Chateau-Gombert and sees blocks come loose in a certain region of the wall. \
             Four local solvers inside Gauss-Seidel, and the default solver ({REFERENCE}) as the motion to hold them against."
        ),
        table: table(ran, &["open joints", "slid joints", "open or not as with auto"], columns)?,
        findings: vec![
            format!(
                "Of {all} joints, those on the floor included, {} have opened by more than {:.0} mm with {REFERENCE} and {} \
                 have slid; half of the open ones lie within {:.2} m of the cut in the floor. At the times where they end, \
                 the other solvers agree with it on whether a joint is open for at least {least} joints.",
                last.open,
                1e3 * OPEN,
                last.slid,
                median_place(&wall.joints)
            ),
            timing(ran)?,
            "The paper's wall took 1200 s with Newton; its size is not told.".into(),
        ],
        pictures: vec![Picture {
            name: "cracks".into(),
            heading: "The cracks".into(),
            caption: format!(
                "The wall at the end with {REFERENCE}, from the front and to scale: joints that have opened, as the gaps that \
                 they are, and joints that have slid; darker bricks have sunk more."
            ),
            svg: svg(&wall, SUBSIDENCE),
        }],
        scenes: last_frame(reference, false)?,
        choices: {
            let mut all =
                choices("bricks of 25 cm x 12 cm x 10 cm, 1800 kg/m3, mu = 0.6, dry joints, 10 columns and 8 courses");
            all.push(Choice { what: "subsidence", taken: "4 cm at constant speed; the other part stays".into() });
            all.push(Choice {
                what: "open",
                taken:
                    "the faces of a joint have parted by 1 mm at one of its ends; bricks that turn together stay closed"
                        .into(),
            });
            all.push(Choice {
                what: "dimension",
                taken:
                    "space, as in the paper; in the plane the polygon is the disc, and the QP would be the dedicated \
                        solver under another name"
                        .into(),
            });
            all
        },
        quick: job.quick.then(|| format!("{bricks} bricks and {end} s instead of 84 and 1 s")),
    })
}
