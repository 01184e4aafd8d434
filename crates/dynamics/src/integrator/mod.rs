//! Integrators of the motion between and through contacts.

pub(crate) mod gyroscopic;
pub(crate) mod moreau_jean;
