//! From files to a scene: values merged, generators run, names resolved.

use super::error::SceneError;
use super::fault::{Fault, positive, within};
use super::file::{
    ActivationEntry, LawEntry, MeasureEntry, OnFailureEntry, OutputEntry, SceneFile, SolverEntry, StabilisationEntry,
    TimeEntry,
};
use super::generators::{Sink, Visit};
use super::placement::lift;
use super::plan::{Entry, MAX_STEPS, Outlet, Output, PlannedBody, PlannedForce, Scene, steps_until};
use super::quantity::{Length, values};
use super::source::Source;
use std::collections::{BTreeMap, HashMap};
use stickslip_contact::certificate::Measure;
use stickslip_contact::solvers::catalog::edit_distance;
use stickslip_dynamics::laws::{Coulomb, Frictionless, Glued, Rolling};
use stickslip_dynamics::{Activation, Engine, Law, Laws, Material, OnFailure, Options, SoftSphere, Stabilisation};

/// Bodies of a scene that does not say more.
const MAX_BODIES: u32 = 200_000;
/// Materials of a scene: their laws are a square table.
const MAX_MATERIALS: usize = 1000;

/// The last file, in the order of inclusion, that gives a value.
fn last<'a, T>(sources: &'a [Source], get: impl Fn(&'a SceneFile) -> Option<T>) -> Option<(usize, T)> {
    sources.iter().enumerate().rev().find_map(|(k, s)| get(&s.file).map(|v| (k, v)))
}

pub(crate) fn resolve(sources: &[Source]) -> Result<Scene, SceneError> {
    let Some(main) = sources.last() else { return Err(SceneError::unreadable("".as_ref(), "there is no scene")) };
    let dimension = dimension(sources, main)?;
    let stem = main.path.file_stem().map_or("scene".into(), |s| s.to_string_lossy().into_owned());
    let name = last(sources, |f| f.name.clone()).map_or(stem, |n| n.1);
    let gravity = match last(sources, |f| f.gravity.as_ref()) {
        None => std::array::from_fn(|i| if i + 1 == dimension { -9.81 } else { 0.0 }),
        Some((k, g)) => lift(&values(g), dimension).map_err(|e| sources[k].fault(&e.under("gravity")))?,
    };
    let (options, end) = options(sources)?;
    let steps = steps_until(end, options.h).map_err(|e| main.fault(&Fault::new(e).under("h").under("time")))?;
    let output = output(sources, options.h, end)?;
    let (laws, densities) = laws(sources)?;
    let mut entries = Vec::new();
    let mut names = HashMap::new();
    let mut bodies = bodies(sources, dimension, &laws, &mut entries, &mut names)?;
    let order = by_entrance(&mut bodies);
    let names: HashMap<&str, usize> = names.into_iter().map(|(n, k)| (n, order[k])).collect();
    let (forces, force_entries) = forces(sources, dimension, &names)?;
    let outlet = outlet(sources, dimension)?;
    let files = sources.iter().map(|s| (s.path.display().to_string(), s.text.clone())).collect();
    Ok(Scene {
        name,
        dimension,
        gravity,
        options,
        steps,
        end,
        output,
        densities,
        laws,
        bodies,
        forces,
        outlet,
        files,
        entries,
        force_entries,
    })
}

fn dimension(sources: &[Source], main: &Source) -> Result<usize, SceneError> {
    match last(sources, |f| f.dimension) {
        Some((_, d @ (2 | 3))) => Ok(d.into()),
        Some((k, d)) => {
            let fault = format!("{d} is not a dimension; take 2 (plane) or 3 (space)");
            Err(sources[k].fault(&Fault::new(fault).under("dimension")))
        }
        None => Err(main.fault(
            &Fault::new("is missing; add 'dimension = 2' (plane) or 'dimension = 3' (space) at the top")
                .under("dimension"),
        )),
    }
}

/// The box that bodies leave for good; without a corner it has no end.
fn outlet(sources: &[Source], dimension: usize) -> Result<Option<Outlet>, SceneError> {
    let Some((k, entry)) = last(sources, |f| f.outlet.as_ref()) else { return Ok(None) };
    let fault = |e: Fault| sources[k].fault(&e.under("outlet"));
    let corner = |key: &str, x: &Option<Vec<Length>>, default: f64| match x {
        Some(x) => lift(&values(x), dimension).map_err(|e| fault(e.under(key))),
        None => Ok([default; 3]),
    };
    if entry.low.is_none() && entry.high.is_none() {
        return Err(fault(Fault::new("has no end: give low, high or both, a corner each")));
    }
    let (low, high) = (corner("low", &entry.low, -f64::MAX)?, corner("high", &entry.high, f64::MAX)?);
    if (0..dimension).any(|i| low[i] >= high[i]) {
        return Err(fault(Fault::new("must be higher than low along every axis").under("high")));
    }
    Ok(Some(Outlet { low, high }))
}

/// Step, scheme and solver, and when the simulation ends.
fn options(sources: &[Source]) -> Result<(Options, f64), SceneError> {
    let mut o = Options::default();
    let mut end = 1.0;
    for s in sources {
        let time = s.file.time.clone().unwrap_or_default();
        scheme(&time, &mut o, &mut end).map_err(|e| s.fault(&e.under("time")))?;
        let solver = s.file.solver.clone().unwrap_or_default();
        solver_options(&solver, &mut o).map_err(|e| s.fault(&e.under("solver")))?;
    }
    Ok((o, end))
}

fn scheme(t: &TimeEntry, o: &mut Options, end: &mut f64) -> Result<(), Fault> {
    if let Some(h) = t.h {
        o.h = positive("h", h.0)?;
    }
    if let Some(e) = t.end {
        *end = positive("end", e.0)?;
    }
    if let Some(theta) = t.theta {
        o.theta = within("theta", theta.0, 0.5, 1.0)?;
    }
    match t.activation {
        None => {}
        Some(ActivationEntry::Speculative) => o.activation = Activation::Speculative,
        Some(ActivationEntry::Predicted { gamma }) => {
            let gamma = within("gamma", gamma.0, 0.0, 1.0).map_err(|e| e.under("predicted").under("activation"))?;
            o.activation = Activation::Predicted { gamma };
        }
    }
    match t.stabilisation {
        None => {}
        Some(StabilisationEntry::None) => o.stabilisation = Stabilisation::None,
        Some(StabilisationEntry::Project) => o.stabilisation = Stabilisation::Project,
        Some(StabilisationEntry::Push { beta }) => {
            let beta = within("beta", beta.0, 0.0, 1.0).map_err(|e| e.under("push").under("stabilisation"))?;
            o.stabilisation = Stabilisation::Push { beta };
        }
    }
    if let Some(soft) = &t.soft_sphere {
        let under = |e: Fault| e.under("soft_sphere");
        let k_n = positive("k_n", soft.k_n.0).map_err(under)?;
        let k_t = positive("k_t", soft.k_t.map_or(2.0 / 7.0 * k_n, |k| k.0)).map_err(under)?;
        o.engine = Engine::SoftSphere(SoftSphere { k_n, k_t });
    }
    match t.on_failure {
        None => {}
        Some(OnFailureEntry::Continue) => o.on_failure = OnFailure::Continue,
        Some(OnFailureEntry::Stop) => o.on_failure = OnFailure::Stop,
        Some(OnFailureEntry::Halve { times }) => {
            within("times", times.into(), 1.0, 20.0).map_err(|e| e.under("halve").under("on_failure"))?;
            o.on_failure = OnFailure::Halve { times };
        }
    }
    Ok(())
}

fn solver_options(s: &SolverEntry, o: &mut Options) -> Result<(), Fault> {
    if let Some(name) = &s.name {
        o.solver = crate::solver_text::solver(name).map_err(|e| Fault::new(e).under("name"))?;
    }
    if let Some(x) = s.tolerance {
        o.tolerance = within("tolerance", x.0, 1e-15, 1.0)?;
    }
    if let Some(m) = s.measure {
        o.measure = match m {
            MeasureEntry::Scaled => Measure::Scaled,
            MeasureEntry::Force => Measure::Force,
            MeasureEntry::Fclib => Measure::Fclib,
            MeasureEntry::Siconos => Measure::Siconos,
            MeasureEntry::EpsGlob => Measure::EpsGlob,
        };
    }
    if let Some(n) = s.max_iterations {
        o.max_iterations = within("max_iterations", n.into(), 1.0, f64::MAX)? as usize;
    }
    if let Some(warm) = s.warm_start {
        o.warm_start = warm;
    }
    Ok(())
}

fn output(sources: &[Source], h: f64, end: f64) -> Result<Output, SceneError> {
    let mut merged = OutputEntry::default();
    let (mut every, mut ledger) = (end / 100.0, h);
    for s in sources {
        let Some(o) = &s.file.output else { continue };
        if let Some(t) = o.every {
            every = positive("every", t.0).map_err(|e| s.fault(&e.under("output")))?;
        }
        if let Some(t) = o.ledger {
            ledger = positive("ledger", t.0).map_err(|e| s.fault(&e.under("output")))?;
        }
        if o.checkpoint_steps == Some(0) {
            return Err(s.fault(&Fault::new("must be at least 1").under("checkpoint_steps").under("output")));
        }
        merged.contacts = o.contacts.or(merged.contacts);
        merged.checkpoint_steps = o.checkpoint_steps.or(merged.checkpoint_steps);
    }
    let steps = |t: f64| (t / h).round().clamp(1.0, MAX_STEPS) as u64;
    Ok(Output {
        every: steps(every),
        ledger: steps(ledger),
        contacts: merged.contacts.unwrap_or(true),
        checkpoint: merged.checkpoint_steps.map(u64::from),
    })
}

/// The law of an entry.
fn law(entry: &LawEntry) -> Result<Law, Fault> {
    let mut given = Vec::new();
    if let Some(c) = &entry.coulomb {
        given.push(("coulomb", Law::Coulomb(Coulomb { mu: c.mu.0, e_n: c.e_n.0, e_t: c.e_t.0 })));
    }
    if let Some(c) = &entry.frictionless {
        given.push(("frictionless", Law::Frictionless(Frictionless { e_n: c.e_n.0 })));
    }
    if let Some(c) = &entry.rolling {
        let law = Rolling { mu: c.mu.0, mu_r: c.mu_r.0, mu_s: c.mu_s.0, e_n: c.e_n.0, e_t: c.e_t.0 };
        given.push(("rolling", Law::Rolling(law)));
    }
    if entry.glued.is_some() {
        given.push(("glued", Law::Glued(Glued {})));
    }
    match given[..] {
        [(key, law)] => law.fault().map_or(Ok(law), |fault| Err(Fault::new(fault).under(key))),
        _ => Err(Fault::new("give exactly one of coulomb, frictionless, rolling and glued")),
    }
}

/// Materials in the order of their names, behind the one named `default` that is always there; their densities.
fn laws(sources: &[Source]) -> Result<(Laws, Vec<f64>), SceneError> {
    let mut default = Law::default();
    for (_, s, k, entry) in entries(sources, |f| &f.law) {
        let law = law(entry).map_err(|e| s.fault(&e.under(k.to_string()).under("law")))?;
        if entry.between.is_none() {
            default = law;
        }
    }
    let no = |e: stickslip_dynamics::WorldError| SceneError::unreadable("".as_ref(), e.to_string());
    let mut laws = Laws::new(default).map_err(no)?;
    let mut densities = BTreeMap::from([("default", 1000.0)]);
    for s in sources {
        for (name, m) in &s.file.material {
            let fault = |e: Fault| s.fault(&e.under(name.as_str()).under("material"));
            if densities.len() >= MAX_MATERIALS {
                return Err(fault(Fault::new(format!("there are more than {MAX_MATERIALS} materials"))));
            }
            let density = m.density.map_or(Ok(1000.0), |d| positive("density", d.0)).map_err(fault)?;
            if densities.insert(name, density).is_none() {
                laws.material(name);
            }
        }
    }
    for (_, s, k, entry) in entries(sources, |f| &f.law) {
        let under = |e: Fault| s.fault(&e.under(k.to_string()).under("law"));
        let Some(pair) = &entry.between else { continue };
        let mut of = [Material(0); 2];
        for i in 0..2 {
            of[i] = material(&laws, &pair[i]).map_err(|e| under(e.under(i.to_string()).under("between")))?;
        }
        laws.set(of[0], of[1], law(entry).map_err(under)?).map_err(|e| under(Fault::new(e.to_string())))?;
    }
    let densities = laws.names().iter().map(|n| densities.get(n.as_str()).copied().unwrap_or(1000.0)).collect();
    Ok((laws, densities))
}

fn material(laws: &Laws, name: &str) -> Result<Material, Fault> {
    laws.named(name).ok_or_else(|| {
        let names = || laws.names().iter().map(String::as_str);
        let nearest = names().min_by_key(|n| edit_distance(n, name)).unwrap_or("default");
        let all = names().take(20).collect::<Vec<_>>().join(", ");
        Fault::new(format!("there is no material '{name}'; did you mean '{nearest}'? There are {all}"))
    })
}

/// The material of a body that names one, or the only one of the scene.
fn material_of(laws: &Laws, name: &Option<String>) -> Result<u32, Fault> {
    match (name, laws.names().len()) {
        (Some(name), _) => material(laws, name).map(|m| m.0).map_err(|e| e.under("material")),
        (None, 1) => Ok(0),
        (None, 2) => Ok(1),
        (None, _) => {
            let all = laws.names()[1..].iter().take(20).cloned().collect::<Vec<_>>().join(", ");
            Err(Fault::new(format!("has no material; add material = \"...\", one of {all}")))
        }
    }
}

/// All entries of a list, with the number of their file, the file and their place in it.
fn entries<'a, T: 'a>(
    sources: &'a [Source],
    list: impl Fn(&'a SceneFile) -> &'a Vec<T>,
) -> impl Iterator<Item = (usize, &'a Source, usize, &'a T)> {
    let of = move |(file, s): (usize, &'a Source)| list(&s.file).iter().enumerate().map(move |(k, e)| (file, s, k, e));
    sources.iter().enumerate().flat_map(of)
}

fn bodies<'a>(
    sources: &'a [Source],
    dimension: usize,
    laws: &Laws,
    kept: &mut Vec<Entry>,
    names: &mut HashMap<&'a str, usize>,
) -> Result<Vec<PlannedBody>, SceneError> {
    let most = last(sources, |f| f.max_bodies).map_or(MAX_BODIES, |m| m.1) as usize;
    let mut bodies = Vec::new();
    for (file, s, k, entry) in entries(sources, |f| &f.body) {
        let fault = |e: Fault| s.fault(&e.under(k.to_string()).under("body"));
        let body = entry.resolve(dimension).map_err(fault)?;
        let material = material_of(laws, &entry.material).map_err(fault)?;
        let sink = Sink { bodies: &mut bodies, most, dimension, batch: 0 };
        sink.reserve(&[1], "shape").map_err(fault)?;
        if let Some(name) = &entry.name
            && names.insert(name, bodies.len()).is_some()
        {
            return Err(fault(Fault::new(format!("another body is named '{name}'")).under("name")));
        }
        bodies.push(PlannedBody { material, entry: kept.len() as u32, ..body });
        kept.push(Entry { file, key: format!("body.{k}") });
    }
    macro_rules! generate {
        ($($list:ident),*) => { $(
            for (file, s, k, entry) in entries(sources, |f| &f.$list) {
                let word = stringify!($list);
                let fault = |e: Fault| s.fault(&e.under(k.to_string()).under(word));
                let material = material_of(laws, &entry.material).map_err(fault)?;
                let first = bodies.len();
                let visit = Visit { enter: entry.enter, leave: entry.leave, repeat: entry.repeat };
                let mut sink = Sink { bodies: &mut bodies, most, dimension, batch: 0 };
                visit.batches(&mut sink, |sink| entry.generate(sink)).map_err(fault)?;
                for body in &mut bodies[first..] {
                    (body.material, body.entry) = (material, kept.len() as u32);
                }
                kept.push(Entry { file, key: format!("{word}.{k}") });
            }
        )* };
    }
    generate!(lattice, deposit, wall, tower, arch, heap);
    if bodies.is_empty() {
        let fault = "there are no bodies; add a [[body]] or a generator such as [[lattice]]";
        return Err(sources[sources.len() - 1].fault(&Fault::new(fault).under("body")));
    }
    Ok(bodies)
}

/// Puts bodies that enter later behind the others, in the order of time; the new place of each.
fn by_entrance(bodies: &mut Vec<PlannedBody>) -> Vec<usize> {
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    let time = |k: usize, b: &[PlannedBody]| b[k].enter.filter(|t| *t > 0.0).unwrap_or(f64::NEG_INFINITY);
    if bodies.iter().any(|b| b.enter.is_some()) {
        order.sort_by(|&a, &b| time(a, bodies).total_cmp(&time(b, bodies)));
        *bodies = order.iter().map(|&k| bodies[k].clone()).collect();
    }
    let mut place = vec![0; order.len()];
    order.iter().enumerate().for_each(|(new, &old)| place[old] = new);
    place
}

fn forces(
    sources: &[Source],
    dimension: usize,
    names: &HashMap<&str, usize>,
) -> Result<(Vec<PlannedForce>, Vec<Entry>), SceneError> {
    let (mut forces, mut places) = (Vec::new(), Vec::new());
    for (file, s) in sources.iter().enumerate() {
        for (k, entry) in s.file.force.iter().enumerate() {
            let fault = |e: Fault| s.fault(&e.under(k.to_string()).under("force"));
            forces.push(entry.resolve(dimension, names).map_err(fault)?);
            places.push(Entry { file, key: format!("force.{k}") });
        }
    }
    Ok((forces, places))
}
