//! Cells of space that list the bodies in them: pairs of near bodies in linear time.
//!
//! Bodies are sorted into levels by size, each with cells as wide as its largest body, so that one large body among
//! small ones costs no more than its neighbours. A body meets those of its own level in the cells around, and those of
//! every larger level in the cells there.

use crate::bounds::Bounds;

/// Sizes below $2^{-24}$ of the largest share the last level.
const LEVELS: usize = 24;

/// Cells are numbered up to here in each direction; what lies further shares the last one.
const LAST_CELL: f64 = (1u64 << 40) as f64;

/// A body in the cell list.
#[derive(Debug, Clone, Copy)]
pub struct Entry<const N: usize> {
    /// The number of the body.
    pub id: u32,
    level: u32,
    bucket: u32,
    centre: [f64; N],
    half: [f64; N],
    // of balls, reach included; infinite for others, which are told apart by their boxes alone
    radius: f64,
}

impl<const N: usize> Entry<N> {
    /// A ball whose radius includes its reach.
    #[inline]
    pub fn ball(id: u32, centre: &[f64; N], radius: f64) -> Self {
        Entry { id, level: 0, bucket: 0, centre: *centre, half: [radius; N], radius }
    }

    /// Anything else, by its box. What has no end along an axis is around its origin.
    #[inline]
    pub fn bounded(id: u32, bounds: &Bounds<N>) -> Self {
        let half = std::array::from_fn(|i| 0.5 * (bounds.high[i] - bounds.low[i]));
        let middle = bounds.centre();
        let centre = std::array::from_fn(|i| if half[i] < f64::INFINITY { middle[i] } else { 0.0 });
        Entry { id, level: 0, bucket: 0, centre, half, radius: f64::INFINITY }
    }

    /// Wider on every side by a share of its largest half.
    #[inline]
    pub fn widened(&self, share: f64) -> Self {
        let skin = 0.5 * share * self.size();
        Entry { half: self.half.map(|h| h + skin), radius: self.radius + skin, ..*self }
    }

    /// Whether all of it is in another one of its kind.
    #[inline(always)]
    pub fn is_within(&self, place: &Self) -> bool {
        let d: [f64; N] = std::array::from_fn(|i| self.centre[i] - place.centre[i]);
        if self.radius < f64::INFINITY {
            let room = place.radius - self.radius;
            return room >= 0.0 && crate::vector::norm2(&d) <= room * room;
        }
        (0..N).all(|i| d[i].abs() + self.half[i] <= place.half[i])
    }

    /// The centre and half the extents of its box.
    pub fn extent(&self) -> (&[f64; N], &[f64; N]) {
        (&self.centre, &self.half)
    }

    /// The largest extent of its box.
    #[inline]
    pub fn size(&self) -> f64 {
        2.0 * self.half.iter().copied().fold(0.0, f64::max)
    }

    /// Whether the boxes meet, or, of balls, whether they are within reach.
    #[inline(always)]
    pub fn near(&self, other: &Self) -> bool {
        let d: [f64; N] = std::array::from_fn(|i| self.centre[i] - other.centre[i]);
        let r = self.radius + other.radius;
        // balls are decided by one comparison
        crate::vector::norm2(&d) <= r * r
            && (r < f64::INFINITY || (0..N).all(|i| d[i].abs() <= self.half[i] + other.half[i]))
    }
}

/// The cells of one level.
#[derive(Debug, Clone, Copy)]
struct Level<const N: usize> {
    low: [f64; N],
    // one over the width of a cell
    scale: f64,
    // steps of the bucket number along each axis
    stride: [u64; N],
    mask: u64,
    // where its buckets begin among those of all levels
    offset: usize,
    count: usize,
}

/// The list, and its room from call to call.
#[derive(Debug)]
pub struct CellList<const N: usize> {
    levels: Vec<Level<N>>,
    level_of: Vec<u32>,
    // buckets of all levels: where their entries begin
    start: Vec<u32>,
    sorted: Vec<Entry<N>>,
}

impl<const N: usize> Default for CellList<N> {
    fn default() -> Self {
        CellList { levels: Vec::new(), level_of: Vec::new(), start: Vec::new(), sorted: Vec::new() }
    }
}

impl<const N: usize> CellList<N> {
    /// Calls `found` for all pairs of entries whose boxes meet, and, of balls, that are within reach: each at least once.
    pub fn pairs(&mut self, entries: &[Entry<N>], mut found: impl FnMut(u32, u32)) {
        self.make_levels(entries);
        self.fill(entries);
        for i in 0..self.sorted.len() {
            let entry = &self.sorted[i];
            let own = entry.level as usize;
            let mut meet = |range: std::ops::Range<usize>| {
                for other in &self.sorted[range] {
                    if entry.near(other) && other.id != entry.id {
                        found(entry.id, other.id);
                    }
                }
            };
            self.levels[own].forward(&self.start, u64::from(entry.bucket), i, &mut meet);
            for level in &self.levels[..own] {
                level.around(&self.start, &entry.centre, &mut meet);
            }
        }
    }

    /// Chooses the levels: their extent, the width of their cells, the number of their buckets.
    fn make_levels(&mut self, entries: &[Entry<N>]) {
        let largest = entries.iter().map(Entry::size).filter(|s| s.is_finite()).fold(0.0, f64::max);
        let mut bounds = [Bounds::<N>::EMPTY; LEVELS];
        let mut cell = [0.0f64; LEVELS];
        let mut count = [0usize; LEVELS];
        self.level_of.clear();
        for entry in entries {
            let level = level_of(entry.size(), largest);
            bounds[level].add(&entry.centre);
            cell[level] = cell[level].max(entry.size().min(largest));
            count[level] += 1;
            self.level_of.push(level as u32);
        }
        // empty levels are passed over
        let mut number = [0u32; LEVELS];
        self.levels.clear();
        let mut offset = 0;
        for l in (0..LEVELS).filter(|&l| count[l] > 0) {
            number[l] = self.levels.len() as u32;
            let level = Level::new(&bounds[l], cell[l], offset, count[l]);
            offset += level.mask as usize + 1;
            self.levels.push(level);
        }
        for level in &mut self.level_of {
            *level = number[*level as usize];
        }
        self.start.clear();
        self.start.resize(offset + 1, 0);
    }

    /// Sorts the entries by bucket, by counting.
    fn fill(&mut self, entries: &[Entry<N>]) {
        self.sorted.clear();
        let Some(&first) = entries.first() else { return };
        self.sorted.resize(entries.len(), first);
        // level_of becomes the bucket among those of all levels
        for (entry, level_of) in entries.iter().zip(&mut self.level_of) {
            let level = &self.levels[*level_of as usize];
            let bucket = level.offset + level.bucket(&level.cell_of(&entry.centre)) as usize;
            self.start[bucket] += 1;
            *level_of = bucket as u32;
        }
        let mut sum = 0;
        for s in &mut self.start {
            sum += *s;
            *s = sum;
        }
        // from the last to the first: starts end up where they should, and the order of equals is kept
        for (entry, &bucket) in entries.iter().zip(&self.level_of).rev() {
            let at = &mut self.start[bucket as usize];
            *at -= 1;
            self.sorted[*at as usize] = *entry;
        }
        for (l, level) in self.levels.iter().enumerate() {
            let begin = self.start[level.offset] as usize;
            for entry in &mut self.sorted[begin..begin + level.count] {
                entry.level = l as u32;
                entry.bucket = level.bucket(&level.cell_of(&entry.centre)) as u32;
            }
        }
    }
}

/// Level 0 holds sizes above half of the largest, level 1 those above a quarter, and so on.
fn level_of(size: f64, largest: f64) -> usize {
    let mut level = 0;
    let mut bound = 0.5 * largest;
    while size <= bound && level + 1 < LEVELS {
        bound *= 0.5;
        level += 1;
    }
    level
}

impl<const N: usize> Level<N> {
    fn new(bounds: &Bounds<N>, cell: f64, offset: usize, count: usize) -> Self {
        let mut stride = [1u64; N];
        let mut cells = 1.0;
        for i in 0..N {
            // odd, so that rows do not fall onto each other where the numbers wrap around
            let along = ((bounds.high[i] - bounds.low[i]) / cell).clamp(0.0, LAST_CELL) as u64 + 1;
            cells *= along as f64;
            if i + 1 < N {
                stride[i + 1] = stride[i].wrapping_mul(along | 1);
            }
        }
        // rounding must not move two neighbours two cells apart
        let cell = cell * 1.001;
        let wanted = cells.clamp(16.0, 16.0 + 4.0 * count as f64) as u64;
        Level { low: bounds.low, scale: 1.0 / cell, stride, mask: wanted.next_power_of_two() - 1, offset, count }
    }

    #[inline]
    fn cell_of(&self, p: &[f64; N]) -> [i64; N] {
        std::array::from_fn(|i| ((p[i] - self.low[i]) * self.scale).clamp(-2.0, LAST_CELL).floor() as i64)
    }

    #[inline]
    fn bucket(&self, cell: &[i64; N]) -> u64 {
        let mut b = 0u64;
        for i in 0..N {
            b = b.wrapping_add((cell[i] as u64).wrapping_mul(self.stride[i]));
        }
        b & self.mask
    }

    /// The entries in the buckets `first..first + 3`, wrapped around: three cells in a row lie together in memory.
    #[inline(always)]
    fn row(&self, start: &[u32], first: u64, length: u64, meet: &mut impl FnMut(std::ops::Range<usize>)) {
        let first = (first & self.mask) as usize;
        let end = first + length as usize;
        let total = self.mask as usize + 1;
        let at = |b: usize| start[self.offset + b] as usize;
        meet(at(first)..at(end.min(total)));
        if end > total {
            meet(at(0)..at(end - total));
        }
    }

    /// The entries after `i` in its own cell and those in the cells that come after: each pair of cells once.
    #[inline(always)]
    fn forward(&self, start: &[u32], own: u64, i: usize, meet: &mut impl FnMut(std::ops::Range<usize>)) {
        meet(i + 1..start[self.offset + own as usize + 1] as usize);
        self.row(start, own.wrapping_add(1), 1, meet);
        self.rows(start, own, true, meet);
    }

    /// The entries of all cells around a point.
    #[inline(always)]
    fn around(&self, start: &[u32], p: &[f64; N], meet: &mut impl FnMut(std::ops::Range<usize>)) {
        let own = self.bucket(&self.cell_of(p));
        self.row(start, own.wrapping_sub(1), 3, meet);
        self.rows(start, own, false, meet);
    }

    /// The rows of cells beside that of bucket `own`: those after it, or all.
    #[inline(always)]
    fn rows(&self, start: &[u32], own: u64, after: bool, meet: &mut impl FnMut(std::ops::Range<usize>)) {
        let last = if N == 3 { 1i64 } else { 0 };
        for z in -last..=last {
            for y in -1..=1i64 {
                if (z, y) == (0, 0) || (after && (z, y) < (0, 0)) {
                    continue;
                }
                let mut b = own.wrapping_add((y as u64).wrapping_mul(self.stride[1])).wrapping_sub(1);
                if N == 3 {
                    b = b.wrapping_add((z as u64).wrapping_mul(self.stride[N - 1]));
                }
                self.row(start, b, 3, meet);
            }
        }
    }
}
