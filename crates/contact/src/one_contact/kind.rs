//! Every one-contact solver by name, as sweeps take them: `"exact"`, `{ "sbp": { "relative": 0.5 } }`.

use super::{
    AlartCurnier, ClosedFormAlone, Eal, Ebp, Epdas, Exact, FischerBurmeister, Guarded, Ipdas, JeanMoreau, LemkePolygon,
    NaturalMap, OneContact, Pdas, Projection, QpPolygon, Sal, Sbp,
};
use crate::block::Block;
use crate::cone::Cone;
use crate::named::{self, Named, UnknownSolver};
use crate::operator::Delassus;
use crate::problem::LocalProblem;
use crate::range::OptionRange;
use crate::range::Range::{Above, Between, From};
use crate::solvers::Formulation;
use documented::DocumentedFields;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

/// What the catalogue says of a one-contact solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneContactEntry {
    /// The name in options.
    pub name: &'static str,
    /// What else it is called.
    pub aliases: &'static [&'static str],
    /// One line.
    pub summary: &'static str,
    /// Laws, dimensions, and what is guaranteed.
    pub field: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The solver with its default options.
    pub kind: OneContactKind,
    /// Names and documentation of the options.
    pub options: &'static [(&'static [&'static str], &'static [&'static str])],
}

/// One entry a solver: variant, names, summary, field of use, reference; those without options first.
macro_rules! kinds {
    (
        plain { $($plain:ident = $solver:expr, $plain_name:literal $(or $plain_alias:literal)*, $plain_summary:literal,
            $plain_field:literal, $plain_ref:literal;)* }
        options { $($kind:ident($options:ty), $name:literal $(or $alias:literal)*, $summary:literal,
            $field:literal, $reference:literal;)* }
    ) => {
        /// The one-contact solvers by name. In serde a name alone has the default options: `"sbp"`, or
        /// `{ "sbp": { "relative": 0.5 } }`.
        #[derive(Debug, Clone, Copy, PartialEq, Default)]
        pub enum OneContactKind {
            /// The default: the cheapest exact solver for each law.
            #[default]
            $(
                #[doc = concat!("[`", stringify!($plain), "`]: ", $plain_summary, ".")]
                $plain,
            )*
            $(
                #[doc = concat!("[`", stringify!($options), "`]: ", $summary, ".")]
                $kind($options),
            )*
        }

        impl OneContactKind {
            /// All of them, in the order of the documentation.
            pub const CATALOGUE: &'static [&'static str] = &[$($plain_name,)* $($name,)*];

            /// Every solver with what there is to say of it.
            pub fn catalogue() -> Vec<OneContactEntry> {
                vec![
                    $(OneContactEntry {
                        name: $plain_name, aliases: &[$($plain_alias),*], summary: $plain_summary, field: $plain_field,
                        reference: $plain_ref, kind: Self::$plain, options: &[],
                    },)*
                    $(OneContactEntry {
                        name: $name, aliases: &[$($alias),*], summary: $summary, field: $field, reference: $reference,
                        kind: Self::$kind(Default::default()),
                        options: &[(<$options>::FIELD_NAMES, <$options>::FIELD_DOCS)],
                    },)*
                ]
            }

            /// The name in options.
            pub fn name(&self) -> &'static str {
                match self {
                    $(Self::$plain => $plain_name,)*
                    $(Self::$kind(_) => $name,)*
                }
            }

            fn replace_options(&mut self, options: Value) -> serde_json::Result<()> {
                match self {
                    $(Self::$plain => drop(options),)*
                    $(Self::$kind(o) => *o = serde_json::from_value(options)?,)*
                }
                Ok(())
            }
        }

        impl<const D: usize> OneContact<D> for OneContactKind {
            fn solve(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) -> bool {
                match self {
                    $(Self::$plain => $solver.solve(w, q, cone, r),)*
                    $(Self::$kind(one) => one.solve(w, q, cone, r),)*
                }
            }

            fn visit(&self, w: &Block<D>, q: &[f64; D], cone: &Cone, r: &mut [f64; D]) {
                match self {
                    $(Self::$plain => $solver.visit(w, q, cone, r),)*
                    $(Self::$kind(one) => one.visit(w, q, cone, r),)*
                }
            }
        }

        impl Serialize for OneContactKind {
            fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$plain => s.serialize_str($plain_name),)*
                    $(Self::$kind(options) => s.serialize_newtype_variant("OneContactKind", 0, $name, options),)*
                }
            }
        }
    };
}

kinds! {
    plain {
        Exact = Exact, "exact", "closed form, stick or slip root, whichever is the cheapest exact one",
            "the default: every law, plane, space and rolling; exact to rounding, never fails",
            "Bonnefon & Daviet 2011; [C, section 3]";
        Guarded = Guarded::default(), "guarded", "closed form, Newton from the warm start, enumeration behind it",
            "every law, plane, space and rolling; exact, never fails; ahead of exact where contacts roll",
            "Alart & Curnier 1991; Bonnefon & Daviet 2011";
        ClosedFormAlone = ClosedFormAlone, "closed_form" or "explicit", "r_N = (-q_N / w_N)_+, then -q_k / w_k cut back to its disc",
            "spheres and discs, whose W_cc is diagonal with one value in each disc, every law but joints; exact, and \
             refuses problems with any other contact",
            "[C, section 3]";
    }
    options {
        Projection(Projection), "projection" or "upk", "fixed point r <- P_K(r - rho (u + g(u))), rho adaptive or constant",
            "every law, plane, space and rolling; slow, and no proof with friction",
            "de Saxcé & Feng 1998; [D, UPK]";
        Ac(AlartCurnier), "ac" or "alart-curnier", "damped Newton on the Alart-Curnier function, guarded",
            "every law, plane, space and rolling; exact with its guard, 2 to 5 steps", "Alart & Curnier 1991; [C, eq. 7]";
        Mj(JeanMoreau), "mj" or "jean-moreau", "damped Newton on the Jean-Moreau function, guarded",
            "every law, plane, space and rolling; exact with its guard", "Jean & Moreau 1987; [D, NSN-MJ]";
        Nm(NaturalMap), "nm" or "natural-map", "damped Newton on the natural map, guarded",
            "every law, plane, space and rolling; exact with its guard", "[D, NSN-NM]";
        Fb(FischerBurmeister), "fb" or "fischer-burmeister", "damped Newton on the Fischer-Burmeister function, guarded",
            "plane, space and rolling; exact with its guard; without it Coulomb, frictionless and joints only",
            "Fukushima, Luo & Tseng 2001; [D, NSN-FB]";
        LemkePolygon(LemkePolygon), "lemke_polygon", "friction on a polygon of nu corners, by lexicographic Lemke: stops near 1/nu",
            "Coulomb and Tresca in space on a polygon, another law than the cone's; exact in the plane, and where nothing \
             rubs or contacts roll",
            "[C, sections 3.2 and 4.2]";
        QpPolygon(QpPolygon), "qp_polygon", "friction on a polygon of nu corners, by a nonsymmetric QP: stops near 1/nu",
            "Coulomb and Tresca in space on a polygon, another law than the cone's; exact in the plane, and where nothing \
             rubs or contacts roll",
            "[C, sections 3.2 and 4.3]";
        Sbp(Sbp), "sbp", "standard bipotential: one projection on K a visit",
            "every law, plane, space and rolling; the law is met in the limit of the sweeps", "[A, eq. 27-30]";
        Sal(Sal), "sal", "standard augmented Lagrangian: one projection on the cylinder a visit",
            "every law, plane, space and rolling; the law is met in the limit of the sweeps", "[A, eq. 23-25]";
        Ebp(Ebp), "ebp", "enhanced bipotential: full Newton steps on r - P_K(tau)",
            "every law, plane, space and rolling; exact with its guard", "[A, eq. 31-36]";
        Eal(Eal), "eal", "enhanced augmented Lagrangian: full Newton steps on r - P_C(tau)",
            "every law, plane, space and rolling; exact with its guard", "[A, eq. 26]";
        Pdas(Pdas), "pdas", "primal-dual active set of frictionless contact, with friction as ipdas",
            "frictionless contacts, exact in one step; rolling and joints by exact, others in the limit of the sweeps", "[A, eq. 37-41]";
        Epdas(Epdas), "epdas", "exact primal-dual active set with friction, one step a visit",
            "plane and space, rolling and joints by exact; the law is met in the limit of the sweeps", "[B, eq. 4.1-4.4]";
        Ipdas(Ipdas), "ipdas", "iterative primal-dual active set with friction, one step a visit",
            "plane and space, rolling and joints by exact; the law is met in the limit of the sweeps", "[B, eq. 4.5-4.9]";
    }
}

const LENGTHS: [OptionRange; 2] = [("rho", Above(0.0)), ("relative", Above(0.0))];

const STEPS: &[OptionRange] = &[LENGTHS[0], LENGTHS[1], ("steps", From(1.0))];

const MAX_STEPS: &[OptionRange] = &[LENGTHS[0], LENGTHS[1], ("max_steps", From(1.0))];

const NEWTON: &[OptionRange] = &[("max_steps", From(1.0)), ("max_halvings", From(0.0))];

const POLYGON: &[OptionRange] = &[("nu", Between(3.0, 4096.0))];

const ACTIVE_SET: &[OptionRange] = &[("gamma_n", Above(0.0)), ("gamma_t", Above(0.0)), ("steps", From(1.0))];

impl Named for OneContactKind {
    const WHAT: &'static str = "one-contact solver";

    fn entries() -> Vec<(&'static str, &'static [&'static str], Self)> {
        Self::catalogue().into_iter().map(|s| (s.name, s.aliases, s.kind)).collect()
    }

    fn called(&self) -> &'static str {
        self.name()
    }

    fn set_options(&mut self, options: Value) -> serde_json::Result<()> {
        self.replace_options(options)
    }

    fn ranges(&self) -> &'static [OptionRange] {
        match self {
            Self::Exact | Self::Guarded | Self::ClosedFormAlone => &[],
            Self::Projection(_) | Self::Ebp(_) | Self::Eal(_) => MAX_STEPS,
            Self::Ac(_) | Self::Mj(_) | Self::Nm(_) | Self::Fb(_) => NEWTON,
            Self::LemkePolygon(_) | Self::QpPolygon(_) => POLYGON,
            Self::Sbp(_) | Self::Sal(_) => STEPS,
            Self::Pdas(_) => &[("gamma", Above(0.0))],
            Self::Epdas(_) | Self::Ipdas(_) => ACTIVE_SET,
        }
    }
}

impl<'de> Deserialize<'de> for OneContactKind {
    fn deserialize<T: Deserializer<'de>>(from: T) -> Result<Self, T::Error> {
        named::deserialize(from)
    }
}

impl OneContactKind {
    /// Looks a name or an alias up; the error carries the nearest valid one.
    pub fn named(name: &str) -> Result<OneContactEntry, UnknownSolver> {
        named::entry::<Self, _>(name, Self::catalogue(), |s| s.name)
    }

    /// What is wrong with the options, if anything.
    pub fn fault(&self) -> Option<String> {
        named::fault_of(self)
    }

    /// Why it cannot be used on a problem: the first contact that it does not treat.
    pub fn refusal<const D: usize, W: Delassus<D> + ?Sized>(&self, problem: &LocalProblem<D, W>) -> Option<String> {
        let cones = || problem.cones.iter().enumerate();
        if let Some((c, _)) = cones().find(|(_, cone)| !self.treats(cone)) {
            return Some(format!("{} does not treat contact {c}", self.name()));
        }
        if !matches!(self, Self::ClosedFormAlone) {
            return None;
        }
        let other = cones().find(|(c, cone)| !ClosedFormAlone::applies(&problem.w.diagonal(*c), cone));
        other.map(|(c, _)| {
            format!(
                "closed_form does not treat contact {c}: its W_cc is not diagonal with one value in each disc, as between \
                 spheres; take one_contact = \"exact\""
            )
        })
    }

    /// Whether the solver knows the law of this cone.
    pub fn treats(&self, cone: &Cone) -> bool {
        match self {
            Self::Fb(o) => o.guard || Formulation::FischerBurmeister.treats(cone),
            Self::ClosedFormAlone => !matches!(cone, Cone::Bilateral),
            _ => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_survives_serde_with_and_without_its_options() {
        for entry in OneContactKind::catalogue() {
            assert_eq!(entry.kind.name(), entry.name);
            let text = serde_json::to_string(&entry.kind).unwrap();
            assert_eq!(serde_json::from_str::<OneContactKind>(&text).unwrap(), entry.kind, "{text}");
            let bare = format!("\"{}\"", entry.name);
            assert_eq!(serde_json::from_str::<OneContactKind>(&bare).unwrap(), entry.kind);
            let empty = format!("{{\"{}\": {{}}}}", entry.name);
            assert_eq!(serde_json::from_str::<OneContactKind>(&empty).unwrap(), entry.kind);
            assert_eq!(entry.kind.fault(), None);
        }
    }

    #[test]
    fn mistakes_are_refused_with_what_would_be_right() {
        for (text, expected) in [
            ("\"sbq\"", "did you mean 'sbp'"),
            ("{\"ipda\": {}}", "did you mean 'ipdas'"),
            ("{\"sbp\": {\"rho\": -1.0}}", "option 'rho' of sbp is -1; it must be above 0"),
            ("{\"sal\": {\"relative\": 0.0}}", "option 'relative' of sal is 0;"),
            ("{\"epdas\": {\"gamma_n\": -1e-8}}", "gamma_n"),
            ("{\"qp_polygon\": {\"nu\": 2}}", "3 to 4096"),
            ("{\"sbp\": {\"steps\": 0}}", "1 or more"),
            ("{\"exact\": {\"nu\": 3}}", "exact has no options"),
            ("{\"ac\": {}, \"mj\": {}}", "at a time"),
            ("{}", "names no one-contact solver"),
            ("3", "name of a one-contact solver"),
            ("{\"sbp\": {\"rho\": \"x\"}}", "option 'rho' of sbp has a wrong value"),
        ] {
            let error = serde_json::from_str::<OneContactKind>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }

    #[test]
    fn every_number_has_a_range_and_every_solver_a_field() {
        for entry in OneContactKind::catalogue() {
            assert!(entry.field.len() > 20 && entry.reference.len() > 4, "{}", entry.name);
            for (key, value) in named::options_of(&entry.kind) {
                let ranged = entry.kind.ranges().iter().any(|(path, _)| *path == key);
                assert_eq!(ranged, !value.is_boolean(), "{}: {key}", entry.name);
            }
        }
        assert_eq!(OneContactKind::named("Alart-Curnier").unwrap().name, "ac");
        assert_eq!(OneContactKind::named("lemke-polygon").unwrap().name, "lemke_polygon");
    }
}
