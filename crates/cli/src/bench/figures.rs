//! Which pictures are drawn of the results.

use super::chart::{Axis, Curve, Figure, Mark, Panel, Scale, Style};
use super::classes::{SIZES, size_class};
use super::growth;
use super::profile::{Times, add_best, profiles, times};
use super::record::{Record, Start};
use super::summary::{geometric_mean, is_peer, is_relaxation, labels, rows_of, sections};
use std::collections::BTreeMap;

/// The name of the virtual solver that is the best of the peer's on every problem.
pub const BEST: &str = "siconos: best a problem";
/// Classes with fewer problems are drawn together.
const FEW: usize = 3;
/// Profiles end at this ratio.
const FAR: f64 = 1000.0;
/// Most panels of single problems.
const SINGLE: usize = 9;

/// A picture with its file name and what it shows.
pub struct Picture {
    /// The name of its file, without ending.
    pub name: String,
    /// Its heading on the page.
    pub heading: String,
    /// What a reader needs to read it.
    pub caption: String,
    /// As SVG.
    pub svg: String,
}

/// The styles of all solvers, the same in every picture.
struct Styles {
    labels: Vec<String>,
    styles: BTreeMap<String, Style>,
}

impl Styles {
    fn new(rows: &[Record]) -> Self {
        let mut labels = labels(rows);
        let (mut ours, mut peer) = (0, 0);
        let mut styles = BTreeMap::new();
        for label in &labels {
            let count = if is_peer(label) { &mut peer } else { &mut ours };
            styles.insert(label.clone(), if is_peer(label) { Style::peer(*count) } else { Style::ours(*count) });
            *count += 1;
        }
        if peer > 1 {
            labels.push(BEST.into());
            styles.insert(BEST.into(), Style::peer_best());
        }
        Self { labels, styles }
    }

    fn figure(&self, panels: Vec<Panel>, labels: impl Fn(&str) -> Option<String>) -> Figure {
        let entry = |l: &String| labels(l).map(|text| (text, self.styles[l].clone()));
        Figure { panels, legend: self.labels.iter().filter_map(entry).collect() }
    }
}

/// All pictures; solvers of the convex relaxation solve another law and are in none.
pub fn pictures(rows: &[Record], time_limit: f64) -> Vec<Picture> {
    let ranked: Vec<Record> = rows.iter().filter(|r| !is_relaxation(&r.solver)).cloned().collect();
    let rows = &ranked[..];
    let styles = Styles::new(rows);
    let mut all = Vec::new();
    for start in [Start::Cold, Start::Warm] {
        let tols: Vec<f64> = sections(rows).into_iter().filter(|s| s.0 == start).map(|s| s.1).collect();
        if tols.is_empty() {
            continue;
        }
        all.push(overall(rows, &styles, start, &tols));
        for tol in &tols {
            all.push(by_size(rows, &styles, start, *tol));
            all.push(by_class(rows, &styles, start, *tol));
        }
        all.push(work_precision(rows, &styles, start, &tols, time_limit));
        all.push(single_problems(rows, &styles, start));
        all.push(against_size(rows, &styles, start, &tols));
    }
    all
}

const PROFILE: &str = "Share of the problems (vertical) that a solver solves in at most τ times the time of the fastest \
                       solver on that problem (horizontal). At τ = 1: how often it is the fastest; at the right end: how \
                       many it solves at all. Failures and timeouts are never reached. Peer curves are dashed. \
                       Solvers of the convex relaxation are in the tables only.";

fn overall(rows: &[Record], styles: &Styles, start: Start, tols: &[f64]) -> Picture {
    let panels = tols
        .iter()
        .map(|tol| profile_panel(&format!("tolerance {tol:e}"), &rows_of(rows, start, *tol), styles))
        .collect();
    Picture {
        name: format!("profile-{}", start.name()),
        heading: format!("Performance profiles, {} start", start.name()),
        caption: PROFILE.into(),
        svg: styles.figure(panels, |l| Some(l.into())).svg(),
    }
}

fn by_size(rows: &[Record], styles: &Styles, start: Start, tol: f64) -> Picture {
    let here = rows_of(rows, start, tol);
    let of = |name: &str| here.iter().copied().filter(|r| size_class(r.contacts) == name).collect::<Vec<_>>();
    let panels = SIZES.iter().map(|(name, _)| (*name, of(name))).filter(|(_, rows)| !rows.is_empty());
    Picture {
        name: format!("profile-size-{}-{tol:e}", start.name()),
        heading: format!("Profiles by size, {} start, tolerance {tol:e}", start.name()),
        caption: "As above, for problems of similar size.".into(),
        svg: styles.figure(panels.map(|(n, r)| profile_panel(n, &r, styles)).collect(), |l| Some(l.into())).svg(),
    }
}

fn by_class(rows: &[Record], styles: &Styles, start: Start, tol: f64) -> Picture {
    let here = rows_of(rows, start, tol);
    let mut files: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for row in &here {
        let list = files.entry(&row.class).or_default();
        if !list.contains(&row.file.as_str()) {
            list.push(&row.file);
        }
    }
    let large = |class: &str| files.get(class).is_some_and(|f| f.len() >= FEW);
    let mut groups: Vec<(String, Vec<&Record>)> = Vec::new();
    for class in files.keys().filter(|c| large(c)) {
        groups.push((class.to_string(), here.iter().copied().filter(|r| r.class == **class).collect()));
    }
    let rest: Vec<&Record> = here.iter().copied().filter(|r| !large(&r.class)).collect();
    if !rest.is_empty() {
        groups.push(("other classes".into(), rest));
    }
    Picture {
        name: format!("profile-class-{}-{tol:e}", start.name()),
        heading: format!("Profiles by class, {} start, tolerance {tol:e}", start.name()),
        caption: format!("As above, for each class of problems. Classes of fewer than {FEW} are drawn together."),
        svg: styles.figure(groups.iter().map(|(n, r)| profile_panel(n, r, styles)).collect(), |l| Some(l.into())).svg(),
    }
}

fn profile_panel(title: &str, rows: &[&Record], styles: &Styles) -> Panel {
    let mut times: Times = times(rows.iter().copied());
    // the best of the peer is no solver: it is drawn, but it does not change who is the fastest
    add_best(&mut times, BEST, is_peer);
    let all = profiles(&times, &styles.labels);
    let farthest = all.iter().filter_map(|p| p.ratios.last()).fold(2.0, |a: f64, b| a.max(*b));
    let x = Axis::spanning("τ: time over the best time", [1.0, farthest.min(FAR)].into_iter());
    let curve = |p: &super::profile::Profile| Curve {
        style: styles.styles[&p.solver].clone(),
        points: p.steps(x.ends.1),
        mark: Mark::Line,
    };
    let curves = all.iter().map(curve).collect();
    let y = Axis { label: "problems solved, %".into(), ends: (0.0, 1.0), scale: Scale::Percent };
    Panel { title: format!("{title} ({})", times.len()), x, y, curves }
}

fn work_precision(rows: &[Record], styles: &Styles, start: Start, tols: &[f64], limit: f64) -> Picture {
    let here: Vec<&Record> = rows.iter().filter(|r| r.start == start).collect();
    let mut groups = vec![("all problems", here.clone())];
    for (name, _) in SIZES {
        let some: Vec<&Record> = here.iter().copied().filter(|r| size_class(r.contacts) == name).collect();
        if !some.is_empty() && some.len() < here.len() {
            groups.push((name, some));
        }
    }
    let panels = groups.iter().map(|(name, rows)| {
        let curves: Vec<Curve> =
            styles.labels.iter().filter_map(|l| mean_curve(rows, l, styles, tols, limit)).collect();
        Panel {
            title: name.to_string(),
            x: reversed(Axis::spanning("tolerance", tols.iter().copied())),
            y: Axis::spanning("CPU seconds", curves.iter().flat_map(|c| c.points.iter().map(|p| p.1))),
            curves,
        }
    });
    Picture {
        name: format!("work-precision-{}", start.name()),
        heading: format!("Work against precision, {} start", start.name()),
        caption: format!(
            "Geometric mean of CPU seconds against the tolerance; a failure counts as the time limit of {limit} s, and a \
             hollow dot tells that there were some. Solvers that take fewer than half of the problems are left out."
        ),
        svg: styles.figure(panels.collect(), |l| (l != BEST).then(|| l.into())).svg(),
    }
}

fn reversed(axis: Axis) -> Axis {
    Axis { ends: (axis.ends.1, axis.ends.0), ..axis }
}

fn mean_curve(rows: &[&Record], label: &str, styles: &Styles, tols: &[f64], limit: f64) -> Option<Curve> {
    let (mut points, mut hollow) = (Vec::new(), Vec::new());
    for tol in tols {
        let all: Vec<&&Record> = rows.iter().filter(|r| r.solver == label && r.tol == *tol).collect();
        let taken = all.iter().filter(|r| r.verdict != super::record::Verdict::Unsupported).count();
        if 2 * taken < all.len() {
            return None;
        }
        if let Some(mean) = geometric_mean(all.iter().map(|r| r.time().unwrap_or(limit))) {
            points.push((*tol, mean));
            hollow.push(all.iter().any(|r| !r.solved()));
        }
    }
    (!points.is_empty()).then(|| Curve { style: styles.styles[label].clone(), points, mark: Mark::Dotted(hollow) })
}

fn single_problems(rows: &[Record], styles: &Styles, start: Start) -> Picture {
    let mut largest: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for row in rows.iter().filter(|r| r.start == start) {
        let held = largest.entry(&row.class).or_insert((row.contacts, &row.file));
        if row.contacts > held.0 {
            *held = (row.contacts, &row.file);
        }
    }
    let mut chosen: Vec<(usize, &str)> = largest.into_values().collect();
    chosen.sort_by(|a, b| b.cmp(a));
    chosen.truncate(SINGLE);
    let panels = chosen.iter().map(|(contacts, file)| {
        let curve = |label: &String| {
            let mut points: Vec<(f64, f64)> = rows
                .iter()
                .filter(|r| r.start == start && r.file == *file && r.solver == *label)
                .filter_map(|r| Some((r.error?.max(1e-17), r.time()?)))
                .collect();
            points.sort_by(|a, b| b.0.total_cmp(&a.0));
            Curve { style: styles.styles[label].clone(), points, mark: Mark::Dotted(Vec::new()) }
        };
        let curves: Vec<Curve> = styles.labels.iter().map(curve).collect();
        let points = || curves.iter().flat_map(|c| &c.points);
        Panel {
            title: format!("{file} ({contacts})"),
            x: reversed(Axis::spanning("certified error", points().map(|p| p.0))),
            y: Axis::spanning("CPU seconds", points().map(|p| p.1)),
            curves,
        }
    });
    Picture {
        name: format!("work-precision-single-{}", start.name()),
        heading: format!("Work against precision on single problems, {} start", start.name()),
        caption:
            "The largest problem of each class: CPU seconds against the error that the certificate finds, one dot a \
                  tolerance that was reached."
                .into(),
        svg: styles.figure(panels.collect(), |l| (l != BEST).then(|| l.into())).svg(),
    }
}

fn against_size(rows: &[Record], styles: &Styles, start: Start, tols: &[f64]) -> Picture {
    let mut exponents: BTreeMap<String, String> = BTreeMap::new();
    let panels = tols.iter().map(|tol| {
        let here = rows_of(rows, start, *tol);
        let mut curves = Vec::new();
        for label in &styles.labels {
            let solved = here.iter().filter(|r| r.solver == *label);
            let points: Vec<(usize, f64)> = solved.filter_map(|r| Some((r.contacts, r.time()?))).collect();
            let style = styles.styles[label].clone();
            let fit = growth::fit(&points);
            let text = fit.map_or("–".into(), |g| format!("{:.2}", g.exponent));
            exponents.entry(label.clone()).and_modify(|e| *e += &format!(", {text}")).or_insert(text);
            if let Some(g) = fit {
                let used = || points.iter().map(|p| p.0).filter(|n| *n >= growth::SMALLEST);
                let ends = [used().min(), used().max()].map(|n| n.unwrap_or(growth::SMALLEST) as f64);
                let line = ends.map(|n| (n, g.seconds(n))).to_vec();
                curves.push(Curve { style: style.clone(), points: line, mark: Mark::Line });
            }
            let cloud = points.iter().map(|(n, t)| (*n as f64, *t)).collect();
            curves.push(Curve { style, points: cloud, mark: Mark::Cloud });
        }
        let points = || curves.iter().flat_map(|c| &c.points);
        Panel {
            title: format!("tolerance {tol:e}"),
            x: Axis::spanning("contacts n", points().map(|p| p.0)),
            y: Axis::spanning("CPU seconds", points().map(|p| p.1)),
            curves,
        }
    });
    let panels: Vec<Panel> = panels.collect();
    Picture {
        name: format!("growth-{}", start.name()),
        heading: format!("Cost against size, {} start", start.name()),
        caption: format!(
            "Every dot is a problem solved. Lines are least-squares fits of seconds ~ n^a to problems of {} contacts and \
             more; the legend gives the exponents a from the loosest tolerance to the tightest.",
            growth::SMALLEST
        ),
        svg: styles.figure(panels, |l| (l != BEST).then(|| format!("{l}  {}", exponents[l]))).svg(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::row;
    use super::*;

    /// Times that grow as n^1.5 and n^2, a peer of which one is faster on the smallest, and a relaxation faster than all.
    fn rows() -> Vec<Record> {
        let mut rows = Vec::new();
        for n in [20usize, 200, 2000] {
            let (file, x) = (format!("p{n}"), n as f64);
            let mut add = |solver: &str, seconds: f64| rows.push(row(&file, n, solver, 1e-4, Some(seconds)));
            add("auto", 1e-6 * x.powf(1.5));
            add("nsgs", 4e-7 * x.powi(2));
            add("siconos:nsgs", 1e-5 * x.powf(1.25));
            add("siconos:eg", 1e-3 * x);
            add("apgd-relaxation", 1e-9);
            add("siconos:soclcp", 1e-9);
        }
        rows
    }

    fn picture(name: &str) -> String {
        pictures(&rows(), 10.0).into_iter().find(|p| p.name == name).expect(name).svg
    }

    /// The entries of the legend: the style of the line before, and the words.
    fn legend(svg: &str) -> Vec<(&str, &str)> {
        let entries = svg.split("h34\" ").skip(1);
        entries
            .map(|entry| {
                let (style, rest) = entry.split_once("/>").unwrap();
                (style, rest.split_once('>').unwrap().1.split_once('<').unwrap().0)
            })
            .collect()
    }

    /// The paths drawn in one style.
    fn paths<'s>(svg: &'s str, style: &str) -> Vec<&'s str> {
        let all = svg.split("<path d=\"").skip(1).filter_map(|p| p.split_once("\" "));
        let dressed = format!("{style} stroke-linejoin");
        all.filter(|(_, rest)| rest.starts_with(&dressed)).map(|(d, _)| d).collect()
    }

    #[test]
    fn profiles_show_us_the_peer_and_its_best_and_no_relaxation() {
        let svg = picture("profile-cold");
        let legend = legend(&svg);
        let names: Vec<&str> = legend.iter().map(|l| l.1).collect();
        assert_eq!(names, ["auto", "nsgs", "siconos:nsgs", "siconos:eg", BEST]);
        for (style, name) in &legend {
            assert_eq!(style.contains("stroke-dasharray"), is_peer(name) || *name == BEST, "{name}: {style}");
            assert_eq!(paths(&svg, style).len(), 1, "{name} is drawn once");
        }
        // auto is the fastest on all three: its curve is at the top from the left end on, and level
        let heights: Vec<&str> = paths(&svg, legend[0].0)[0].split('L').map(|p| p.split_once(' ').unwrap().1).collect();
        assert!(heights.iter().all(|h| *h == heights[0]) && heights[0] == "30.0", "{heights:?}");
    }

    #[test]
    fn growth_shows_the_exponents_and_the_fitted_lines() {
        let svg = picture("growth-cold");
        let legend = legend(&svg);
        let words: Vec<&str> = legend.iter().map(|l| l.1).collect();
        assert_eq!(words, ["auto  1.50", "nsgs  2.00", "siconos:nsgs  1.25", "siconos:eg  1.00"]);
        for (style, name) in &legend {
            // a line of two ends, from the smallest problem at the left up to the largest
            let lines = paths(&svg, style);
            let ends: Vec<f64> =
                lines[0].trim_start_matches('M').split(['L', ' ']).map(|x| x.parse().unwrap()).collect();
            assert_eq!((lines.len(), ends.len()), (1, 4), "{name}");
            assert!(ends[0] < ends[2] && ends[1] > ends[3], "{name}: {ends:?}");
        }
        assert_eq!(svg.matches("<circle").count(), 4 * 3);
    }
}
