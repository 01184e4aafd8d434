//! The results as one self-contained HTML page.

use super::chart::escape;
use super::figures::Picture;
use super::record::Record;
use super::summary::{Section, Summary, VERDICTS, is_relaxation, labels, rows_of};
use super::table::{self, Digits};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// What the page says of the circumstances.
pub struct Circumstances {
    /// Lines of (what, value).
    pub facts: Vec<(String, String)>,
    /// A warning when cells are missing.
    pub incomplete: Option<String>,
}

/// How pages look.
pub const CSS: &str = "
:root{color-scheme:light dark;--ink:#1a1a1a;--soft:#555;--sheet:#fff;--line:#ddd;--head:#f4f5f7;--good:#00664b;--bad:#a33b00}
@media (prefers-color-scheme:dark){:root{--ink:#e8e8e8;--soft:#aaa;--sheet:#15181c;--line:#333;--head:#1e2228;--good:#4cc79f;--bad:#ff9d66}}
body{font:16px/1.5 system-ui,Helvetica,Arial,sans-serif;color:var(--ink);background:var(--sheet);max-width:1320px;margin:2rem auto;padding:0 1.2rem}
h1{margin-bottom:.2rem}h2{margin-top:2.4rem;border-bottom:1px solid var(--line)}h3{margin-bottom:.3rem}
p.note,figcaption{color:var(--soft);max-width:60rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:14px;margin:.6rem 0}
th,td{padding:.22rem .6rem;text-align:right;border-bottom:1px solid var(--line);white-space:nowrap}
th{background:var(--head);cursor:pointer;position:sticky;top:0}th:first-child,td:first-child{text-align:left}
td.best{color:var(--good);font-weight:600}td.failed{color:var(--bad)}
.wide{overflow:auto;max-height:80vh}figure{margin:1rem 0}figure svg{max-width:100%;height:auto}
.warn{border-left:4px solid var(--bad);padding:.3rem .8rem}dl{display:grid;grid-template-columns:max-content auto;gap:.1rem 1rem}dt{color:var(--soft)}dd{margin:0}
";

/// Sorts a table by the column whose heading is clicked; cells without a number go last.
const SCRIPT: &str = "
for (const head of document.querySelectorAll('th')) head.onclick = () => {
  const table = head.closest('table'), body = table.tBodies[0], k = [...head.parentNode.children].indexOf(head);
  const up = table.dataset.by == k ? -1 : 1; table.dataset.by = up == 1 ? k : '';
  const value = row => { const c = row.cells[k], v = c.dataset.v ?? c.textContent; return v === '' || isNaN(v) ? v : +v; };
  const rows = [...body.rows].sort((a, b) => { const x = value(a), y = value(b);
    if (typeof x === typeof y) return up * (x < y ? -1 : x > y ? 1 : 0); return typeof x === 'number' ? -1 : 1; });
  body.append(...rows);
};
";

/// The page.
pub fn html(circumstances: &Circumstances, summary: &Summary, pictures: &[Picture], rows: &[Record]) -> String {
    let mut out = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width,initial-scale=1\"><title>stickslip bench</title><style>{CSS}</style></head><body>\n\
         <h1>stickslip bench</h1>\n<p class=\"note\">Every answer, whoever computed it, is judged by one certificate that is \
         recomputed from its impulses. Times are CPU seconds of the fastest repetition; assembly and factorisation are in \
         them, reading the file is not. A cold solve starts from zero, a warm one from the answer to the problem with q \
         changed by one per cent. Click a heading to sort.</p>\n<dl>"
    );
    for (what, value) in &circumstances.facts {
        _ = write!(out, "<dt>{}</dt><dd>{}</dd>", escape(what), escape(value));
    }
    out += "</dl>\n";
    if let Some(warning) = &circumstances.incomplete {
        _ = writeln!(out, "<p class=\"warn\">{}</p>", escape(warning));
    }
    out += "<h2>Summary</h2>\n";
    summary.sections.iter().for_each(|s| section(&mut out, s));
    out += "<h2>Pictures</h2>\n";
    for p in pictures {
        out += &figure(p);
    }
    out += "<h2>Every cell</h2>\n<p class=\"note\">CPU seconds; the fastest of a row is green, a failure tells its kind. \
            Solvers of the convex relaxation solve another law and are ranked nowhere.</p>\n";
    for s in &summary.sections {
        cells(&mut out, s, &rows_of(rows, s.start, s.tol), &labels(rows));
    }
    _ = writeln!(out, "<script>{SCRIPT}</script></body></html>");
    out
}

/// A picture with its heading and caption.
pub fn figure(p: &Picture) -> String {
    format!(
        "<h3>{}</h3><figure id=\"{}\">{}<figcaption>{}</figcaption></figure>\n",
        escape(&p.heading),
        escape(&p.name),
        p.svg,
        escape(&p.caption)
    )
}

fn section(out: &mut String, s: &Section) {
    _ = write!(
        out,
        "<h3>{} start, tolerance {:e}</h3>\n<div class=\"wide\"><table><thead><tr><th>solver</th>",
        s.start.name(),
        s.tol
    );
    VERDICTS.iter().for_each(|(_, name)| _ = write!(out, "<th>{name}</th>"));
    _ = write!(
        out,
        "<th>mean time on {} common</th><th>time over auto</th><th>on</th><th>growth n^a</th><th>remark</th></tr></thead><tbody>",
        s.common
    );
    for l in &s.solvers {
        _ = write!(out, "<tr><td>{}</td>", escape(&l.solver));
        l.verdicts.iter().for_each(|n| _ = write!(out, "<td>{n}</td>"));
        let mean =
            l.mean_common.map_or("<td></td>".into(), |t| format!("<td data-v=\"{t:e}\">{}</td>", table::seconds(t)));
        let over = l.over_auto.map_or(String::new(), |x| format!("{:.3}", Digits(x)));
        let growth = l.growth.map_or("<td></td>".into(), |g| {
            format!("<td data-v=\"{}\">{:.2} ± {:.2}</td>", g.exponent, g.exponent, g.deviation)
        });
        _ = write!(out, "{mean}<td>{over}</td><td>{}</td>{growth}<td>{}</td></tr>", l.with_auto, escape(l.remark));
    }
    out.push_str("</tbody></table></div>\n<ul>");
    table::comparisons(s).iter().for_each(|line| _ = write!(out, "<li>{}</li>", escape(line)));
    out.push_str("</ul>\n");
}

fn cells(out: &mut String, s: &Section, rows: &[&Record], labels: &[String]) {
    let mut by_file: BTreeMap<&str, BTreeMap<&str, &Record>> = BTreeMap::new();
    for row in rows {
        by_file.entry(&row.file).or_default().insert(&row.solver, row);
    }
    _ = write!(
        out,
        "<details><summary>{} start, tolerance {:e}</summary><div class=\"wide\"><table><thead><tr><th>problem</th>\
         <th>class</th><th>contacts</th>",
        s.start.name(),
        s.tol
    );
    let mark = |l: &str| if is_relaxation(l) { " (relaxation)" } else { "" };
    labels.iter().for_each(|l| _ = write!(out, "<th>{}{}</th>", escape(l), mark(l)));
    out.push_str("</tr></thead><tbody>");
    for (file, row) in by_file {
        let Some(any) = row.values().next() else { continue };
        _ = write!(out, "<tr><td>{}</td><td>{}</td><td>{}</td>", escape(file), escape(&any.class), any.contacts);
        let ranked = row.values().filter(|r| !is_relaxation(&r.solver));
        let best = ranked.filter_map(|r| r.time()).min_by(f64::total_cmp);
        for label in labels {
            _ = match row.get(label.as_str()) {
                None => write!(out, "<td></td>"),
                Some(r) => match r.time() {
                    Some(t) => {
                        let class = if Some(t) == best && !is_relaxation(label) { " class=\"best\"" } else { "" };
                        write!(out, "<td{class} data-v=\"{t:e}\">{}</td>", table::seconds(t))
                    }
                    None => {
                        let name = VERDICTS[r.verdict as usize].1;
                        write!(out, "<td class=\"failed\" title=\"{}\">{name}</td>", escape(&r.note))
                    }
                },
            };
        }
        out.push_str("</tr>");
    }
    out.push_str("</tbody></table></div></details>\n");
}

#[cfg(test)]
mod tests {
    use super::super::figures::pictures;
    use super::super::record::tests::row;
    use super::*;

    #[test]
    fn the_page_stands_alone_and_escapes_what_it_is_given() {
        let mut rows = Vec::new();
        for k in 1..=4 {
            rows.push(row(&format!("wall{k}"), 10usize.pow(k), "auto", 1e-4, Some(1e-3 * f64::from(k))));
            rows.push(row(&format!("wall{k}"), 10usize.pow(k), "<b>{x=\"1\"}", 1e-4, None));
            rows.push(row(&format!("wall{k}"), 10usize.pow(k), "siconos:nsgs", 1e-4, Some(2e-3)));
        }
        let c = Circumstances { facts: vec![("a".into(), "<b>".into())], incomplete: Some("some & more".into()) };
        let drawn = pictures(&rows, 8.0);
        assert!(drawn.iter().all(|p| !p.svg.contains("NaN") && !p.svg.contains("inf")));
        let page = html(&c, &Summary::new(&rows), &drawn, &rows);
        assert!(!page.contains("<b>") && page.contains("&lt;b&gt;") && page.contains("some &amp; more"));
        for outside in ["src=", "href=", "@import", "url("] {
            assert!(!page.contains(outside), "{outside}");
        }
        assert_eq!((drawn.len(), page.matches("<svg").count()), (6, 6));
        for tag in ["table", "tr", "td", "figure", "details", "div"] {
            let open = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
            assert_eq!(open, page.matches(&format!("</{tag}>")).count(), "{tag}");
        }
    }

    #[test]
    fn a_relaxation_is_marked_and_never_green() {
        let rows = [
            row("wall", 50, "auto", 1e-4, Some(2e-3)),
            row("wall", 50, "apgd-relaxation", 1e-4, Some(1e-3)),
            row("wall", 50, "siconos:soclcp", 1e-4, Some(1e-3)),
        ];
        let none = Circumstances { facts: Vec::new(), incomplete: None };
        let page = html(&none, &Summary::new(&rows), &[], &rows);
        assert!(page.contains("<th>apgd-relaxation (relaxation)</th>") && page.contains("not ranked"));
        assert_eq!(page.matches("class=\"best\"").count(), 1);
        assert!(page.contains("class=\"best\" data-v=\"2e-3\""));
    }
}
