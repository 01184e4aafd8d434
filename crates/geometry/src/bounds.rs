//! Boxes along the axes of the world that hold a shape.

/// A box along the axes of the world. Shapes without end have infinite ones.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds<const N: usize> {
    /// The lowest corner (m).
    pub low: [f64; N],
    /// The highest corner (m).
    pub high: [f64; N],
}

impl<const N: usize> Bounds<N> {
    /// Holds nothing.
    pub const EMPTY: Self = Bounds { low: [f64::INFINITY; N], high: [f64::NEG_INFINITY; N] };

    /// Holds everything.
    pub const ALL: Self = Bounds { low: [f64::NEG_INFINITY; N], high: [f64::INFINITY; N] };

    /// From the centre and half of the extent.
    #[inline]
    pub fn around(centre: &[f64; N], half: &[f64; N]) -> Self {
        Bounds { low: std::array::from_fn(|i| centre[i] - half[i]), high: std::array::from_fn(|i| centre[i] + half[i]) }
    }

    /// Of points.
    pub fn of_points<'a>(points: impl IntoIterator<Item = &'a [f64; N]>) -> Self {
        let mut bounds = Bounds::EMPTY;
        for p in points {
            bounds.add(p);
        }
        bounds
    }

    /// Extends the box to a point.
    #[inline]
    pub fn add(&mut self, p: &[f64; N]) {
        for i in 0..N {
            self.low[i] = self.low[i].min(p[i]);
            self.high[i] = self.high[i].max(p[i]);
        }
    }

    /// The box that holds both.
    #[inline]
    pub fn union(&self, other: &Self) -> Self {
        Bounds {
            low: std::array::from_fn(|i| self.low[i].min(other.low[i])),
            high: std::array::from_fn(|i| self.high[i].max(other.high[i])),
        }
    }

    /// Wider by `reach` on every side.
    #[inline]
    pub fn widened(&self, reach: f64) -> Self {
        Bounds { low: self.low.map(|x| x - reach), high: self.high.map(|x| x + reach) }
    }

    /// Whether the two have a point in common.
    #[inline]
    pub fn touches(&self, other: &Self) -> bool {
        (0..N).all(|i| self.low[i] <= other.high[i] && other.low[i] <= self.high[i])
    }

    /// Whether every number is finite.
    pub fn is_finite(&self) -> bool {
        self.low.iter().chain(&self.high).all(|x| x.is_finite())
    }

    /// The middle.
    #[inline]
    pub fn centre(&self) -> [f64; N] {
        crate::vector::middle(&self.low, &self.high)
    }

    /// The longest edge.
    #[inline]
    pub fn size(&self) -> f64 {
        (0..N).map(|i| self.high[i] - self.low[i]).fold(0.0, f64::max)
    }
}
