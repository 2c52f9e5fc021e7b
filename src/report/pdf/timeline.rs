//! The time line on paper: an axis, a bar or mark a line, and its name beside it.

use super::fonts::Weight;
use super::paper::{Ink, Kind, LEFT, Leaf, RIGHT};
use super::setter::{INFORMATION, INK, NOTE, RISE, RULE, SMALL, Setter, Style, WHITE};
use crate::report::figure::{Figure, Line, Shape};

const LINE: f32 = 15.0;
const AXIS: f32 = 16.0;
/// Names stand to the left of it, dates are drawn to the right.
const START: f32 = LEFT + 178.0;
const NAME: Style = Style { size: SMALL, weight: Weight::Regular, colour: INK };

pub(super) fn height(figure: &Figure) -> f32 {
    figure.lines.len() as f32 * LINE + AXIS
}

/// Draws the figure as one piece of content with its alternative text; the same dates follow in a table.
pub(super) fn figure(setter: &mut Setter<'_>, figure: &Figure) {
    let height = height(figure);
    setter.room(height);
    let (page, top) = (setter.page(), setter.y);
    let alternative = setter.fonts.settable(&figure.alternative);
    let kind = Kind::Figure { alternative, page, corners: [(LEFT, top), (RIGHT, top + height)] };
    setter.group(kind, |setter| {
        let leaf = setter.leaf();
        for (place, label) in &figure.ticks {
            let x = across(*place);
            let points = vec![(x, top), (x, top + height - AXIS)];
            setter.draw(Ink::Line { points, closed: false, width: 0.5, colour: RULE }, Some(leaf));
            let width = setter.fonts.width(label, Weight::Regular, SMALL);
            let x = (x - width / 2.0).clamp(START, RIGHT - width);
            text(setter, label.clone(), NOTE, x, top + height - AXIS + 3.0, leaf);
        }
        for (at, line) in figure.lines.iter().enumerate() {
            self::line(setter, line, top + at as f32 * LINE, leaf);
        }
    });
    setter.y = top + height;
    setter.space(8.0);
}

fn across(place: f32) -> f32 {
    START + place * (RIGHT - START)
}

fn line(setter: &mut Setter<'_>, line: &Line, top: f32, leaf: Leaf) {
    let middle = top + LINE / 2.0;
    let mut lines = setter.lines(&line.label, NAME, START - LEFT - 16.0).into_iter();
    let mut name = lines.next().unwrap_or_default();
    if lines.next().is_some() {
        name.push('…');
    }
    text(setter, name, NAME, LEFT, middle - SMALL * 0.67, leaf);
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
            setter.draw(Ink::Area { corners, colour: INFORMATION }, Some(leaf));
        }
        Shape::Mark { at, claimed } => {
            let x = across(at);
            let corners = vec![(x, middle - 5.0), (x + 5.0, middle), (x, middle + 5.0), (x - 5.0, middle)];
            let colour = if claimed { WHITE } else { INK };
            setter.draw(Ink::Area { corners: corners.clone(), colour }, Some(leaf));
            setter.draw(Ink::Line { points: corners, closed: true, width: 1.0, colour: INK }, Some(leaf));
        }
    }
}

fn text(setter: &mut Setter<'_>, text: String, style: Style, x: f32, y: f32, leaf: Leaf) {
    let Style { size, weight, colour } = style;
    setter.draw(Ink::Text { x, y: y + size * RISE, size, weight, colour, text }, Some(leaf));
}
