//! The experiments, and where they are run.

use super::page::Page;
use super::{a_fig4, a_table1, a_table2, a_table3, b_drum, c_brazil_nut, c_packing, c_wall, d_profiles};
use anyhow::{Result, bail};
use std::path::PathBuf;
use stickslip::contact::solvers::catalog::nearest;

/// A table or figure of a paper.
pub trait Experiment: Sync {
    /// Its name on the command line: the key of the paper, a dot, what it is.
    fn name(&self) -> &'static str;
    /// What it shows, in a line.
    fn what(&self) -> &'static str;
    /// Whether its simulations may end at another time.
    fn may_end(&self) -> bool {
        false
    }
    /// Runs what is missing; nothing when the user interrupted it.
    fn run(&self, job: &Job) -> Result<Option<Page>>;
}

/// Where and how an experiment is run.
pub struct Job {
    /// The name of the experiment, for the progress bar.
    pub name: &'static str,
    /// The folder of its runs.
    pub folder: PathBuf,
    /// The small version.
    pub quick: bool,
    /// No progress bar.
    pub quiet: bool,
    /// When simulations end (s), where that is not the paper's.
    pub until: Option<f64>,
    /// A folder of FCLIB files for the profiles.
    pub problems: Option<PathBuf>,
}

impl Job {
    /// The first for the small version, the second for that of the paper.
    pub fn pick<T>(&self, quick: T, full: T) -> T {
        if self.quick { quick } else { full }
    }

    /// When simulations end (s): as asked, or that of the small version, or the paper's.
    pub fn end(&self, quick: f64, full: f64) -> f64 {
        self.until.unwrap_or(self.pick(quick, full))
    }
}

/// All of them, in the order of the papers.
pub static ALL: [&dyn Experiment; 9] = [
    &a_table1::Table1,
    &a_table2::Table2,
    &a_table3::Table3,
    &a_fig4::Fig4,
    &b_drum::Drum,
    &c_packing::Packing,
    &c_brazil_nut::BrazilNut,
    &c_wall::Wall,
    &d_profiles::Profiles,
];

/// The experiments that a word means: one by its name, or all of a paper by its letter.
pub fn select(word: &str) -> Result<Vec<&'static dyn Experiment>> {
    let of_paper = |e: &&&dyn Experiment| e.name().split('.').next() == Some(word);
    let chosen: Vec<_> = ALL.iter().filter(|e| e.name() == word || of_paper(e)).copied().collect();
    if chosen.is_empty() {
        let lower = word.to_lowercase();
        let right = nearest(&lower, ALL.iter().map(|e| e.name()));
        bail!("there is no experiment '{word}'; did you mean '{right}'? 'stickslip reproduce' lists them");
    }
    Ok(chosen)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_letters_select() {
        assert_eq!(select("A.table2").unwrap().len(), 1);
        assert_eq!(select("A").unwrap().len(), 4);
        for (wrong, right) in [("A.tabel2", "A.table2"), ("a.fig4", "A.fig4"), ("", "A.fig4")] {
            let said = select(wrong).err().unwrap().to_string();
            assert!(said.contains(&format!("'{right}'")), "{said}");
        }
    }
}
