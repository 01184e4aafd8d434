//! Cylinder against triangles: the low points of its rims on their faces, and their corners on its surface.
//!
//! Edges of triangles that cross its rim between these points are not looked at: on terrain much finer than the cylinder
//! the corners stand for them.

use super::cylinder::Cylinder;
use super::cylinder_plane;
use super::hull::Placed;
use super::hull_mesh::{self, Out, Room, Surface};
use super::mesh::Mesh;
use crate::contact::Sink;
use crate::pose::Pose;
use crate::vector::{add_scaled, dot, neg, scale, sub};

/// The cylinder is placed in the frame of the mesh, whose pose is `pose`.
pub fn contacts(
    a: &Cylinder,
    mesh: (&Mesh, bool, &Pose<3>),
    reach: f64,
    (room, placed): (&mut Room, &mut Placed),
    sink: &mut Sink<'_, 3>,
) {
    let axis = scale(a.half_length, &a.axis);
    let mut rod = placed.segment(&a.centre, &axis);
    rod.radius = a.radius;
    let Some(surface) = Surface::near(&rod, mesh, reach, room) else { return };
    let mut out = Out::new(sink, mesh.2, reach, 10);
    for &t in room.triangles() {
        let (n, origin) = (surface.normal(t as usize), mesh.0.corners(t as usize)[0]);
        cylinder_plane::points(a, &n, |k, p| {
            let gap = dot(&n, &sub(&p, &origin));
            if gap <= reach && surface.carries(t as usize, &p, gap) {
                out.push(k, add_scaled(&p, -0.5 * gap, &n), n, gap);
            }
        });
    }
    for &w in room.corners() {
        let p = &mesh.0.vertices()[w as usize];
        let (gap, normal) = a.distance(p);
        let n = neg(&normal);
        let w = w as usize;
        let open = surface.faces(p, &n) && surface.corner_fan(w, &n, hull_mesh::FAN) && surface.sticks_out(w);
        if gap <= reach && open {
            out.push(8, add_scaled(p, 0.5 * gap, &n), n, gap);
        }
    }
}
