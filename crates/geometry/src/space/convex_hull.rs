//! The convex hull of points in space.

use crate::Bounds;
use crate::error::ShapeError;
use crate::vector::{cross, dot, norm, sub, unit};

/// Vertices, and the faces by their numbers.
type Faces = (Vec<[f64; 3]>, Vec<Vec<u32>>);

/// A triangle of the growing hull.
struct Triangle {
    corners: [u32; 3],
    normal: [f64; 3],
}

/// The vertices of the hull and its faces: coplanar triangles are merged, points inside left out.
///
/// Points are added one after the other: the triangles that see the new one make room for the fan from it to their rim.
/// Plane means within $10^{-10}$ of the extent.
pub fn convex_hull(points: &[[f64; 3]]) -> Result<Faces, ShapeError> {
    let tolerance = 1e-10 * Bounds::of_points(points).size();
    let first = tetrahedron(points, tolerance)?;
    let mut hull: Vec<Triangle> = Vec::new();
    for face in [[0, 1, 2], [0, 3, 1], [1, 3, 2], [2, 3, 0]] {
        hull.extend(triangle(points, face.map(|i| first[i])));
    }
    for p in (0..points.len() as u32).filter(|p| !first.contains(p)) {
        let sees = |t: &Triangle| dot(&t.normal, &sub(&points[p as usize], &points[t.corners[0] as usize])) > tolerance;
        let (seen, kept): (Vec<Triangle>, Vec<Triangle>) = hull.into_iter().partition(sees);
        hull = kept;
        for edge in rim(&seen) {
            hull.extend(triangle(points, [edge[0], edge[1], p]));
        }
    }
    Ok(compact(points, &merge(&hull)))
}

/// Four points that span a volume, turned outwards.
fn tetrahedron(points: &[[f64; 3]], tolerance: f64) -> Result<[u32; 4], ShapeError> {
    let flat = |index, why| ShapeError::Degenerate { shape: "polyhedron", field: "vertex", index, why };
    let farthest = |distance: &dyn Fn(&[f64; 3]) -> f64| {
        let best = (0..points.len()).max_by(|&i, &j| distance(&points[i]).total_cmp(&distance(&points[j])));
        best.filter(|&i| distance(&points[i]) > tolerance)
    };
    let a =
        *points.first().ok_or(ShapeError::TooFew { shape: "polyhedron", field: "vertices", found: 0, needed: 4 })?;
    let b = farthest(&|p| norm(&sub(p, &a))).ok_or(flat(0, "all vertices are one point"))?;
    let along = unit(&sub(&points[b], &a)).unwrap_or_default();
    let c = farthest(&|p| norm(&cross(&along, &sub(p, &a)))).ok_or(flat(b, "all vertices lie on a line"))?;
    let normal = unit(&cross(&along, &sub(&points[c], &a))).unwrap_or_default();
    let d = farthest(&|p| dot(&normal, &sub(p, &a)).abs()).ok_or(flat(c, "all vertices lie in a plane"))?;
    let [b, c, d] = [b, c, d].map(|i| i as u32);
    // the first face looks away from the fourth point
    Ok(if dot(&normal, &sub(&points[d as usize], &a)) > 0.0 { [0, c, b, d] } else { [0, b, c, d] })
}

/// A triangle with its normal; one without area sees nothing.
fn triangle(points: &[[f64; 3]], corners: [u32; 3]) -> Option<Triangle> {
    let [a, b, c] = corners.map(|i| points[i as usize]);
    let normal = unit(&cross(&sub(&b, &a), &sub(&c, &a))).unwrap_or_default();
    Some(Triangle { corners, normal })
}

/// The directed edges of triangles that have no counterpart among them.
fn rim(triangles: &[Triangle]) -> Vec<[u32; 2]> {
    let edges = |t: &Triangle| [0, 1, 2].map(|i| [t.corners[i], t.corners[(i + 1) % 3]]);
    let all: std::collections::HashSet<[u32; 2]> = triangles.iter().flat_map(edges).collect();
    triangles.iter().flat_map(edges).filter(|e| !all.contains(&[e[1], e[0]])).collect()
}

/// Joins neighbouring triangles of one plane into faces.
fn merge(hull: &[Triangle]) -> Vec<Vec<u32>> {
    let mut left = std::collections::HashMap::new();
    for (t, triangle) in hull.iter().enumerate() {
        for i in 0..3 {
            left.insert([triangle.corners[i], triangle.corners[(i + 1) % 3]], t);
        }
    }
    let mut done = vec![false; hull.len()];
    let mut faces = Vec::new();
    for t in 0..hull.len() {
        if done[t] || hull[t].normal == [0.0; 3] {
            continue;
        }
        done[t] = true;
        let (mut group, mut next) = (vec![t], 0);
        while next < group.len() {
            let corners = hull[group[next]].corners;
            next += 1;
            for i in 0..3 {
                let Some(&other) = left.get(&[corners[(i + 1) % 3], corners[i]]) else { continue };
                let normal = hull[other].normal;
                let flat = normal == [0.0; 3] || norm(&sub(&normal, &hull[t].normal)) < 1e-7;
                if flat && !done[other] {
                    done[other] = true;
                    group.push(other);
                }
            }
        }
        faces.push(outline(hull, &group));
    }
    faces
}

/// The rim of a group of triangles as one loop.
fn outline(hull: &[Triangle], group: &[usize]) -> Vec<u32> {
    let triangles: Vec<Triangle> =
        group.iter().map(|&t| Triangle { corners: hull[t].corners, normal: hull[t].normal }).collect();
    let next: std::collections::HashMap<u32, u32> = rim(&triangles).into_iter().map(|[a, b]| (a, b)).collect();
    let start = next.keys().copied().min().unwrap_or_default();
    let mut face = vec![start];
    while let Some(&n) = next.get(face.last().unwrap_or(&start)) {
        if n == start || face.len() > next.len() {
            break;
        }
        face.push(n);
    }
    face
}

/// Numbers the vertices that are left, and takes those off that lie within an edge: they belong to two faces only.
fn compact(points: &[[f64; 3]], faces: &[Vec<u32>]) -> Faces {
    let mut uses = vec![0; points.len()];
    for &v in faces.iter().flatten() {
        uses[v as usize] += 1;
    }
    let mut number = vec![0; points.len()];
    let mut vertices = Vec::new();
    for (v, p) in points.iter().enumerate() {
        number[v] = vertices.len() as u32;
        if uses[v] >= 3 {
            vertices.push(*p);
        }
    }
    let corner =
        |f: &Vec<u32>| f.iter().filter(|&&v| uses[v as usize] >= 3).map(|&v| number[v as usize]).collect::<Vec<u32>>();
    (vertices, faces.iter().map(corner).collect())
}

#[cfg(test)]
mod tests {
    use crate::space::{Polyhedron, Shape};
    use std::sync::Arc;

    #[test]
    fn the_hull_of_a_grid_of_points_is_a_cube() {
        let mut points = Vec::new();
        for i in 0..27 {
            points.push([i % 3, i / 3 % 3, i / 9].map(f64::from));
        }
        let cube = Polyhedron::hull(&points).unwrap();
        assert_eq!((cube.vertices().len(), cube.normals().len(), cube.topology().edges().len()), (8, 6, 12));
        let mass = Shape::Polyhedron(Arc::new(cube)).mass().unwrap();
        assert!((mass.volume - 8.0).abs() < 1e-13);
    }

    #[test]
    fn points_in_a_plane_have_no_hull() {
        let flat: Vec<[f64; 3]> = (0..9).map(|i| [f64::from(i % 3), f64::from(i / 3), 0.5]).collect();
        assert!(Polyhedron::hull(&flat).is_err());
        assert!(Polyhedron::hull(&[]).is_err());
        assert!(Polyhedron::hull(&[[1.0; 3]; 5]).is_err());
    }
}
