//! A toy: soft balls with damping in a container. Enough to make frames that look alive; no claim to mechanics.

use super::body;
use stickslip_view::{ContactRecord as Contact, Frame, Info, Movie, form::Form};

#[derive(Clone, Copy)]
pub enum Walls {
    Circle { r: f64, omega: f64 },
    Box { half: [f64; 3] },
}

pub struct Toy {
    dimension: usize,
    walls: Walls,
    x: Vec<[f64; 3]>,
    v: Vec<[f64; 3]>,
    angle: Vec<f64>,
    radius: Vec<f64>,
}

const STEP: f64 = 1e-4;

impl Toy {
    pub fn new(dimension: usize, walls: Walls) -> Self {
        Self { dimension, walls, x: vec![], v: vec![], angle: vec![], radius: vec![] }
    }

    pub fn add(&mut self, x: [f64; 3], r: f64) {
        self.x.push(x);
        self.v.push([0.0; 3]);
        self.angle.push(0.0);
        self.radius.push(r);
    }

    /// Frames that far apart.
    pub fn run(mut self, frames: usize, apart: f64) -> Movie {
        let balls = self.radius.iter().enumerate().map(|(k, &r)| {
            body(k as u32 + 1, if self.dimension == 2 { Form::Disc { r } } else { Form::Sphere { r } }, false)
        });
        let bodies = std::iter::once(body(0, Form::HalfSpace, true)).chain(balls).collect();
        let info = Info { title: String::new(), dimension: self.dimension, h: STEP, bodies };
        let mut out = Movie { info, ..Default::default() };
        for k in 0..frames {
            let contacts = self.step();
            out.frames.push(self.frame(k as f64 * apart, contacts));
            (1..(apart / STEP) as usize).for_each(|_| _ = self.step());
        }
        out
    }

    fn frame(&self, t: f64, contacts: Vec<Contact>) -> Frame {
        let n = self.x.len() as u32;
        let spin = if let Walls::Circle { omega, .. } = self.walls { omega * t } else { 0.0 };
        let turn = |a: f64| [(a / 2.0).cos(), 0.0, 0.0, (a / 2.0).sin()];
        Frame {
            t,
            step: (t / STEP) as u64,
            id: (0..=n).collect(),
            x: [&[[0.0; 3]][..], &self.x].concat(),
            orientation: std::iter::once(turn(spin)).chain(self.angle.iter().map(|&a| turn(a))).collect(),
            v: [&[[0.0; 3]][..], &self.v].concat(),
            omega: vec![[0.0; 3]; n as usize + 1],
            contacts,
        }
    }

    fn step(&mut self) -> Vec<Contact> {
        let n = self.x.len();
        let mut contacts = Vec::new();
        let mut force = vec![[0.0; 3]; n];
        let down = if self.dimension == 2 { 1 } else { 2 };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| self.x[a][0].total_cmp(&self.x[b][0]));
        for (place, &a) in order.iter().enumerate() {
            force[a][down] -= 9.81 * self.mass(a);
            for &b in &order[place + 1..] {
                if self.x[b][0] - self.x[a][0] > 0.06 {
                    break;
                }
                let d: [f64; 3] = std::array::from_fn(|k| self.x[a][k] - self.x[b][k]);
                let (far, reach) = (norm(&d), self.radius[a] + self.radius[b]);
                if far < reach {
                    let normal = d.map(|c| c / far);
                    let relative = std::array::from_fn(|k| self.v[a][k] - self.v[b][k]);
                    let (push, slips) = self.push(a, far - reach, &normal, &relative, 0.5);
                    (0..3).for_each(|k| {
                        force[a][k] += push[k];
                        force[b][k] -= push[k];
                    });
                    let point = std::array::from_fn(|k| self.x[b][k] + normal[k] * self.radius[b]);
                    contacts.push(touch(a, b as u32 + 1, point, far - reach, &normal, &push, slips));
                }
            }
            for (gap, normal, speed) in self.walls(a) {
                let relative = std::array::from_fn(|k| self.v[a][k] - speed[k]);
                let (push, slips) = self.push(a, gap, &normal, &relative, 1.0);
                (0..3).for_each(|k| force[a][k] += push[k]);
                let point = std::array::from_fn(|k| self.x[a][k] - normal[k] * self.radius[a]);
                contacts.push(touch(a, 0, point, gap, &normal, &push, slips));
            }
        }
        for (a, f) in force.iter().enumerate() {
            let m = self.mass(a);
            for k in 0..self.dimension {
                self.v[a][k] += STEP * f[k] / m;
                self.x[a][k] += STEP * self.v[a][k];
            }
            self.angle[a] -= STEP * self.v[a][0] / self.radius[a];
        }
        contacts
    }

    fn mass(&self, a: usize) -> f64 {
        2000.0 * self.radius[a].powi(3) * 4.0
    }

    /// Spring, dashpot and a friction that grows with the sliding speed up to a share of the push.
    fn push(&self, a: usize, gap: f64, n: &[f64; 3], relative: &[f64; 3], share: f64) -> ([f64; 3], bool) {
        let closing: f64 = (0..3).map(|k| relative[k] * n[k]).sum();
        let m = self.mass(a) * share;
        let stiffness = m * 1e6;
        let push = (-gap * stiffness - closing * m * 400.0).max(0.0);
        let sliding: [f64; 3] = std::array::from_fn(|k| relative[k] - closing * n[k]);
        let fast = norm(&sliding).max(1e-12);
        let drag = (fast * m * 800.0).min(0.5 * push);
        (std::array::from_fn(|k| push * n[k] - drag * sliding[k] / fast), drag >= 0.5 * push)
    }

    fn walls(&self, a: usize) -> Vec<(f64, [f64; 3], [f64; 3])> {
        let (x, r) = (self.x[a], self.radius[a]);
        match self.walls {
            Walls::Circle { r: drum, omega } => {
                let far = norm(&x).max(1e-12);
                let n = x.map(|c| -c / far);
                let gap = drum - far - r;
                if gap < 0.0 { vec![(gap, n, [-omega * x[1], omega * x[0], 0.0])] } else { vec![] }
            }
            Walls::Box { half } => {
                let side = |k: usize, sign: f64| {
                    let mut n = [0.0; 3];
                    n[k] = sign;
                    (half[k] + sign * x[k] - r, n, [0.0; 3])
                };
                (0..3).flat_map(|k| [side(k, 1.0), side(k, -1.0)]).filter(|s| s.0 < 0.0).collect()
            }
        }
    }
}

fn touch(a: usize, b: u32, point: [f64; 3], gap: f64, n: &[f64; 3], push: &[f64; 3], slips: bool) -> Contact {
    let rln = (0..3).map(|k| push[k] * n[k]).sum::<f64>() * STEP;
    let rlt = (norm(push).powi(2) * STEP * STEP - rln * rln).max(0.0).sqrt();
    Contact { a: a as u32 + 1, b, point, gap, rln, rlt, normal: *n, status: 1 + u8::from(slips), ..Default::default() }
}

fn norm(v: &[f64; 3]) -> f64 {
    v.iter().map(|c| c * c).sum::<f64>().sqrt()
}
