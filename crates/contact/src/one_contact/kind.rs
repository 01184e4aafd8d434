//! Every one-contact solver by name, as sweeps take them: `"exact"`, `{ "sbp": { "relative": 0.5 } }`.

use super::{
    AlartCurnier, Eal, Ebp, Epdas, Exact, FischerBurmeister, Guarded, Ipdas, JeanMoreau, LemkePolygon, NaturalMap,
    OneContact, Pdas, Projection, QpPolygon, Sal, Sbp,
};
use crate::block::Block;
use crate::cone::Cone;
use crate::solvers::Formulation;
use crate::solvers::catalog::nearest;
use documented::DocumentedFields;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// What the catalogue says of a one-contact solver.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OneContactEntry {
    /// The name in options.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// Where it comes from.
    pub reference: &'static str,
    /// The solver with its default options.
    pub kind: OneContactKind,
    /// Names and documentation of the options.
    pub options: &'static [(&'static [&'static str], &'static [&'static str])],
}

/// One line a solver: variant, name, summary, reference; those without options first.
macro_rules! kinds {
    (
        plain { $($plain:ident = $solver:expr, $plain_name:literal, $plain_summary:literal, $plain_ref:literal;)* }
        options { $($kind:ident($options:ty), $name:literal, $summary:literal, $reference:literal;)* }
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
                        name: $plain_name, summary: $plain_summary, reference: $plain_ref, kind: Self::$plain,
                        options: &[],
                    },)*
                    $(OneContactEntry {
                        name: $name, summary: $summary, reference: $reference, kind: Self::$kind(Default::default()),
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

            fn with_defaults(name: &str) -> Option<Self> {
                match name {
                    $($plain_name => Some(Self::$plain),)*
                    $($name => Some(Self::$kind(Default::default())),)*
                    _ => None,
                }
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

        impl<'de> Visitor<'de> for Reader {
            type Value = OneContactKind;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a one-contact solver, or a table with it and its options")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<OneContactKind, E> {
                OneContactKind::with_defaults(name).ok_or_else(|| unknown(name))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<OneContactKind, A::Error> {
                let name: String = map.next_key()?.ok_or_else(|| A::Error::custom("an empty table names no solver"))?;
                let kind = match name.as_str() {
                    $($plain_name => {
                        map.next_value::<Nothing>()?;
                        OneContactKind::$plain
                    })*
                    $($name => OneContactKind::$kind(map.next_value()?),)*
                    other => return Err(unknown(other)),
                };
                if map.next_key::<String>()?.is_some() {
                    return Err(A::Error::custom("one one-contact solver at a time"));
                }
                match kind.fault() {
                    Some(fault) => Err(A::Error::custom(fault)),
                    None => Ok(kind),
                }
            }
        }
    };
}

kinds! {
    plain {
        Exact = Exact, "exact", "closed form, stick or slip root, whichever is the cheapest exact one",
            "Bonnefon & Daviet 2011; [C, section 3]";
        Guarded = Guarded::default(), "guarded", "closed form, Newton from the warm start, enumeration behind it",
            "Alart & Curnier 1991; Bonnefon & Daviet 2011";
    }
    options {
        Projection(Projection), "projection", "fixed point r <- P_K(r - rho (u + g(u))), rho adaptive or constant",
            "de Saxcé & Feng 1998; [D, UPK]";
        Ac(AlartCurnier), "ac", "damped Newton on the Alart-Curnier function, guarded", "Alart & Curnier 1991; [C, eq. 7]";
        Mj(JeanMoreau), "mj", "damped Newton on the Jean-Moreau function, guarded", "Jean & Moreau 1987; [D, NSN-MJ]";
        Nm(NaturalMap), "nm", "damped Newton on the natural map, guarded", "[D, NSN-NM]";
        Fb(FischerBurmeister), "fb", "damped Newton on the Fischer-Burmeister function, guarded",
            "Fukushima, Luo & Tseng 2001; [D, NSN-FB]";
        LemkePolygon(LemkePolygon), "lemke_polygon", "friction on a polygon of nu corners, by lexicographic Lemke: stops near 1/nu",
            "[C, sections 3.2 and 4.2]";
        QpPolygon(QpPolygon), "qp_polygon", "friction on a polygon of nu corners, by a nonsymmetric QP: stops near 1/nu",
            "[C, sections 3.2 and 4.3]";
        Sbp(Sbp), "sbp", "standard bipotential: one projection on K a visit", "[A, eq. 27-30]";
        Sal(Sal), "sal", "standard augmented Lagrangian: one projection on the cylinder a visit", "[A, eq. 23-25]";
        Ebp(Ebp), "ebp", "enhanced bipotential: full Newton steps on r - P_K(tau)", "[A, eq. 31-36]";
        Eal(Eal), "eal", "enhanced augmented Lagrangian: full Newton steps on r - P_C(tau)", "[A, eq. 26]";
        Pdas(Pdas), "pdas", "primal-dual active set of frictionless contact, with friction as ipdas", "[A, eq. 37-41]";
        Epdas(Epdas), "epdas", "exact primal-dual active set with friction, one step a visit", "[B, eq. 4.1-4.4]";
        Ipdas(Ipdas), "ipdas", "iterative primal-dual active set with friction, one step a visit", "[B, eq. 4.5-4.9]";
    }
}

/// An empty table of options.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Nothing {}

/// Reads a name or a table.
struct Reader;

impl<'de> Deserialize<'de> for OneContactKind {
    fn deserialize<T: Deserializer<'de>>(d: T) -> Result<Self, T::Error> {
        d.deserialize_any(Reader)
    }
}

fn unknown<E: Error>(name: &str) -> E {
    let all = OneContactKind::CATALOGUE;
    let near = nearest(name, all.iter().copied());
    E::custom(format!("there is no one-contact solver '{name}'; did you mean '{near}'? All: {}", all.join(", ")))
}

impl OneContactKind {
    /// What is wrong with the options, if anything.
    pub fn fault(&self) -> Option<String> {
        let positive = |what: &str, x: Option<f64>| {
            let bad = x.filter(|x| !(*x > 0.0 && x.is_finite()))?;
            Some(format!("{}: {what} = {bad} is not a positive number", self.name()))
        };
        let some = |what: &str, n: usize| (n == 0).then(|| format!("{}: {what} = 0 does nothing", self.name()));
        let lengths = |rho, relative| positive("rho", rho).or_else(|| positive("relative", Some(relative)));
        match *self {
            Self::Exact | Self::Guarded => None,
            Self::Projection(o) => lengths(o.rho, o.relative).or_else(|| some("max_steps", o.max_steps)),
            Self::Ac(AlartCurnier { max_steps, .. })
            | Self::Mj(JeanMoreau { max_steps, .. })
            | Self::Nm(NaturalMap { max_steps, .. })
            | Self::Fb(FischerBurmeister { max_steps, .. }) => some("max_steps", max_steps),
            Self::LemkePolygon(LemkePolygon { nu }) | Self::QpPolygon(QpPolygon { nu }) => {
                (nu < 3).then(|| format!("{}: a polygon of nu = {nu} corners; it needs 3", self.name()))
            }
            Self::Sbp(Sbp { rho, relative, steps }) | Self::Sal(Sal { rho, relative, steps }) => {
                lengths(rho, relative).or_else(|| some("steps", steps))
            }
            Self::Ebp(Ebp { rho, relative, max_steps, .. }) | Self::Eal(Eal { rho, relative, max_steps, .. }) => {
                lengths(rho, relative).or_else(|| some("max_steps", max_steps))
            }
            Self::Pdas(o) => positive("gamma", o.gamma),
            Self::Epdas(Epdas { gamma_n, gamma_t, steps }) | Self::Ipdas(Ipdas { gamma_n, gamma_t, steps }) => {
                positive("gamma_n", gamma_n).or_else(|| positive("gamma_t", gamma_t)).or_else(|| some("steps", steps))
            }
        }
    }

    /// Whether the solver knows the law of this cone.
    pub fn treats(&self, cone: &Cone) -> bool {
        match self {
            Self::Fb(o) => o.guard || Formulation::FischerBurmeister.treats(cone),
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
            ("{\"sbp\": {\"rho\": -1.0}}", "not a positive number"),
            ("{\"sal\": {\"relative\": 0.0}}", "not a positive number"),
            ("{\"epdas\": {\"gamma_n\": -1e-8}}", "gamma_n"),
            ("{\"qp_polygon\": {\"nu\": 2}}", "corners"),
            ("{\"sbp\": {\"steps\": 0}}", "does nothing"),
            ("{\"exact\": {\"nu\": 3}}", "unknown field"),
            ("{\"ac\": {}, \"mj\": {}}", "at a time"),
            ("{}", "no solver"),
            ("3", "name of a one-contact solver"),
        ] {
            let error = serde_json::from_str::<OneContactKind>(text).unwrap_err().to_string();
            assert!(error.contains(expected), "{text}: {error}");
        }
    }
}
