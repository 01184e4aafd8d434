//! More rows of contact than degrees of freedom.

use super::contacts::Touching;
use super::{Finding, Severity};
use crate::scene::Scene;

pub(super) fn check(scene: &Scene, touching: &Touching, findings: &mut Vec<Finding>) {
    let rows = touching.pairs.len() * scene.dimension;
    let freedoms = touching.movable * if scene.dimension == 2 { 3 } else { 6 };
    if rows > freedoms && freedoms > 0 {
        let what = format!(
            "at the start {rows} rows of contact act on {freedoms} degrees of freedom: at least {} impulses are not \
             determined by the motion (hyperstatic)",
            rows - freedoms
        );
        let remedy = "the motion is certain all the same; do not read single impulses as measured forces";
        findings.push(Finding::new(Severity::Note, "", what, remedy));
    }
}
