//! Small made-up results that look like real ones, and a browser to look at them.

#![allow(dead_code)]

pub mod browser;
pub mod results;
pub mod tab;
pub mod toy;

use stickslip_view::{Body, ContactRecord as Contact, Frame, Info, Movie, curves::Curve, form::Form, form::Piece};

pub fn body(id: u32, form: Form, fixed: bool) -> Body {
    let size = form.reach().unwrap_or(0.0);
    Body { id, pieces: vec![form.into()], fixed, size, material: if fixed { "steel" } else { "glass" }.into() }
}

pub fn turned(form: Form, x: [f64; 3], q: [f64; 4]) -> Piece {
    Piece { form, x, q }
}

/// A reproducible number in 0 to 1.
pub fn noise(seed: u64) -> f64 {
    let mut z = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x1234_5678_9abc_def1);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 53) as f64
}

/// Discs in a turning drum.
pub fn drum() -> Movie {
    let n = 180;
    let radius = |k: u64| 0.008 + 0.006 * noise(k);
    let mut toy = toy::Toy::new(2, toy::Walls::Circle { r: 0.225, omega: -2.0 });
    for k in 0..n {
        let (row, column) = (k / 13, k % 13);
        let x = [-0.168 + 0.028 * column as f64, -0.196 + 0.028 * row as f64, 0.0];
        if x[0].hypot(x[1]) < 0.21 {
            toy.add(x, radius(k));
        }
    }
    let mut movie = toy.run(120, 0.01);
    movie.info.title = "discs in a drum".into();
    movie.info.bodies[0] = body(0, Form::InsideCircle { r: 0.225 }, true);
    movie
}

/// 300 balls that fall into a box.
pub fn balls() -> Movie {
    let mut toy = toy::Toy::new(3, toy::Walls::Box { half: [0.2, 0.2, 0.3] });
    for k in 0..300_u64 {
        let (i, j, l) = (k % 6, k / 6 % 6, k / 36);
        let jitter = |s| 0.01 * (noise(7 * k + s) - 0.5);
        let x = [-0.15 + 0.06 * i as f64 + jitter(1), -0.15 + 0.06 * j as f64 + jitter(2), -0.27 + 0.066 * l as f64];
        toy.add(x, 0.02 + 0.009 * noise(k + 1000));
    }
    let mut movie = toy.run(100, 0.012);
    movie.info.title = "300 balls in a box".into();
    movie.info.bodies[0] = body(0, Form::InsideBox { half: [0.2, 0.2, 0.3] }, true);
    movie
}

/// A wall of bricks hit by a ball: flight by formula, not by mechanics.
pub fn wall() -> Movie {
    let half = [0.1, 0.05, 0.04];
    let mut bodies = vec![body(0, Form::HalfSpace, true)];
    let mut homes = vec![[0.0; 3]];
    for row in 0..12 {
        for k in 0..9 {
            let x = (k as f64 - 4.0) * 0.2 + if row % 2 == 0 { 0.0 } else { 0.1 };
            bodies.push(body(bodies.len() as u32, Form::Box { half }, false));
            homes.push([x, 0.0, 0.04 + 0.08 * row as f64]);
        }
    }
    let ball = bodies.len();
    bodies.push(body(ball as u32, Form::Sphere { r: 0.15 }, false));
    homes.push([0.05, -1.0, 0.5]);
    let frame = |k: usize| {
        let t = k as f64 * 0.01;
        let mut f = Frame { t, step: k as u64, ..Default::default() };
        for (id, home) in homes.iter().enumerate() {
            let (x, q, v) = if id == ball {
                ([home[0], home[1] + 3.5 * t, home[2]], [1.0, 0.0, 0.0, 0.0], [0.0, 3.5, 0.0])
            } else {
                brick(home, t, id)
            };
            f.id.push(id as u32);
            f.x.push(x);
            f.orientation.push(q);
            f.v.push(v);
            f.omega.push([0.0; 3]);
        }
        for a in 1..ball {
            for b in 1..a {
                let d: Vec<f64> = (0..3).map(|k| f.x[a][k] - f.x[b][k]).collect();
                let resting = f.v[a] == [0.0; 3] && f.v[b] == [0.0; 3];
                if resting && (d[2] - 0.08).abs() < 1e-9 && d[0].abs() < 0.11 {
                    let point = std::array::from_fn(|k| 0.5 * (f.x[a][k] + f.x[b][k]));
                    let rln = 0.002 * (1.0 - f.x[b][2]).max(0.05);
                    let status = 1 + u8::from(noise((a * 1000 + b) as u64) < 0.1);
                    f.contacts.push(Contact {
                        a: a as u32,
                        b: b as u32,
                        point,
                        gap: -1e-6,
                        rln,
                        rlt: 0.1 * rln,
                        status,
                        ..Default::default()
                    });
                }
            }
        }
        f
    };
    let info = Info { title: "wall hit by a ball".into(), dimension: 3, h: 1e-3, bodies };
    let kinetic = (0..100).map(|k| [k as f64 * 0.01, 3.0 + 2.0 * (k as f64 * 0.1).sin()]).collect();
    let potential = (0..100).map(|k| [k as f64 * 0.01, 6.0 - 0.03 * k as f64]).collect();
    let curve = |name: &str, points| Curve { panel: "energy".into(), name: name.into(), unit: "J".into(), points };
    let curves = vec![curve("kinetic", kinetic), curve("potential", potential)];
    Movie { info, frames: (0..100).map(frame).collect(), notices: Vec::new(), curves }
}

fn brick(home: &[f64; 3], t: f64, id: usize) -> ([f64; 3], [f64; 4], [f64; 3]) {
    let away = ((home[0] - 0.05).powi(2) + (home[2] - 0.5).powi(2)).sqrt();
    let flight = t - 0.23 - 0.3 * away;
    if away > 0.38 || flight <= 0.0 {
        return (*home, [1.0, 0.0, 0.0, 0.0], [0.0; 3]);
    }
    let push = 2.6 * (-5.0 * away).exp();
    let v = [0.5 * push * (home[0] - 0.05), push, push * (0.3 + home[2] - 0.5)];
    let fall = v[2] * flight - 4.9 * flight * flight;
    let z = (home[2] + fall).max(0.04);
    let angle = if z > 0.04 { 3.0 * push * flight } else { 0.0 };
    let axis = [noise(id as u64) - 0.5, noise(id as u64 + 99) - 0.5, 0.3];
    let l = axis.iter().map(|c| c * c).sum::<f64>().sqrt();
    let q = [
        (angle / 2.0).cos(),
        (angle / 2.0).sin() * axis[0] / l,
        (angle / 2.0).sin() * axis[1] / l,
        (angle / 2.0).sin() * axis[2] / l,
    ];
    ([home[0] + v[0] * flight, home[1] + v[1] * flight, z], q, if z > 0.04 { v } else { [0.0; 3] })
}

/// One of every form in space, on a floor.
pub fn space_zoo() -> Movie {
    let tetrahedron = Form::Faces {
        v: vec![[0.3, 0.3, 0.3], [-0.3, -0.3, 0.3], [-0.3, 0.3, -0.3], [0.3, -0.3, -0.3]],
        f: vec![vec![0, 2, 1], vec![0, 1, 3], vec![0, 3, 2], vec![1, 2, 3]],
        smooth: false,
    };
    let n = 16_u32;
    let hill = |i: u32, j: u32| 0.12 * (f64::from(i) * 0.9).sin() * (f64::from(j) * 0.7).cos();
    let field = Form::Faces {
        v: (0..n * n)
            .map(|k| [0.1 * f64::from(k % n) - 0.75, 0.1 * f64::from(k / n) - 0.75, hill(k % n, k / n)])
            .collect(),
        f: (0..(n - 1) * (n - 1))
            .flat_map(|k| {
                let c = k / (n - 1) * n + k % (n - 1);
                [vec![c, c + 1, c + n + 1], vec![c, c + n + 1, c + n]]
            })
            .collect(),
        smooth: true,
    };
    let dumbbell = vec![
        turned(Form::Sphere { r: 0.2 }, [-0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        turned(Form::Sphere { r: 0.2 }, [0.25, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0]),
        turned(Form::Cylinder { r: 0.08, l: 0.25 }, [0.0; 3], [0.5_f64.sqrt(), 0.0, 0.5_f64.sqrt(), 0.0]),
    ];
    let mut bodies = vec![
        body(0, Form::HalfSpace, true),
        body(1, Form::Sphere { r: 0.3 }, false),
        body(2, Form::Box { half: [0.3, 0.2, 0.25] }, false),
        body(3, Form::Capsule { r: 0.18, l: 0.25 }, false),
        body(4, Form::Cylinder { r: 0.22, l: 0.3 }, false),
        body(5, tetrahedron, false),
        body(6, field, true),
        body(7, Form::InsideCylinder { r: 0.4, l: 0.5 }, true),
        body(8, Form::InsideBox { half: [0.4, 0.4, 0.3] }, true),
    ];
    bodies.push(Body { id: 9, pieces: dumbbell, fixed: false, size: 0.45, material: "steel".into() });
    let places = [
        [0.0, 0.0, 0.0],
        [-1.5, -0.5, 0.3],
        [-0.5, -0.5, 0.25],
        [0.5, -0.5, 0.43],
        [1.4, -0.5, 0.3],
        [-1.4, 0.8, 0.3],
        [0.2, 1.2, 0.13],
        [1.7, 0.9, 0.5],
        [-2.2, 0.4, 0.3],
        [0.6, -1.3, 0.2],
    ];
    let frame = |k: usize| {
        let a = 0.1 * k as f64;
        let turn = [(a / 2.0).cos(), 0.0, 0.0, (a / 2.0).sin()];
        let fixed = |id: u32| bodies[id as usize].fixed;
        Frame {
            t: 0.1 * k as f64,
            step: k as u64,
            id: (0..10).collect(),
            x: places.to_vec(),
            orientation: (0..10).map(|id| if fixed(id) { [1.0, 0.0, 0.0, 0.0] } else { turn }).collect(),
            v: (0..10).map(|id| [if fixed(id) { 0.0 } else { f64::from(id) * 0.1 }, 0.0, 0.0]).collect(),
            omega: (0..10).map(|id| [0.0, 0.0, if fixed(id) { 0.0 } else { 1.0 }]).collect(),
            contacts: Vec::new(),
        }
    };
    let frames = (0..20).map(frame).collect();
    let info = Info { title: "forms in space".into(), dimension: 3, h: 0.01, bodies };
    Movie { info, frames, ..Default::default() }
}

/// One of every form of the plane.
pub fn plane_zoo() -> Movie {
    let pentagon =
        (0..5).map(|k| (f64::from(k) * std::f64::consts::TAU / 5.0).sin_cos()).map(|(s, c)| [0.3 * c, 0.3 * s]);
    let bodies = vec![
        body(0, Form::HalfPlane, true),
        body(1, Form::Disc { r: 0.3 }, false),
        body(2, Form::Polygon { v: pentagon.collect() }, false),
        body(3, Form::Stadium { r: 0.15, l: 0.25 }, false),
        body(4, Form::Polyline { v: vec![[-0.5, 0.3], [0.0, 0.0], [0.6, 0.2]] }, true),
        body(5, Form::InsideCircle { r: 0.5 }, true),
        body(6, Form::Polygon { v: vec![[-0.3, -0.2], [0.3, -0.2], [0.3, 0.2], [-0.3, 0.2]] }, false),
    ];
    let places = [[0.0, 0.0], [-1.2, 0.3], [-0.3, 0.3], [0.6, 0.15], [-0.8, 1.0], [0.8, 1.1], [1.5, 0.2]];
    let frame = |k: usize| Frame {
        t: 0.1 * k as f64,
        step: k as u64,
        id: (0..7).collect(),
        x: places.iter().map(|p| [p[0], p[1], 0.0]).collect(),
        orientation: (0..7)
            .map(|id| {
                if id == 1 {
                    let a = 0.1 * k as f64;
                    [a.cos(), 0.0, 0.0, a.sin()]
                } else {
                    [1.0, 0.0, 0.0, 0.0]
                }
            })
            .collect(),
        v: (0..7).map(|id| [f64::from(id) * 0.1, 0.0, 0.0]).collect(),
        omega: vec![[0.0; 3]; 7],
        contacts: Vec::new(),
    };
    let info = Info { title: "forms of the plane".into(), dimension: 2, h: 0.01, bodies };
    Movie { info, frames: (0..20).map(frame).collect(), ..Default::default() }
}
