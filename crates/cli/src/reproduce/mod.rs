//! `stickslip reproduce`: one command a table or figure of the papers, and a page with their figures beside ours.
//!
//! A straight line:
//! ```text
//! experiment -> cases: scenes as text (a_*, b_*, c_*) -> runs that can be killed and go on (simulate) -> rows, frames
//!   -> figures of the paper beside ours, pictures, choices (page) -> HTML, CSV, text
//! ```

mod a_fig4;
mod a_methods;
mod a_table1;
mod a_table2;
mod a_table3;
mod b_drum;
mod b_measures;
mod c_brazil_nut;
mod c_cracks;
mod c_joints;
mod c_packing;
mod c_solvers;
mod c_wall;
mod d_profiles;
pub mod experiment;
mod motion;
pub mod page;
mod scene_picture;
mod simulate;
