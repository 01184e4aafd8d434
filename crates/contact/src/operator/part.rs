//! Parts of an operator: contacts that share no body with the others, under numbers of their own.

/// Stands for a number that has not been given.
const NONE: u32 = u32::MAX;

/// New numbers for the bodies that a part keeps, given in the order in which they are met.
#[derive(Debug, Clone, Default)]
pub struct Numbers {
    new: Vec<u32>,
    met: Vec<u32>,
    order: Vec<u32>,
}

impl Numbers {
    /// Forgets all numbers, for a part of an operator with so many bodies.
    pub fn begin(&mut self, nodes: usize) {
        for old in self.met.drain(..) {
            self.new[old as usize] = NONE;
        }
        if self.new.len() < nodes {
            self.new.resize(nodes, NONE);
        }
    }

    /// The new number of `old`, given now if there is none yet.
    #[inline(always)]
    pub fn of(&mut self, old: u32) -> u32 {
        let new = &mut self.new[old as usize];
        if *new == NONE {
            *new = self.met.len() as u32;
            self.met.push(old);
        }
        *new
    }

    /// Gives the numbers anew, in the order of the old ones.
    pub fn sort(&mut self) {
        self.met.sort_unstable();
        for (new, &old) in self.met.iter().enumerate() {
            self.new[old as usize] = new as u32;
        }
    }

    /// Room for the order into which a part puts its contacts.
    pub fn order(&mut self) -> &mut Vec<u32> {
        &mut self.order
    }

    /// The old numbers, in the order of the new ones.
    pub fn met(&self) -> &[u32] {
        &self.met
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_given_once_and_forgotten() {
        let mut numbers = Numbers::default();
        numbers.begin(10);
        assert_eq!([7, 2, 7, 5].map(|old| numbers.of(old)), [0, 1, 0, 2]);
        numbers.sort();
        assert_eq!(([7, 2, 5].map(|old| numbers.of(old)), numbers.met()), ([2, 0, 1], &[2, 5, 7][..]));
        numbers.begin(10);
        assert_eq!((numbers.of(5), numbers.met()), (0, &[5][..]));
    }
}
