//! The picture of a cracked wall: its bricks where they are now, the open joints as the gaps that they are.

use super::c_joints::{FLOOR, Joint, Place, State};
use std::fmt::Write as _;

/// From how much on a joint counts as open, or as slid (m).
pub const OPEN: f64 = 1e-3;

const WIDTH: f64 = 960.0;
const MARGIN: f64 = 24.0;
const LEGEND: f64 = 46.0;
/// Colours of bricks from those that stayed to those that sank with the floor.
const STAYED: [f64; 3] = [236.0, 226.0, 208.0];
const SANK: [f64; 3] = [190.0, 120.0, 84.0];

const STYLE: &str = "<style>.sheet{fill:#fff}.ink{fill:#1a1a1a}.floor{fill:#8c9196}.brick{stroke:#5b4a3a;stroke-width:.8}\
.open{fill:#c1121f;fill-opacity:.3;stroke:#c1121f;stroke-width:2.2;stroke-linejoin:round}\
.slid{fill:none;stroke:#0072b2;stroke-width:2;stroke-dasharray:5 3}\
@media (prefers-color-scheme:dark){.sheet{fill:#15181c}.ink{fill:#e8e8e8}.slid{stroke:#1d9bf0}}</style>";

/// What a joint counts as.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Crack {
    /// Neither open nor slid.
    Closed,
    /// Closed, its faces shifted along each other.
    Slid,
    /// Its faces have parted.
    Open,
}

impl Crack {
    /// What this joint counts as.
    pub fn of(joint: &Joint) -> Self {
        match (joint.opening > OPEN, joint.slip > OPEN) {
            (true, _) => Crack::Open,
            (false, true) => Crack::Slid,
            (false, false) => Crack::Closed,
        }
    }
}

/// From metres to the sheet.
struct Sheet {
    low: Place,
    high: Place,
    scale: f64,
}

impl Sheet {
    /// The bricks, and of the floor what lies under them.
    fn of(state: &State) -> Self {
        let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        for p in state.blocks.iter().skip(FLOOR).flat_map(|b| &b.corners) {
            for d in 0..2 {
                low[d] = low[d].min(p[d]);
                high[d] = high[d].max(p[d]);
            }
        }
        let tall = high[1] - low[1];
        (low[0], high[0]) = (low[0] - 0.08 * tall, high[0] + 0.08 * tall);
        low[1] -= 0.08 * tall;
        Self { low, high, scale: (WIDTH - 2.0 * MARGIN) / (high[0] - low[0]) }
    }

    fn height(&self) -> f64 {
        self.scale * (self.high[1] - self.low[1]) + 2.0 * MARGIN + LEGEND
    }

    /// A closed path through some places, those of the floor cut at the edges.
    fn path(&self, places: &[Place]) -> String {
        let mut out = String::new();
        for p in places {
            let x = p[0].clamp(self.low[0], self.high[0]) - self.low[0];
            let y = self.high[1] - p[1].max(self.low[1]);
            let step = if out.is_empty() { "M" } else { "L" };
            _ = write!(out, "{step}{:.1} {:.1}", MARGIN + self.scale * x, MARGIN + self.scale * y);
        }
        out + "Z"
    }
}

/// The wall; `deepest` is how far the floor went down (m).
pub fn svg(state: &State, deepest: f64) -> String {
    let sheet = Sheet::of(state);
    let height = sheet.height();
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH:.0} {height:.0}\" width=\"{WIDTH:.0}\" \
         height=\"{height:.0}\" font-family=\"system-ui,Helvetica,Arial,sans-serif\" font-size=\"15\">{STYLE}\
         <rect class=\"sheet\" width=\"100%\" height=\"100%\"/>"
    );
    for (k, block) in state.blocks.iter().enumerate() {
        let path = sheet.path(&block.corners);
        if k < FLOOR {
            _ = write!(out, "<path class=\"floor\" d=\"{path}\"/>");
        } else {
            _ = write!(out, "<path class=\"brick\" style=\"fill:{}\" d=\"{path}\"/>", shade(block.sunk / deepest));
        }
    }
    // open joints last: they matter most
    for (crack, class) in [(Crack::Slid, "slid"), (Crack::Open, "open")] {
        for joint in state.joints.iter().filter(|j| Crack::of(j) == crack) {
            let [a, b] = joint.faces;
            let gap = if crack == Crack::Open { vec![a[0], a[1], b[1], b[0]] } else { a.to_vec() };
            _ = write!(out, "<path class=\"{class}\" d=\"{}\"/>", sheet.path(&gap));
        }
    }
    legend(&mut out, height - 0.5 * LEGEND, deepest);
    out + "</svg>\n"
}

/// The colour of a brick that sank by this part of what the floor did.
fn shade(part: f64) -> String {
    let part = part.clamp(0.0, 1.0);
    let [r, g, b] = [0, 1, 2].map(|i| STAYED[i] + part * (SANK[i] - STAYED[i]));
    format!("rgb({r:.0},{g:.0},{b:.0})")
}

fn legend(out: &mut String, y: f64, deepest: f64) {
    let mm = |x: f64| format!("{:.0} mm", 1e3 * x);
    let text = |out: &mut String, x: f64, words: &str| {
        _ = write!(out, "<text class=\"ink\" x=\"{x:.0}\" y=\"{:.1}\">{words}</text>", y + 5.0);
    };
    _ = write!(out, "<path class=\"open\" d=\"M{MARGIN} {y:.1}h34\"/>");
    text(out, MARGIN + 42.0, &format!("open by more than {}", mm(OPEN)));
    _ = write!(out, "<path class=\"slid\" d=\"M{:.0} {y:.1}h34\"/>", MARGIN + 250.0);
    text(out, MARGIN + 292.0, &format!("slid by more than {}", mm(OPEN)));
    for k in 0..20 {
        let x = MARGIN + 520.0 + 9.0 * f64::from(k);
        let fill = shade((f64::from(k) + 0.5) / 20.0);
        _ = write!(out, "<rect x=\"{x:.0}\" y=\"{:.1}\" width=\"9\" height=\"14\" style=\"fill:{fill}\"/>", y - 7.0);
    }
    text(out, MARGIN + 500.0, "0");
    text(out, MARGIN + 708.0, &format!("{}, sunk", mm(deepest)));
}
