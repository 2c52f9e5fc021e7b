//! Labelled values, numbers and tables.

use super::fonts::Weight;
use super::paper::{Kind, LEFT, RIGHT};
use super::setter::{INK, LABEL, NOTE, PLAIN, QUIET, RULE, SMALL, Setter, Style};

const WIDTH: f32 = RIGHT - LEFT;

/// Labels on the left, values on the right.
pub(super) fn rows(setter: &mut Setter<'_>, rows: &[(String, Vec<String>)]) {
    const LABELS: f32 = 112.0;
    setter.group(Kind::Table, |setter| {
        for (label, values) in rows {
            let label = setter.lines(label, LABEL, LABELS - 8.0);
            let values: Vec<Vec<String>> =
                values.iter().map(|value| setter.lines(value, PLAIN, WIDTH - LABELS)).collect();
            let count = values.iter().map(Vec::len).sum::<usize>().max(label.len());
            setter.room(count as f32 * PLAIN.height());
            let top = setter.y;
            setter.group(Kind::Row, |setter| {
                column(setter, Kind::RowHeading, vec![label], LABEL, LEFT);
                let below = std::mem::replace(&mut setter.y, top);
                column(setter, Kind::Cell, values, PLAIN, LEFT + LABELS);
                setter.y = setter.y.max(below);
            });
            setter.space(2.5);
        }
    });
    setter.space(6.0);
}

/// The paragraphs of one cell, from the present height downwards. A single one is the cell itself.
fn column(setter: &mut Setter<'_>, kind: Kind, paragraphs: Vec<Vec<String>>, style: Style, x: f32) {
    let single = paragraphs.len() == 1;
    setter.group(kind, |setter| {
        for lines in paragraphs {
            if single {
                column_lines(setter, lines, style, x);
            } else {
                setter.group(Kind::Paragraph, |setter| column_lines(setter, lines, style, x));
            }
        }
    });
}

fn column_lines(setter: &mut Setter<'_>, lines: Vec<String>, style: Style, x: f32) {
    for line in lines {
        setter.line(line, style, x, setter.y);
        setter.space(style.height());
    }
}

/// Numbers in a row of boxes, each under its label: a table of one row.
pub(super) fn counts(setter: &mut Setter<'_>, counts: &[(String, String)]) {
    const GAP: f32 = 6.0;
    const HEIGHT: f32 = 40.0;
    let width = (WIDTH + GAP) / counts.len().max(1) as f32;
    let number = Style { size: 15.0, weight: Weight::Bold, colour: INK };
    setter.room(HEIGHT);
    let top = setter.y;
    let left = |at: usize| LEFT + at as f32 * width;
    for at in 0..counts.len() {
        setter.area(left(at), top, width - GAP, HEIGHT, (0xf3, 0xf5, 0xf7));
    }
    setter.group(Kind::Table, |setter| {
        setter.group(Kind::Row, |setter| {
            for (at, (label, _)) in counts.iter().enumerate() {
                let line = setter.lines(label, NOTE, width - GAP - 14.0).into_iter().next().unwrap_or_default();
                setter.group(Kind::ColumnHeading, |setter| setter.line(line, NOTE, left(at) + 8.0, top + 24.0));
            }
        });
        setter.group(Kind::Row, |setter| {
            for (at, (_, count)) in counts.iter().enumerate() {
                let line = setter.fonts.settable(count);
                setter.group(Kind::Cell, |setter| setter.line(line, number, left(at) + 8.0, top + 4.0));
            }
        });
    });
    setter.y = top + HEIGHT;
    setter.space(8.0);
}

const CELL: Style = Style { size: SMALL, weight: Weight::Regular, colour: INK };
const HEADING: Style = Style { size: SMALL, weight: Weight::Bold, colour: QUIET };
const GAP: f32 = 10.0;
const PADDING: f32 = 3.0;

/// A table with headed columns. A row stays together; after a new page the headings are drawn again, as ornaments.
pub(super) fn table(setter: &mut Setter<'_>, columns: &[(String, f32)], rows: &[Vec<Vec<String>>]) {
    let mut at = LEFT;
    let mut places = vec![];
    for (_, share) in columns {
        places.push((at, share * WIDTH - GAP));
        at += share * WIDTH;
    }
    let headings: Vec<Vec<String>> =
        columns.iter().zip(&places).map(|((heading, _), (_, width))| setter.lines(heading, HEADING, *width)).collect();
    let height = headings.iter().map(Vec::len).max().unwrap_or(0) as f32 * HEADING.height() + 2.0 * PADDING;
    let rows: Vec<Vec<Vec<Vec<String>>>> = rows.iter().map(|row| broken(setter, row, &places)).collect();
    setter.room(height + rows.first().map_or(0.0, |row| row_height(row)));
    setter.group(Kind::Table, |setter| {
        setter.group(Kind::Row, |setter| {
            let top = setter.y;
            for (lines, (x, _)) in headings.iter().zip(&places) {
                setter.y = top + PADDING;
                column(setter, Kind::ColumnHeading, vec![lines.clone()], HEADING, *x);
            }
            setter.y = top;
        });
        under(setter, height);
        for row in rows {
            let height_of_row = row_height(&row);
            if setter.room(height_of_row) {
                again(setter, &headings, &places, height);
            }
            setter.group(Kind::Row, |setter| {
                let top = setter.y;
                for (at, (cell, (x, _))) in row.into_iter().zip(&places).enumerate() {
                    setter.y = top + PADDING;
                    let kind = if at == 0 { Kind::RowHeading } else { Kind::Cell };
                    column(setter, kind, cell, CELL, *x);
                }
                setter.y = top;
            });
            under(setter, height_of_row);
        }
    });
    setter.space(6.0);
}

/// The lines of every cell of a row, each cell as one paragraph. Its parts end in a space, so that they are read as
/// words of their own.
fn broken(setter: &Setter<'_>, row: &[Vec<String>], places: &[(f32, f32)]) -> Vec<Vec<Vec<String>>> {
    let cell = |parts: &Vec<String>, width: f32| {
        let mut lines = vec![];
        for part in parts {
            if let Some(before) = lines.last_mut() {
                String::push(before, ' ');
            }
            lines.extend(setter.lines(part, CELL, width));
        }
        vec![lines]
    };
    row.iter().zip(places).map(|(parts, (_, width))| cell(parts, *width)).collect()
}

fn row_height(row: &[Vec<Vec<String>>]) -> f32 {
    let lines = row.iter().map(|cell| cell.iter().map(Vec::len).sum::<usize>()).max().unwrap_or(0);
    lines as f32 * CELL.height() + 2.0 * PADDING
}

/// Ends a row with a thin line.
fn under(setter: &mut Setter<'_>, height: f32) {
    setter.space(height);
    setter.area(LEFT, setter.y - 0.25, WIDTH, 0.5, RULE);
}

/// The headings on a further page, which the structure has already.
fn again(setter: &mut Setter<'_>, headings: &[Vec<String>], places: &[(f32, f32)], height: f32) {
    use super::paper::Ink;
    use super::setter::RISE;
    for (lines, (x, _)) in headings.iter().zip(places) {
        for (at, line) in lines.iter().enumerate() {
            let y = setter.y + PADDING + at as f32 * HEADING.height() + HEADING.size * RISE;
            let Style { size, weight, colour } = HEADING;
            setter.draw(Ink::Text { x: *x, y, size, weight, colour, text: line.clone() }, None);
        }
    }
    under(setter, height);
}
