//! Convergence curves as SVG.

use crate::history::History;
use anyhow::{Result, anyhow};
use plotters::prelude::*;
use std::path::Path;

/// Wong's palette: told apart by everyone.
const COLOURS: [RGBColor; 6] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
];

/// One curve.
pub struct Curve<'a> {
    /// Its label.
    pub label: String,
    /// Its points.
    pub history: &'a History,
}

/// Draws certified errors (dots) and estimates (line) against iterations, both axes logarithmic.
pub fn convergence(path: &Path, curves: &[Curve<'_>], tolerance: f64, measure: &str) -> Result<()> {
    draw(path, curves, tolerance, measure).map_err(|e| anyhow!("cannot draw {}: {e}", path.display()))
}

fn draw(path: &Path, curves: &[Curve<'_>], tolerance: f64, measure: &str) -> Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::new(path, (1100, 720)).into_drawing_area();
    root.fill(&WHITE)?;
    let (x_end, y_low, y_high) = extent(curves, tolerance);
    let mut chart = ChartBuilder::on(&root)
        .margin(24)
        .x_label_area_size(58)
        .y_label_area_size(96)
        .build_cartesian_2d((1.0..x_end).log_scale(), (y_low..y_high).log_scale())?;
    chart
        .configure_mesh()
        .x_desc("iterations")
        .y_desc(format!("error ({measure})"))
        .label_style(("sans-serif", 19))
        .axis_desc_style(("sans-serif", 22))
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("1e{:.0}", y.log10()))
        .light_line_style(RGBColor(242, 242, 242))
        .bold_line_style(RGBColor(222, 222, 222))
        .draw()?;
    let dashed = RGBColor(90, 90, 90).stroke_width(2);
    chart
        .draw_series(DashedLineSeries::new([(1.0, tolerance), (x_end, tolerance)], 8, 6, dashed))?
        .label("tolerance")
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 26, y)], dashed));
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let line = colour.stroke_width(3);
        let certified = |clip: bool| {
            let points = curve.history.points.iter().filter(|p| p.iteration > 0);
            points
                .filter_map(move |p| p.error.filter(|e| !clip || *e > 0.0).map(|e| (p.iteration as f64, e.max(y_low))))
        };
        chart
            .draw_series(LineSeries::new(certified(false), line))?
            .label(curve.label.as_str())
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 26, y)], line));
        let few = certified(true).count() <= 200;
        if few {
            chart.draw_series(certified(true).map(|p| Circle::new(p, 4, colour.filled())))?;
        }
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperRight)
        .label_font(("sans-serif", 19))
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(200, 200, 200))
        .legend_area_size(34)
        .draw()?;
    root.present()?;
    Ok(())
}

/// The last iteration and the lowest and highest error, in whole decades.
fn extent(curves: &[Curve<'_>], tolerance: f64) -> (f64, f64, f64) {
    let points = || curves.iter().flat_map(|c| &c.history.points).filter(|p| p.iteration > 0);
    let last = points().map(|p| p.iteration).max().unwrap_or(1);
    let errors = || points().filter_map(|p| p.error).filter(|e| *e > 0.0 && e.is_finite());
    let low = errors().fold(tolerance, f64::min).max(1e-17);
    let high = errors().fold(tolerance * 10.0, f64::max);
    // a decade below the lowest, so that the tolerance is not hidden by the axis
    ((last as f64).max(2.0) * 1.1, 10f64.powf((0.5 * low).log10().floor()), 10f64.powf(high.log10().ceil()))
}
