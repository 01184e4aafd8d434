//! What an experiment came to: one self-contained page, a CSV, and a text for the terminal.

use crate::bench::chart::escape;
use crate::bench::figures::Picture;
use crate::bench::page::{CSS, figure};
use crate::bench::table::Digits;
use anyhow::{Context, Result};
use std::fmt::Write as _;

/// A cell of a table.
#[derive(Debug, Clone, PartialEq)]
pub enum Cell {
    /// Words.
    Text(String),
    /// A number; shown with three digits, stored with all.
    Number(f64),
    /// A number of things.
    Count(u64),
    /// Nothing: the paper does not say, or it was not run.
    None,
}

impl Cell {
    /// How it is shown.
    fn shown(&self) -> String {
        match self {
            Cell::Text(t) => t.clone(),
            Cell::Number(x) if *x != 0.0 && (x.abs() < 1e-3 || x.abs() >= 1e5) => format!("{x:.2e}"),
            Cell::Number(x) => format!("{:.3}", Digits(*x)),
            Cell::Count(n) => n.to_string(),
            Cell::None => "–".into(),
        }
    }

    /// How it is stored.
    fn stored(&self) -> String {
        match self {
            Cell::Number(x) => format!("{x:e}"),
            Cell::None => String::new(),
            other => other.shown(),
        }
    }
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Cell::Text(text.into())
    }
}

impl From<f64> for Cell {
    fn from(x: f64) -> Self {
        Cell::Number(x)
    }
}

/// The figures of the paper beside ours.
#[derive(Debug, Clone, Default)]
pub struct Table {
    /// Its columns.
    pub head: Vec<&'static str>,
    /// Its rows.
    pub rows: Vec<Vec<Cell>>,
}

/// A parameter that the paper leaves open.
pub struct Choice {
    /// Which.
    pub what: &'static str,
    /// What was taken, and why.
    pub taken: String,
}

/// A page about one experiment.
#[derive(Default)]
pub struct Page {
    /// What is shown.
    pub title: String,
    /// The paper with its section.
    pub reference: &'static str,
    /// The experiment in a few sentences.
    pub intro: String,
    /// The figures.
    pub table: Table,
    /// What comes out: what holds, what does not and why.
    pub findings: Vec<String>,
    /// Plots.
    pub pictures: Vec<Picture>,
    /// Pictures of scenes, as HTML figures.
    pub scenes: Vec<String>,
    /// What the paper leaves open.
    pub choices: Vec<Choice>,
    /// How this differs from the whole experiment; nothing when that was run.
    pub quick: Option<String>,
}

const MORE_CSS: &str = "
.scenes{display:grid;grid-template-columns:repeat(auto-fit,minmax(320px,1fr));gap:1rem}.scenes img{width:100%;height:auto}
th,td{white-space:normal}li{max-width:60rem}";

impl Page {
    /// The page.
    pub fn html(&self) -> String {
        let title = escape(&self.title);
        let mut out = format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\"><title>{title}</title><style>{CSS}{MORE_CSS}</style></head>\n\
             <body><h1>{title}</h1>\n<p class=\"note\">{}</p>\n<p>{}</p>\n",
            escape(self.reference),
            escape(&self.intro)
        );
        if let Some(quick) = &self.quick {
            _ = writeln!(out, "<p class=\"warn\">This is not the whole experiment: {}</p>", escape(quick));
        }
        out += "<h2>The paper and this run</h2>\n<div class=\"wide\"><table><thead><tr>";
        self.table.head.iter().for_each(|h| _ = write!(out, "<th>{}</th>", escape(h)));
        out += "</tr></thead><tbody>\n";
        for row in &self.table.rows {
            out += "<tr>";
            row.iter().for_each(|c| _ = write!(out, "<td>{}</td>", escape(&c.shown())));
            out += "</tr>\n";
        }
        out += "</tbody></table></div>\n<ul>";
        self.findings.iter().for_each(|f| _ = write!(out, "<li>{}</li>", escape(f)));
        out += "</ul>\n";
        if !self.scenes.is_empty() {
            _ = writeln!(out, "<div class=\"scenes\">{}</div>", self.scenes.concat());
        }
        for p in &self.pictures {
            out += &figure(p);
        }
        out += "<h2>What the paper leaves open</h2>\n<table><thead><tr><th>parameter</th><th>taken here</th></tr></thead><tbody>\n";
        for c in &self.choices {
            _ = writeln!(
                out,
                "<tr><td>{}</td><td style=\"text-align:left\">{}</td></tr>",
                escape(c.what),
                escape(&c.taken)
            );
        }
        _ = writeln!(
            out,
            "</tbody></table>\n<p class=\"note\">stickslip {}; every scene lies beside this page as a file that \
             `stickslip run` takes, its frames as one that `stickslip view` shows.</p></body></html>",
            env!("CARGO_PKG_VERSION")
        );
        out
    }

    /// The table as CSV.
    pub fn csv(&self) -> Result<String> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(&self.table.head)?;
        for row in &self.table.rows {
            writer.write_record(row.iter().map(Cell::stored))?;
        }
        let bytes = writer.into_inner().context("the table")?;
        Ok(String::from_utf8(bytes)?)
    }

    /// For the terminal.
    pub fn text(&self) -> String {
        let rows: Vec<Vec<String>> = std::iter::once(self.table.head.iter().map(|h| h.to_string()).collect())
            .chain(self.table.rows.iter().map(|r| r.iter().map(Cell::shown).collect()))
            .collect();
        let wide = |k: usize| rows.iter().filter_map(|r| r.get(k)).map(|c| c.chars().count()).max().unwrap_or(0);
        let mut out = format!("{}\n", self.title);
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .enumerate()
                .map(|(k, c)| if k == 0 { format!("{c:w$}", w = wide(k)) } else { format!("{c:>w$}", w = wide(k)) })
                .collect();
            _ = writeln!(out, "  {}", cells.join("  ").trim_end());
        }
        self.findings.iter().for_each(|f| _ = writeln!(out, "  - {f}"));
        if let Some(quick) = &self.quick {
            _ = writeln!(out, "  not the whole experiment: {quick}");
        }
        out
    }
}
