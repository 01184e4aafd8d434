//! Exact checks of the mechanics, one file a physics.

mod bouncing_ball;
mod incline;
mod momentum;
mod rolling_ball;
mod standing;
mod top;
