//! The step of a projection method, chosen anew at every iteration.

use super::Unknowns;
use super::course::Course;
use super::vector::{distance, dot_moves, modified, project_step};
use crate::operator::Delassus;
use serde::{Deserialize, Serialize};

/// The test that a step rho must pass, with `dr = r - rbar`, `dF = F(r) - F(rbar)`, `rbar = P_K(r - rho F(r))`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(rename_all = "snake_case")]
pub enum StepRule {
    /// `rho |dF| <= L |dr|`: the Armijo-like rule UPK of [D, sl. "VI based methods"], after Khobotov 1987; `upk` as well.
    #[default]
    #[serde(alias = "upk", alias = "UPK")]
    Khobotov,
    /// `rho dr . dF <= L |dr|^2` (Solodov & Tseng, SIAM J. Control Optim. 34, 1996).
    #[serde(alias = "upts", alias = "UPTS")]
    SolodovTseng,
    /// `rho |dF|^2 <= (1 + L) dr . dF` (Han & Sun, Comput. Math. Appl. 47, 2004), or Khobotov's where `dr . dF` is too
    /// small for any step to pass. Its proof is for the fixed point, where steps may be twice as long as Khobotov's; the
    /// extragradient method asks for Khobotov's as well, and this one only keeps a step from growing.
    HanSun,
}

/// What becomes of the trial point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Use {
    /// It is the next iterate.
    Taken,
    /// Its map corrects the step.
    Predicts,
}

/// How the step adapts; for the methods that project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, documented::DocumentedFields)]
#[serde(default, deny_unknown_fields)]
pub struct SelfAdaptive {
    /// The test that a step must pass, with `dr = r - rbar`, `dF = F(r) - F(rbar)`, `rbar = P_K(r - rho F(r))`,
    /// `F(r) = u + g(u)`.
    pub rule: StepRule,
    /// First step, an inverse of W; none by default: `1 / lambda_max(W)`, estimated by power iteration.
    pub rho: Option<f64>,
    /// L of the test, below 1; 0.9.
    pub l: f64,
    /// The step grows when the ratio of the test's sides, times L, is below this; 0.3.
    pub l_min: f64,
    /// A step that fails is multiplied by this; 2/3.
    pub shrink: f64,
    /// A step that passes by far is multiplied by this for the next iteration; 3/2.
    pub grow: f64,
}

impl Default for SelfAdaptive {
    fn default() -> Self {
        Self { rule: StepRule::default(), rho: None, l: 0.9, l_min: 0.3, shrink: 2.0 / 3.0, grow: 1.5 }
    }
}

/// Most steps tried at one iteration; `(2/3)^60` is 3e-11.
const TRIES: usize = 60;

/// The trial point `rbar` with its velocity and map.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trial<const D: usize> {
    /// The step that the next iteration starts from.
    rho: f64,
    /// `F(r)`.
    f: Vec<[f64; D]>,
    /// `rbar`.
    pub r: Vec<[f64; D]>,
    /// `W rbar + q`.
    pub u: Vec<[f64; D]>,
    /// `F(rbar)`.
    pub f_bar: Vec<[f64; D]>,
}

impl<const D: usize> Trial<D> {
    /// Sizes the scratch and chooses the first step.
    pub fn begin<W: Delassus<D> + ?Sized>(&mut self, options: &SelfAdaptive, course: &mut Course<'_, D, W>) {
        for vector in [&mut self.f, &mut self.r, &mut self.u, &mut self.f_bar] {
            vector.resize(course.problem.contacts(), [0.0; D]);
        }
        self.rho = options.rho.unwrap_or_else(|| course.natural_rho(&mut self.f, &mut self.r));
    }

    /// Finds `rbar` with a step that passes the test; returns that step and `|r - rbar|`.
    pub fn find<W: Delassus<D> + ?Sized>(
        &mut self,
        (options, used): (&SelfAdaptive, Use),
        course: &mut Course<'_, D, W>,
        x: &Unknowns<D>,
    ) -> (f64, f64) {
        let cones = &course.problem.cones;
        modified(cones, &x.u, &mut self.f);
        let mut rho = self.rho;
        for _ in 0..TRIES {
            project_step(cones, &x.r, rho, &self.f, &mut self.r);
            course.velocity(&self.r, &mut self.u);
            modified(cones, &self.u, &mut self.f_bar);
            let ratio = self.ratio((options, used), rho, &x.r);
            // NaN passes: the certificate reports it
            let too_long = ratio > options.l;
            if !too_long || course.out_of_time() {
                self.rho = if ratio < options.l_min { rho * options.grow } else { rho };
                break;
            }
            rho *= options.shrink;
            self.rho = rho;
        }
        (rho, distance(&x.r, &self.r))
    }

    /// Left over right side of the test, times L; 0 when nothing moved.
    fn ratio(&self, (options, used): (&SelfAdaptive, Use), rho: f64, r: &[[f64; D]]) -> f64 {
        let dr = distance(r, &self.r);
        if dr == 0.0 {
            return 0.0;
        }
        let df = distance(&self.f, &self.f_bar);
        let product = dot_moves([r, &self.r], [&self.f, &self.f_bar]);
        let khobotov = rho * df / dr;
        match options.rule {
            StepRule::Khobotov => khobotov,
            StepRule::SolodovTseng => rho * product / (dr * dr),
            StepRule::HanSun if product > 0.0 => {
                let han_sun = options.l * rho * df * df / ((1.0 + options.l) * product);
                match used {
                    Use::Taken => khobotov.min(han_sun),
                    // a correction by a point farther away than Khobotov's overshoots
                    Use::Predicts => khobotov.max(han_sun.min(options.l)),
                }
            }
            StepRule::HanSun => khobotov,
        }
    }
}
