//! Hull against triangles: its vertices on their faces, their corners on its faces, and edges across edges.
//!
//! The surface is taken from one side. Where neighbouring triangles lie in a plane nothing sticks out, so that a body
//! which slides over their edge touches what it would touch on a half-space.

use super::hull::Hull;
use super::mesh::{Mesh, NONE};
use super::topology::NO_FACE;
use crate::bounds::Bounds;
use crate::contact::{Contact, Sink};
use crate::pose::Pose;
use crate::vector::{add_scaled, cross, dot, lerp, neg, norm, norm2, scale, sub, unit};

/// Edges and corners whose sine is smaller are flat.
const FLAT: f64 = 1e-9;

/// Normals may lie outside of the fan of an edge or corner by this sine: a face that is about to turn onto it.
pub const FAN: f64 = 0.1;

/// Room for the triangles near a body.
#[derive(Debug, Default)]
pub struct Room {
    stack: Vec<u32>,
    near: Vec<u32>,
    corners: Vec<u32>,
}

/// A surface seen from one side.
pub struct Surface<'a> {
    mesh: &'a Mesh,
    side: f64,
    // of the body
    centre: [f64; 3],
}

/// Contacts on their way out: in the frame of the mesh, numbered by the feature of the hull that makes them.
pub struct Out<'a, 'b> {
    sink: &'a mut Sink<'b, 3>,
    pose: &'a Pose<3>,
    start: usize,
    reach: f64,
    // features of the hull: vertices, faces, edges, vertices once more
    stride: u32,
}

/// The hull is placed in the frame of the mesh, whose pose is `pose`. A mesh with one side is solid behind it; otherwise
/// the side is that of the hull's centre.
pub fn contacts(
    a: &Hull<'_>,
    (mesh, one_sided, pose): (&Mesh, bool, &Pose<3>),
    reach: f64,
    room: &mut Room,
    sink: &mut Sink<'_, 3>,
) {
    let Some(surface) = Surface::near(a, (mesh, one_sided, pose), reach, room) else { return };
    let stride = 2 * a.vertices.len() + a.normals.len() + a.topology.edges().len();
    let mut out = Out::new(sink, pose, reach, stride as u32);
    for &t in &room.near {
        vertices_on_triangle(a, &surface, t as usize, &mut out);
    }
    for &w in &room.corners {
        corner_on_hull(a, &surface, w as usize, &mut out);
    }
    for &t in &room.near {
        for i in 0..3 {
            let neighbour = mesh.neighbours(t as usize)[i];
            // each edge once, and only if it sticks out
            if (neighbour == NONE || t < neighbour) && surface.bulge(t as usize, i).is_none_or(|b| b > FLAT) {
                edges_across(a, &surface, t as usize, i, &mut out);
                if a.radius > 0.0 {
                    vertices_on_edge(a, &surface, t as usize, i, &mut out);
                }
            }
        }
    }
}

/// The triangles that meet a box, and their corners.
fn gather(mesh: &Mesh, bounds: &Bounds<3>, room: &mut Room) {
    room.near.clear();
    room.corners.clear();
    let (near, stack) = (&mut room.near, &mut room.stack);
    mesh.tree().near(bounds, stack, |t| {
        if Bounds::of_points(&mesh.corners(t as usize)).touches(bounds) {
            near.push(t);
        }
    });
    near.sort_unstable();
    for &t in near.iter() {
        let inside = |v: &&u32| Bounds::of_points([&mesh.vertices()[**v as usize]]).touches(bounds);
        room.corners.extend(mesh.triangles()[t as usize].iter().filter(inside));
    }
    room.corners.sort_unstable();
    room.corners.dedup();
}

/// On which side of the surface a point is: that of the nearest triangle, or of all that are equally near together.
fn side_of(mesh: &Mesh, near: &[u32], c: &[f64; 3]) -> f64 {
    let mut best = (f64::INFINITY, 0.0);
    for &t in near {
        let q = on_triangle(c, &mesh.corners(t as usize));
        let d = sub(c, &q);
        let d2 = norm2(&d);
        let along = dot(&d, &mesh.normals()[t as usize]);
        if d2 < best.0 * (1.0 - 1e-9) {
            best = (d2, along);
        } else if d2 <= best.0 * (1.0 + 1e-9) {
            best.1 += along;
        }
    }
    if best.1 < 0.0 { -1.0 } else { 1.0 }
}

/// The vertices of the hull in front of triangle `t`, and those just behind it.
fn vertices_on_triangle(a: &Hull<'_>, surface: &Surface<'_>, t: usize, out: &mut Out<'_, '_>) {
    let n = surface.normal(t);
    let origin = surface.mesh.corners(t)[0];
    for (k, v) in a.vertices.iter().enumerate() {
        let height = dot(&n, &sub(v, &origin));
        let gap = height - a.radius;
        if gap <= out.reach && surface.carries(t, v, height) {
            out.push(k as u32, add_scaled(v, -(a.radius + 0.5 * gap), &n), n, gap);
        }
    }
}

/// A corner of the mesh against the face of the hull in front of it; or against a capsule's side or a ball.
fn corner_on_hull(a: &Hull<'_>, surface: &Surface<'_>, w: usize, out: &mut Out<'_, '_>) {
    let p = &surface.mesh.vertices()[w];
    let mut best: Option<(f64, usize)> = None;
    for f in 0..a.normals.len() {
        let height = a.height(f, p);
        if best.is_none_or(|b| height > b.0) {
            best = Some((height, f));
        }
    }
    if let Some((height, f)) = best {
        let n = neg(&a.normals[f]);
        let open = surface.faces(p, &n) && surface.corner_fan(w, &n, FAN) && surface.sticks_out(w);
        if height <= out.reach && open && a.in_face(f, p) {
            out.push((a.vertices.len() + f) as u32, add_scaled(p, 0.5 * height, &n), n, height);
        }
        return;
    }
    let (q, feature) = match a.vertices {
        [v] => (*v, 0),
        [v, w] => {
            let e = sub(w, v);
            let t = (dot(&sub(p, v), &e) / norm2(&e)).clamp(0.0, 1.0);
            (lerp(v, w, t), if t > 0.0 { u32::from(t >= 1.0) + u32::from(t < 1.0) * 2 } else { 0 })
        }
        _ => return,
    };
    let d = sub(&q, p);
    let gap = norm(&d) - a.radius;
    if let Some(n) = unit(&d).filter(|n| gap <= out.reach && surface.corner_fan(w, n, FLAT)) {
        out.push((a.vertices.len() as u32) + feature, add_scaled(p, 0.5 * gap, &n), n, gap);
    }
}

/// Edge `i` of triangle `t` against the edges of the hull that cross over it.
fn edges_across(a: &Hull<'_>, surface: &Surface<'_>, t: usize, i: usize, out: &mut Out<'_, '_>) {
    let corners = surface.mesh.corners(t);
    let p = &corners[i];
    let e = sub(&corners[(i + 1) % 3], p);
    for (k, edge) in a.topology.edges().iter().enumerate() {
        let q = &a.vertices[edge.ends[0] as usize];
        let f = sub(&a.vertices[edge.ends[1] as usize], q);
        let m = cross(&e, &f);
        let m2 = norm2(&m);
        if m2 <= FLAT * norm2(&e) * norm2(&f) {
            continue;
        }
        let d = sub(q, p);
        let s = dot(&cross(&d, &f), &m) / m2;
        let u = dot(&cross(&d, &e), &m) / m2;
        let inside = |x: f64| x > FLAT && x < 1.0 - FLAT;
        if !inside(s) || !inside(u) {
            continue;
        }
        let mut n = scale(1.0 / m2.sqrt(), &m);
        if dot(&n, &surface.edge_normal(t, i)) < 0.0 {
            n = neg(&n);
        }
        let height = dot(&n, &d);
        let gap = height - a.radius;
        // a bare segment is to be on the outside, or it could be pulled through
        let outside = edge.faces[0] != NO_FACE || height >= 0.0;
        let outside = outside && surface.faces(p, &n);
        if gap <= out.reach && outside && surface.edge_fan(t, i, &n, FAN) && a.edge_fan(k, &neg(&n), FAN) {
            let feature = 2 * a.vertices.len() + a.normals.len() + k;
            out.push(feature as u32, add_scaled(&add_scaled(p, s, &e), 0.5 * gap, &n), n, gap);
        }
    }
}

/// The vertices of a ball or capsule beside edge `i` of triangle `t`.
fn vertices_on_edge(a: &Hull<'_>, surface: &Surface<'_>, t: usize, i: usize, out: &mut Out<'_, '_>) {
    let corners = surface.mesh.corners(t);
    let (p, q) = (&corners[i], &corners[(i + 1) % 3]);
    let e = sub(q, p);
    for (k, v) in a.vertices.iter().enumerate() {
        let along = dot(&sub(v, p), &e) / norm2(&e);
        if along <= 0.0 || along >= 1.0 {
            continue;
        }
        let nearest = lerp(p, q, along);
        let d = sub(v, &nearest);
        let gap = norm(&d) - a.radius;
        if let Some(n) = unit(&d).filter(|n| gap <= out.reach && surface.edge_fan(t, i, n, FLAT)) {
            out.push((a.vertices.len() + k) as u32, add_scaled(&nearest, 0.5 * gap, &n), n, gap);
        }
    }
}

impl Room {
    /// The triangles near the body.
    pub fn triangles(&self) -> &[u32] {
        &self.near
    }

    /// Their corners near it.
    pub fn corners(&self) -> &[u32] {
        &self.corners
    }
}

impl<'a, 'b> Out<'a, 'b> {
    /// For a body with `stride` features, on a mesh at `pose`.
    pub fn new(sink: &'a mut Sink<'b, 3>, pose: &'a Pose<3>, reach: f64, stride: u32) -> Self {
        Out { start: sink.len(), sink, pose, reach, stride }
    }

    /// A contact, unless the same feature of the hull has it already from a triangle in the same plane.
    pub fn push(&mut self, feature: u32, point: [f64; 3], normal: [f64; 3], gap: f64) {
        let normal = self.pose.direction(&normal);
        let signed = if self.sink.outward() < 0.0 { neg(&normal) } else { normal };
        let (stride, first) = (self.stride, self.sink.base().wrapping_add(feature));
        let mut rank = 0;
        for c in self.sink.since(self.start) {
            if c.feature.wrapping_sub(first).is_multiple_of(stride) && c.feature.wrapping_sub(first) < stride * 4096 {
                if same(c, &signed) {
                    return;
                }
                rank += 1;
            }
        }
        self.sink.push(feature + rank * stride, self.pose.point(&point), normal, gap);
    }
}

fn same(c: &Contact<3>, normal: &[f64; 3]) -> bool {
    norm2(&sub(&c.normal, normal)) < 1e-12
}

impl<'a> Surface<'a> {
    /// Gathers the triangles near a body, and finds from which side it looks at them.
    pub fn near(
        body: &Hull<'_>,
        (mesh, one_sided, _): (&'a Mesh, bool, &Pose<3>),
        reach: f64,
        room: &mut Room,
    ) -> Option<Self> {
        gather(mesh, &Bounds::of_points(body.vertices).widened(body.radius + reach), room);
        if room.near.is_empty() {
            return None;
        }
        let centre = body.centre();
        let side = if one_sided { 1.0 } else { side_of(mesh, &room.near, &centre) };
        Some(Surface { mesh, side, centre })
    }

    /// The normal of triangle `t` towards the body.
    pub fn normal(&self, t: usize) -> [f64; 3] {
        scale(self.side, &self.mesh.normals()[t])
    }

    /// How high a point is above triangle `t`.
    fn height(&self, t: usize, p: &[f64; 3]) -> f64 {
        dot(&self.normal(t), &sub(p, &self.mesh.corners(t)[0]))
    }

    /// The sine of the bend at edge `i` of triangle `t`, positive where it sticks out; none where the mesh ends.
    fn bulge(&self, t: usize, i: usize) -> Option<f64> {
        let neighbour = self.mesh.neighbours(t)[i];
        (neighbour != NONE).then(|| -dot(&self.into(t, i), &self.normal(neighbour as usize)))
    }

    /// The unit vector in triangle `t` away from its edge `i`, into it.
    fn into(&self, t: usize, i: usize) -> [f64; 3] {
        let corners = self.mesh.corners(t);
        let e = sub(&corners[(i + 1) % 3], &corners[i]);
        unit(&cross(&self.mesh.normals()[t], &e)).unwrap_or_default()
    }

    /// The sum of the normals beside edge `i` of triangle `t`.
    fn edge_normal(&self, t: usize, i: usize) -> [f64; 3] {
        let (n, neighbour) = (self.normal(t), self.mesh.neighbours(t)[i]);
        if neighbour == NONE { n } else { crate::vector::add(&n, &self.normal(neighbour as usize)) }
    }

    /// Whether a normal at edge `i` of triangle `t` points away from the triangles beside it, or into them by no more
    /// than a sine.
    fn edge_fan(&self, t: usize, i: usize, n: &[f64; 3], tolerance: f64) -> bool {
        let neighbour = self.mesh.neighbours(t)[i];
        let across = || {
            let u = neighbour as usize;
            let j = (0..3).find(|&j| self.mesh.neighbours(u)[j] == t as u32);
            j.is_none_or(|j| dot(n, &self.into(u, j)) <= tolerance)
        };
        dot(n, &self.into(t, i)) <= tolerance && (neighbour == NONE || across())
    }

    /// Whether a normal at corner `w` points away from all edges there, or into them by no more than a sine.
    pub fn corner_fan(&self, w: usize, n: &[f64; 3], tolerance: f64) -> bool {
        let p = &self.mesh.vertices()[w];
        self.mesh.star(w).iter().all(|&v| {
            let e = sub(&self.mesh.vertices()[v as usize], p);
            dot(n, &e) <= tolerance * norm(&e)
        })
    }

    /// Whether corner `w` is a tip, not within an edge or a face or a saddle: no edge there rises above it, and those that
    /// are level all lie within half of the plane.
    pub fn sticks_out(&self, w: usize) -> bool {
        let (p, n) = (&self.mesh.vertices()[w], &scale(self.side, &self.mesh.corner_normal(w)));
        if !self.corner_fan(w, n, FLAT) {
            return false;
        }
        let directions = || {
            let edges = self.mesh.star(w).iter().filter_map(|&v| unit(&sub(&self.mesh.vertices()[v as usize], p)));
            edges.filter(|e| dot(n, e).abs() <= FLAT)
        };
        let leads = |d: &[f64; 3]| {
            directions().all(|e| {
                let turn = dot(n, &cross(d, &e));
                turn > FLAT || (turn.abs() <= FLAT && dot(d, &e) > 0.0)
            })
        };
        directions().next().is_none() || directions().any(|d| leads(&d))
    }

    /// Whether the centre of the body lies in front of `p` along `n`: otherwise what is there faces away from it.
    pub fn faces(&self, p: &[f64; 3], n: &[f64; 3]) -> bool {
        dot(n, &sub(&self.centre, p)) > 0.0
    }

    /// Whether triangle `t` is what a vertex at a height above it stands on.
    pub fn carries(&self, t: usize, v: &[f64; 3], height: f64) -> bool {
        let corners = self.mesh.corners(t);
        if !self.faces(&corners[0], &self.normal(t)) {
            return false;
        }
        for i in 0..3 {
            let outside = -dot(&self.into(t, i), &sub(v, &corners[i]));
            let length = norm(&sub(&corners[(i + 1) % 3], &corners[i]));
            let neighbour = self.mesh.neighbours(t)[i];
            let behind = if neighbour == NONE { f64::INFINITY } else { self.height(neighbour as usize, v) };
            let bulge = self.bulge(t, i).unwrap_or(f64::INFINITY);
            // in a hollow a vertex behind both has left the range of both
            if outside > FLAT * length && !(bulge < -FLAT && behind < 0.0) {
                return false;
            }
            // around a bulge it belongs to the triangle it has crossed less deeply, if it has crossed both
            if height < 0.0 && neighbour != NONE && bulge > FLAT && behind > height {
                return false;
            }
        }
        true
    }
}

/// The point of a triangle nearest to `p`.
fn on_triangle(p: &[f64; 3], corners: &[[f64; 3]; 3]) -> [f64; 3] {
    let (e, f) = (sub(&corners[1], &corners[0]), sub(&corners[2], &corners[0]));
    let (n, d) = (cross(&e, &f), sub(p, &corners[0]));
    let n2 = norm2(&n);
    let (s, t) = (dot(&cross(&d, &f), &n) / n2, dot(&cross(&e, &d), &n) / n2);
    if s >= 0.0 && t >= 0.0 && s + t <= 1.0 {
        return add_scaled(&add_scaled(&corners[0], s, &e), t, &f);
    }
    let mut best = (f64::INFINITY, corners[0]);
    for i in 0..3 {
        let (from, to) = (&corners[i], &corners[(i + 1) % 3]);
        let g = sub(to, from);
        let q = lerp(from, to, (dot(&sub(p, from), &g) / norm2(&g)).clamp(0.0, 1.0));
        let d2 = norm2(&sub(p, &q));
        if d2 < best.0 {
            best = (d2, q);
        }
    }
    best.1
}
