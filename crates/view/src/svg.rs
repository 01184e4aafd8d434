//! Plane scenes as vector graphics, for papers.

use crate::colour;
use crate::form::{Form, compose, rotate};
use crate::render::{self, Look, Theme};
use crate::{Frame, Info, Survey, ViewError, page::escape};
use std::collections::HashMap;
use std::fmt::Write;

/// A drawing of one frame of a plane scene.
///
/// # Errors
/// [`ViewError::NotPlane`] for a scene in space, [`ViewError::Size`] for a drawing of no size.
pub fn drawing(info: &Info, frame: &Frame, survey: &Survey, look: &Look) -> Result<String, ViewError> {
    if info.dimension != 2 {
        return Err(ViewError::NotPlane);
    }
    let (width, height) = (look.width, look.height);
    if width.min(height) < 16 || width.max(height) > 16_384 {
        return Err(ViewError::Size { width, height });
    }
    let theme = Theme::new(look.dark);
    let (w, h) = (width as f64, height as f64);
    let camera = &survey.camera;
    let scale = (0.5 * h / camera.half[1].max(1e-300)).min(0.5 * w / camera.half[0].max(1e-300));
    let to_page =
        |p: &[f64; 3]| [0.5 * w + scale * (p[0] - camera.target[0]), 0.5 * h - scale * (p[1] - camera.target[1])];
    let mut svg = Drawing { text: String::new(), scale, to_page: &to_page };
    let hex = |c| colour::hex(colour::to_srgb(c));
    let font = "font-family=\"Helvetica, Arial, sans-serif\"";
    _ = writeln!(
        svg.text,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" {font}>\n\
         <title>{}</title>\n<rect width=\"100%\" height=\"100%\" fill=\"{}\"/>\n<g stroke=\"{}\" stroke-width=\"1\">",
        escape(&info.title),
        hex(theme.high),
        hex(theme.ink),
    );
    svg.bodies(info, frame, &render::colours(info, frame, survey, look, &theme));
    svg.text.push_str("</g>\n");
    if look.forces {
        svg.forces(info, frame, survey);
    }
    if look.legend {
        svg.legend(info, frame, survey, look, &hex(theme.text), w);
    }
    svg.text.push_str("</svg>\n");
    Ok(svg.text)
}

struct Drawing<'a> {
    text: String,
    scale: f64,
    to_page: &'a dyn Fn(&[f64; 3]) -> [f64; 2],
}

impl Drawing<'_> {
    fn bodies(&mut self, info: &Info, frame: &Frame, colours: &[[f64; 3]]) {
        let place: HashMap<u32, usize> = info.bodies.iter().enumerate().map(|(k, b)| (b.id, k)).collect();
        for fixed in [true, false] {
            for (row, id) in frame.id.iter().enumerate() {
                let Some(body) = place.get(id).map(|&k| &info.bodies[k]) else { continue };
                let (x, q) = (&frame.x[row], &frame.orientation[row]);
                if body.fixed != fixed || !x.iter().chain(q).all(|c| c.is_finite()) {
                    continue;
                }
                let fill = colour::hex(colour::to_srgb(colours[row]));
                for piece in &body.pieces {
                    let offset = rotate(q, &piece.x);
                    let at = std::array::from_fn(|k| x[k] + offset[k]);
                    self.form(&piece.form, at, &compose(q, &piece.q), &fill);
                }
            }
        }
    }

    fn form(&mut self, form: &Form, at: [f64; 3], q: &[f64; 4], fill: &str) {
        let place = |p: [f64; 3]| {
            let p = rotate(q, &p);
            (self.to_page)(&std::array::from_fn(|k| at[k] + p[k]))
        };
        let list = |v: &[[f64; 3]]| {
            v.iter().map(|&p| place(p)).map(|[x, y]| format!("{x:.2},{y:.2}")).collect::<Vec<_>>().join(" ")
        };
        let flat = |v: &[[f64; 2]]| v.iter().map(|p| [p[0], p[1], 0.0]).collect::<Vec<_>>();
        let [x, y] = place([0.0; 3]);
        let line = match form {
            Form::Disc { r } => {
                let [u, v] = place([*r, 0.0, 0.0]);
                let [a, b] = [x + 0.3 * (u - x), y + 0.3 * (v - y)];
                let r = r * self.scale;
                format!(
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r:.2}\" fill=\"{fill}\"/><path d=\"M{a:.2} {b:.2}L{u:.2} {v:.2}\" stroke-opacity=\"0.4\"/>"
                )
            }
            Form::Polygon { v } => format!("<polygon points=\"{}\" fill=\"{fill}\"/>", list(&flat(v))),
            Form::Stadium { r, l } => {
                format!("<polygon points=\"{}\" fill=\"{fill}\"/>", list(&render::stadium(*r, *l)))
            }
            Form::Polyline { v } => {
                format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"4\"/>", list(&flat(v)))
            }
            Form::HalfPlane => {
                // far enough for any page
                let far = 1e4 / self.scale;
                let corners = [[-far, 0.0, 0.0], [far, 0.0, 0.0], [far, -far, 0.0], [-far, -far, 0.0]];
                format!("<polygon points=\"{}\" fill=\"{fill}\"/>", list(&corners))
            }
            Form::InsideCircle { r } => {
                let r = r * self.scale + 5.0;
                format!(
                    "<circle cx=\"{x:.2}\" cy=\"{y:.2}\" r=\"{r:.2}\" fill=\"none\" stroke=\"{fill}\" stroke-width=\"10\"/>"
                )
            }
            _ => return,
        };
        self.text.push_str(&line);
        self.text.push('\n');
    }

    fn forces(&mut self, info: &Info, frame: &Frame, survey: &Survey) {
        self.text.push_str("<g stroke-linecap=\"round\">\n");
        let thick = 2.0 * render::thickest(info) * self.scale;
        for f in render::forces(info, frame, survey) {
            let ([x, y], [u, v]) = ((self.to_page)(&f.from), (self.to_page)(&f.to));
            let (tint, width) = (colour::hex(colour::viridis(f.share.min(1.0))), thick * f.share);
            _ = writeln!(
                self.text,
                "<path d=\"M{x:.2} {y:.2}L{u:.2} {v:.2}\" stroke=\"{tint}\" stroke-width=\"{width:.2}\"/>"
            );
        }
        self.text.push_str("</g>\n");
    }

    fn legend(&mut self, info: &Info, frame: &Frame, survey: &Survey, look: &Look, ink: &str, w: f64) {
        let t = render::few(frame.t);
        _ = writeln!(
            self.text,
            "<text x=\"16\" y=\"28\" font-size=\"17\" font-weight=\"600\" fill=\"{ink}\">{}</text>\n\
             <text x=\"16\" y=\"48\" font-size=\"14\" fill=\"{ink}\">t = {t} s</text>",
            escape(&info.title)
        );
        let Some((title, [low, high])) = render::scale_words(info, survey, look) else { return };
        let stops: String = (0..=12)
            .map(|k| f64::from(k) / 12.0)
            .map(|s| format!("<stop offset=\"{s:.4}\" stop-color=\"{}\"/>", colour::hex(colour::viridis(s))))
            .collect();
        let left = w - 206.0;
        _ = writeln!(
            self.text,
            "<defs><linearGradient id=\"scale\">{stops}</linearGradient></defs>\n\
             <g font-size=\"13\" fill=\"{ink}\"><text x=\"{left}\" y=\"26\">{title}</text>\n\
             <rect x=\"{left}\" y=\"33\" width=\"190\" height=\"10\" fill=\"url(#scale)\"/>\n\
             <text x=\"{left}\" y=\"58\">{low}</text><text x=\"{}\" y=\"58\" text-anchor=\"end\">{high}</text></g>",
            left + 190.0
        );
    }
}
