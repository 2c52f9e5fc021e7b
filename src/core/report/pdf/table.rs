//! Labelled values, numbers and tables.

use super::fonts::Weight;
use super::page_model::{Kind, LEFT, RIGHT};
use super::typesetter::{INK, LABEL, NOTE, PLAIN, QUIET, RULE, SMALL, Style, Typesetter};

const WIDTH: f32 = RIGHT - LEFT;

/// Labels on the left, values on the right. Only a row that is higher than a page goes on on the next.
pub(super) fn rows(typesetter: &mut Typesetter<'_>, rows: &[(String, Vec<String>)]) {
    const LABELS: f32 = 112.0;
    typesetter.group(Kind::Table, |typesetter| {
        for (label, values) in rows {
            let label = typesetter.lines(label, LABEL, LABELS - 8.0);
            let values: Vec<Vec<String>> =
                values.iter().map(|value| typesetter.lines(value, PLAIN, WIDTH - LABELS)).collect();
            let count = values.iter().map(Vec::len).sum::<usize>().max(label.len());
            typesetter.room(count as f32 * PLAIN.height());
            let cells = [(Kind::RowHeading, vec![label], LABEL, LEFT), (Kind::Cell, values, PLAIN, LEFT + LABELS)];
            typesetter.group(Kind::Row, |typesetter| {
                typesetter.beside(cells, |typesetter, (kind, paragraphs, style, x)| {
                    column(typesetter, kind, paragraphs, style, x);
                });
            });
            typesetter.space(2.5);
        }
    });
    typesetter.space(6.0);
}

/// Sets the paragraphs of one cell, from the present height downwards, over pages where need be. A single one is the
/// cell itself.
fn column(typesetter: &mut Typesetter<'_>, kind: Kind, paragraphs: Vec<Vec<String>>, style: Style, x: f32) {
    let single = paragraphs.len() == 1;
    typesetter.group(kind, |typesetter| {
        for lines in paragraphs {
            if single {
                column_lines(typesetter, lines, style, x);
            } else {
                typesetter.group(Kind::Paragraph, |typesetter| column_lines(typesetter, lines, style, x));
            }
        }
    });
}

fn column_lines(typesetter: &mut Typesetter<'_>, lines: Vec<String>, style: Style, x: f32) {
    for line in lines {
        // Heights that were added up in another order differ in their last digits.
        typesetter.room(style.height() - 0.1);
        typesetter.line(line, style, x, typesetter.y);
        typesetter.space(style.height());
    }
}

/// Numbers in a row of boxes, each under its label: a table of one row.
pub(super) fn counts(typesetter: &mut Typesetter<'_>, counts: &[(String, String)]) {
    const GAP: f32 = 6.0;
    const PADDING: f32 = 6.0;
    const LABELS: f32 = 24.0;
    let width = (WIDTH + GAP) / counts.len().max(1) as f32;
    let number = Style { size: 15.0, weight: Weight::Bold, colour: INK };
    let inner = width - GAP - 2.0 * PADDING;
    let labels: Vec<Vec<String>> = counts.iter().map(|(label, _)| typesetter.lines(label, NOTE, inner)).collect();
    let height = LABELS + labels.iter().map(Vec::len).max().unwrap_or(1) as f32 * NOTE.height() + PADDING;
    typesetter.room(height);
    let top = typesetter.y;
    let left = |at: usize| LEFT + at as f32 * width;
    for at in 0..counts.len() {
        typesetter.area(left(at), top, width - GAP, height, (0xf3, 0xf5, 0xf7));
    }
    typesetter.group(Kind::Table, |typesetter| {
        typesetter.group(Kind::Row, |typesetter| {
            for (at, lines) in labels.into_iter().enumerate() {
                typesetter.group(Kind::ColumnHeading, |typesetter| {
                    for (number, line) in lines.into_iter().enumerate() {
                        let y = top + LABELS + number as f32 * NOTE.height();
                        typesetter.line(line, NOTE, left(at) + PADDING, y);
                    }
                });
            }
        });
        typesetter.group(Kind::Row, |typesetter| {
            for (at, (_, count)) in counts.iter().enumerate() {
                let line = typesetter.fonts.settable(count);
                typesetter.group(Kind::Cell, |typesetter| typesetter.line(line, number, left(at) + PADDING, top + 4.0));
            }
        });
    });
    typesetter.y = top + height;
    typesetter.space(8.0);
}

const CELL: Style = Style { size: SMALL, weight: Weight::Regular, colour: INK };
const HEADING: Style = Style { size: SMALL, weight: Weight::Bold, colour: QUIET };
const GAP: f32 = 10.0;
const PADDING: f32 = 3.0;

/// Sets a table with headed columns. A row stays together unless it is higher than a page; after a new page the
/// headings are drawn again, as ornaments.
pub(super) fn table(typesetter: &mut Typesetter<'_>, columns: &[(String, f32)], rows: &[Vec<Vec<String>>]) {
    let mut at = LEFT;
    let mut places = vec![];
    for (_, share) in columns {
        places.push((at, share * WIDTH - GAP));
        at += share * WIDTH;
    }
    let headings: Vec<Vec<String>> = columns
        .iter()
        .zip(&places)
        .map(|((heading, _), (_, width))| typesetter.lines(heading, HEADING, *width))
        .collect();
    let height = headings.iter().map(Vec::len).max().unwrap_or(0) as f32 * HEADING.height() + 2.0 * PADDING;
    let rows: Vec<Vec<Vec<Vec<String>>>> = rows.iter().map(|row| broken(typesetter, row, &places)).collect();
    typesetter.room(height + rows.first().map_or(0.0, |row| row_height(row)));
    typesetter.group(Kind::Table, |typesetter| {
        typesetter.group(Kind::Row, |typesetter| {
            let top = typesetter.y;
            for (lines, (x, _)) in headings.iter().zip(&places) {
                typesetter.y = top + PADDING;
                column(typesetter, Kind::ColumnHeading, vec![lines.clone()], HEADING, *x);
            }
            typesetter.y = top;
        });
        under(typesetter, height);
        for row in rows {
            let height_of_row = row_height(&row);
            if typesetter.room(height_of_row) {
                again(typesetter, &headings, &places, height);
            }
            typesetter.space(PADDING);
            typesetter.group(Kind::Row, |typesetter| {
                let cells = row.into_iter().zip(&places).enumerate();
                typesetter.beside(cells, |typesetter, (at, (cell, (x, _)))| {
                    let kind = if at == 0 { Kind::RowHeading } else { Kind::Cell };
                    column(typesetter, kind, cell, CELL, *x);
                });
            });
            under(typesetter, PADDING);
        }
    });
    typesetter.space(6.0);
}

/// Returns the lines of every cell of a row, each cell as one paragraph. Its parts end in a space, so that they are
/// read as words of their own.
fn broken(typesetter: &Typesetter<'_>, row: &[Vec<String>], places: &[(f32, f32)]) -> Vec<Vec<Vec<String>>> {
    let cell = |parts: &Vec<String>, width: f32| {
        let mut lines = vec![];
        for part in parts {
            if let Some(before) = lines.last_mut() {
                String::push(before, ' ');
            }
            lines.extend(typesetter.lines(part, CELL, width));
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
fn under(typesetter: &mut Typesetter<'_>, height: f32) {
    typesetter.space(height);
    typesetter.area(LEFT, typesetter.y - 0.25, WIDTH, 0.5, RULE);
}

/// Draws the headings on a further page; the structure has them already.
fn again(typesetter: &mut Typesetter<'_>, headings: &[Vec<String>], places: &[(f32, f32)], height: f32) {
    use super::page_model::DrawOp;
    use super::typesetter::RISE;
    for (lines, (x, _)) in headings.iter().zip(places) {
        for (at, line) in lines.iter().enumerate() {
            let y = typesetter.y + PADDING + at as f32 * HEADING.height() + HEADING.size * RISE;
            let Style { size, weight, colour } = HEADING;
            typesetter.draw(DrawOp::Text { x: *x, y, size, weight, colour, text: line.clone() }, None);
        }
    }
    under(typesetter, height);
}
