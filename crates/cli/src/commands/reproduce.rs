//! `stickslip reproduce`.

use crate::reproduce::experiment::{ALL, Experiment, Job, select};
use crate::{Outcome, interrupt};
use anyhow::{Context, Result, bail};
use std::path::{Path, PathBuf};

/// Run the experiments of the papers, with their figures beside ours.
#[derive(clap::Args)]
pub struct Arguments {
    /// The experiment, such as A.table2, or a paper by its letter; without one, all are listed
    name: Option<String>,
    /// A small version that takes seconds
    #[arg(long)]
    quick: bool,
    /// The folder for page, CSV and runs; an experiment that was interrupted goes on there
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// End the simulations at this time (s) in place of the paper's; for B and C
    #[arg(long, value_name = "S", value_parser = super::solve::positive, allow_negative_numbers = true)]
    until: Option<f64>,
    /// A folder of FCLIB files for D.profiles, in place of problems that the simulator makes
    #[arg(long, value_name = "DIR")]
    problems: Option<PathBuf>,
    /// No progress bar
    #[arg(long, short)]
    quiet: bool,
}

/// Lists the experiments, or runs what was asked for.
pub fn run(a: Arguments) -> Result<Outcome> {
    let Some(name) = &a.name else {
        let wide = ALL.iter().map(|e| e.name().len()).max().unwrap_or(0);
        ALL.iter().for_each(|e| crate::say!("{:wide$}  {}", e.name(), e.what()));
        return Ok(Outcome::Done);
    };
    let chosen = select(name)?;
    if let Some(fixed) = chosen.iter().find(|e| a.until.is_some() && !e.may_end()) {
        bail!("{} is counted in steps of the paper: it has no --until", fixed.name());
    }
    let Some(out) = &a.out else { bail!("say where to write with --out DIR") };
    interrupt::listen();
    for experiment in chosen {
        if one(&a, experiment, out)? == Outcome::Interrupted {
            return Ok(Outcome::Interrupted);
        }
    }
    Ok(Outcome::Done)
}

fn one(a: &Arguments, experiment: &dyn Experiment, out: &Path) -> Result<Outcome> {
    let name = experiment.name();
    let stem = if a.quick { format!("{name}-quick") } else { name.to_string() };
    let (folder, problems) = (out.join(&stem), a.problems.clone());
    let job = Job { name, folder, quick: a.quick, quiet: a.quiet, until: a.until, problems };
    let Some(mut page) = experiment.run(&job).with_context(|| name)? else {
        eprintln!("interrupted; the same command goes on from here");
        return Ok(Outcome::Interrupted);
    };
    if !a.quick {
        page.quick = a.until.map(|t| format!("its simulations end at {t} s"));
    }
    let write = |ending: &str, text: String| {
        let path = out.join(format!("{stem}.{ending}"));
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display())).map(|()| path)
    };
    write("csv", page.csv()?)?;
    let path = write("html", page.html())?;
    crate::say!("{}\nthe page is {}", page.text(), path.display());
    Ok(Outcome::Done)
}
