//! The summary as text.

use super::summary::{LARGE, Section, Summary, VERDICTS, Versus};

/// Seconds with three digits and a unit.
pub fn seconds(t: f64) -> String {
    match t {
        t if t < 1e-3 => format!("{:.3} µs", Digits(1e6 * t)),
        t if t < 1.0 => format!("{:.3} ms", Digits(1e3 * t)),
        t => format!("{:.3} s", Digits(t)),
    }
}

/// A number with as many significant digits as the precision asks for.
pub struct Digits(pub f64);

impl std::fmt::Display for Digits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let digits = f.precision().unwrap_or(3) as i32;
        if self.0 == 0.0 || !self.0.is_finite() {
            return write!(f, "{}", self.0);
        }
        let before = self.0.abs().log10().floor() as i32 + 1;
        write!(f, "{:.*}", (digits - before).max(0) as usize, self.0)
    }
}

/// All sections.
pub fn text(summary: &Summary) -> String {
    summary.sections.iter().map(section).collect::<Vec<_>>().join("\n")
}

fn section(s: &Section) -> String {
    let wide = s.solvers.iter().map(|l| l.solver.chars().count()).max().unwrap_or(6).max(6);
    let mut out = format!("{} start, tolerance {:e}, {} problems\n", s.start.name(), s.tol, s.problems);
    out += &format!("  {:wide$}", "solver");
    VERDICTS.iter().for_each(|(_, name)| out += &format!(" {name:>11}"));
    out += &format!(" {:>16} {:>14} {:>9}\n", format!("mean on {} common", s.common), "over auto", "growth");
    for l in &s.solvers {
        out += &format!("  {:wide$}", l.solver);
        l.verdicts.iter().for_each(|n| out += &format!(" {n:>11}"));
        let mean = l.mean_common.map_or("-".into(), seconds);
        let over = l.over_auto.map_or("-".into(), |x| format!("{:.3} ({})", Digits(x), l.with_auto));
        let growth = l.growth.map_or("-".into(), |g| format!("n^{:.2}", g.exponent));
        out += format!(" {mean:>16} {over:>14} {growth:>9}  {}", l.remark).trim_end();
        out += "\n";
    }
    for line in comparisons(s) {
        out += &format!("  {line}\n");
    }
    out
}

/// The comparisons of `auto`, one sentence each.
pub fn comparisons(s: &Section) -> Vec<String> {
    let large = format!("best of siconos a problem, {LARGE} contacts and more");
    [
        ("best of our others a problem", &s.auto_to_ours),
        ("best of siconos a problem", &s.auto_to_peer),
        (large.as_str(), &s.auto_to_peer_large),
    ]
    .iter()
    .filter_map(|(name, v)| v.as_ref().map(|v| versus(name, v)))
    .collect()
}

fn versus(name: &str, v: &Versus) -> String {
    let mut out = format!("auto against the {name}: ");
    if let Some(speedup) = v.speedup {
        let percent = 100.0 * v.share_slower();
        out += &format!(
            "{:.3} times as fast (geometric mean over {} solved by both), slower on {} ({percent:.0} %)",
            Digits(speedup),
            v.both,
            v.slower
        );
    } else {
        out += "nothing solved by both";
    }
    if let Some((ratio, file)) = &v.worst {
        out += &format!(", at worst {:.3} times their time ({file})", Digits(*ratio));
    }
    out += &format!("; only auto solves {}, only they solve {}", v.only_auto, v.only_other.len());
    if !v.only_other.is_empty() {
        out += &format!(" ({})", v.only_other.join(", "));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_digits_and_a_unit() {
        assert_eq!(seconds(1.2345e-6), "1.23 µs");
        assert_eq!(seconds(0.0123456), "12.3 ms");
        assert_eq!(seconds(12.3456), "12.3 s");
        assert_eq!(seconds(1234.6), "1235 s");
        assert_eq!(format!("{:.3}", Digits(0.0)), "0");
    }
}
