//! The time line on model: an axis, a bar or mark a line, and its name beside it.

use super::fonts::Weight;
use super::page_model::{ContentId, DrawOp, Kind, LEFT, RIGHT};
use super::typesetter::{INFORMATION, INK, NOTE, RISE, RULE, SMALL, Style, Typesetter, WHITE};
use crate::report::figure::{Figure, Line, Shape};

const LINE: f32 = 15.0;
const AXIS: f32 = 16.0;
/// Names stand to the left of it, dates are drawn to the right.
const START: f32 = LEFT + 178.0;
const NAME: Style = Style { size: SMALL, weight: Weight::Regular, colour: INK };

/// Returns the height of a figure, in which each name has as many lines as it needs.
pub(super) fn height(typesetter: &Typesetter<'_>, figure: &Figure) -> f32 {
    figure.lines.iter().map(|line| height_of(&names(typesetter, line))).sum::<f32>() + AXIS
}

/// Breaks the name of a line.
fn names(typesetter: &Typesetter<'_>, line: &Line) -> Vec<String> {
    typesetter.lines(&line.label, NAME, START - LEFT - 16.0)
}

/// Returns the height of a line whose name is broken so.
fn height_of(names: &[String]) -> f32 {
    LINE + names.len().saturating_sub(1) as f32 * NAME.height()
}

/// Draws the figure as one piece of content with its alternative text; the same dates follow in a table.
pub(super) fn figure(typesetter: &mut Typesetter<'_>, figure: &Figure) {
    let height = height(typesetter, figure);
    typesetter.room(height);
    let (page, top) = (typesetter.page(), typesetter.y);
    let alternative = typesetter.fonts.settable(&figure.alternative);
    let kind = Kind::Figure { alternative, page, corners: [(LEFT, top), (RIGHT, top + height)] };
    typesetter.group(kind, |typesetter| {
        let content = typesetter.content();
        for (place, label) in &figure.ticks {
            let x = across(*place);
            let points = vec![(x, top), (x, top + height - AXIS)];
            typesetter.draw(DrawOp::Line { points, closed: false, width: 0.5, colour: RULE }, Some(content));
            let width = typesetter.fonts.width(label, Weight::Regular, SMALL);
            let x = (x - width / 2.0).clamp(START, RIGHT - width);
            text(typesetter, label.clone(), NOTE, x, top + height - AXIS + 3.0, content);
        }
        let mut top = top;
        for line in &figure.lines {
            top += self::line(typesetter, line, top, content);
        }
    });
    typesetter.y = top + height;
    typesetter.space(8.0);
}

fn across(place: f32) -> f32 {
    START + place * (RIGHT - START)
}

/// Draws a line and returns its height.
fn line(typesetter: &mut Typesetter<'_>, line: &Line, top: f32, content: ContentId) -> f32 {
    let middle = top + LINE / 2.0;
    let names = names(typesetter, line);
    let height = height_of(&names);
    for (number, name) in names.into_iter().enumerate() {
        let y = middle - SMALL * 0.67 + number as f32 * NAME.height();
        text(typesetter, name, NAME, LEFT, y, content);
    }
    match line.shape {
        Shape::Bar { from, until, earlier, later } => {
            let (left, right) = (across(from), across(until).max(across(from) + 1.5));
            // A bar that goes on beyond the drawing ends in a point.
            let (before, after) = (if earlier { 4.0 } else { 0.0 }, if later { 4.0 } else { 0.0 });
            let corners = vec![
                (left + before, middle - 3.0),
                (right - after, middle - 3.0),
                (right, middle),
                (right - after, middle + 3.0),
                (left + before, middle + 3.0),
                (left, middle),
            ];
            typesetter.draw(DrawOp::Area { corners, colour: INFORMATION }, Some(content));
        }
        Shape::Mark { at, claimed } => {
            let x = across(at);
            let corners = vec![(x, middle - 5.0), (x + 5.0, middle), (x, middle + 5.0), (x - 5.0, middle)];
            let colour = if claimed { WHITE } else { INK };
            typesetter.draw(DrawOp::Area { corners: corners.clone(), colour }, Some(content));
            typesetter.draw(DrawOp::Line { points: corners, closed: true, width: 1.0, colour: INK }, Some(content));
        }
    }
    height
}

fn text(typesetter: &mut Typesetter<'_>, text: String, style: Style, x: f32, y: f32, content: ContentId) {
    let Style { size, weight, colour } = style;
    typesetter.draw(DrawOp::Text { x, y: y + size * RISE, size, weight, colour, text }, Some(content));
}
