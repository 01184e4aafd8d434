//! The matrix of the finest level, `H T H^T` by bodies, and where the bodies sit.

use super::small::{Small, zero};
use crate::operator::{Bodies, arm};

/// Why there is no hierarchy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NoHierarchy {
    /// The degrees of freedom are not so many a body.
    #[error("multigrid needs {0} degrees of freedom a body, and M that couples no two bodies")]
    Layout(usize),
}

/// A sparse matrix of blocks with sorted rows, every row with its diagonal.
#[derive(Debug, Clone, Default)]
pub(super) struct Pattern {
    pub ptr: Vec<usize>,
    pub col: Vec<u32>,
    /// Where the diagonal of each row is.
    pub diag: Vec<usize>,
}

impl Pattern {
    /// From lists of columns, which need be neither sorted nor unique; the diagonal is added.
    pub fn from_rows(rows: usize, mut row: impl FnMut(usize, &mut Vec<u32>)) -> Self {
        let (mut pattern, mut list) = (Self { ptr: vec![0], ..Self::default() }, Vec::new());
        for i in 0..rows {
            list.clear();
            list.push(i as u32);
            row(i, &mut list);
            list.sort_unstable();
            list.dedup();
            pattern.diag.push(pattern.col.len() + list.partition_point(|&j| (j as usize) < i));
            pattern.col.extend_from_slice(&list);
            pattern.ptr.push(pattern.col.len());
        }
        pattern
    }

    pub fn rows(&self) -> usize {
        self.diag.len()
    }

    #[inline(always)]
    pub fn row(&self, i: usize) -> std::ops::Range<usize> {
        self.ptr[i]..self.ptr[i + 1]
    }

    /// Where the entry (i, j) is; it must be in the pattern.
    #[inline(always)]
    pub fn find(&self, i: usize, j: usize) -> usize {
        self.ptr[i] + self.col[self.row(i)].partition_point(|&k| (k as usize) < j)
    }
}

/// The rows of one contact on the bodies that it touches.
pub(super) struct ContactRows<const D: usize, const B: usize> {
    pub bodies: Vec<u32>,
    pub rows: Vec<[[f64; B]; D]>,
}

impl<const D: usize, const B: usize> ContactRows<D, B> {
    pub fn new() -> Self {
        Self { bodies: Vec::new(), rows: Vec::new() }
    }

    /// Reads contact c.
    pub fn read(&mut self, bodies: &dyn Bodies<D>, c: usize) {
        self.bodies.clear();
        self.rows.clear();
        bodies.jacobian(c, &mut |d, dof, x| {
            let body = (dof / B) as u32;
            let k = self.bodies.iter().position(|&b| b == body).unwrap_or_else(|| {
                self.bodies.push(body);
                self.rows.push([[0.0; B]; D]);
                self.bodies.len() - 1
            });
            self.rows[k][d][dof % B] = x;
        });
    }
}

/// The pairs of bodies that touch.
pub(super) fn body_graph<const D: usize, const B: usize>(bodies: &dyn Bodies<D>, contacts: usize, n: usize) -> Pattern {
    let mut touch = ContactRows::<D, B>::new();
    let mut pairs: Vec<[u32; 2]> = Vec::new();
    for c in 0..contacts {
        touch.read(bodies, c);
        for &a in &touch.bodies {
            pairs.extend(touch.bodies.iter().filter(|&&b| b != a).map(|&b| [a, b]));
        }
    }
    // by counting, first body first
    let mut start = vec![0usize; n + 1];
    pairs.iter().for_each(|p| start[p[0] as usize + 1] += 1);
    (0..n).for_each(|i| start[i + 1] += start[i]);
    let (mut at, mut list) = (start.clone(), vec![0u32; pairs.len()]);
    for [a, b] in pairs {
        list[at[a as usize]] = b;
        at[a as usize] += 1;
    }
    Pattern::from_rows(n, |i, row| row.extend_from_slice(&list[start[i]..start[i + 1]]))
}

/// `H T H^T` on the pattern; `weights(c)` is the diagonal of T at contact c, one number a row.
pub(super) fn stiffness<const D: usize, const B: usize>(
    bodies: &dyn Bodies<D>,
    contacts: usize,
    pattern: &Pattern,
    weights: &dyn Fn(usize) -> [f64; D],
) -> Vec<Small<B>> {
    let mut blocks = vec![zero::<B>(); pattern.col.len()];
    let mut touch = ContactRows::<D, B>::new();
    for c in 0..contacts {
        touch.read(bodies, c);
        let t = weights(c);
        for (a, rows_a) in touch.bodies.iter().zip(&touch.rows) {
            for (b, rows_b) in touch.bodies.iter().zip(&touch.rows) {
                let block = &mut blocks[pattern.find(*a as usize, *b as usize)];
                for j in 0..B {
                    for i in 0..B {
                        let mut s = 0.0;
                        for d in 0..D {
                            s += t[d] * rows_a[d][i] * rows_b[d][j];
                        }
                        block[j][i] += s as f32;
                    }
                }
            }
        }
    }
    blocks
}

/// Sweeps that average positions found along different paths.
const SWEEPS: usize = 10;

/// Centres of the bodies up to a motion of each connected part, from the arms in the rows of H^T.
///
/// A row is `[e, arm x e]`, and two arms to one point give the vector between two centres. Rotations may be measured in
/// any common unit. Rows of another kind give wrong centres, and so only a slower cycle.
pub(super) fn positions<const D: usize, const B: usize>(
    bodies: &dyn Bodies<D>,
    contacts: usize,
    pattern: &Pattern,
) -> Vec<[f64; 3]> {
    // the mean vector to each neighbour
    let (mut offset, mut count) = (vec![[0.0; 3]; pattern.col.len()], vec![0.0; pattern.col.len()]);
    let mut touch = ContactRows::<D, B>::new();
    for c in 0..contacts {
        touch.read(bodies, c);
        let arms: Vec<Option<[f64; 3]>> = touch.rows.iter().map(arm).collect();
        for (a, arm_a) in touch.bodies.iter().zip(&arms) {
            for (b, arm_b) in touch.bodies.iter().zip(&arms).filter(|(b, _)| *b != a) {
                let (Some(from_a), Some(from_b)) = (arm_a, arm_b) else { continue };
                let k = pattern.find(*a as usize, *b as usize);
                (0..3).for_each(|i| offset[k][i] += from_a[i] - from_b[i]);
                count[k] += 1.0;
            }
        }
    }
    for (o, n) in offset.iter_mut().zip(&count).filter(|(_, n)| **n > 0.0) {
        o.iter_mut().for_each(|x| *x /= n);
    }
    let mut x = walk(pattern, &offset);
    for _ in 0..SWEEPS {
        for i in 0..pattern.rows() {
            let (mut sum, mut n) = ([0.0; 3], 0.0);
            for k in pattern.row(i).filter(|&k| k != pattern.diag[i]) {
                (0..3).for_each(|d| sum[d] += x[pattern.col[k] as usize][d] - offset[k][d]);
                n += 1.0;
            }
            if n > 0.0 {
                x[i] = sum.map(|s| s / n);
            }
        }
    }
    x
}

/// Positions along a spanning tree of each part.
fn walk(pattern: &Pattern, offset: &[[f64; 3]]) -> Vec<[f64; 3]> {
    let n = pattern.rows();
    let (mut x, mut seen, mut queue) = (vec![[0.0; 3]; n], vec![false; n], std::collections::VecDeque::new());
    for root in 0..n {
        if std::mem::replace(&mut seen[root], true) {
            continue;
        }
        queue.push_back(root);
        while let Some(i) = queue.pop_front() {
            for k in pattern.row(i) {
                let j = pattern.col[k] as usize;
                if !std::mem::replace(&mut seen[j], true) {
                    x[j] = std::array::from_fn(|d| x[i][d] + offset[k][d]);
                    queue.push_back(j);
                }
            }
        }
    }
    x
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::BoxWall;
    use crate::operator::{Delassus, MatrixFree};

    #[test]
    fn centres_of_a_wall_come_out_of_its_jacobian() {
        let global = BoxWall { columns: 4, courses: 5, ..BoxWall::default() }.generate().unwrap();
        let w = MatrixFree::new(&global, &global.factor_mass().unwrap()).unwrap();
        let pattern = body_graph::<3, 6>(&w, w.contacts(), 20);
        let x = positions::<3, 6>(&w, w.contacts(), &pattern);
        for b in 1..20 {
            // bricks of 2 x 1 x 1, odd courses half a brick to the right
            let centre = |b: usize| [2.0 * (b % 4) as f64 + ((b / 4) % 2) as f64, 0.0, (b / 4) as f64];
            let (to, from) = (centre(b), centre(0));
            for i in 0..3 {
                assert!((x[b][i] - x[0][i] - to[i] + from[i]).abs() < 1e-10, "{b}: {:?}", x[b]);
            }
        }
    }
}
