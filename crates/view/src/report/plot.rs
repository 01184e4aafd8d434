//! Curves as SVG.

use crate::{ViewError, curves::Curve, page::escape};
use plotters::prelude::*;

/// Wong's palette: told apart by everyone.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
];

const SIZE: (u32, u32) = (760, 460);

/// The curves of one panel in a drawing of their own.
pub fn svg(curves: &[&Curve]) -> Result<String, ViewError> {
    let mut text = String::new();
    draw(curves, &mut text).map_err(|e| ViewError::Plot(e.to_string()))?;
    // a drawing that grows with the page
    let fixed = format!("width=\"{}\" height=\"{}\" viewBox", SIZE.0, SIZE.1);
    Ok(text.replacen(&fixed, "viewBox", 1))
}

fn draw(curves: &[&Curve], text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let Some(first) = curves.first() else { return Ok(()) };
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let [x, y] = extent(curves);
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .margin_right(24)
        .x_label_area_size(44)
        .y_label_area_size(86)
        .build_cartesian_2d(x[0]..x[1], y[0]..y[1])?;
    let unit = if first.unit.is_empty() { String::new() } else { format!(" ({})", first.unit) };
    chart
        .configure_mesh()
        .x_desc("t (s)")
        .y_desc(escape(&format!("{}{unit}", first.panel)))
        .x_labels(8)
        .y_labels(7)
        .label_style(("sans-serif", 16))
        .axis_desc_style(("sans-serif", 18))
        .x_label_formatter(&|v| crate::render::few(*v))
        .y_label_formatter(&|v| crate::render::few(*v))
        .light_line_style(WHITE)
        .bold_line_style(RGBColor(226, 230, 234))
        .draw()?;
    for (curve, colour) in curves.iter().zip(COLOURS.iter().cycle()) {
        let line = colour.stroke_width(2);
        chart
            .draw_series(LineSeries::new(curve.points.iter().map(|p| (p[0], p[1])), line))?
            .label(escape(&curve.name))
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], line));
    }
    if curves.len() > 1 {
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .label_font(("sans-serif", 15))
            .background_style(WHITE.mix(0.85))
            .draw()?;
    }
    root.present()?;
    Ok(())
}

/// Ends of the axes; zero is always in sight.
fn extent(curves: &[&Curve]) -> [[f64; 2]; 2] {
    let mut ends = [[f64::INFINITY, f64::NEG_INFINITY], [0.0_f64, 0.0_f64]];
    for p in curves.iter().flat_map(|c| &c.points) {
        for k in 0..2 {
            if p[k].is_finite() {
                ends[k] = [ends[k][0].min(p[k]), ends[k][1].max(p[k])];
            }
        }
    }
    // a curve of one value still needs an axis with a length
    let wide = |[low, high]: [f64; 2]| match (low, high) {
        _ if !(high - low).is_finite() => [0.0, 1.0],
        _ if high > low => [low, high + 0.04 * (high - low)],
        _ => [low, low + 1.0],
    };
    let [x, y] = ends;
    [if x[1] > x[0] { x } else { wide(x) }, wide(y)]
}
