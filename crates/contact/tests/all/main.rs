//! The tests of this room in one program, which is built and linked once.

mod admm;
mod auto;
mod convex_reference;
mod extremes;
mod ipm;
mod lcp_qp;
mod newton;
mod nsgs;
mod one_contact;
mod one_contact_methods;
mod plane_solvers;
mod polygon_cone;
mod ranks;
mod solvers_agree;
mod tnnmg;
mod validation;
