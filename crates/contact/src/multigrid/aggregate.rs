//! Which bodies move together on the next level.

use super::small::Small;
use super::stiffness::Pattern;

/// Coupling below this part of `sqrt(tr_i tr_j)` is weak.
const STRONG: f32 = 0.02;
/// Not in any aggregate.
pub(super) const ALONE: u32 = u32::MAX;

/// The aggregate of each node and how many there are; a node without strong neighbours stays alone.
///
/// # Reference
/// Vaněk, Mandel, Brezina, Algebraic multigrid by smoothed aggregation, Computing 56, 1996, algorithm 5.1.
pub(super) fn aggregate<const B: usize>(pattern: &Pattern, a: &[Small<B>]) -> (Vec<u32>, usize) {
    let n = pattern.rows();
    // translations: two in the plane, three in space
    let t = if B == 3 { 2 } else { 3 };
    let trace: Vec<f32> = pattern.diag.iter().map(|&k| (0..t).map(|i| a[k][i][i]).sum()).collect();
    let strength = |i: usize, k: usize| {
        let size: f32 = (0..t).map(|c| (0..t).map(|r| a[k][c][r] * a[k][c][r]).sum::<f32>()).sum();
        let floor = STRONG * STRONG * trace[i] * trace[pattern.col[k] as usize];
        if k != pattern.diag[i] && size > floor { size } else { 0.0 }
    };
    let mut of = vec![ALONE; n];
    let mut count = 0u32;
    // 1. a node none of whose neighbours is taken takes them all
    for i in 0..n {
        let strong = || pattern.row(i).filter(|&k| strength(i, k) > 0.0).map(|k| pattern.col[k] as usize);
        if of[i] == ALONE && strong().next().is_some() && strong().all(|j| of[j] == ALONE) {
            of[i] = count;
            strong().for_each(|j| of[j] = count);
            count += 1;
        }
    }
    // 2. who is left joins the neighbour held strongest, as the first pass left them
    let first = of.clone();
    for i in (0..n).filter(|&i| first[i] == ALONE) {
        let mut strongest = 0.0;
        for k in pattern.row(i).filter(|&k| first[pattern.col[k] as usize] != ALONE) {
            let s = strength(i, k);
            if s > strongest {
                (strongest, of[i]) = (s, first[pattern.col[k] as usize]);
            }
        }
    }
    // 3. what still has strong neighbours gathers them
    for i in (0..n).filter(|&i| first[i] == ALONE) {
        if of[i] == ALONE && pattern.row(i).any(|k| strength(i, k) > 0.0) {
            of[i] = count;
            for k in pattern.row(i).filter(|&k| strength(i, k) > 0.0) {
                let j = pattern.col[k] as usize;
                if of[j] == ALONE {
                    of[j] = count;
                }
            }
            count += 1;
        }
    }
    (of, count as usize)
}
