//! What a factorisation will touch: the order, the fronts and how they fit together. Values play no part.

use crate::operator::{BlockCsr, Delassus};
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMat;
use faer::sparse::linalg::amd;

/// No parent, no place.
const NONE: u32 = u32::MAX;

/// Nodes eliminated together, and the later nodes that they reach.
#[derive(Debug, Clone, Copy)]
pub(super) struct Front {
    /// First node, by place in the order.
    pub first: usize,
    /// Number of nodes eliminated here.
    pub own: usize,
    /// Where the later nodes start in [`Analysis::rows`].
    pub at: usize,
    /// Number of later nodes.
    pub rest: usize,
    /// Fronts whose update is added here: the last ones on the stack.
    pub children: usize,
}

impl Front {
    /// Nodes of the front.
    pub fn nodes(&self) -> usize {
        self.own + self.rest
    }
}

/// A block of the matrix and the front, local row and local column where it starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scatter {
    pub block: u32,
    pub row: u32,
    pub col: u32,
}

/// The symbolic factorisation of a matrix with (nearly) symmetric pattern.
pub(super) struct Analysis {
    /// Node at each place.
    pub order: Vec<u32>,
    /// In postorder: a front comes after all fronts that feed it.
    pub fronts: Vec<Front>,
    /// Later nodes of each front, by place, sorted.
    pub rows: Vec<u32>,
    /// The local index of each of these in the parent's front.
    pub in_parent: Vec<u32>,
    /// The blocks of the matrix, by front.
    pub scatter: Vec<Scatter>,
    /// Where the blocks of each front start.
    pub scatter_ptr: Vec<usize>,
}

impl Analysis {
    /// Orders by minimum degree and finds the fronts; `None` when L would have more than `most` blocks.
    pub fn new<const D: usize>(w: &BlockCsr<D>, most: usize) -> Option<Self> {
        let graph = symmetric_graph(w);
        let order = minimum_degree(&graph)?;
        let parent = elimination_tree(&graph, &order);
        let post = postorder(&parent);
        // the tree in the final order
        let order: Vec<u32> = post.iter().map(|&j| order[j as usize]).collect();
        let place = inverse(&order);
        let renamed = inverse(&post);
        let mut tree = vec![NONE; parent.len()];
        for (j, &p) in parent.iter().enumerate().filter(|(_, p)| **p != NONE) {
            tree[renamed[j] as usize] = renamed[p as usize];
        }
        let columns = column_structures(&graph, &order, &place, &tree, most)?;
        let (mut fronts, rows) = gather_fronts(&tree, columns);
        let in_parent = link(&mut fronts, &rows, order.len());
        let (scatter, scatter_ptr) = scatter_lists(w, &fronts, &rows, &place);
        Some(Self { order, fronts, rows, in_parent, scatter, scatter_ptr })
    }

    /// The later nodes of a front.
    pub fn rest(&self, f: &Front) -> &[u32] {
        &self.rows[f.at..f.at + f.rest]
    }
}

/// Neighbours of every node, both ways, without itself.
fn symmetric_graph<const D: usize>(w: &BlockCsr<D>) -> Vec<Vec<u32>> {
    let mut graph = vec![Vec::new(); w.contacts()];
    for c in 0..w.contacts() {
        for (j, _) in w.block_row(c).filter(|e| e.0 != c) {
            graph[c].push(j as u32);
            if w.block(j, c).is_none() {
                graph[j].push(c as u32);
            }
        }
    }
    graph
}

/// The node at each place.
fn minimum_degree(graph: &[Vec<u32>]) -> Option<Vec<u32>> {
    let n = graph.len();
    let (mut ptr, mut idx) = (vec![0usize], Vec::new());
    for (j, neighbours) in graph.iter().enumerate() {
        let start = idx.len();
        idx.extend(neighbours.iter().map(|&i| i as usize).filter(|&i| i < j));
        idx[start..].sort_unstable();
        ptr.push(idx.len());
    }
    let entries = idx.len();
    let pattern = SymbolicSparseColMat::new_checked(n, n, ptr, None, idx);
    let (mut perm, mut inverse) = (vec![0usize; n], vec![0usize; n]);
    let mut memory = MemBuffer::try_new(amd::order_scratch::<usize>(n, entries)).ok()?;
    let stack = MemStack::new(&mut memory);
    amd::order(&mut perm, &mut inverse, pattern.as_ref(), amd::Control::default(), stack).ok()?;
    Some(perm.into_iter().map(|i| i as u32).collect())
}

fn inverse(order: &[u32]) -> Vec<u32> {
    let mut place = vec![0; order.len()];
    for (i, &c) in order.iter().enumerate() {
        place[c as usize] = i as u32;
    }
    place
}

/// Parents in the elimination tree (Liu 1990), with shortcuts to the roots found so far.
fn elimination_tree(graph: &[Vec<u32>], order: &[u32]) -> Vec<u32> {
    let place = inverse(order);
    let (mut parent, mut ancestor) = (vec![NONE; order.len()], vec![NONE; order.len()]);
    for (i, &c) in order.iter().enumerate() {
        for &j in &graph[c as usize] {
            let mut k = place[j as usize] as usize;
            while k < i {
                let next = std::mem::replace(&mut ancestor[k], i as u32);
                if next == NONE {
                    parent[k] = i as u32;
                    break;
                }
                k = next as usize;
            }
        }
    }
    parent
}

/// Children before parents, and next to each other.
fn postorder(parent: &[u32]) -> Vec<u32> {
    let n = parent.len();
    let (mut head, mut next) = (vec![NONE; n], vec![NONE; n]);
    for j in (0..n).rev().filter(|&j| parent[j] != NONE) {
        next[j] = std::mem::replace(&mut head[parent[j] as usize], j as u32);
    }
    let (mut post, mut stack) = (Vec::with_capacity(n), Vec::new());
    for root in (0..n).filter(|&j| parent[j] == NONE) {
        stack.push(root);
        while let Some(&j) = stack.last() {
            match head[j] {
                NONE => {
                    post.push(j as u32);
                    stack.pop();
                }
                child => {
                    head[j] = next[child as usize];
                    stack.push(child as usize);
                }
            }
        }
    }
    post
}

/// The later nodes that each node reaches, sorted; `None` when there are more than `most`.
fn column_structures(
    graph: &[Vec<u32>],
    order: &[u32],
    place: &[u32],
    parent: &[u32],
    most: usize,
) -> Option<Vec<Vec<u32>>> {
    let n = order.len();
    let mut columns: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut mark = vec![NONE; n];
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); n];
    let mut entries = 0;
    for j in 0..n {
        let mut column = Vec::new();
        let mut meet = |i: u32| {
            if i as usize > j && mark[i as usize] != j as u32 {
                mark[i as usize] = j as u32;
                column.push(i);
            }
        };
        graph[order[j] as usize].iter().for_each(|&i| meet(place[i as usize]));
        for &child in &children[j] {
            columns[child as usize].iter().for_each(|&i| meet(i));
        }
        column.sort_unstable();
        entries += column.len();
        if entries > most {
            return None;
        }
        columns[j] = column;
        if parent[j] != NONE {
            children[parent[j] as usize].push(j as u32);
        }
    }
    Some(columns)
}

/// Joins chains of nodes into fronts where that stores few zeros.
fn gather_fronts(parent: &[u32], columns: Vec<Vec<u32>>) -> (Vec<Front>, Vec<u32>) {
    let (mut fronts, mut rows): (Vec<Front>, Vec<u32>) = (Vec::new(), Vec::new());
    let (mut first, mut entries) = (0, 0);
    for j in 0..columns.len() {
        entries += columns[j].len() + 1;
        let last = j + 1 == columns.len() || parent[j] as usize != j + 1 || {
            // stored and true blocks of L when j + 1 joins
            let (own, rest) = (j + 2 - first, columns[j + 1].len());
            let (stored, real) = (own * rest + own * (own + 1) / 2, entries + rest + 1);
            let zeros = stored - real;
            let allowed = if own <= 4 {
                stored / 3
            } else if own <= 16 {
                stored / 8
            } else {
                stored / 20
            };
            zeros > allowed
        };
        if last {
            fronts.push(Front { first, own: j + 1 - first, at: rows.len(), rest: columns[j].len(), children: 0 });
            rows.extend(&columns[j]);
            (first, entries) = (j + 1, 0);
        }
    }
    (fronts, rows)
}

/// Counts children and finds the local index of every later node in the parent's front.
fn link(fronts: &mut [Front], rows: &[u32], nodes: usize) -> Vec<u32> {
    let mut front_of = vec![0u32; nodes];
    for (k, f) in fronts.iter().enumerate() {
        front_of[f.first..f.first + f.own].fill(k as u32);
    }
    let mut in_parent = vec![0; rows.len()];
    for k in 0..fronts.len() {
        let f = fronts[k];
        let rest = &rows[f.at..f.at + f.rest];
        let Some(&up) = rest.first() else { continue };
        let parent = &mut fronts[front_of[up as usize] as usize];
        parent.children += 1;
        let end = parent.first + parent.own;
        let above = &rows[parent.at..parent.at + parent.rest];
        let mut position = 0;
        for (slot, &i) in in_parent[f.at..].iter_mut().zip(rest) {
            *slot = if (i as usize) < end {
                i - parent.first as u32
            } else {
                position += above[position..].iter().take_while(|&&a| a < i).count();
                (parent.own + position) as u32
            };
        }
    }
    in_parent
}

/// Where every stored block enters: in the front of whichever of its two nodes goes first.
fn scatter_lists<const D: usize>(
    w: &BlockCsr<D>,
    fronts: &[Front],
    rows: &[u32],
    place: &[u32],
) -> (Vec<Scatter>, Vec<usize>) {
    let mut front_of = vec![0u32; place.len()];
    for (k, f) in fronts.iter().enumerate() {
        front_of[f.first..f.first + f.own].fill(k as u32);
    }
    let target = |c: usize, j: usize| front_of[place[c].min(place[j]) as usize] as usize;
    let mut ptr = vec![0usize; fronts.len() + 1];
    for c in 0..w.contacts() {
        w.block_row(c).for_each(|(j, _)| ptr[target(c, j) + 1] += 1);
    }
    (0..fronts.len()).for_each(|k| ptr[k + 1] += ptr[k]);
    let mut next = ptr.clone();
    let mut lists = vec![Scatter { block: 0, row: 0, col: 0 }; w.stored_blocks()];
    let mut block = 0;
    for c in 0..w.contacts() {
        for (j, _) in w.block_row(c) {
            let k = target(c, j);
            let f = &fronts[k];
            let local = |node: usize| {
                let p = place[node] as usize;
                if p < f.first + f.own {
                    (p - f.first) as u32
                } else {
                    let found = rows[f.at..f.at + f.rest].binary_search(&(p as u32));
                    (f.own + found.expect("a neighbour is in the front")) as u32
                }
            };
            lists[next[k]] = Scatter { block, row: local(c), col: local(j) };
            next[k] += 1;
            block += 1;
        }
    }
    (lists, ptr)
}
