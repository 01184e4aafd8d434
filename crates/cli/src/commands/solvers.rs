//! `stickslip solvers`.

use crate::Outcome;
use anyhow::Result;
use serde_json::Value;
use stickslip::contact::lcp::{CataloguedLcp, LcpSolverSpec};
use stickslip::contact::one_contact::OneContactKind;
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
    crate::say!("\nOne contact inside nsgs and psor, as in 'nsgs{{one_contact=\"ac\"}}':");
    for s in OneContactKind::catalogue() {
        crate::say!("  {:16} {}", s.name, s.summary);
    }
    crate::say!("\nLinear complementarity problems:");
    for s in LcpSolverSpec::catalogue() {
        crate::say!("  {:18} {}\n  {:18} {}", s.name, s.summary, "", s.field);
    }
    crate::say!("\n'stickslip solvers NAME' explains one with its options.");
}

/// Explains every entry of that name; an unknown one gets the nearest.
fn explain(name: &str) -> Result<()> {
    let contact = SolverSpec::named(name);
    let (one, lcp) = (OneContactKind::catalogue().into_iter().find(|s| s.name == name), LcpSolverSpec::named(name));
    if let Ok(s) = &contact {
        explain_contact(s)?;
    }
    if let Some(s) = &one {
        crate::say!("{}: {}\n  use        inside nsgs and psor\n  reference  {}", s.name, s.summary, s.reference);
        let docs: Vec<_> =
            s.options.iter().flat_map(|(names, docs)| names.iter().copied().zip(docs.iter().copied())).collect();
        options(&docs, &serde_json::to_value(s.kind)?[name]);
        crate::say!("  example    stickslip solve FILE --solver 'nsgs{{one_contact=\"{name}\"}}'");
    }
    if let Ok(s) = &lcp {
        explain_lcp(s)?;
    }
    match (one, lcp) {
        (None, Err(_)) => contact.map(|_| ()).map_err(Into::into),
        _ => Ok(()),
    }
}

fn explain_contact(s: &Catalogued) -> Result<()> {
    crate::say!("{}: {}\n  use        {}\n  reference  {}", s.name, s.summary, s.field, s.reference);
    let value = serde_json::to_value(&s.spec)?;
    options(&s.spec.option_docs(), &value[s.name]);
    let first = s.spec.option_docs().first().map(|(key, _)| (*key, &value[s.name][key]));
    let example = match first {
        _ if matches!(s.spec, SolverSpec::Nsgs(_) | SolverSpec::Psor(_)) => "{omega=1.2,order=\"symmetric\"}".into(),
        Some((key, value)) if !value.is_null() => format!("{{{key}={}}}", written(value)),
        _ => String::new(),
    };
    crate::say!("  example    stickslip solve FILE --solver '{}{example}'", s.name);
    if matches!(s.spec, SolverSpec::Nsgs(_) | SolverSpec::Psor(_)) {
        crate::say!("  one_contact takes one of these, alone or with options as in {{sbp={{relative=0.5}}}}:");
        for one in OneContactKind::catalogue() {
            crate::say!("    {:14} {}", one.name, one.summary);
        }
    }
    Ok(())
}

fn explain_lcp(s: &CataloguedLcp) -> Result<()> {
    let (name, summary) = (s.name, s.summary);
    crate::say!("{name} (linear complementarity): {summary}\n  use        {}\n  reference  {}", s.field, s.reference);
    options(&s.spec.option_docs(), &serde_json::to_value(&s.spec)?[name]);
    crate::say!(
        "  note       --tol and --max-iter of 'stickslip solve' hold here too; an option given by name goes before them"
    );
    crate::say!("  example    stickslip solve PROBLEM.dat --solver {name}");
    Ok(())
}

/// Each option with its default and what it means.
fn options(docs: &[(&str, &str)], defaults: &Value) {
    if docs.is_empty() {
        crate::say!("  options    none");
        return;
    }
    crate::say!("  options");
    for (key, doc) in docs {
        let default = written(&defaults[key]);
        crate::say!("    {key:14} default {default}");
        for line in doc.lines().filter(|l| !l.trim().is_empty()) {
            crate::say!("    {:14} {}", "", line.trim());
        }
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
