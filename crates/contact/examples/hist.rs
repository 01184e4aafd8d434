use stickslip_contact::generate::*;
use stickslip_contact::solvers::*;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: usize = a[1].parse().unwrap();
    let spec: SolverSpec = serde_json::from_str(&a[2]).unwrap();
    let tol: f64 = a[3].parse().unwrap();
    let problem = SphereLattice { nx: n, ny: n, nz: n, ..SphereLattice::default() }.spheres().unwrap();
    let mut x = Unknowns::zeros(&problem);
    let stop = Stop { tolerance: tol, ..Stop::default() };
    let report = spec.build().solve(&problem, &mut x, &stop, &mut |p| {
        println!("{} {:.2e} t {:.3}", p.iteration, p.error.unwrap_or(0.0), p.start.elapsed().as_secs_f64());
        Flow::Continue
    });
    println!("{:?} {}", report.status, report.iterations);
}
