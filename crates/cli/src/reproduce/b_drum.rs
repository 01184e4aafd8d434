//! [B, section 5.2]: grains in a rotating drum, hard contacts against soft ones.

use super::b_measures::{Profile, kinetic, overlaps, profile};
use super::experiment::{Experiment, Job};
use super::page::{Cell, Choice, Page, Table};
use super::scene_picture::last_frame;
use super::simulate::{Case, Ran};
use crate::bench::chart::{Axis, Curve, Figure, Mark, Panel, Style};
use crate::bench::figures::Picture;
use anyhow::Result;
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Radius of the drum (m).
const DRUM: f64 = 0.225;
/// Grains in all, those of the wall included.
const GRAINS: u32 = 400;
/// Radii of grains (m).
const RADII: [f64; 2] = [3.5e-3, 4e-3];
/// Discs of a thickness at which they weigh what spheres do, 4/3 of the mean radius (m).
const THICKNESS: f64 = 5e-3;
/// Steps of the small version are so much longer.
const COARSER: f64 = 10.0;
/// Relaxation of the sweeps: with 1 (plain Gauss-Seidel) a step takes three and a half times as many.
const OMEGA: f64 = 1.5;
/// The body behind the drum and the arcs of the wall: from here on grains are free.
const ARCS: u32 = 36;

/// The experiment.
pub struct Drum;

/// One engine.
struct Engine {
    label: &'static str,
    h: f64,
    e_n: f64,
    k_n: Option<f64>,
}

const ENGINES: [Engine; 3] = [
    Engine { label: "NSCD-PDAS", h: 1e-5, e_n: 0.46, k_n: None },
    Engine { label: "DEM-kn1e3", h: 3.8e-6, e_n: 0.59, k_n: Some(1e3) },
    Engine { label: "DEM-kn1e5", h: 3.8e-6, e_n: 0.59, k_n: Some(1e5) },
];

impl Experiment for Drum {
    fn name(&self) -> &'static str {
        "B.drum"
    }

    fn what(&self) -> &'static str {
        "400 discs in a drum of 450 mm at 6 rpm, 5 s, NSCD-PDAS and soft spheres: profile, overlaps, energy"
    }

    fn may_end(&self) -> bool {
        true
    }

    fn run(&self, job: &Job) -> Result<Option<Page>> {
        let end = job.end(0.25, 5.0);
        let cases = ENGINES
            .iter()
            .map(|e| {
                let (h, tolerance) = job.pick((COARSER * e.h, 1e-5), (e.h, 1e-8));
                Case { label: e.label.into(), scene: scene(&Engine { h, ..*e }, end, tolerance), repeat: 1 }
            })
            .collect();
        let Some(ran) = job.simulate(cases)? else { return Ok(None) };
        Ok(Some(page(job, end, &ran)?))
    }
}

/// The drum, arcs of grains that turn with it, and the bed.
fn scene(e: &Engine, end: f64, tolerance: f64) -> String {
    let mut out = format!(
        "# [B, section 5.2]: {GRAINS} grains in a drum, {} of them on its wall\nname = \"rotating drum, {}\"\ndimension = 2\n\
         gravity = [0, -9.80665]\n\n[time]\nh = {:e}\nend = {end}\ntheta = 0.5\n",
        wall().len(),
        e.label,
        e.h
    );
    match e.k_n {
        Some(k) => _ = write!(out, "soft_sphere = {{ k_n = {k:e}, k_t = {:e} }}\n\n", 2.0 / 7.0 * k),
        None => {
            out += "activation = { predicted = { gamma = 0.5 } }\nstabilisation = \"none\"\n\n";
            _ = write!(
                out,
                "[solver]\nname = 'nsgs{{one_contact=\"ipdas\",omega={OMEGA}}}'\ntolerance = {tolerance:e}\nmeasure = \"eps_glob\"\n\
                 max_iterations = 2000\n\n"
            );
        }
    }
    _ = write!(
        out,
        "[output]\nevery = {:e}\nledger = 1e-3\n\n[material.default]\ndensity = {}\n\n[[law]]\n\
         coulomb = {{ mu = 0.2, e_n = {} }}\n\n\
         [[body]]\nname = \"drum\"\nshape.inside_circle.radius = {DRUM}\ndrive.spin = \"6 rpm\"\n\n",
        end / 250.0,
        2700.0 * THICKNESS,
        e.e_n
    );
    // arcs rather than one ring, so that detection sees short boxes
    let wall = wall();
    for arc in wall.chunks(wall.len().div_ceil(ARCS as usize)) {
        out += "[[body]]\ndrive.spin = \"6 rpm\"\nshape.compound.parts = [\n";
        for [x, y, r] in arc {
            _ = writeln!(out, "  {{ shape.disc.radius = {r:.6}, at = [{x:.9}, {y:.9}] }},");
        }
        out += "]\n\n";
    }
    _ = write!(
        out,
        "[[deposit]]\ncount = {}\nradius.uniform = {{ min = {}, max = {} }}\nfrom = [-0.12, -0.165]\nto = [0.12]\n\
         gap = 1e-4\nseed = 3\n",
        GRAINS - wall.len() as u32,
        RADII[0],
        RADII[1]
    );
    out
}

/// The grains on the wall, side by side: x, y, radius (m).
fn wall() -> Vec<[f64; 3]> {
    // radii in a fixed, uneven order over the whole range
    let radius = |k: u32| RADII[0] + (RADII[1] - RADII[0]) * f64::from(k * 7 % 11) / 10.0;
    let (mut grains, mut angle) = (Vec::new(), 0.0);
    for k in 0.. {
        let (r, next) = (radius(k), radius(k + 1));
        let (a, b) = (DRUM - r, DRUM - next);
        // neighbours touch: the chord between centres on their two circles
        let chord = r + next + 1e-5;
        let step = ((a * a + b * b - chord * chord) / (2.0 * a * b)).acos();
        if angle + step > TAU {
            break;
        }
        grains.push([a * f64::sin(angle), a * f64::cos(angle), r]);
        angle += step;
    }
    grains
}

/// The columns of the table.
const HEAD: [&str; 10] = [
    "engine",
    "step (s)",
    "angle of the surface (degrees)",
    "mean overlap (m)",
    "deepest overlap (m)",
    "contacts that overlap",
    "mean kinetic energy (J)",
    "uncertified steps",
    "sweeps a step",
    "CPU s",
];

fn page(job: &Job, end: f64, ran: &[Ran]) -> Result<Page> {
    // the steady state: after the grains have fallen and the first avalanches are over
    let from = 0.6 * end;
    let driven = 1 + wall().len().div_ceil(wall().len().div_ceil(ARCS as usize));
    let mut rows = Vec::new();
    let mut profiles = Vec::new();
    let mut means = Vec::new();
    for (e, r) in ENGINES.iter().zip(ran) {
        let surface = profile(r, from, driven)?;
        let o = overlaps(r, from)?;
        let energy = kinetic(r, from)?;
        rows.push(vec![
            Cell::from(e.label),
            Cell::Number(job.pick(COARSER, 1.0) * e.h),
            Cell::Number(surface.angle),
            Cell::Number(o.mean),
            Cell::Number(o.deepest),
            Cell::Number(o.share),
            Cell::Number(energy),
            Cell::Count(r.figures.uncertified),
            Cell::Number(r.iterations()),
            Cell::Number(r.figures.seconds),
        ]);
        means.push((surface.angle, o.mean, energy));
        profiles.push(surface);
    }
    let pictures = vec![surfaces(ran, &profiles), distribution(ran, from)?, energies(ran)?];
    Ok(Page {
        title: "B.drum: grains in a rotating drum, hard against soft".into(),
        reference: "Abide, Barboteu, Cherkaoui & Dumont 2022, Unified primal-dual active set method for dynamic frictional \
                    contact problems, section 5.2 [B]",
        intro: format!(
            "{GRAINS} grains of 3.5 mm to 4 mm radius in a drum of 450 mm that turns at 6 rpm: {} of them on its wall, the \
             others as a bed; {end} s with hard contacts (NSCD, PDAS inside Gauss-Seidel, eps 1e-8) and with soft ones after \
             Cundall. The figures are means over the frames after {from} s.",
            wall().len()
        ),
        table: Table { head: HEAD.to_vec(), rows },
        findings: findings(&means),
        pictures,
        scenes: {
            let mut all = last_frame(&ran[0], false)?;
            all.extend(last_frame(&ran[1], false)?);
            all
        },
        choices: choices(),
        quick: job.quick.then(|| quick(end)),
    })
}

fn quick(end: f64) -> String {
    let steady = if end < 2.0 { "; the bed has fallen, nothing is steady yet" } else { "" };
    format!("{end} s (paper: 5 s), steps ten times as long, NSCD to eps 1e-5 instead of 1e-8{steady}")
}

fn findings(means: &[(f64, f64, f64)]) -> Vec<String> {
    let [hard, soft, stiff] = means else { return Vec::new() };
    vec![
        format!(
            "Fig. 4, the surface: {:.1} degrees with NSCD, {:.1} with DEM at k_n = 1e3, {:.1} at 1e5. The paper finds the \
             profiles \"quite similar\" and gives no angle.",
            hard.0, soft.0, stiff.0
        ),
        format!(
            "Fig. 5, the overlaps: mean {:.1e} m with NSCD, {:.1e} m with DEM at k_n = 1e3, {:.1e} m at 1e5. The paper: of \
             the order of 1e-6 m, on some contacts with NSCD, on a good part of them with DEM.",
            hard.1, soft.1, stiff.1
        ),
        format!(
            "Fig. 6, the kinetic energy: mean {:.2e} J with NSCD, {:.2e} J with DEM at k_n = 1e3, {:.2e} J at 1e5. In the paper \
             DEM rises with k_n and is expected to converge to NSCD; here it {} with k_n and {} to NSCD.",
            hard.2,
            soft.2,
            stiff.2,
            if stiff.2 > soft.2 { "rises" } else { "falls" },
            if (stiff.2 - hard.2).abs() < (soft.2 - hard.2).abs() { "comes nearer" } else { "does not come nearer" }
        ),
    ]
}

fn choices() -> Vec<Choice> {
    let choice = |what, taken: &str| Choice { what, taken: taken.into() };
    vec![
        choice(
            "mass of a grain",
            "that of a sphere, 6e-4 kg (discs 5 mm thick). With rho pi r^2 per metre of table 3, 0.12 kg, a grain at k_n = \
             1e3 N/m would sink 1.2 mm into its neighbour under its own weight, a thousand times the overlaps of the paper. \
             Hard contacts do not feel the difference",
        ),
        choice(
            "gamma_n, gamma_t",
            "1 / W_NN and 1 / |W_TT| in place of 1e-8: the sets are the same at the end, and in space a gamma_t of 1e-8 makes \
             PDAS cycle, because the direction of slip then hardly turns",
        ),
        choice("e_t", "0 in place of 1: a sticking contact would reverse its tangential velocity in every step"),
        choice("start of a solve", "the impulses of the last step"),
        choice(
            "relaxation of NLGS",
            &format!("{OMEGA}: about a third of the sweeps of plain Gauss-Seidel, to the same stopping test"),
        ),
        choice("glued layer", "grains side by side on the wall, moved with the drum; the number that fits, of the 400"),
        choice("bed", "in loose layers over the bottom of the drum at the start; it falls by a few centimetres"),
        choice("step of DEM", "3.8e-6 s for both k_n: a collision takes 450 and 45 steps"),
        choice("eta_ratio", "no tangential dashpot: friction is a spring that slips"),
    ]
}

fn surfaces(ran: &[Ran], profiles: &[Profile]) -> Picture {
    let curves: Vec<Curve> = profiles
        .iter()
        .enumerate()
        .map(|(k, p)| Curve { style: Style::ours(k), points: p.points.clone(), mark: Mark::Line })
        .collect();
    figure(
        ("surface", "Fig. 4: the surface", "The upper edge of the bed in the steady state, mean over frames."),
        ran,
        (Axis::even("x, m", abscissae(&curves)), Axis::even("y, m", ordinates(&curves))),
        curves,
    )
}

fn distribution(ran: &[Ran], from: f64) -> Result<Picture> {
    let mut curves = Vec::new();
    for (k, r) in ran.iter().enumerate() {
        curves.push(Curve { style: Style::ours(k), points: overlaps(r, from)?.exceeding, mark: Mark::Line });
    }
    Ok(figure(
        (
            "overlaps",
            "Fig. 5: the overlaps",
            "The share of the contacts (vertical) that overlap by more than a depth (horizontal), in the steady state.",
        ),
        ran,
        (
            Axis::spanning("overlap, m", abscissae(&curves)),
            Axis { label: "contacts, %".into(), ends: (0.0, 1.0), scale: crate::bench::chart::Scale::Percent },
        ),
        curves,
    ))
}

fn energies(ran: &[Ran]) -> Result<Picture> {
    let mut curves = Vec::new();
    for (k, r) in ran.iter().enumerate() {
        let course = super::simulate::ledger(&r.files.ledger, ["t", "kinetic"])?;
        let piece = course.len().div_ceil(250).max(1);
        let mean = |c: &[[f64; 2]]| (c[c.len() - 1][0], c.iter().map(|x| x[1]).sum::<f64>() / c.len() as f64);
        curves.push(Curve {
            style: Style::ours(k),
            points: course.chunks(piece).map(mean).collect(),
            mark: Mark::Line,
        });
    }
    Ok(figure(
        (
            "energy",
            "Fig. 6: the kinetic energy",
            "In time, means over 250 pieces; the peak is the fall of the bed at the start.",
        ),
        ran,
        (Axis::even("time, s", abscissae(&curves)), Axis::spanning("kinetic energy, J", ordinates(&curves))),
        curves,
    ))
}

fn abscissae(curves: &[Curve]) -> impl Iterator<Item = f64> {
    curves.iter().flat_map(|c| c.points.iter().map(|p| p.0))
}

fn ordinates(curves: &[Curve]) -> impl Iterator<Item = f64> {
    curves.iter().flat_map(|c| c.points.iter().map(|p| p.1))
}

fn figure(words: (&str, &str, &str), ran: &[Ran], (x, y): (Axis, Axis), curves: Vec<Curve>) -> Picture {
    let legend = ran.iter().enumerate().map(|(k, r)| (r.figures.case.clone(), Style::ours(k))).collect();
    let panel = Panel { title: String::new(), x, y, curves };
    Picture {
        name: words.0.into(),
        heading: words.1.into(),
        caption: words.2.into(),
        svg: Figure { panels: vec![panel], legend }.svg(),
    }
}
