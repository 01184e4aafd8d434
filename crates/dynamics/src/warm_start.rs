//! Impulses carried from one step to the next.

use crate::contact_state::ContactState;

/// Walks through the contacts of the last step beside those of this one; both are sorted by `(a, b, feature)`.
pub(crate) struct WarmStart<'a, const N: usize> {
    last: &'a [ContactState<N>],
    at: usize,
}

impl<'a, const N: usize> WarmStart<'a, N> {
    /// From the contacts of the last step, sorted.
    pub fn new(last: &'a [ContactState<N>]) -> Self {
        Self { last, at: 0 }
    }

    /// The contact of the last step with this key; keys must come in order.
    #[inline(always)]
    pub fn find(&mut self, key: (u32, u32, u32)) -> Option<&'a ContactState<N>> {
        while let Some(state) = self.last.get(self.at) {
            match state.key().cmp(&key) {
                std::cmp::Ordering::Less => self.at += 1,
                std::cmp::Ordering::Equal => return Some(state),
                std::cmp::Ordering::Greater => return None,
            }
        }
        None
    }
}
