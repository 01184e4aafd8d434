//! Exact checks of the mechanics, one file a physics.

mod bouncing_ball;
mod collisions;
mod exchange;
mod glue;
mod incline;
mod momentum;
mod rocking_block;
mod rolling_ball;
mod spinning_ball;
mod standing;
mod top;
