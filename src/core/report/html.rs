//! The report as one HTML page: nothing is loaded, nothing runs, nothing but text comes from the document.

use super::figure::{Figure, Line, Shape};
use super::layout::{Element, Layout, Part};
use super::model::State;
use super::view::Severity;
use std::fmt::{self, Write as _};

/// Writes the page.
pub(super) fn write(layout: &Layout) -> String {
    let mut page = String::new();
    render(layout, &mut page).expect("writing into memory does not fail");
    page
}

fn render(layout: &Layout, out: &mut String) -> fmt::Result {
    // The policy forbids scripts, frames and every address, should a viewer ever find one in the text.
    write!(
        out,
        "<!DOCTYPE html>\n<html lang=\"{}\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"color-scheme\" content=\"light dark\">\n<title>{}</title>\n<style>\n{}</style>\n</head>\n<body>\n<main>\n",
        layout.language,
        Text(&layout.title),
        include_str!("html.css"),
    )?;
    layout.parts.iter().try_for_each(|part| self::part(part, out))?;
    out.write_str("</main>\n</body>\n</html>\n")
}

fn part(part: &Part, out: &mut String) -> fmt::Result {
    match part.state {
        Some(state) => writeln!(out, "<section class=\"{}\">", class(state))?,
        None => out.write_str("<section>\n")?,
    }
    part.elements.iter().try_for_each(|element| self::element(element, out))?;
    out.write_str("</section>\n")
}

fn element(element: &Element, out: &mut String) -> fmt::Result {
    match element {
        Element::Heading(level, text) => writeln!(out, "<h{level}>{}</h{level}>", Text(text)),
        Element::Paragraph(text) => writeln!(out, "<p>{}</p>", Text(text)),
        Element::Verdict { state, sentence, code } => writeln!(
            out,
            "<p class=\"verdict {}\"><span class=\"sign\" aria-hidden=\"true\">{}</span> <strong>{}</strong> <code>{}</code></p>",
            class(*state),
            state.sign(),
            Text(sentence),
            Text(code),
        ),
        Element::Counts(counts) => {
            out.write_str("<dl class=\"counts\">\n")?;
            for (label, number) in counts {
                writeln!(out, "<div><dt>{}</dt><dd>{}</dd></div>", Text(label), Text(number))?;
            }
            out.write_str("</dl>\n")
        }
        Element::Rows(rows) => {
            out.write_str("<dl class=\"rows\">\n")?;
            for (label, values) in rows {
                write!(out, "<dt>{}</dt>", Text(label))?;
                values.iter().try_for_each(|value| write!(out, "<dd>{}</dd>", Text(value)))?;
                out.write_char('\n')?;
            }
            out.write_str("</dl>\n")
        }
        Element::Findings(findings) => {
            out.write_str("<ul class=\"findings\">\n")?;
            for finding in findings {
                let (severity, weight) = (finding.severity, Text(&finding.weight));
                write!(out, "<li class=\"{}\"><b>{weight}</b> {}", weight_class(severity), Text(&finding.sentence))?;
                if !finding.compared.is_empty() {
                    write!(out, " <q>{}</q>", Text(&finding.compared))?;
                }
                writeln!(out, " <code>{}</code></li>", Text(&finding.key))?;
            }
            out.write_str("</ul>\n")
        }
        Element::List(items) => {
            out.write_str("<ul>\n")?;
            items.iter().try_for_each(|item| writeln!(out, "<li>{}</li>", Text(item)))?;
            out.write_str("</ul>\n")
        }
        Element::Figure(figure) => self::figure(figure, out),
        Element::Table { columns, rows } => table(columns, rows, out),
    }
}

fn table(columns: &[(String, f32)], rows: &[Vec<Vec<String>>], out: &mut String) -> fmt::Result {
    out.write_str("<div class=\"scroll\"><table>\n<thead><tr>")?;
    columns.iter().try_for_each(|(heading, _)| write!(out, "<th scope=\"col\">{}</th>", Text(heading)))?;
    out.write_str("</tr></thead>\n<tbody>\n")?;
    for row in rows {
        out.write_str("<tr>")?;
        for (at, cell) in row.iter().enumerate() {
            out.write_str(if at == 0 { "<th scope=\"row\">" } else { "<td>" })?;
            for (at, line) in cell.iter().enumerate() {
                write!(out, "{}{}", if at == 0 { "" } else { "<br>" }, Text(line))?;
            }
            out.write_str(if at == 0 { "</th>" } else { "</td>" })?;
        }
        out.write_str("</tr>\n")?;
    }
    out.write_str("</tbody>\n</table></div>\n")
}

/// The ends of the drawing's axis, and the height of its lines, in units of the drawing.
const LEFT: f32 = 10.0;
const RIGHT: f32 = 710.0;
const LINE: f32 = 30.0;

/// Draws the time line in the page. Its table follows it, so that a reader may skip it.
fn figure(figure: &Figure, out: &mut String) -> fmt::Result {
    let height = LINE * figure.lines.len() as f32 + 24.0;
    let across = |place: f32| LEFT + place * (RIGHT - LEFT);
    writeln!(out, "<svg viewBox=\"0 0 720 {height}\" role=\"img\" aria-label=\"{}\">", Text(&figure.alternative))?;
    for (place, label) in &figure.ticks {
        let x = across(*place);
        writeln!(out, "<path class=\"tick\" d=\"M{x:.1} 0V{:.1}\"/>", height - 18.0)?;
        writeln!(out, "<text class=\"tick\" x=\"{x:.1}\" y=\"{:.1}\">{label}</text>", height - 5.0)?;
    }
    for (at, line) in figure.lines.iter().enumerate() {
        self::line(line, at as f32 * LINE, across, out)?;
    }
    out.write_str("</svg>\n")
}

fn line(line: &Line, top: f32, across: impl Fn(f32) -> f32, out: &mut String) -> fmt::Result {
    let middle = top + 21.0;
    let (x, anchor) = match line.shape {
        Shape::Bar { from, until, .. } => {
            let (start, end) = (across(from), across(until).max(across(from) + 2.0));
            writeln!(
                out,
                "<rect class=\"bar\" x=\"{start:.1}\" y=\"{:.1}\" width=\"{:.1}\" height=\"6\"/>",
                middle - 3.0,
                end - start
            )?;
            (start, from)
        }
        Shape::Mark { at, claimed } => {
            let class = if claimed { "claimed" } else { "mark" };
            let x = across(at);
            writeln!(out, "<path class=\"{class}\" d=\"M{x:.1} {:.1}l6 6l-6 6l-6 -6z\"/>", middle - 6.0)?;
            (x, at)
        }
    };
    // The label stands on the side where there is room.
    let anchor = if anchor > 0.5 { "end" } else { "start" };
    writeln!(out, "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">{}</text>", top + 11.0, Text(&line.label))
}

fn class(state: State) -> &'static str {
    match state {
        State::Valid => "valid",
        State::NotValid => "not-valid",
        State::Undecided => "undecided",
        State::Nothing => "nothing",
    }
}

fn weight_class(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Info => "info",
    }
}

/// Text that the page shows and never obeys.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                c => f.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn no_text_ends_its_element_or_attribute() {
        let shown = super::Text("<b>\"'&amp;</b>").to_string();
        assert_eq!(shown, "&lt;b&gt;&quot;&#39;&amp;amp;&lt;/b&gt;");
    }
}
