//! `stickslip solvers`.

use crate::Outcome;
use anyhow::{Result, anyhow};
use serde_json::{Map, Value};
use stickslip::contact::lcp::{CataloguedLcp, LcpSolverSpec};
use stickslip::contact::named::{Named, options_of};
use stickslip::contact::one_contact::{OneContactEntry, OneContactKind};
use stickslip::contact::range::OptionRange;
use stickslip::contact::solvers::{Catalogued, SolverSpec};

/// List the solvers, or explain one.
#[derive(clap::Args)]
pub struct Arguments {
    /// A solver to explain, or a one-contact solver such as sbp
    name: Option<String>,
}

/// Prints the catalogues or one entry of them.
pub fn run(a: Arguments) -> Result<Outcome> {
    match a.name {
        None => list(),
        Some(name) => explain(&name)?,
    }
    Ok(Outcome::Done)
}

fn list() {
    crate::say!("Contact problems:");
    for s in SolverSpec::catalogue() {
        crate::say!("  {:16} {}\n  {:16} {}", s.name, s.summary, "", s.field);
    }
    crate::say!("\nOne contact inside nsgs, psor and nncg, as in 'nsgs{{one_contact=\"ac\"}}':");
    for s in OneContactKind::catalogue() {
        crate::say!("  {:16} {}\n  {:16} {}", s.name, s.summary, "", s.field);
    }
    crate::say!("\nLinear complementarity problems:");
    for s in LcpSolverSpec::catalogue() {
        crate::say!("  {:18} {}\n  {:18} {}", s.name, s.summary, "", s.field);
    }
    crate::say!("\n'stickslip solvers NAME' explains one with its options.");
}

/// Explains every entry of that name; an unknown one gets the nearest of all catalogues.
fn explain(name: &str) -> Result<()> {
    let (contact, one, lcp) = (SolverSpec::named(name), OneContactKind::named(name), LcpSolverSpec::named(name));
    if let (Err(contact), Err(one), Err(lcp)) = (&contact, &one, &lcp) {
        let ranked = [
            (contact.rank::<SolverSpec>(), contact),
            (one.rank::<OneContactKind>(), one),
            (lcp.rank::<LcpSolverSpec>(), lcp),
        ];
        let nearest = ranked.into_iter().min_by_key(|(rank, _)| *rank);
        return Err(nearest.map_or_else(|| anyhow!("there is no solver '{name}'"), |(_, e)| e.clone().into()));
    }
    if let Ok(s) = &contact {
        explain_contact(s);
    }
    if let Ok(s) = &one {
        explain_one(s);
    }
    if let Ok(s) = &lcp {
        explain_lcp(s);
    }
    Ok(())
}

fn explain_contact(s: &Catalogued) {
    crate::say!("{}: {}\n  use        {}", s.name, s.summary, s.field);
    names_and_source(s.aliases, s.reference);
    let choices = |key: &str| s.spec.option_choices(key);
    let defaults = options_of(&s.spec);
    options(&s.spec.option_docs(), &defaults, s.spec.ranges(), choices);
    let first = s.spec.option_docs().first().and_then(|(key, _)| Some((*key, defaults.get(*key)?)));
    let example = match first {
        _ if matches!(s.spec, SolverSpec::Nsgs(_) | SolverSpec::Psor(_)) => "{omega=1.2,order=\"symmetric\"}".into(),
        Some((key, value)) if !value.is_null() => format!("{{{key}={}}}", written(value)),
        _ => String::new(),
    };
    crate::say!("  example    stickslip solve FILE --solver '{}{example}'", s.name);
    if defaults.contains_key("one_contact") {
        crate::say!("  one_contact takes one of these, alone or with options as in {{sbp={{relative=0.5}}}}:");
        for one in OneContactKind::catalogue() {
            crate::say!("    {:14} {}", one.name, one.summary);
        }
    }
}

fn explain_one(s: &OneContactEntry) {
    let name = s.name;
    crate::say!("{name} (one contact, inside nsgs, psor and nncg): {}\n  use        {}", s.summary, s.field);
    names_and_source(s.aliases, s.reference);
    let docs: Vec<_> =
        s.options.iter().flat_map(|(names, docs)| names.iter().copied().zip(docs.iter().copied())).collect();
    options(&docs, &options_of(&s.kind), s.kind.ranges(), |_| Vec::new());
    crate::say!("  example    stickslip solve FILE --solver 'nsgs{{one_contact=\"{name}\"}}'");
}

fn explain_lcp(s: &CataloguedLcp) {
    let name = s.name;
    crate::say!("{name} (linear complementarity): {}\n  use        {}", s.summary, s.field);
    names_and_source(s.aliases, s.reference);
    options(&s.spec.option_docs(), &options_of(&s.spec), s.spec.ranges(), |_| Vec::new());
    crate::say!(
        "  note       --tol and --max-iter of 'stickslip solve' hold here too; an option given by name goes before them"
    );
    crate::say!("  example    stickslip solve PROBLEM.dat --solver {name}");
}

fn names_and_source(aliases: &[&str], reference: &str) {
    if !aliases.is_empty() {
        crate::say!("  also       {}", aliases.join(", "));
    }
    crate::say!("  reference  {reference}");
}

/// Each option with its default, its range, what it means, and the words that it chooses among.
fn options(
    docs: &[(&str, &str)],
    defaults: &Map<String, Value>,
    ranges: &[OptionRange],
    choices: impl Fn(&str) -> Vec<(Value, &'static str)>,
) {
    if docs.is_empty() {
        crate::say!("  options    none");
        return;
    }
    crate::say!("  options");
    let range = |path: &str| -> Vec<String> {
        ranges.iter().filter(|(other, _)| *other == path).map(|(_, range)| range.to_string()).collect()
    };
    for (key, doc) in docs {
        let default = written(defaults.get(*key).unwrap_or(&Value::Null));
        let values: String = range(key).iter().map(|r| format!(", {r}")).collect();
        crate::say!("    {key:14} default {default}{values}");
        lines(doc, 19);
        for (value, doc) in choices(key) {
            crate::say!("    {:14} {}", "", written(&value));
            lines(doc, 23);
        }
        let inside = format!("{key}.");
        for (path, range) in ranges.iter().filter(|(path, _)| path.starts_with(&inside)) {
            crate::say!("    {:14} {}: {range}", "", &path[inside.len()..]);
        }
    }
}

/// A paragraph of documentation, indented.
fn lines(doc: &str, indent: usize) {
    for line in doc.lines().filter(|l| !l.trim().is_empty()) {
        crate::say!("{:indent$}{}", "", line.trim());
    }
}

/// A value as the option syntax writes it: `{a=1}`.
fn written(value: &Value) -> String {
    match value {
        Value::Null => "none".into(),
        Value::Object(table) => {
            let parts: Vec<String> = table.iter().map(|(k, v)| format!("{k}={}", written(v))).collect();
            format!("{{{}}}", parts.join(","))
        }
        Value::Array(list) => format!("[{}]", list.iter().map(written).collect::<Vec<_>>().join(",")),
        other => other.to_string(),
    }
}
