//! Contact-sweeps per second of Gauss-Seidel on the sphere lattice, beside the machine's memory bandwidth.
//!
//! `cargo bench -p stickslip-contact --bench sweeps [-- --large | --small]`: `--large` adds ten million
//! contacts, `--small` stops at seven thousand.

use std::hint::black_box;
use std::time::{Duration, Instant};
use stickslip_contact::generate::SphereLattice;
use stickslip_contact::operator::{Delassus, Sweep};
use stickslip_contact::problem::LocalProblem;
use stickslip_contact::solvers::{Flow, Nsgs, NsgsOptions, Order, Solver, Stop, StopTest, Unknowns};

/// Best of five passes over half a gigabyte, in GB/s.
fn read_bandwidth() -> f64 {
    let data = vec![1.0f64; 64 << 20];
    let pass = || {
        let start = Instant::now();
        let mut sums = [0.0; 16];
        for chunk in data.chunks_exact(16) {
            for (s, x) in sums.iter_mut().zip(chunk) {
                *s += x;
            }
        }
        black_box(sums);
        (data.len() * 8) as f64 / start.elapsed().as_secs_f64() / 1e9
    };
    (0..5).map(|_| pass()).fold(0.0, f64::max)
}

/// Contact-sweeps per second, certificates left out: the clock runs between the first sweep and the last.
fn rate<W: Sweep<3>>(problem: &LocalProblem<3, W>, order: Order) -> f64 {
    let n = problem.contacts();
    let sweeps = (60_000_000 / n).clamp(6, 3000);
    let options = NsgsOptions { order, stop_test: StopTest::Exact { every: usize::MAX }, ..NsgsOptions::default() };
    let stop = Stop { tolerance: 0.0, max_iterations: sweeps + 10, ..Stop::default() };
    let (mut first, mut last) = (Duration::ZERO, Duration::ZERO);
    let mut watch = |p: &stickslip_contact::solvers::Progress| {
        if p.iteration == 1 {
            first = p.elapsed();
        }
        if p.iteration <= sweeps {
            return Flow::Continue;
        }
        last = p.elapsed();
        Flow::Stop
    };
    Nsgs::new(options).solve(problem, &mut Unknowns::zeros(problem), &stop, &mut watch);
    (sweeps * n) as f64 / (last - first).as_secs_f64()
}

fn main() {
    let flag = |name: &str| std::env::args().any(|a| a == name);
    let (large, small) = (flag("--large"), flag("--small"));
    println!("memory read bandwidth, one core: {:.1} GB/s", read_bandwidth());
    // spheres numbered window by window, in body order, and in body order but visited window by window
    let columns = ["spheres", "body order", "windowed", "matrix-free", "assembled"];
    println!("{:>10} {}   contact-sweeps/s", "contacts", columns.map(|c| format!("{c:>12}")).join(" "));
    for n in [5, 11, 26, 56, 120] {
        let lattice = SphereLattice { nx: n, ny: n, nz: n, ..SphereLattice::default() };
        if (n == 120 && !large) || (n > 11 && small) {
            break;
        }
        let spheres = lattice.spheres().expect("the lattice is valid");
        let contacts = spheres.w.contacts();
        let best = |f: &dyn Fn() -> f64| (0..3).map(|_| f()).fold(0.0, f64::max);
        print!("{contacts:>10} {:>12.3e}", best(&|| rate(&spheres, Order::Natural)));
        let plain = SphereLattice { window: 0, ..lattice.clone() }.spheres().expect("the lattice is valid");
        for order in [Order::Natural, Order::Windowed { window: 64 }] {
            print!(" {:>12.3e}", best(&|| rate(&plain, order)));
        }
        drop(plain);
        if n <= 56 {
            let global = lattice.global().expect("the lattice is valid");
            let free = LocalProblem::matrix_free(&global).expect("valid").expect("rigid bodies");
            print!(" {:>12.3e}", best(&|| rate(&free, Order::Natural)));
            drop(free);
            let (assembled, _) = global.condense().expect("valid");
            print!(" {:>12.3e}", best(&|| rate(&assembled, Order::Natural)));
        }
        println!();
    }
}
