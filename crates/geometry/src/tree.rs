//! A tree of boxes over the pieces of a fixed surface.

use crate::bounds::Bounds;

/// Pieces in a leaf.
const LEAF: usize = 4;

/// A binary tree of boxes, built once.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree<const N: usize> {
    nodes: Vec<Node<N>>,
    pieces: Vec<u32>,
}

/// A leaf holds `pieces[first..first + count]`; a branch has its left child after it, and its right child at `first`.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Node<const N: usize> {
    bounds: Bounds<N>,
    first: u32,
    count: u32,
}

impl<const N: usize> Tree<N> {
    /// Over pieces with the given boxes.
    pub fn new(boxes: &[Bounds<N>]) -> Self {
        let mut tree = Tree { nodes: Vec::new(), pieces: (0..boxes.len() as u32).collect() };
        if !boxes.is_empty() {
            tree.split(boxes, 0, boxes.len());
        }
        tree
    }

    /// Makes the node of `pieces[begin..end]`: halves along the longest side, at the median.
    fn split(&mut self, boxes: &[Bounds<N>], begin: usize, end: usize) {
        let bounds = self.pieces[begin..end].iter().fold(Bounds::EMPTY, |all, &p| all.union(&boxes[p as usize]));
        let node = self.nodes.len();
        self.nodes.push(Node { bounds, first: begin as u32, count: (end - begin) as u32 });
        if end - begin <= LEAF {
            return;
        }
        let extent = |i: &usize| bounds.high[*i] - bounds.low[*i];
        let axis = (0..N).max_by(|i, j| extent(i).total_cmp(&extent(j))).unwrap_or(0);
        let key = |&p: &u32| boxes[p as usize].low[axis] + boxes[p as usize].high[axis];
        let half = (end - begin) / 2;
        // equal keys by number, so that the tree is the same on every machine
        self.pieces[begin..end].select_nth_unstable_by(half, |p, q| key(p).total_cmp(&key(q)).then(p.cmp(q)));
        self.split(boxes, begin, begin + half);
        self.nodes[node] = Node { bounds, first: self.nodes.len() as u32, count: 0 };
        self.split(boxes, begin + half, end);
    }

    /// Everything.
    pub fn bounds(&self) -> Bounds<N> {
        self.nodes.first().map_or(Bounds::EMPTY, |n| n.bounds)
    }

    /// Calls `found` for every piece in a leaf that meets `bounds`; `stack` is room.
    pub fn near(&self, bounds: &Bounds<N>, stack: &mut Vec<u32>, mut found: impl FnMut(u32)) {
        stack.clear();
        if !self.nodes.is_empty() {
            stack.push(0);
        }
        while let Some(n) = stack.pop() {
            let node = &self.nodes[n as usize];
            if !node.bounds.touches(bounds) {
                continue;
            }
            if node.count > 0 {
                let first = node.first as usize;
                self.pieces[first..first + node.count as usize].iter().for_each(|&p| found(p));
            } else {
                stack.push(node.first);
                stack.push(n + 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_what_a_search_through_all_finds() {
        let mut s = 1u64;
        let mut random = || {
            s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (s >> 11) as f64 / (1u64 << 53) as f64
        };
        let boxes: Vec<Bounds<3>> =
            (0..500).map(|_| Bounds::around(&[random(), random(), random()], &[0.02 * random(); 3])).collect();
        let tree = Tree::new(&boxes);
        let mut stack = Vec::new();
        for _ in 0..100 {
            let query = Bounds::around(&[random(), random(), random()], &[0.1; 3]);
            let mut found = Vec::new();
            tree.near(&query, &mut stack, |p| found.push(p));
            for (i, b) in boxes.iter().enumerate() {
                assert!(!b.touches(&query) || found.contains(&(i as u32)));
            }
            let count = found.len();
            found.sort_unstable();
            found.dedup();
            assert_eq!(count, found.len());
            assert!(count < 250);
        }
    }
}
