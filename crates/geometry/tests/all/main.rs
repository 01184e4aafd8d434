//! The tests of this room in one program, which is built and linked once.

mod common;
mod convex_plane;
mod convex_space;
mod detector;
mod files;
mod stacks;
mod surfaces;
