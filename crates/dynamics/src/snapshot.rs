//! The state of a world, to be stored and put back: what follows is the same to the last bit.

use crate::contact_state::ContactState;
use crate::error::WorldError;
use crate::ledger::Ledger;
use crate::rotation::Quaternion;
use crate::space::{Rigid, Space};
use crate::world::{Clock, World};
use serde::{Deserialize, Serialize};
use stickslip_contact::cone::ContactStatus;

/// What changes from step to step. Shapes, laws and forces are not in it: they come with the world it is put into.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot<const N: usize, const V: usize> {
    clock: Clock,
    ledger: Ledger,
    uncertified: u64,
    stopped: bool,
    /// Bodies that have appeared since the start.
    appeared: usize,
    /// The bodies that are there.
    id: Vec<u32>,
    x: Vec<f64>,
    orientation: Vec<Quaternion>,
    v: Vec<f64>,
    /// Names and status of the contacts of the last step, then their numbers.
    contact: Vec<([u32; 3], u8)>,
    contact_numbers: Vec<f64>,
}

/// Numbers of a contact: gap, moment, and four vectors.
const fn numbers(n: usize) -> usize {
    4 + 4 * n
}

impl<const N: usize, const V: usize> World<N, V>
where
    Rigid: Space<N, V>,
{
    /// The state between two steps.
    pub fn snapshot(&self) -> Snapshot<N, V> {
        let bodies = &self.bodies;
        let mut contact_numbers = Vec::with_capacity(numbers(N) * self.contacts.len());
        for c in &self.contacts {
            contact_numbers.push(c.gap);
            contact_numbers.extend(c.moment);
            [&c.point, &c.normal, &c.impulse, &c.velocity].iter().for_each(|x| contact_numbers.extend(**x));
        }
        Snapshot {
            clock: self.clock,
            ledger: self.ledger,
            uncertified: self.uncertified,
            stopped: self.stopped,
            appeared: self.exchange.appeared(),
            id: bodies.id.iter().map(|id| id.0).collect(),
            x: bodies.x.as_flattened().to_vec(),
            orientation: bodies.orientation.clone(),
            v: bodies.v.as_flattened().to_vec(),
            contact: self.contacts.iter().map(|c| ([c.a, c.b, c.feature], code(c.status))).collect(),
            contact_numbers,
        }
    }

    /// Puts a state back into a world that was built as the one it was taken from and has not been stepped.
    pub fn restore(&mut self, s: &Snapshot<N, V>) -> Result<(), WorldError> {
        self.exchange.bring_number(s.appeared, &mut self.bodies);
        let keep: Vec<bool> = self.bodies.id.iter().map(|id| s.id.binary_search(&id.0).is_ok()).collect();
        self.bodies.retain(&keep);
        let n = self.bodies.len();
        let refuse = |what: &str| Err(WorldError::Snapshot(what.into()));
        if s.id.len() != n || s.x.len() != n * N || s.v.len() != n * V || s.orientation.len() != n {
            return refuse("it has other bodies");
        }
        if s.contact_numbers.len() != numbers(N) * s.contact.len() {
            return refuse("its contacts are damaged");
        }
        if s.contact.iter().any(|(name, _)| name[0].max(name[1]) as usize >= n) {
            return refuse("its contacts name bodies that are not there");
        }
        self.bodies.x.copy_from_slice(s.x.as_chunks::<N>().0);
        self.bodies.v.copy_from_slice(s.v.as_chunks::<V>().0);
        self.bodies.orientation.copy_from_slice(&s.orientation);
        let vector = |k: usize, i: usize| -> [f64; N] {
            std::array::from_fn(|j| s.contact_numbers[k * numbers(N) + 4 + i * N + j])
        };
        let contact = |(k, (name, status)): (usize, &([u32; 3], u8))| ContactState {
            a: name[0],
            b: name[1],
            feature: name[2],
            status: status_of(*status),
            gap: s.contact_numbers[k * numbers(N)],
            moment: std::array::from_fn(|j| s.contact_numbers[k * numbers(N) + 1 + j]),
            point: vector(k, 0),
            normal: vector(k, 1),
            impulse: vector(k, 2),
            velocity: vector(k, 3),
        };
        self.contacts = s.contact.iter().enumerate().map(contact).collect();
        (self.clock, self.ledger, self.uncertified, self.stopped) = (s.clock, s.ledger, s.uncertified, s.stopped);
        Ok(())
    }
}

fn code(status: ContactStatus) -> u8 {
    match status {
        ContactStatus::Open => 0,
        ContactStatus::Stick => 1,
        ContactStatus::Slip => 2,
        ContactStatus::Joint => 3,
    }
}

fn status_of(code: u8) -> ContactStatus {
    match code {
        0 => ContactStatus::Open,
        1 => ContactStatus::Stick,
        2 => ContactStatus::Slip,
        _ => ContactStatus::Joint,
    }
}
