//! Triangles of forms, about the origin.

use super::projection::{V, add, cross, unit};
use super::scene::Triangle;
use crate::form::{Form, box_faces};
use std::f64::consts::{FRAC_PI_2, PI, TAU};

/// Half the width at which lines of the plane are drawn, in radii of the scene.
const LINE: f64 = 0.006;

/// Adds the triangles of a form whose lengths are multiplied by `s`.
pub fn triangles(form: &Form, s: f64, colour: V, out: &mut Vec<Triangle>) {
    let p3 = |p: &[f64; 3]| p.map(|c| s * c);
    let p2 = |p: &[f64; 2]| [s * p[0], s * p[1], 0.0];
    match form {
        Form::Box { half } | Form::InsideBox { half } => {
            let (v, faces) = box_faces(half.map(|h| s * h));
            faces.iter().for_each(|f| face(&f.iter().map(|&i| v[i as usize]).collect::<Vec<_>>(), colour, true, out));
        }
        Form::Cylinder { r, l } | Form::InsideCylinder { r, l } => cylinder(s * r, s * l, colour, out),
        Form::Capsule { r, l } => capsule(s * r, s * l, colour, out),
        Form::Faces { v, f, smooth: true } => smooth(&v.iter().map(p3).collect::<Vec<_>>(), f, colour, out),
        Form::Faces { v, f, smooth: false } => {
            f.iter().for_each(|f| face(&f.iter().map(|&i| p3(&v[i as usize])).collect::<Vec<_>>(), colour, true, out));
        }
        Form::Polygon { v } => face(&v.iter().map(p2).collect::<Vec<_>>(), colour, true, out),
        Form::Stadium { r, l } => face(&stadium(s * r, s * l), colour, true, out),
        Form::Polyline { v } => {
            for ends in v.windows(2) {
                let (a, b) = (p2(&ends[0]), p2(&ends[1]));
                let d = unit(&add(&b, &a, -1.0));
                let n = [-d[1] * LINE, d[0] * LINE, 0.0];
                let (a, b) = (add(&a, &d, -LINE), add(&b, &d, LINE));
                face(&[add(&a, &n, -1.0), add(&b, &n, -1.0), add(&b, &n, 1.0), add(&a, &n, 1.0)], colour, false, out);
            }
        }
        Form::HalfPlane => {
            let corners = [[30.0, 0.0, 0.0], [-30.0, 0.0, 0.0], [-30.0, -30.0, 0.0], [30.0, -30.0, 0.0]];
            strip(corners, colour, out);
        }
        Form::InsideCircle { r } => {
            let at = |r: f64, i: usize| [r * (TAU * i as f64 / 192.0).cos(), r * (TAU * i as f64 / 192.0).sin(), 0.0];
            let (inner, outer) = (s * r, s * r + 4.0 * LINE);
            (0..192).for_each(|i| strip([at(inner, i), at(inner, i + 1), at(outer, i + 1), at(outer, i)], colour, out));
        }
        Form::Sphere { .. } | Form::Disc { .. } | Form::HalfSpace => {}
    }
}

/// A quadrilateral of which only the first side is an edge.
fn strip(c: [V; 4], colour: V, out: &mut Vec<Triangle>) {
    let normals = [[0.0, 0.0, 1.0]; 3];
    out.push(Triangle { corners: [c[2], c[0], c[1]], normals, colour, edge: true });
    out.push(Triangle { corners: [c[0], c[2], c[3]], normals, colour, edge: false });
}

/// A convex face as a fan about its middle.
fn face(corners: &[V], colour: V, edge: bool, out: &mut Vec<Triangle>) {
    let n = corners.len();
    let normal = (0..n).fold([0.0; 3], |sum, i| add(&sum, &cross(&corners[i], &corners[(i + 1) % n]), 1.0));
    let middle = corners.iter().fold([0.0; 3], |sum, p| add(&sum, p, 1.0 / n as f64));
    let normals = [unit(&normal); 3];
    out.extend((0..n).map(|i| Triangle { corners: [middle, corners[i], corners[(i + 1) % n]], normals, colour, edge }));
}

/// Faces of a smooth surface: normals of corners are the mean of those around.
fn smooth(v: &[V], faces: &[Vec<u32>], colour: V, out: &mut Vec<Triangle>) {
    let mut normals = vec![[0.0; 3]; v.len()];
    for f in faces.iter().filter(|f| f.len() > 2) {
        let p = |k: usize| v[f[k] as usize];
        let n = unit(&cross(&add(&p(1), &p(0), -1.0), &add(&p(2), &p(0), -1.0)));
        f.iter().for_each(|&i| normals[i as usize] = add(&normals[i as usize], &n, 1.0));
    }
    for f in faces {
        for k in 1..f.len().saturating_sub(1) {
            let ids = [f[0], f[k], f[k + 1]];
            let [corners, normals] = [ids.map(|i| v[i as usize]), ids.map(|i| unit(&normals[i as usize]))];
            out.push(Triangle { corners, normals, colour, edge: false });
        }
    }
}

fn around(i: usize, sides: usize) -> V {
    let a = TAU * i as f64 / sides as f64;
    [a.cos(), a.sin(), 0.0]
}

fn cylinder(r: f64, l: f64, colour: V, out: &mut Vec<Triangle>) {
    for i in 0..64 {
        let (a, b) = (around(i, 64), around(i + 1, 64));
        let at = |n: &V, z: f64| [r * n[0], r * n[1], z];
        for z in [-l, l] {
            // the side between the last two corners is the rim
            let (u, v) = if z > 0.0 { (b, a) } else { (a, b) };
            let corners = [at(&u, -z), at(&u, z), at(&v, z)];
            out.push(Triangle { corners, normals: [u, u, v], colour, edge: true });
            let normals = [[0.0, 0.0, z.signum()]; 3];
            out.push(Triangle { corners: [[0.0, 0.0, z], at(&v, z), at(&u, z)], normals, colour, edge: true });
        }
    }
}

fn capsule(r: f64, l: f64, colour: V, out: &mut Vec<Triangle>) {
    let (sides, rings) = (32, 8);
    let ring = |end: f64, i: usize| {
        let a = FRAC_PI_2 * (i as f64 / rings as f64 - if end < 0.0 { 1.0 } else { 0.0 });
        (a.cos(), a.sin(), end * l)
    };
    let profile: Vec<_> = (0..=rings).map(|i| ring(-1.0, i)).chain((0..=rings).map(|i| ring(1.0, i))).collect();
    for pair in profile.windows(2) {
        for i in 0..sides {
            let at = |(c, z, shift): (f64, f64, f64), j: usize| {
                let n = around(j, sides);
                let n = [c * n[0], c * n[1], z];
                ([r * n[0], r * n[1], r * n[2] + shift], n)
            };
            let q = [at(pair[0], i), at(pair[0], i + 1), at(pair[1], i + 1), at(pair[1], i)];
            for ids in [[0, 1, 2], [0, 2, 3]] {
                let [corners, normals] = [ids.map(|k: usize| q[k].0), ids.map(|k: usize| q[k].1)];
                out.push(Triangle { corners, normals, colour, edge: false });
            }
        }
    }
}

/// The outline of a stadium along x.
pub fn stadium(r: f64, l: f64) -> Vec<V> {
    let half = |from: f64, x: f64| {
        (0..=24).map(move |i| {
            let a = from + PI * f64::from(i) / 24.0;
            [x + r * a.cos(), r * a.sin(), 0.0]
        })
    };
    half(-FRAC_PI_2, l).chain(half(FRAC_PI_2, -l)).collect()
}
