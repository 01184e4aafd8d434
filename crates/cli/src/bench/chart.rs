//! Small line charts as SVG: panels side by side, one legend beside them, colours that follow a dark page.
//!
//! Drawn here and not by the library of the convergence plot, which fixes its colours and lays legends over curves.

use std::fmt::Write as _;

/// Colours of Okabe and Ito, told apart by everyone; the first is the ink of the page.
const COLOURS: usize = 7;

/// Rules for light and dark; classes and no variables, so that every SVG renderer reads them.
const STYLE: &str = "<style>\
.sheet{fill:#fff}.ink{fill:#1a1a1a}.soft{fill:#555}.frame{stroke:#777;fill:none}.grid{stroke:#e4e4e4}.minor{stroke:#f3f3f3}\
.k0{stroke:#111}.k1{stroke:#0072b2}.k2{stroke:#d55e00}.k3{stroke:#009e73}.k4{stroke:#cc79a7}.k5{stroke:#56b4e9}.k6{stroke:#e69f00}\
.f0{fill:#111}.f1{fill:#0072b2}.f2{fill:#d55e00}.f3{fill:#009e73}.f4{fill:#cc79a7}.f5{fill:#56b4e9}.f6{fill:#e69f00}\
@media (prefers-color-scheme:dark){.sheet{fill:#15181c}.ink{fill:#e8e8e8}.soft{fill:#aaa}.frame{stroke:#888}.grid{stroke:#2e333a}.minor{stroke:#20242a}\
.k0{stroke:#f2f2f2}.f0{fill:#f2f2f2}.k1{stroke:#3f9fe0}.f1{fill:#3f9fe0}}</style>";

/// How a solver is drawn, in all pictures alike.
#[derive(Debug, Clone, PartialEq)]
pub struct Style {
    colour: usize,
    dash: &'static str,
    width: f64,
}

impl Style {
    /// Of our k-th solver: solid, and dotted once the colours are used up.
    pub fn ours(k: usize) -> Self {
        let dash = ["", "2 3", "1 5"][(k / COLOURS).min(2)];
        Self { colour: k % COLOURS, dash, width: if k == 0 { 3.0 } else { 2.0 } }
    }

    /// Of the peer's k-th solver: dashed.
    pub fn peer(k: usize) -> Self {
        let dash = ["7 4", "12 3 2 3", "3 3"][(k / (COLOURS - 1)).min(2)];
        Self { colour: 1 + k % (COLOURS - 1), dash, width: 2.0 }
    }

    /// Of the best of the peer's solvers: dashed ink.
    pub fn peer_best() -> Self {
        Self { colour: 0, dash: "7 4", width: 3.0 }
    }

    fn line(&self) -> String {
        let dash = if self.dash.is_empty() { String::new() } else { format!(" stroke-dasharray=\"{}\"", self.dash) };
        format!("class=\"k{}\" fill=\"none\" stroke-width=\"{}\"{dash}", self.colour, self.width)
    }
}

/// What is drawn of some points.
#[derive(Debug, Clone, PartialEq)]
pub enum Mark {
    /// A line through them.
    Line,
    /// A line, and a dot at each, hollow where told.
    Dotted(Vec<bool>),
    /// Faint dots.
    Cloud,
}

/// Points of one solver.
#[derive(Debug, Clone)]
pub struct Curve {
    /// Its style.
    pub style: Style,
    /// Its points; those that are not finite are left out.
    pub points: Vec<(f64, f64)>,
    /// What is drawn.
    pub mark: Mark,
}

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Its name with the unit.
    pub label: String,
    /// Its ends; the second may be the smaller.
    pub ends: (f64, f64),
    /// How values are spread along it.
    pub scale: Scale,
}

/// How values are spread along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scale {
    /// By their logarithms.
    Log,
    /// Evenly.
    Linear,
    /// Evenly, shares of one in per cent.
    Percent,
}

/// One chart.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Above it.
    pub title: String,
    /// Horizontal.
    pub x: Axis,
    /// Vertical.
    pub y: Axis,
    /// In it.
    pub curves: Vec<Curve>,
}

/// Charts with one legend.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Charts.
    pub panels: Vec<Panel>,
    /// Entries of the legend.
    pub legend: Vec<(String, Style)>,
}

impl Axis {
    /// A logarithmic axis over all values, in whole decades or, when they span little, in steps of 1, 2, 5.
    pub fn spanning(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) =
            values.filter(|v| *v > 0.0 && v.is_finite()).fold((f64::INFINITY, 0f64), |(l, h), v| (l.min(v), h.max(v)));
        let ends = if low <= high { (nice_below(low), nice_above(high)) } else { (1.0, 10.0) };
        let ends = if ends.0 < ends.1 { ends } else { (ends.0, 10.0 * ends.0) };
        Self { label: label.into(), ends, scale: Scale::Log }
    }

    /// An even axis over all values, with round ends.
    pub fn even(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let (low, high) =
            values.filter(|v| v.is_finite()).fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        let (low, high) = if low <= high { (low, high) } else { (0.0, 1.0) };
        let step = even_step(low, if high > low { high } else { low + 1.0f64.max(low.abs()) });
        let ends = ((low / step + 1e-9).floor() * step, (high / step - 1e-9).ceil() * step);
        let ends = if ends.0 < ends.1 { ends } else { (ends.0, ends.0 + step) };
        Self { label: label.into(), ends, scale: Scale::Linear }
    }

    fn place(&self, v: f64) -> f64 {
        let (a, b) = self.ends;
        if self.scale == Scale::Log { (v / a).ln() / (b / a).ln() } else { (v - a) / (b - a) }
    }

    /// Ticks with their labels; an empty label is a minor one.
    fn ticks(&self) -> Vec<(f64, String)> {
        match self.scale {
            Scale::Log => self.log_ticks(),
            Scale::Linear => self.even_ticks(),
            Scale::Percent => (0..=5).map(|k| (0.2 * f64::from(k), format!("{}", 20 * k))).collect(),
        }
    }

    fn even_ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = (self.ends.0.min(self.ends.1), self.ends.0.max(self.ends.1));
        let step = even_step(low, high);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let (first, last) = ((low / step - 1e-9).ceil() as i64, (high / step + 1e-9).floor() as i64);
        // very small and very large numbers in powers of ten
        let text = |v: f64| if digits > 4 || high.abs() >= 1e5 { format!("{v:.1e}") } else { format!("{v:.digits$}") };
        (first..=last).map(|k| (k as f64 * step, text(k as f64 * step).replace('-', "−"))).collect()
    }

    fn log_ticks(&self) -> Vec<(f64, String)> {
        let (low, high) = (self.ends.0.min(self.ends.1), self.ends.0.max(self.ends.1));
        let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
        let decades = (high / low).log10();
        let every = (decades / 5.0).ceil().max(1.0) as i32;
        let mut ticks = Vec::new();
        for k in first..=last {
            for m in [1, 2, 5] {
                let v = f64::from(m) * 10f64.powi(k);
                if v < low * (1.0 - 1e-9) || v > high * (1.0 + 1e-9) {
                    continue;
                }
                let told = if m == 1 { k.rem_euclid(every) == 0 } else { decades <= 1.8 };
                ticks.push((v, if told { number(m, k) } else { String::new() }));
            }
        }
        ticks
    }
}

/// A tick's label: plain between a tenth and a thousand, a power of ten otherwise.
fn number(m: i32, k: i32) -> String {
    match (m, k) {
        (m, 0..=3) => format!("{}", m * 10i32.pow(k as u32)),
        (m, -1) => format!("0.{m}"),
        (1, k) => power(k),
        (m, k) => format!("{m}·{}", power(k)),
    }
}

fn power(k: i32) -> String {
    let minus = if k < 0 { "−" } else { "" };
    format!("10<tspan dy=\"-5\" font-size=\"9\">{minus}{}</tspan>", k.abs())
}

/// A round step that cuts an interval into four to ten.
fn even_step(low: f64, high: f64) -> f64 {
    let d = 10f64.powf(((high - low) / 4.0).log10().floor());
    [5.0, 2.0].iter().map(|m| m * d).find(|s| *s <= (high - low) / 4.0).unwrap_or(d)
}

fn nice_below(v: f64) -> f64 {
    let d = 10f64.powf(v.log10().floor());
    [5.0, 2.0].iter().map(|m| m * d).find(|x| *x <= v).unwrap_or(d)
}

fn nice_above(v: f64) -> f64 {
    let d = 10f64.powf(v.log10().floor());
    [1.0, 2.0, 5.0].iter().map(|m| m * d).find(|x| *x >= v * (1.0 - 1e-9)).unwrap_or(10.0 * d)
}

/// Text for SVG and HTML.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

const LEFT: f64 = 58.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 46.0;
const GAP: f64 = 18.0;

impl Figure {
    /// The picture.
    pub fn svg(&self) -> String {
        let columns = if self.panels.len() <= 3 { self.panels.len().max(1) } else { 3 };
        let (w, h) = match columns {
            1 => (560.0, 400.0),
            2 => (380.0, 320.0),
            _ => (290.0, 230.0),
        };
        let rows = self.panels.len().div_ceil(columns);
        let longest = self.legend.iter().map(|(l, _)| l.chars().count()).max().unwrap_or(0) as f64;
        let side = 62.0 + 7.3 * longest;
        let cell = (LEFT + w + GAP, TOP + h + BOTTOM);
        let width = cell.0 * columns as f64 + side;
        let height = (cell.1 * rows as f64).max(TOP + 21.0 * self.legend.len() as f64 + 20.0);
        let mut out = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" \
             height=\"{height:.0}\" font-family=\"system-ui,Helvetica,Arial,sans-serif\" font-size=\"13\">{STYLE}\
             <rect class=\"sheet\" width=\"100%\" height=\"100%\"/>"
        );
        for (k, panel) in self.panels.iter().enumerate() {
            let (x, y) = (cell.0 * (k % columns) as f64 + LEFT, cell.1 * (k / columns) as f64 + TOP);
            panel.draw(&mut out, (x, y), (w, h), k % columns == 0);
        }
        for (k, (label, style)) in self.legend.iter().enumerate() {
            let (x, y) = (cell.0 * columns as f64 + 6.0, TOP + 8.0 + 21.0 * k as f64);
            _ = write!(
                out,
                "<path d=\"M{x:.0} {y:.0}h34\" {}/><text class=\"ink\" x=\"{:.0}\" y=\"{:.1}\">{}</text>",
                style.line(),
                x + 42.0,
                y + 4.5,
                escape(label)
            );
        }
        out + "</svg>\n"
    }
}

impl Panel {
    fn draw(&self, out: &mut String, (x0, y0): (f64, f64), (w, h): (f64, f64), first: bool) {
        let at = |p: (f64, f64)| (x0 + w * self.x.place(p.0), y0 + h * (1.0 - self.y.place(p.1)));
        for (v, label) in self.x.ticks() {
            let x = x0 + w * self.x.place(v);
            let class = if label.is_empty() { "minor" } else { "grid" };
            _ = write!(out, "<path class=\"{class}\" d=\"M{x:.1} {y0:.1}v{h:.1}\"/>");
            if !label.is_empty() {
                let y = y0 + h + 17.0;
                _ = write!(out, "<text class=\"soft\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"middle\">{label}</text>");
            }
        }
        for (v, label) in self.y.ticks() {
            let y = y0 + h * (1.0 - self.y.place(v));
            let class = if label.is_empty() { "minor" } else { "grid" };
            _ = write!(out, "<path class=\"{class}\" d=\"M{x0:.1} {y:.1}h{w:.1}\"/>");
            if !label.is_empty() {
                let (x, y) = (x0 - 6.0, y + 4.5);
                _ = write!(out, "<text class=\"soft\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"end\">{label}</text>");
            }
        }
        _ = write!(out, "<rect class=\"frame\" x=\"{x0:.1}\" y=\"{y0:.1}\" width=\"{w:.1}\" height=\"{h:.1}\"/>");
        self.words(out, (x0, y0), (w, h), first);
        // the last curve lies on top, so the first of the legend is drawn last
        for curve in self.curves.iter().rev() {
            curve.draw(out, &at);
        }
    }

    fn words(&self, out: &mut String, (x0, y0): (f64, f64), (w, h): (f64, f64), first: bool) {
        let middle = x0 + 0.5 * w;
        _ = write!(
            out,
            "<text class=\"ink\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\" font-weight=\"600\">{}</text>\
             <text class=\"ink\" x=\"{middle:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
            y0 - 9.0,
            escape(&self.title),
            y0 + h + 37.0,
            escape(&self.x.label)
        );
        if first {
            let (x, y) = (x0 - 43.0, y0 + 0.5 * h);
            let label = escape(&self.y.label);
            _ = write!(
                out,
                "<text class=\"ink\" transform=\"translate({x:.1} {y:.1}) rotate(-90)\" text-anchor=\"middle\">{label}</text>"
            );
        }
    }
}

impl Curve {
    fn draw(&self, out: &mut String, at: &impl Fn((f64, f64)) -> (f64, f64)) {
        let placed: Vec<(f64, f64)> = self.points.iter().map(|p| at(*p)).collect();
        let finite = |p: &&(f64, f64)| p.0.is_finite() && p.1.is_finite();
        if self.mark != Mark::Cloud && placed.iter().filter(finite).count() > 1 {
            let mut path = String::new();
            for p in placed.iter().filter(finite) {
                _ = write!(path, "{}{:.1} {:.1}", if path.is_empty() { "M" } else { "L" }, p.0, p.1);
            }
            _ = write!(out, "<path d=\"{path}\" {} stroke-linejoin=\"round\"/>", self.style.line());
        }
        let colour = self.style.colour;
        match &self.mark {
            Mark::Line => {}
            Mark::Cloud => {
                for (x, y) in placed.iter().filter(finite) {
                    let hollow = !self.style.dash.is_empty();
                    let dress = if hollow { format!("k{colour}\" fill=\"none") } else { format!("f{colour}") };
                    _ = write!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" class=\"{dress}\" opacity=\"0.55\"/>"
                    );
                }
            }
            Mark::Dotted(hollow) => {
                for (k, (x, y)) in placed.iter().enumerate().filter(|(_, p)| finite(p)) {
                    let open = hollow.get(k).copied().unwrap_or(false);
                    let class = if open { format!("k{colour} sheet") } else { format!("k{colour} f{colour}") };
                    _ = write!(
                        out,
                        "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" stroke-width=\"1.8\" class=\"{class}\"/>"
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axes_hold_their_values_and_label_them() {
        let axis = Axis::spanning("t", [3e-4, 0.7].into_iter());
        assert!(axis.ends.0 <= 3e-4 && axis.ends.1 >= 0.7, "{:?}", axis.ends);
        assert!(axis.place(axis.ends.0).abs() < 1e-12 && (axis.place(axis.ends.1) - 1.0).abs() < 1e-12);
        assert!(axis.ticks().iter().filter(|t| !t.1.is_empty()).count() >= 2);
        for ends in [(1.0, 3.0), (1.0, 1000.0), (1e-12, 1e-4), (5e-7, 50.0)] {
            let ticks = Axis { label: String::new(), ends, scale: Scale::Log }.ticks();
            let told = ticks.iter().filter(|t| !t.1.is_empty()).count();
            assert!((2..=8).contains(&told), "{ends:?}: {told}");
        }
        assert_eq!(Axis::spanning("t", std::iter::empty()).ends, (1.0, 10.0));
        assert!(Axis::spanning("t", [1.0].into_iter()).ends.1 > 1.0);
        for values in [[0.0, 1.0], [-3.2, 17.0], [2.0, 2.0], [1e-7, 9e-7], [0.0, 4e6], [f64::NAN, 1.0]] {
            let axis = Axis::even("t", values.into_iter());
            assert!(values.iter().all(|v| v.is_nan() || (axis.ends.0 <= *v && *v <= axis.ends.1)), "{values:?}");
            assert!((2..=12).contains(&axis.ticks().len()), "{values:?} {:?}", axis.ticks());
        }
    }

    #[test]
    fn pictures_are_balanced_xml_without_numbers_that_are_none() {
        let axis = Axis { label: "a < b & c".into(), ends: (1.0, 10.0), scale: Scale::Log };
        let curve = |mark| Curve { style: Style::peer(8), points: vec![(1.0, 2.0), (f64::NAN, 3.0), (5.0, 9.0)], mark };
        let curves = vec![curve(Mark::Line), curve(Mark::Cloud), curve(Mark::Dotted(vec![true]))];
        let panel = Panel { title: "\"t\"".into(), x: axis.clone(), y: axis, curves };
        let legend = vec![("nsgs{order=\"symmetric\"}".into(), Style::ours(9))];
        let svg = Figure { panels: vec![panel; 5], legend }.svg();
        assert!(svg.contains("a &lt; b &amp; c") && !svg.contains("NaN") && !svg.contains("inf"));
        for tag in ["svg", "text", "style"] {
            assert_eq!(svg.matches(&format!("<{tag}")).count(), svg.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }
}
