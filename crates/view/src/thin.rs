//! A result too large for a page is thinned, and the page says so.

use crate::Info;
use serde::{Deserialize, Serialize};

/// What a page may hold.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Budget {
    /// Bodies times frames. Six million hold 10,000 bodies in 500 frames: 90 MB of page at the worst.
    pub body_frames: usize,
    /// Frames below which bodies are left out rather than frames.
    pub least_frames: usize,
    /// Contacts over all frames; of each frame, the strongest are kept.
    pub contacts: usize,
}

impl Default for Budget {
    fn default() -> Self {
        Self { body_frames: 6_000_000, least_frames: 60, contacts: 4_000_000 }
    }
}

/// What is shown of a result.
#[derive(Debug, Clone, PartialEq)]
pub struct Selection {
    /// Frame numbers.
    pub frames: Vec<usize>,
    /// Places in [`Info::bodies`].
    pub bodies: Vec<usize>,
    /// What was left out, in sentences.
    pub notices: Vec<String>,
}

impl Budget {
    /// Frames first, evenly, with the first and the last; then bodies, evenly, with all that are fixed.
    pub fn select(&self, info: &Info, frames: usize) -> Selection {
        let n = info.bodies.len().max(1);
        let affordable = (self.body_frames / n).max(self.least_frames).max(1);
        let kept: Vec<usize> = if frames <= affordable {
            (0..frames).collect()
        } else {
            let step = (frames - 1) as f64 / (affordable - 1).max(1) as f64;
            (0..affordable).map(|i| ((i as f64 * step).round() as usize).min(frames - 1)).collect()
        };
        let mut notices = Vec::new();
        if kept.len() < frames {
            notices.push(format!("thinned: {} of {frames} frames are shown", kept.len()));
        }
        let movable = info.bodies.iter().filter(|b| !b.fixed).count();
        let room = (self.body_frames / kept.len().max(1)).saturating_sub(info.bodies.len() - movable).max(1);
        let every = movable.div_ceil(room).max(1);
        let mut rank = 0;
        let bodies: Vec<usize> = (0..info.bodies.len())
            .filter(|&k| {
                info.bodies[k].fixed || {
                    rank += 1;
                    (rank - 1) % every == 0
                }
            })
            .collect();
        if every > 1 {
            let shown = bodies.len() - (info.bodies.len() - movable);
            notices.push(format!("thinned: {shown} of {movable} movable bodies are shown, one in {every}"));
        }
        Selection { frames: kept, bodies, notices }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Body;

    fn info(movable: u32) -> Info {
        let body = |id| Body { id, pieces: Vec::new(), fixed: id == 0, size: 1.0, material: String::new() };
        Info { bodies: (0..=movable).map(body).collect(), ..Default::default() }
    }

    #[test]
    fn small_results_are_whole_and_large_ones_fit() {
        let budget = Budget::default();
        let whole = budget.select(&info(10_000), 500);
        assert_eq!((whole.frames.len(), whole.bodies.len(), whole.notices.len()), (500, 10_001, 0));
        for (movable, frames) in [(10_000, 5_000), (200_000, 1_000), (1_000_000, 100), (1_000_000, 1), (3, 10_000_000)]
        {
            let s = budget.select(&info(movable), frames);
            assert!(s.frames.len() * (s.bodies.len() - 1) <= budget.body_frames, "{movable} {frames}");
            assert_eq!((s.frames[0], *s.frames.last().unwrap(), s.bodies[0]), (0, frames - 1, 0));
            assert!(s.frames.windows(2).all(|w| w[0] < w[1]));
            assert_eq!(s.notices.is_empty(), s.frames.len() == frames && s.bodies.len() == movable as usize + 1);
        }
    }
}
