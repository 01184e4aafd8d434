//! The tests of this room in one program, which is built and linked once.

mod auto;
mod common;
mod fclib;
mod h5py;
mod newton;
mod results;
mod shared_data;
mod siconos_dat;
mod siconos_lcp;
