//! Curves in time: read from the ledger beside a result, or counted from its frames.

use serde::Serialize;

/// A figure in time.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// The plot it belongs to: curves of one panel share their axes.
    pub panel: String,
    /// Its name in the legend.
    pub name: String,
    /// Its unit; empty for counts.
    pub unit: String,
    /// Time (s) and value.
    pub points: Vec<[f64; 2]>,
}

/// The columns of a ledger that are drawn: column, panel, name, unit.
const COLUMNS: [(&str, &str, &str, &str); 16] = [
    ("kinetic", "energy", "kinetic", "J"),
    ("potential", "energy", "potential", "J"),
    ("work_driven", "energy", "work of drives", "J"),
    ("work_external", "energy", "work of forces", "J"),
    ("friction", "energy", "friction", "J"),
    ("impact", "energy", "impacts", "J"),
    ("rolling", "energy", "rolling", "J"),
    ("scheme", "energy", "scheme", "J"),
    ("contacts", "contacts", "contacts", ""),
    ("touching", "contacts", "touching", ""),
    ("slipping", "contacts", "slipping", ""),
    ("penetration", "penetration", "largest penetration", "m"),
    ("mean_overlap", "penetration", "mean overlap", "m"),
    ("iterations", "iterations", "iterations", ""),
    ("error", "error", "certified error", ""),
    ("closure", "closure", "closure of the ledger", "J"),
];

/// Reads a per-step ledger (CSV, a heading line, a column `t`). Rows cut short, as the last of a killed run may be, and
/// values that are no numbers are left out. No column `t`: no curves.
pub fn from_ledger(text: &str, most: usize) -> Vec<Curve> {
    let mut lines = text.lines().filter(|l| !l.starts_with('#'));
    let names: Vec<&str> = lines.next().map(|l| l.split(',').map(str::trim).collect()).unwrap_or_default();
    let Some(time) = names.iter().position(|n| *n == "t") else { return Vec::new() };
    let rows: Vec<Vec<f64>> = lines
        .map(|l| l.split(',').map(|w| w.trim().parse().unwrap_or(f64::NAN)).collect::<Vec<f64>>())
        .filter(|r| r.len() == names.len() && r[time].is_finite())
        .collect();
    let curve = |&(column, panel, name, unit): &(&str, &str, &str, &str)| {
        let k = names.iter().position(|n| *n == column)?;
        let points: Vec<[f64; 2]> = rows.iter().map(|r| [r[time], r[k]]).filter(|p| p[1].is_finite()).collect();
        // a curve of zeros tells nothing and takes a colour
        if points.len() < 2 || (panel == "energy" && points.iter().all(|p| p[1] == 0.0)) {
            return None;
        }
        Some(Curve { panel: panel.into(), name: name.into(), unit: unit.into(), points: thin(&points, most) })
    };
    COLUMNS.iter().filter_map(curve).collect()
}

/// At most about `most` points that keep every peak: of each bin in time, the lowest and the highest.
pub fn thin(points: &[[f64; 2]], most: usize) -> Vec<[f64; 2]> {
    if points.len() <= most.max(8) {
        return points.to_vec();
    }
    let bin = (2 * points.len()).div_ceil(most.max(8));
    let mut kept = vec![points[0]];
    for bin in points[1..points.len() - 1].chunks(bin) {
        let by = |a: &&[f64; 2], b: &&[f64; 2]| a[1].total_cmp(&b[1]);
        if let (Some(low), Some(high)) = (bin.iter().min_by(by), bin.iter().max_by(by)) {
            let (first, second) = if low[0] <= high[0] { (low, high) } else { (high, low) };
            kept.push(*first);
            if first != second {
                kept.push(*second);
            }
        }
    }
    kept.extend(points.last());
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_cut_short_gives_its_whole_rows() {
        let text = "t,h,contacts,kinetic,potential\n0,0.1,3,1.0,0\n0.1,0.1,4,nan,0\n0.2,0.1,5,3.0,0\n0.3,0.1,6";
        let curves = from_ledger(text, 100);
        assert_eq!(curves.len(), 2, "{curves:?}");
        assert_eq!(curves[0].points, [[0.0, 1.0], [0.2, 3.0]]);
        assert_eq!((curves[1].name.as_str(), curves[1].points.len()), ("contacts", 3));
        assert!(from_ledger("a,b\n1,2\n", 10).is_empty() && from_ledger("", 10).is_empty());
    }

    #[test]
    fn thinning_keeps_ends_and_peaks() {
        let mut points: Vec<[f64; 2]> = (0..10_000).map(|i| [i as f64, (i % 7) as f64]).collect();
        points[4321][1] = 1e3;
        let kept = thin(&points, 500);
        assert!(kept.len() <= 520 && kept.contains(&[4321.0, 1e3]), "{}", kept.len());
        assert_eq!((kept[0], kept[kept.len() - 1]), (points[0], points[9_999]));
        assert!(kept.windows(2).all(|w| w[0][0] <= w[1][0]));
    }
}
