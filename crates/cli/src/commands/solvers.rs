//! `stickslip solvers`.

use crate::Outcome;
use anyhow::Result;
use stickslip::contact::solvers::SolverSpec;

/// List the solvers, or explain one.
#[derive(clap::Args)]
pub struct Arguments {
    /// A solver to explain
    name: Option<String>,
}

/// Prints the catalogue or one entry of it.
pub fn run(a: Arguments) -> Result<Outcome> {
    match a.name {
        None => {
            for s in SolverSpec::catalogue() {
                crate::say!("{:8} {}\n         {}", s.name, s.summary, s.field);
            }
            crate::say!("\n'stickslip solvers NAME' explains one with its options.");
        }
        Some(name) => {
            let s = SolverSpec::named(&name)?;
            crate::say!("{}: {}\n  use        {}\n  reference  {}\n  options", s.name, s.summary, s.field, s.reference);
            if let Some((_, options)) = serde_json::to_value(&s.spec)?.as_object().and_then(|o| o.iter().next())
                && let Some(table) = options.as_object()
            {
                for (key, value) in table {
                    crate::say!("    {key:12} default {value}");
                }
            }
            crate::say!("  example    stickslip solve FILE --solver '{}{{omega=1.2,order=\"symmetric\"}}'", s.name);
        }
    }
    Ok(Outcome::Done)
}
