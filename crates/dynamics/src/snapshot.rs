//! The state of a world, whole: what is restored goes on with the same bits.

use crate::bodies::BodyId;
use crate::contact_state::ContactState;
use crate::error::{WorldError, finite};
use crate::ledger::Ledger;
use crate::space::{Rigid, Space};
use crate::world::{Clock, World};
use serde::{Deserialize, Serialize};
use stickslip_contact::cone::ContactStatus;

/// Everything that changes in a run. Shapes, laws, forces and options are the scene's.
///
/// Numbers must be stored so that they come back to the last bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// Coordinates of a body: 2 or 3.
    pub dimension: usize,
    /// Step and time.
    pub clock: Clock,
    /// Names of the bodies that are there.
    pub id: Vec<BodyId>,
    /// Centres of mass (m), body by body.
    pub x: Vec<f64>,
    /// Orientations, four numbers a body.
    pub orientation: Vec<f64>,
    /// Velocities, body by body.
    pub v: Vec<f64>,
    /// Announced bodies that have appeared.
    pub appeared: usize,
    /// The name that the next body gets.
    pub next_id: u32,
    /// Contacts of the last step: a, b, feature.
    pub contact_keys: Vec<[u32; 3]>,
    /// Their status.
    pub contact_status: Vec<ContactStatus>,
    /// Their point, normal, gap, impulse, moment and velocity in a row.
    pub contact_values: Vec<f64>,
    /// The length of the last step (s).
    pub last_h: f64,
    /// The energies.
    pub ledger: Ledger,
    /// Steps that were not certified.
    pub uncertified: u64,
    /// Whether the world refuses to go on.
    pub stopped: bool,
}

/// Numbers of a contact: point, normal, gap, impulse, moment, velocity.
const fn numbers(n: usize) -> usize {
    4 * n + 4
}

impl<const N: usize, const V: usize> World<N, V>
where
    Rigid: Space<N, V>,
{
    /// The state as it is.
    pub fn snapshot(&self) -> Snapshot {
        let b = &self.bodies;
        let mut contact_values = Vec::with_capacity(numbers(N) * self.contacts.len());
        for c in &self.contacts {
            contact_values.extend(c.point.iter().chain(&c.normal).chain([&c.gap]));
            contact_values.extend(c.impulse.iter().chain(&c.moment).chain(&c.velocity));
        }
        Snapshot {
            dimension: N,
            clock: self.clock,
            id: b.id.clone(),
            x: b.x.as_flattened().to_vec(),
            orientation: b.orientation.as_flattened().to_vec(),
            v: b.v.as_flattened().to_vec(),
            appeared: self.exchange.appeared(),
            next_id: b.next_id(),
            contact_keys: self.contacts.iter().map(|c| [c.a, c.b, c.feature]).collect(),
            contact_status: self.contacts.iter().map(|c| c.status).collect(),
            contact_values,
            last_h: self.scratch.last_h(),
            ledger: self.ledger,
            uncertified: self.uncertified,
            stopped: self.stopped,
        }
    }

    /// Puts a world built from the same scene into a stored state.
    pub fn restore(&mut self, s: &Snapshot) -> Result<(), WorldError> {
        let wrong = |what: String| Err(WorldError::Snapshot(what));
        if s.dimension != N {
            return wrong(format!("it has {} dimensions, the world has {N}", s.dimension));
        }
        let n = s.id.len();
        if s.x.len() != N * n || s.orientation.len() != 4 * n || s.v.len() != V * n {
            return wrong("the arrays of the bodies differ in length".into());
        }
        let c = s.contact_keys.len();
        if s.contact_status.len() != c || s.contact_values.len() != numbers(N) * c {
            return wrong("the arrays of the contacts differ in length".into());
        }
        for values in [&s.x, &s.orientation, &s.v, &s.contact_values] {
            finite("a stored number", values)?;
        }
        if s.contact_keys.iter().any(|k| k[0].max(k[1]) as usize >= n) {
            return wrong("a contact names a body that is not there".into());
        }
        // bodies that appeared come back, then those that had left go
        self.exchange.bring_number(s.appeared, &mut self.bodies);
        let keep: Vec<bool> = self.bodies.id.iter().map(|id| s.id.binary_search(id).is_ok()).collect();
        if keep.iter().filter(|k| **k).count() != n {
            return wrong(format!("it names {n} bodies, of which the scene has fewer"));
        }
        self.bodies.retain(&keep);
        self.bodies.set_next_id(s.next_id);
        for k in 0..n {
            self.bodies.x[k].copy_from_slice(&s.x[N * k..N * (k + 1)]);
            self.bodies.orientation[k].copy_from_slice(&s.orientation[4 * k..4 * (k + 1)]);
            self.bodies.v[k].copy_from_slice(&s.v[V * k..V * (k + 1)]);
        }
        let values = s.contact_values.chunks_exact(numbers(N));
        self.contacts =
            s.contact_keys.iter().zip(&s.contact_status).zip(values).map(|((k, s), v)| contact(k, *s, v)).collect();
        self.scratch.set_last_h(s.last_h);
        self.clock = s.clock;
        self.ledger = s.ledger;
        self.uncertified = s.uncertified;
        self.stopped = s.stopped;
        self.stage = None;
        Ok(())
    }
}

fn contact<const N: usize>(key: &[u32; 3], status: ContactStatus, values: &[f64]) -> ContactState<N> {
    let part = |from: usize| -> [f64; N] { std::array::from_fn(|i| values[from + i]) };
    ContactState {
        a: key[0],
        b: key[1],
        feature: key[2],
        status,
        point: part(0),
        normal: part(N),
        gap: values[2 * N],
        impulse: part(2 * N + 1),
        moment: std::array::from_fn(|i| values[3 * N + 1 + i]),
        velocity: part(3 * N + 4),
    }
}
