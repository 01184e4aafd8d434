//! One point where two bodies touch or are about to.

use crate::vector::{add_scaled, neg};

/// A point of contact between the bodies `a` and `b`.
///
/// The normal points from `b` to `a`, so that a positive relative velocity of `a` along it separates. `point` lies
/// midway between the two witnesses, which are `point` $\pm$ `gap` / 2 `normal` on `a` and on `b`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Contact<const N: usize> {
    /// The first body; `a < b`.
    pub a: u32,
    /// The second body.
    pub b: u32,
    /// Which features of the two touch: the same from step to step while they do, and unique in the pair.
    pub feature: u32,
    /// Midway between the two witnesses (m).
    pub point: [f64; N],
    /// Unit normal from `b` to `a`.
    pub normal: [f64; N],
    /// Distance between the witnesses along the normal (m); negative in penetration.
    pub gap: f64,
}

/// Where a question about one pair of shapes puts its answers.
///
/// A question is asked in one order (ball against box, never box against ball); [`Sink::swapped`] turns its normals for
/// the other.
pub struct Sink<'a, const N: usize> {
    out: &'a mut Vec<Contact<N>>,
    a: u32,
    b: u32,
    turned: bool,
    feature: u32,
}

impl<'a, const N: usize> Sink<'a, N> {
    /// For the pair `(a, b)`.
    pub fn new(out: &'a mut Vec<Contact<N>>, a: u32, b: u32) -> Self {
        Sink { out, a, b, turned: false, feature: 0 }
    }

    /// The same place, for the pair asked about in the other order.
    #[inline]
    pub fn swapped(&mut self) -> Sink<'_, N> {
        Sink { out: self.out, a: self.a, b: self.b, turned: !self.turned, feature: self.feature }
    }

    /// The same place, with `offset` added to features: for the parts of a shape.
    #[inline]
    pub fn part(&mut self, offset: u32) -> Sink<'_, N> {
        // turned, so that part i of one and j of the other differ from j and i
        let feature = self.feature.rotate_left(7).wrapping_add(offset);
        Sink { out: self.out, a: self.a, b: self.b, turned: self.turned, feature }
    }

    /// The same place, with `offset` added to features: for the walls of a container.
    #[inline]
    pub fn offset(&mut self, offset: u32) -> Sink<'_, N> {
        let feature = self.feature.wrapping_add(offset);
        Sink { out: self.out, a: self.a, b: self.b, turned: self.turned, feature }
    }

    /// A contact midway between the witnesses; `normal` points from the second shape asked about to the first.
    #[inline(always)]
    pub fn push(&mut self, feature: u32, point: [f64; N], normal: [f64; N], gap: f64) {
        let normal = if self.turned { neg(&normal) } else { normal };
        let feature = self.feature.wrapping_add(feature);
        self.out.push(Contact { a: self.a, b: self.b, feature, point, normal, gap });
    }

    /// A contact given by its witness on the second shape.
    #[inline(always)]
    pub fn push_from_second(&mut self, feature: u32, witness: &[f64; N], normal: [f64; N], gap: f64) {
        self.push(feature, add_scaled(witness, 0.5 * gap, &normal), normal, gap);
    }

    /// What turns the normal of a contact that is already here to point from the second shape asked about to the first.
    #[inline]
    pub fn outward(&self) -> f64 {
        if self.turned { -1.0 } else { 1.0 }
    }

    /// The number that is added to features.
    #[inline]
    pub fn base(&self) -> u32 {
        self.feature
    }

    /// How many contacts there are, of all pairs.
    pub fn len(&self) -> usize {
        self.out.len()
    }

    /// Whether no contact of any pair was found yet.
    pub fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    /// The contacts found since there were `start`, for filters that look at several at once.
    pub fn since(&mut self, start: usize) -> &mut [Contact<N>] {
        &mut self.out[start..]
    }

    /// Keeps those contacts found since there were `start` for which `keep` holds.
    pub fn retain_since(&mut self, start: usize, mut keep: impl FnMut(&[Contact<N>], usize) -> bool) {
        let mut kept = start;
        let found = self.out.len();
        for i in start..found {
            if keep(&self.out[start..found], i - start) {
                self.out.swap(kept, i);
                kept += 1;
            }
        }
        self.out.truncate(kept);
    }
}

/// Where the features of part `i` of a compound begin: spread out, so that parts with any number of features keep apart.
pub(crate) fn part_offset(i: usize) -> u32 {
    (i as u32).wrapping_mul(0x9e37_79b1)
}
