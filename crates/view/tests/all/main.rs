//! The tests of this room in one program, which is built and linked once.

mod common;
mod in_browser;
mod in_real_time;
mod large;
mod page;
mod pictures;
mod results_file;
