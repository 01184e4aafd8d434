//! Nonsmooth Newton methods: the laws of all contacts as one equation $\Phi(r, W r + q) = 0$, linearised at once.
//!
//! | file | holds |
//! |---|---|
//! | `formulation` | Phi of one contact and its derivatives: `alart_curnier`, `jean_moreau`, `natural_map`, `fischer_burmeister` |
//! | `linear_system` | `(A W + B) dr = -Phi`, regularised where it is singular |
//! | `line_search` | the step length |
//! | `nsn` | [`Nsn`]: Newton on W itself, for W of full rank |
//! | `ppn` | [`Ppn`]: Newton inside a proximal iteration, whatever the rank |

mod alart_curnier;
mod fischer_burmeister;
mod formulation;
mod jean_moreau;
mod line_search;
mod linear_system;
mod natural_map;
mod nsn;
mod ppn;
mod run;

pub use formulation::Formulation;
pub use line_search::LineSearch;
pub(in crate::solvers) use linear_system::LinearSystem;
pub(in crate::solvers) use natural_map::{linearise_shifted, shift_slope};
pub use nsn::{Nsn, NsnOptions};
pub use ppn::{Ppn, PpnOptions};
