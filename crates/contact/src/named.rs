//! What is read by its name: `"nsgs"`, `{ "nsgs": { "omega": 1.2 } }`.
//!
//! The command line, scene files and serde all come here, so that a name has the same defaults, the same aliases and the
//! same words about mistakes everywhere.

use crate::names::{Rank, bare, nearest, rank};
use crate::range::{OptionRange, fault};
use serde::de::{DeserializeOwned, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value, json};

/// A closed set of things with names and options.
pub trait Named: Sized + Serialize {
    /// What it is, in messages.
    const WHAT: &'static str;
    /// All names, each with what the literature calls it, and with its default options.
    fn entries() -> Vec<(&'static str, &'static [&'static str], Self)>;
    /// Its name.
    fn called(&self) -> &'static str;
    /// Replaces all options.
    fn set_options(&mut self, options: Value) -> serde_json::Result<()>;
    /// The values that its options may take.
    fn ranges(&self) -> &'static [OptionRange];
}

/// A name that is not in the catalogue.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no {what} '{name}'; did you mean '{nearest}'? All: {all}")]
pub struct UnknownSolver {
    /// What was looked for.
    pub what: &'static str,
    /// The name given.
    pub name: String,
    /// The nearest one.
    pub nearest: &'static str,
    /// All names.
    pub all: String,
}

impl UnknownSolver {
    /// How far the nearest name, or one of its aliases, is from the name given.
    pub fn rank<T: Named>(&self) -> Option<Rank> {
        closest::<T>(&self.name).map(|(rank, _)| rank)
    }
}

fn closest<T: Named>(word: &str) -> Option<(Rank, &'static str)> {
    let spelt = T::entries().into_iter().flat_map(|(name, more, _)| {
        std::iter::once(name).chain(more.iter().copied()).map(move |spelling| (rank(word, spelling), name))
    });
    spelt.min_by_key(|(rank, _)| *rank)
}

/// Looks a name or an alias up, with default options; the error carries the nearest valid one.
pub fn find<T: Named>(name: &str) -> Result<T, UnknownSolver> {
    let wanted = bare(name);
    let is = |spelling: &str| bare(spelling) == wanted;
    let mut all = T::entries();
    let exact = all.iter().position(|(name, ..)| is(name));
    match exact.or_else(|| all.iter().position(|(_, more, _)| more.iter().any(|s| is(s)))) {
        Some(place) => Ok(all.swap_remove(place).2),
        None => Err(unknown::<T>(name)),
    }
}

fn unknown<T: Named>(name: &str) -> UnknownSolver {
    UnknownSolver {
        what: T::WHAT,
        name: name.into(),
        nearest: closest::<T>(name).map_or("", |(_, name)| name),
        all: T::entries().iter().map(|(name, ..)| *name).collect::<Vec<_>>().join(", "),
    }
}

/// The entry of a catalogue that a name or an alias stands for.
pub fn entry<T: Named, E>(
    name: &str,
    catalogue: Vec<E>,
    called: impl Fn(&E) -> &'static str,
) -> Result<E, UnknownSolver> {
    let wanted = find::<T>(name)?.called();
    catalogue.into_iter().find(|e| called(e) == wanted).ok_or_else(|| unknown::<T>(name))
}

/// A name, or a table of one name and its options.
pub fn read<T: Named>(given: Value) -> Result<T, String> {
    let table = match given {
        Value::String(name) => return find(&name).map_err(|e| e.to_string()),
        Value::Object(table) => table,
        other => return Err(format!("{other} is not the name of a {}, nor a table with it and its options", T::WHAT)),
    };
    let mut entries = table.into_iter();
    match (entries.next(), entries.next()) {
        (None, _) => Err(format!("an empty table names no {}", T::WHAT)),
        (Some(_), Some(_)) => Err(format!("one {} at a time", T::WHAT)),
        (Some((name, options)), None) => {
            let spec = find(&name).map_err(|e| e.to_string())?;
            match options {
                Value::Object(options) => with_options(spec, options),
                other => Err(format!("the options of {name} are no table: {other}")),
            }
        }
    }
}

/// The options overwritten by what is given; unknown ones, wrong ones and those out of their range are refused by name.
pub fn with_options<T: Named>(mut spec: T, given: Map<String, Value>) -> Result<T, String> {
    let name = spec.called();
    let before = options_of(&spec);
    let options = overwrite(name, before.clone(), given, &mut |options| spec.set_options(options))?;
    match fault(name, &Value::Object(options), &Value::Object(before), spec.ranges()) {
        None => Ok(spec),
        Some(fault) => Err(fault),
    }
}

/// Overwrites options one by one, so that whoever refuses them is known to refuse the last; returns all of them.
pub fn overwrite(
    what: &str,
    mut options: Map<String, Value>,
    given: Map<String, Value>,
    read: &mut dyn FnMut(Value) -> serde_json::Result<()>,
) -> Result<Map<String, Value>, String> {
    for (key, value) in given {
        let Some(before) = options.get(&key) else { return Err(unknown_option(what, &key, &options)) };
        let value = fitting(before, value);
        options = assign(options, &key, value, read).map_err(|e| wrong(&key, what, &e))?;
    }
    Ok(options)
}

/// What is wrong with the options, however they were made.
pub fn fault_of<T: Named>(spec: &T) -> Option<String> {
    let name = spec.called();
    let defaults = find::<T>(name).map(|d| options_of(&d)).unwrap_or_default();
    fault(name, &Value::Object(options_of(spec)), &Value::Object(defaults), spec.ranges())
}

/// The options as a table; empty where there are none.
pub fn options_of<T: Named>(spec: &T) -> Map<String, Value> {
    match serde_json::to_value(spec) {
        Ok(Value::Object(tagged)) => match tagged.into_iter().next() {
            Some((_, Value::Object(options))) => options,
            _ => Map::new(),
        },
        _ => Map::new(),
    }
}

/// One option more; a word that names a choice with options of its own stands for their defaults.
fn assign(
    mut options: Map<String, Value>,
    key: &str,
    value: Value,
    read: &mut dyn FnMut(Value) -> serde_json::Result<()>,
) -> serde_json::Result<Map<String, Value>> {
    let word = value.as_str().map(String::from);
    options.insert(key.into(), value);
    match (read(Value::Object(options.clone())), word) {
        (Ok(()), _) => Ok(options),
        (Err(e), None) => Err(e),
        (Err(e), Some(word)) => {
            options.insert(key.into(), json!({ word: {} }));
            read(Value::Object(options.clone())).map_err(|_| e)?;
            Ok(options)
        }
    }
}

/// Whole numbers fit where fractions are asked for, and fractions without a fraction where whole numbers are.
fn fitting(default: &Value, value: Value) -> Value {
    match (value.as_i64(), value.as_f64()) {
        (Some(n), _) if default.is_f64() => json!(n as f64),
        (None, Some(x)) if default.is_u64() && x.fract() == 0.0 && (0.0..1e15).contains(&x) => json!(x as u64),
        _ => value,
    }
}

/// The refusal of a key that a thing does not have.
fn unknown_option(what: &str, key: &str, options: &Map<String, Value>) -> String {
    if options.is_empty() {
        return format!("{what} has no options, and no '{key}'");
    }
    let near = nearest(key, options.keys().map(String::as_str));
    let all = options.keys().cloned().collect::<Vec<_>>().join(", ");
    format!("{what} has no option '{key}'; did you mean '{near}'? All: {all}")
}

/// The refusal of a value of the wrong kind.
fn wrong(key: &str, what: &str, error: &serde_json::Error) -> String {
    format!("option '{key}' of {what} has a wrong value: {}", plain(&error.to_string()))
}

/// serde's words without Rust's types, and with the nearest valid word where it lists some.
fn plain(error: &str) -> String {
    let mut quoted = error.split('`').skip(1).step_by(2);
    if let (true, Some(word)) = (error.starts_with("unknown "), quoted.next()) {
        return match nearest(word, quoted) {
            "" => error.into(),
            near => format!("{error}; did you mean '{near}'?"),
        };
    }
    let Some((given, expected)) = error.rsplit_once(", expected ") else { return error.into() };
    let expected = match expected {
        "f64" => "a number",
        "usize" | "u64" | "u32" | "u16" => "a whole number, 0 or more",
        "a boolean" => "true or false",
        other => other,
    };
    // what JSON has no number for came as a word
    let given = match given {
        "invalid type: string \"NaN\"" => "NaN",
        "invalid type: string \"inf\"" => "inf",
        "invalid type: string \"-inf\"" => "-inf",
        other => other,
    };
    format!("{given}, expected {expected}")
}

/// A value of any format as JSON; numbers that JSON does not know become words, which no option takes.
pub fn given<'de, D: Deserializer<'de>>(from: D) -> Result<Value, D::Error> {
    Given::deserialize(from).map(|g| g.0)
}

/// The same for what implements [`Deserialize`].
pub fn deserialize<'de, T: Named, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
    read(given(from)?).map_err(D::Error::custom)
}

/// A JSON value that keeps what is not finite visible.
struct Given(Value);

impl<'de> Deserialize<'de> for Given {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(GivenVisitor).map(Self)
    }
}

struct GivenVisitor;

impl<'de> Visitor<'de> for GivenVisitor {
    type Value = Value;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a name, or a table with a name and its options")
    }

    fn visit_bool<E>(self, x: bool) -> Result<Value, E> {
        Ok(json!(x))
    }

    fn visit_i64<E>(self, x: i64) -> Result<Value, E> {
        Ok(json!(x))
    }

    fn visit_u64<E>(self, x: u64) -> Result<Value, E> {
        Ok(json!(x))
    }

    fn visit_f64<E>(self, x: f64) -> Result<Value, E> {
        Ok(if x.is_finite() { json!(x) } else { json!(x.to_string()) })
    }

    fn visit_str<E>(self, x: &str) -> Result<Value, E> {
        Ok(json!(x))
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_none<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_some<D: Deserializer<'de>>(self, from: D) -> Result<Value, D::Error> {
        given(from)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut all = Vec::new();
        while let Some(Given(x)) = list.next_element()? {
            all.push(x);
        }
        Ok(Value::Array(all))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Value, A::Error> {
        let mut table = Map::new();
        while let Some((key, Given(x))) = map.next_entry::<String, Given>()? {
            if table.insert(key.clone(), x).is_some() {
                return Err(A::Error::custom(format!("'{key}' is given twice")));
            }
        }
        Ok(Value::Object(table))
    }
}

/// A choice among words, some with options of their own: each as it is written by default, with its documentation.
pub fn choices<T>() -> Vec<(Value, &'static str)>
where
    T: Serialize + DeserializeOwned + documented::DocumentedFields,
{
    let all = T::FIELD_NAMES.iter().zip(T::FIELD_DOCS);
    all.filter_map(|(name, doc)| {
        let word = snake_case(name);
        let value: T =
            serde_json::from_value(json!(word)).or_else(|_| serde_json::from_value(json!({ word: {} }))).ok()?;
        Some((serde_json::to_value(value).ok()?, *doc))
    })
    .collect()
}

/// `HanSun` as serde writes it: `han_sun`.
fn snake_case(name: &str) -> String {
    let mut out = String::new();
    for c in name.chars() {
        if c.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(c.to_lowercase());
    }
    out
}
