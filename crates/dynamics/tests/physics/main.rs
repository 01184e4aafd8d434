//! Exact checks of the mechanics, one file a physics.

mod bouncing_ball;
mod collisions;
mod energy_alarm;
mod exchange;
mod forces;
mod glue;
mod hard_steps;
mod incline;
mod momentum;
mod not_finite;
mod projection;
mod rocking_block;
mod rolling_ball;
mod soft_laws;
mod spinning_ball;
mod standing;
mod tangential_restitution;
mod top;
