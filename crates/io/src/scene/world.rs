//! From a scene to a world of the dynamics crate.

use super::error::SceneError;
use super::plan::{Motion, PlannedBody, PlannedForce, Scene};
use super::shape::Shape;
use stickslip_dynamics::{Anchor, Body, BodyId, Force, Material, Rigid, Space, World, WorldError};

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
        let mut world = World::new(self.options.clone()).map_err(|e| self.refused("time", &e))?;
        *world.laws_mut() = self.laws.clone();
        world.check().map_err(|e| self.refused("law", &e))?;
        let gravity = std::array::from_fn(|i| self.gravity[i]);
        world.set_gravity(gravity).map_err(|e| self.refused("gravity", &e))?;
        for (k, planned) in self.bodies.iter().enumerate() {
            self.add(&mut world, planned, BodyId(k as u32)).map_err(|e| self.refused(self.entry(planned), &e))?;
        }
        for (k, force) in self.forces.iter().enumerate() {
            world.add_force(planned_force(force)).map_err(|e| self.refused(&format!("force.{k}"), &e))?;
        }
        Ok(world)
    }

    fn refused(&self, key: &str, error: &WorldError) -> SceneError {
        let file = self.files.last().map_or("", |f| f.0.as_str());
        SceneError { key: key.into(), ..SceneError::unreadable(file.as_ref(), error.to_string()) }
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

    fn body<const N: usize, const V: usize>(&self, b: &PlannedBody) -> Result<Body<N, V>, WorldError>
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
