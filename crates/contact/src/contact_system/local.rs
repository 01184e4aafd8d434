//! The local form: `A W + C` by contacts.

use crate::block::{Block, add, mul, solve, sub, zero};
use crate::block_lu::BlockLu;
use crate::operator::{BlockCsr, Delassus};
use std::borrow::Cow;

/// Contacts that are solved on their own have no place.
const ALONE: u32 = u32::MAX;

/// W, and a factor of `A W + C` on the contacts with A other than zero.
pub(super) struct Local<'a, const D: usize> {
    w: Cow<'a, BlockCsr<D>>,
    /// The analysis of all of W.
    whole: BlockLu<D>,
    /// The last factorisation was one of W + C with no contact left out.
    is_whole: bool,
    reduced: Option<Reduced<D>>,
    /// A and C of the last factorisation.
    a: Vec<Block<D>>,
    c: Vec<Block<D>>,
}

/// The system on some of the contacts.
struct Reduced<const D: usize> {
    /// The contacts in it, and the place of each contact among them.
    active: Vec<u32>,
    place: Vec<u32>,
    k: BlockCsr<D>,
    lu: BlockLu<D>,
    b: Vec<[f64; D]>,
    x: Vec<[f64; D]>,
}

impl<'a, const D: usize> Local<'a, D> {
    /// Analyses W; `None` when its factor would not fit in memory.
    pub fn new(w: Cow<'a, BlockCsr<D>>) -> Option<Self> {
        let whole = BlockLu::analyse(&w)?;
        Some(Self { w, whole, is_whole: true, reduced: None, a: Vec::new(), c: Vec::new() })
    }

    pub fn w(&self) -> &BlockCsr<D> {
        &self.w
    }

    pub fn flops(&self) -> f64 {
        self.whole.flops()
    }

    pub fn factor(&mut self, a: &[Block<D>], c: &[Block<D>]) -> bool {
        self.is_whole = a.is_empty();
        if self.is_whole {
            return self.whole.factor(&self.w, c);
        }
        self.a.clear();
        self.a.extend_from_slice(a);
        self.c.clear();
        self.c.extend_from_slice(c);
        // contacts with A = 0 know their x without the others
        let alone = |c: &usize| self.a[*c] == zero() && solve(self.c[*c], [1.0; D]).is_some();
        let active = (0..self.a.len()).filter(|c| !alone(c)).map(|c| c as u32);
        match &mut self.reduced {
            Some(r) if r.active.iter().copied().eq(active.clone()) => {}
            other => *other = Reduced::new(&self.w, active.collect()),
        }
        let Some(r) = &mut self.reduced else { return false };
        r.assemble(&self.w, &self.a, &self.c);
        r.lu.factor(&r.k, &[])
    }

    pub fn solve(&mut self, b: &[[f64; D]], x: &mut [[f64; D]]) {
        if self.is_whole {
            return self.whole.solve(b, x);
        }
        let Some(r) = &mut self.reduced else { return x.fill([f64::NAN; D]) };
        for (c, x) in x.iter_mut().enumerate() {
            *x = if r.place[c] == ALONE { solve(self.c[c], b[c]).unwrap_or([f64::NAN; D]) } else { [0.0; D] };
        }
        r.b.clear();
        for &c in &r.active {
            let c = c as usize;
            let mut known = [0.0; D];
            for (j, block) in self.w.block_row(c).filter(|e| r.place[e.0] == ALONE) {
                known = add(&known, &mul(block, &x[j]));
            }
            r.b.push(sub(&b[c], &mul(&self.a[c], &known)));
        }
        r.lu.solve(&r.b, &mut r.x);
        for (&c, solved) in r.active.iter().zip(&r.x) {
            x[c as usize] = *solved;
        }
    }
}

impl<const D: usize> Reduced<D> {
    /// The pattern of W on the active contacts, analysed.
    fn new(w: &BlockCsr<D>, active: Vec<u32>) -> Option<Self> {
        let mut place = vec![ALONE; w.contacts()];
        active.iter().enumerate().for_each(|(i, &c)| place[c as usize] = i as u32);
        let (mut ptr, mut col) = (vec![0], Vec::new());
        for &c in &active {
            col.extend(w.block_row(c as usize).map(|(j, _)| place[j]).filter(|&p| p != ALONE));
            ptr.push(col.len());
        }
        let blocks = vec![zero(); col.len()];
        let k = BlockCsr::new(ptr, col, blocks).ok()?;
        let lu = BlockLu::analyse(&k)?;
        let x = vec![[0.0; D]; active.len()];
        Some(Self { active, place, k, lu, b: Vec::new(), x })
    }

    /// `A W + C` on the active contacts.
    fn assemble(&mut self, w: &BlockCsr<D>, a: &[Block<D>], c: &[Block<D>]) {
        let mut blocks = self.k.blocks_mut().iter_mut();
        for &i in &self.active {
            let i = i as usize;
            for (j, block) in w.block_row(i).filter(|e| self.place[e.0] != ALONE) {
                let mut k = if j == i { c[i] } else { zero() };
                for row in 0..D {
                    for m in 0..D {
                        (0..D).for_each(|e| k[row][e] += a[i][row][m] * block[m][e]);
                    }
                }
                *blocks.next().expect("the same pattern") = k;
            }
        }
    }
}
