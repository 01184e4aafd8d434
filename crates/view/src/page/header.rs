//! What the page knows before its frames: bodies, forms, times, ranges, curves, the first view.

use crate::{Selection, Source, Survey, colour::VIRIDIS, curves::Curve, survey::Quantity, survey::Range};
use serde_json::{Value, json};
use std::collections::HashMap;

/// The header as JSON that is safe inside a `script` element.
pub fn json(source: &dyn Source, selection: &Selection, survey: &Survey, notices: &[String]) -> String {
    let info = source.info();
    let bodies: Vec<_> = selection.bodies.iter().map(|&k| &info.bodies[k]).collect();
    let (mut forms, mut seen) = (Vec::new(), HashMap::new());
    let mut form_of = Vec::with_capacity(bodies.len());
    let (mut materials, mut material_of): (Vec<&str>, Vec<usize>) = (Vec::new(), Vec::new());
    for body in &bodies {
        // a form shared by many bodies is stored once
        let value = json!(body.pieces);
        let place = *seen.entry(value.to_string()).or_insert_with(|| {
            forms.push(value);
            forms.len() - 1
        });
        form_of.push(place);
        let material = materials.iter().position(|m| *m == body.material).unwrap_or_else(|| {
            materials.push(&body.material);
            materials.len() - 1
        });
        material_of.push(material);
    }
    let mut header = json!({
        "title": info.title,
        "version": env!("CARGO_PKG_VERSION"),
        "dimension": info.dimension,
        "h": info.h,
        "t": survey.t,
        "frame": selection.frames,
        "camera": survey.camera,
        "bodies": {
            "id": bodies.iter().map(|b| b.id).collect::<Vec<_>>(),
            "form": form_of,
            "fixed": bodies.iter().map(|b| u8::from(b.fixed)).collect::<Vec<_>>(),
            "size": bodies.iter().map(|b| b.size).collect::<Vec<_>>(),
            "material": material_of,
        },
        "forms": forms,
        "materials": materials,
        "map": VIRIDIS.iter().flatten().collect::<Vec<_>>(),
        "panels": panels(&merge(source.curves(), &survey.curves)),
        "notices": notices,
    });
    if let (Some(header), Some(ranges)) = (header.as_object_mut(), ranges(survey).as_object()) {
        header.extend(ranges.clone());
    }
    // nothing in the data may end the element it is in
    header.to_string().replace('<', "\\u003c")
}

/// The ranges that frames are packed by, and the usual ends of scales.
pub fn ranges(survey: &Survey) -> Value {
    let quantity = |q: &Quantity, one_in: u64| json!({ "max": q.max, "usual": q.usual(one_in) });
    let range = |r: &Range| {
        let r = r.or_unit();
        json!({ "low": r.low, "high": r.high })
    };
    json!({
        "scene": range(&survey.scene),
        "centres": range(&survey.centres),
        "points": range(&survey.points),
        "speed": quantity(&survey.speed, 200),
        "spin": quantity(&survey.spin, 200),
        "load": quantity(&survey.load, 50),
        "rln": quantity(&survey.rln, 50),
        "rlt": quantity(&survey.rlt, 50),
    })
}

/// Curves that came with the result, and counted ones for the panels that it has none of.
pub fn merge(given: &[Curve], counted: &[Curve]) -> Vec<Curve> {
    let missing = counted.iter().filter(|c| !given.iter().any(|g| g.panel == c.panel));
    given.iter().chain(missing).cloned().collect()
}

/// The panels of curves, in the order in which they first come.
pub fn panel_names(curves: &[Curve]) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for curve in curves {
        if !names.contains(&curve.panel.as_str()) {
            names.push(&curve.panel);
        }
    }
    names
}

fn panels(curves: &[Curve]) -> Value {
    let panel = |name: &&str| {
        let members: Vec<&Curve> = curves.iter().filter(|c| c.panel == *name).collect();
        json!({ "name": name, "unit": members[0].unit, "curves": members })
    };
    panel_names(curves).iter().map(panel).collect()
}
