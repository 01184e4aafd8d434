//! Pairs of bodies, sorted in linear time.

/// Collects pairs in any order and gives them back sorted, each once.
#[derive(Debug, Default)]
pub struct Pairs {
    found: Vec<[u32; 2]>,
    start: Vec<u32>,
    sorted: Vec<[u32; 2]>,
}

impl Pairs {
    /// Forgets all pairs.
    pub fn clear(&mut self) {
        self.found.clear();
    }

    /// Adds a pair, in either order.
    #[inline(always)]
    pub fn push(&mut self, a: u32, b: u32) {
        self.found.push(if a < b { [a, b] } else { [b, a] });
    }

    /// Makes room for so many times as many pairs, and some more, where there is not as much.
    pub fn make_room(&mut self, times: f64) {
        let wanted = (times * self.found.len() as f64) as usize;
        if self.found.capacity().min(self.sorted.capacity()) < wanted {
            let room = wanted + wanted / 2;
            self.found.reserve(room - self.found.len().min(room));
            self.sorted.reserve(room - self.sorted.len().min(room));
        }
    }

    /// Sorts the pairs of `n` bodies: counted by the first, inserted by the second, of which each has few.
    pub fn sort(&mut self, n: usize) {
        self.start.clear();
        self.start.resize(n + 1, 0);
        for &[a, _] in &self.found {
            self.start[a as usize] += 1;
        }
        let mut sum = 0;
        for s in &mut self.start {
            sum += std::mem::replace(s, sum);
        }
        self.sorted.clear();
        self.sorted.resize(self.found.len(), [0, 0]);
        for &pair in &self.found {
            let at = &mut self.start[pair[0] as usize];
            self.sorted[*at as usize] = pair;
            *at += 1;
        }
        // start[a] is now the end of a
        let mut begin = 0;
        for &end in &self.start[..n] {
            let mine = &mut self.sorted[begin..end as usize];
            if mine.len() > 16 {
                mine.sort_unstable_by_key(|p| p[1]);
            } else {
                insertion_sort(mine);
            }
            begin = end as usize;
        }
        self.sorted.dedup();
    }

    /// The pairs, sorted.
    pub fn sorted(&self) -> &[[u32; 2]] {
        &self.sorted
    }
}

fn insertion_sort(pairs: &mut [[u32; 2]]) {
    for i in 1..pairs.len() {
        let pair = pairs[i];
        let mut j = i;
        while j > 0 && pairs[j - 1][1] > pair[1] {
            pairs[j] = pairs[j - 1];
            j -= 1;
        }
        pairs[j] = pair;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_come_back_sorted_and_once() {
        let mut pairs = Pairs::default();
        for (a, b) in [(5, 2), (1, 3), (2, 5), (0, 4), (1, 2)] {
            pairs.push(a, b);
        }
        pairs.sort(6);
        assert_eq!(pairs.sorted(), [[0, 4], [1, 2], [1, 3], [2, 5]]);
    }

    #[test]
    fn one_body_with_many_partners() {
        let mut pairs = Pairs::default();
        for b in (1..100).rev() {
            pairs.push(0, b);
        }
        pairs.sort(100);
        assert!(pairs.sorted().iter().enumerate().all(|(i, p)| *p == [0, i as u32 + 1]));
    }
}
