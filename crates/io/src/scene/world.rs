//! From a scene to a world of the dynamics crate.

use super::error::SceneError;
use super::plan::{Entry, Motion, PlannedBody, PlannedForce, Scene};
use super::shape::Shape;
use super::source::locate;
use std::sync::Arc;
use stickslip_dynamics::{Anchor, Body, BodyId, Force, Material, Region, Rigid, Space, World, WorldError};

/// What the two dimensions do differently when a world is built from a scene.
pub trait Build<const N: usize, const V: usize>: Space<N, V> {
    /// The shape, if it is of this dimension.
    fn shape(shape: &Shape) -> Option<&Self::Shape>;
}

impl Build<2, 3> for Rigid {
    fn shape(shape: &Shape) -> Option<&Self::Shape> {
        if let Shape::Plane(s) = shape { Some(s) } else { None }
    }
}

impl Build<3, 6> for Rigid {
    fn shape(shape: &Shape) -> Option<&Self::Shape> {
        if let Shape::Space(s) = shape { Some(s) } else { None }
    }
}

impl Scene {
    /// The world of this scene, `World<2, 3>` or `World<3, 6>`; bodies have the numbers of [`Scene::bodies`].
    pub fn world<const N: usize, const V: usize>(&self) -> Result<World<N, V>, SceneError>
    where
        Rigid: Build<N, V>,
    {
        let mut world = World::new(self.options.clone()).map_err(|e| self.refused(None, "time", &e))?;
        *world.laws_mut() = self.laws.clone();
        world.check().map_err(|e| self.refused(None, "law", &e))?;
        let gravity = std::array::from_fn(|i| self.gravity[i]);
        world.set_gravity(gravity).map_err(|e| self.refused(None, "gravity", &e))?;
        for (k, planned) in self.bodies.iter().enumerate() {
            self.add(&mut world, planned, BodyId(k as u32)).map_err(|e| self.refused_body(planned, &e))?;
        }
        for (k, force) in self.forces.iter().enumerate() {
            let refused = |e| self.refused(self.force_entries.get(k), "force", &e);
            world.add_force(planned_force(force)).map_err(refused)?;
        }
        if let Some(outlet) = &self.outlet {
            let corner = |x: &[f64; 3]| std::array::from_fn(|i| x[i]);
            let region = Region { low: corner(&outlet.low), high: corner(&outlet.high) };
            world.keep_within(region).map_err(|e| self.refused(None, "outlet", &e))?;
        }
        Ok(world)
    }

    /// The error of a body, at its place.
    pub(crate) fn refused_body(&self, planned: &PlannedBody, error: &WorldError) -> SceneError {
        self.refused(self.entries.get(planned.entry as usize), "body", error)
    }

    /// The error at its place: that of an entry, or of a key of the last file that has it.
    fn refused(&self, entry: Option<&Entry>, key: &str, error: &WorldError) -> SceneError {
        let key = entry.map_or(key, |e| e.key.as_str());
        let path: Vec<&str> = key.split('.').collect();
        let files = match entry {
            Some(e) => self.files.get(e.file..=e.file).unwrap_or_default(),
            None => &self.files[..],
        };
        let found = files.iter().rev().find_map(|f| locate(&f.1, &path).map(|span| (f, Some(span))));
        let remedy = match error {
            WorldError::NotFinite { .. } => "; check its sizes, numbers and units",
            _ => "",
        };
        let what = format!("{error}{remedy}");
        match found.or(files.last().map(|f| (f, None))) {
            Some(((name, text), span)) => SceneError::at(name.as_ref(), text, span, key, what),
            None => SceneError { key: key.into(), ..SceneError::unreadable("".as_ref(), what) },
        }
    }

    fn add<const N: usize, const V: usize>(
        &self,
        world: &mut World<N, V>,
        planned: &PlannedBody,
        id: BodyId,
    ) -> Result<(), WorldError>
    where
        Rigid: Build<N, V>,
    {
        let body = self.body(planned)?;
        match planned.enter.filter(|t| *t > 0.0) {
            // later ones come in the order in which they appear, so that their numbers agree
            Some(t) => world.add_at(t, body)?,
            None => drop(world.add(body)?),
        }
        planned.leave.map_or(Ok(()), |t| world.remove_at(t, id))
    }

    pub(crate) fn body<const N: usize, const V: usize>(&self, b: &PlannedBody) -> Result<Body<N, V>, WorldError>
    where
        Rigid: Build<N, V>,
    {
        let shape = <Rigid as Build<N, V>>::shape(&b.shape)
            .ok_or_else(|| WorldError::Shape(format!("the scene has dimension {}, not {N}", self.dimension)))?;
        let mut body = Body::new(shape.clone())
            .at(std::array::from_fn(|i| b.x[i]))
            .turned(b.orientation)
            .moving(velocities(&b.v, &b.omega))
            .density(self.densities.get(b.material as usize).copied().unwrap_or(1000.0))
            .of(Material(b.material));
        body.group = b.group;
        body.mass = b.mass;
        Ok(match &b.motion {
            Motion::Dynamic => body,
            Motion::Fixed => body.fixed(),
            Motion::Driven(drive) => body.driven(drive.as_ref().clone()),
        })
    }
}

/// Translations, then rotations: three numbers in the plane, six in space.
fn velocities<const V: usize>(v: &[f64; 3], omega: &[f64; 3]) -> [f64; V] {
    std::array::from_fn(|i| match (V, i) {
        (3, 2) => omega[2],
        (_, 0..3) => v[i],
        _ => omega[i - 3],
    })
}

fn planned_force<const N: usize, const V: usize>(force: &PlannedForce) -> Force<N, V> {
    let point = |x: &[f64; 3]| std::array::from_fn(|i| x[i]);
    let centre = |k: usize| Anchor::Body(BodyId(k as u32), [0.0; N]);
    match force {
        PlannedForce::Constant { body, force, moment } => {
            Force::Constant { body: BodyId(*body as u32), force: velocities(force, moment) }
        }
        PlannedForce::Varying { body, force, moment, course } => {
            let (full, course): ([f64; V], _) = (velocities(force, moment), course.clone());
            let force = Arc::new(move |t: f64| full.map(|x| x * course.at(t)));
            Force::Function { body: BodyId(*body as u32), force }
        }
        PlannedForce::Damping { linear, angular } => Force::Damping { linear: *linear, angular: *angular },
        PlannedForce::Spring { body, to, stiffness, rest, damping } => Force::Spring {
            from: centre(*body),
            to: match to {
                Ok(k) => centre(*k),
                Err(x) => Anchor::Ground(point(x)),
            },
            stiffness: *stiffness,
            rest: *rest,
            damping: *damping,
        },
    }
}
