//! Sets a layout on pages: breaks lines and pages, and builds the structure of the page model along with them.

use super::fonts::{Fonts, Weight};
use super::page_model::{
    BOTTOM, Colour, ContentId, DrawOp, Kind, LEFT, MarkedContent, Node, OutlineEntry, PageModel, RIGHT, TOP,
};
use super::{table, timeline};
use crate::report::layout::{Element, Finding, Layout, Part};
use crate::report::model::State;
use crate::report::view::Severity;

pub(super) const INK: Colour = (0x17, 0x21, 0x2b);
pub(super) const QUIET: Colour = (0x55, 0x60, 0x6b);
pub(super) const RULE: Colour = (0xd5, 0xda, 0xe0);
pub(super) const VALID: Colour = (0x17, 0x6b, 0x3a);
pub(super) const UNDECIDED: Colour = (0x7a, 0x4f, 0x00);
pub(super) const BAD: Colour = (0xa3, 0x20, 0x1a);
pub(super) const INFORMATION: Colour = (0x1d, 0x4e, 0x89);
pub(super) const WHITE: Colour = (0xff, 0xff, 0xff);

/// Sizes of text: the body, and the least.
pub(super) const BODY: f32 = 10.0;
pub(super) const SMALL: f32 = 8.5;
/// From base line to base line, in sizes.
pub(super) const LEADING: f32 = 1.38;
/// From the upper edge of a line to its base line, in sizes.
pub(super) const RISE: f32 = 1.02;

/// Sets the layout.
pub(super) fn set(layout: &Layout, fonts: &Fonts) -> PageModel {
    let mut typesetter = Typesetter::new(fonts);
    for (at, part) in layout.parts.iter().enumerate() {
        typesetter.part(part, at == 0);
    }
    typesetter.finish()
}

/// How a text is set.
#[derive(Debug, Clone, Copy)]
pub(super) struct Style {
    pub(super) size: f32,
    pub(super) weight: Weight,
    pub(super) colour: Colour,
}

pub(super) const PLAIN: Style = Style { size: BODY, weight: Weight::Regular, colour: INK };
pub(super) const LABEL: Style = Style { size: BODY, weight: Weight::Regular, colour: QUIET };
pub(super) const NOTE: Style = Style { size: SMALL, weight: Weight::Regular, colour: QUIET };

impl Style {
    /// Returns the height of a line.
    pub(super) fn height(self) -> f32 {
        self.size * LEADING
    }

    pub(super) fn bold(self) -> Self {
        Self { weight: Weight::Bold, ..self }
    }

    pub(super) fn coloured(self, colour: Colour) -> Self {
        Self { colour, ..self }
    }
}

/// The state of the typesetting: where the next element goes, and the groups that are open.
pub(super) struct Typesetter<'a> {
    pub(super) fonts: &'a Fonts,
    model: PageModel,
    /// The page that is drawn on, most often the last.
    page: usize,
    /// The upper edge of what comes next.
    pub(super) y: f32,
    /// The groups that are open, outermost first.
    open: Vec<(Kind, Vec<Node>)>,
}

impl<'a> Typesetter<'a> {
    fn new(fonts: &'a Fonts) -> Self {
        let model = PageModel { pages: vec![vec![]], ..PageModel::default() };
        Self { fonts, model, page: 0, y: TOP, open: vec![] }
    }

    fn finish(self) -> PageModel {
        self.model
    }

    // ---- structure

    /// Puts what `inside` draws into a group of that kind.
    pub(super) fn group(&mut self, kind: Kind, inside: impl FnOnce(&mut Self)) {
        self.open.push((kind, vec![]));
        inside(self);
        if let Some((kind, nodes)) = self.open.pop().filter(|(kind, nodes)| !nodes.is_empty() || kind.is_cell()) {
            self.node(Node::Group(kind, nodes));
        }
    }

    fn node(&mut self, node: Node) {
        match self.open.last_mut() {
            Some((_, nodes)) => nodes.push(node),
            None => self.model.tree.push(node),
        }
    }

    /// Begins a new piece of content in the group that is open.
    pub(super) fn content(&mut self) -> ContentId {
        let content = self.model.content_count;
        self.model.content_count += 1;
        self.node(Node::Content(content));
        content
    }

    // ---- pages

    pub(super) fn page(&self) -> usize {
        self.page
    }

    pub(super) fn draw(&mut self, op: DrawOp, content: Option<ContentId>) {
        if let Some(page) = self.model.pages.get_mut(self.page) {
            page.push(MarkedContent { op, content });
        }
    }

    /// Goes to the top of the next page, which is made where there is none.
    pub(super) fn new_page(&mut self) {
        self.page += 1;
        if self.page == self.model.pages.len() {
            self.model.pages.push(vec![]);
        }
        self.y = TOP;
    }

    /// Draws columns side by side, from the same height of the same page on. What comes next begins below the lowest.
    pub(super) fn beside<T>(&mut self, columns: impl IntoIterator<Item = T>, mut draw: impl FnMut(&mut Self, T)) {
        let (page, top) = (self.page, self.y);
        let mut end = (page, top);
        for column in columns {
            (self.page, self.y) = (page, top);
            draw(self, column);
            if self.page > end.0 || (self.page == end.0 && self.y > end.1) {
                end = (self.page, self.y);
            }
        }
        (self.page, self.y) = end;
    }

    /// Begins a new page unless so much room is left. Returns whether it did.
    pub(super) fn room(&mut self, height: f32) -> bool {
        let short = self.y + height > BOTTOM && self.y > TOP;
        if short {
            self.new_page();
        }
        short
    }

    pub(super) fn space(&mut self, height: f32) {
        self.y += height;
    }

    /// Draws a rectangle that belongs to nothing.
    pub(super) fn area(&mut self, x: f32, y: f32, width: f32, height: f32, colour: Colour) {
        let corners = vec![(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        self.draw(DrawOp::Area { corners, colour }, None);
    }

    // ---- text

    /// Returns the lines of a text that is `width` wide. Words that are wider are broken.
    pub(super) fn lines(&self, text: &str, style: Style, width: f32) -> Vec<String> {
        break_lines(&self.fonts.settable(text), width, |text| self.fonts.width(text, style.weight, style.size))
    }

    /// Draws one line, its upper edge at `y`, as content of the group that is open.
    pub(super) fn line(&mut self, text: String, style: Style, x: f32, y: f32) {
        let content = self.content();
        let Style { size, weight, colour } = style;
        self.draw(DrawOp::Text { x, y: y + size * RISE, size, weight, colour, text }, Some(content));
    }

    /// Sets a text in a group of its own, over pages where need be.
    pub(super) fn text(&mut self, kind: Kind, text: &str, style: Style, x: f32, width: f32) {
        let lines = self.lines(text, style, width);
        self.group(kind, |typesetter| {
            for line in lines {
                typesetter.room(style.height());
                typesetter.line(line, style, x, typesetter.y);
                typesetter.space(style.height());
            }
        });
    }

    // ---- elements

    fn part(&mut self, part: &Part, first: bool) {
        if !first {
            self.space(16.0);
        }
        self.group(Kind::Section, |typesetter| {
            let mut rest = &part.elements[..];
            while let Some((element, after)) = rest.split_first() {
                typesetter.element(element, after, first);
                rest = after;
            }
        });
    }

    fn element(&mut self, element: &Element, after: &[Element], first: bool) {
        match element {
            Element::Heading(level, text) => self.heading(*level, text, after),
            Element::Paragraph(text) => {
                self.text(Kind::Paragraph, text, PLAIN, LEFT, RIGHT - LEFT);
                self.space(5.0);
            }
            Element::Verdict { state, sentence, code } => self.verdict(*state, sentence, code, first),
            Element::Counts(counts) => table::counts(self, counts),
            Element::Rows(rows) => table::rows(self, rows),
            Element::Findings(findings) => findings_list(self, findings),
            Element::List(items) => list(self, items),
            Element::Figure(figure) => timeline::figure(self, figure),
            Element::Table { columns, rows } => table::table(self, columns, rows),
        }
    }

    fn heading(&mut self, level: u8, text: &str, after: &[Element]) {
        let Measures { style, before, behind } = measures(level);
        let height = self.lines(text, style, RIGHT - LEFT).len() as f32 * style.height();
        self.room(before + height + behind + self.beginning(after));
        if level == 2 && self.y > TOP {
            self.area(LEFT, self.y, RIGHT - LEFT, 0.75, RULE);
        }
        self.space(if self.y > TOP { before } else { 0.0 });
        if level < 3 {
            let mark = OutlineEntry { level, text: self.fonts.settable(text), page: self.page(), y: self.y };
            self.model.outline.push(mark);
        }
        self.text(Kind::Heading(level.into(), text.to_owned()), text, style, LEFT, RIGHT - LEFT);
        self.space(behind);
    }

    /// Returns how much of what follows a heading must stand on its page.
    fn beginning(&self, after: &[Element]) -> f32 {
        match after.split_first() {
            Some((Element::Heading(level, _), after)) => {
                let Measures { style, before, behind } = measures(*level);
                before + style.height() + behind + self.beginning(after)
            }
            Some((Element::Figure(figure), _)) => timeline::height(self, figure),
            _ => 66.0,
        }
    }

    /// Draws the band: tint, bar, sign, sentence and code.
    fn verdict(&mut self, state: State, sentence: &str, code: &str, first: bool) {
        let (colour, tint) = match state {
            State::Valid => (VALID, (0xe8, 0xf3, 0xec)),
            State::NotValid => (BAD, (0xfb, 0xe9, 0xe7)),
            State::Undecided => (UNDECIDED, (0xfb, 0xf1, 0xdc)),
            State::Nothing => (INFORMATION, (0xe8, 0xef, 0xf7)),
        };
        let size = if first { 14.0 } else { 11.0 };
        let style = Style { size, weight: Weight::Bold, colour };
        let note = NOTE.coloured(colour);
        let (x, width) = (LEFT + 40.0, RIGHT - LEFT - 52.0);
        let (lines, codes) = (self.lines(sentence, style, width), self.lines(code, note, width));
        let height = lines.len() as f32 * style.height() + codes.len() as f32 * note.height() + 16.0;
        self.room(height);
        self.area(LEFT, self.y, RIGHT - LEFT, height, tint);
        self.area(LEFT, self.y, 4.0, height, colour);
        sign(self, state, (LEFT + 22.0, self.y + height / 2.0), colour);
        let after = self.y + height;
        self.space(8.0);
        for (lines, style) in [(lines, style), (codes, note)] {
            self.group(Kind::Paragraph, |typesetter| {
                for line in lines {
                    typesetter.line(line, style, x, typesetter.y);
                    typesetter.space(style.height());
                }
            });
        }
        self.y = after;
        self.space(8.0);
    }
}

/// The style of a heading, and the space before and behind it.
struct Measures {
    style: Style,
    before: f32,
    behind: f32,
}

fn measures(level: u8) -> Measures {
    let (size, before, behind) = match level {
        1 => (20.0, 0.0, 8.0),
        2 => (14.0, 6.0, 6.0),
        _ => (10.5, 10.0, 3.0),
    };
    Measures { style: Style { size, weight: Weight::Bold, colour: INK }, before, behind }
}

/// Draws the sign of a verdict around a point. The words beside it say the same.
fn sign(typesetter: &mut Typesetter<'_>, state: State, (x, y): (f32, f32), colour: Colour) {
    let lines: &[&[(f32, f32)]] = match state {
        State::Valid => &[&[(-6.0, 0.5), (-2.0, 5.0), (6.5, -5.0)]],
        State::NotValid => &[&[(-5.0, -5.0), (5.0, 5.0)], &[(5.0, -5.0), (-5.0, 5.0)]],
        State::Undecided => &[
            &[(-4.0, -3.5), (-3.0, -5.8), (0.0, -6.8), (3.0, -5.8), (4.0, -3.2), (2.6, -0.9), (0.0, 0.7), (0.0, 2.6)],
            &[(0.0, 5.4), (0.0, 6.8)],
        ],
        State::Nothing => &[&[(-6.0, 0.0), (6.0, 0.0)]],
    };
    for line in lines {
        let points = line.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
        typesetter.draw(DrawOp::Line { points, closed: false, width: 2.4, colour }, None);
    }
}

/// Sets each finding: its weight, what it says, and the key with what was compared.
fn findings_list(typesetter: &mut Typesetter<'_>, findings: &[Finding]) {
    const INDENT: f32 = 62.0;
    let width = RIGHT - LEFT - INDENT;
    typesetter.group(Kind::List, |typesetter| {
        for finding in findings {
            let colour = match finding.severity {
                Severity::Error => BAD,
                Severity::Warning => UNDECIDED,
                Severity::Info => INFORMATION,
            };
            let note = match &*finding.compared {
                "" => finding.key.clone(),
                compared => format!("{}: {compared}", finding.key),
            };
            let height = typesetter.lines(&finding.sentence, PLAIN, width).len() as f32 * PLAIN.height()
                + typesetter.lines(&note, NOTE, width).len() as f32 * NOTE.height();
            typesetter.room(height);
            typesetter.group(Kind::Item, |typesetter| {
                let top = typesetter.y;
                typesetter.text(Kind::Label, &finding.weight, PLAIN.bold().coloured(colour), LEFT, INDENT - 6.0);
                typesetter.y = top;
                typesetter.group(Kind::Body, |typesetter| {
                    typesetter.text(Kind::Paragraph, &finding.sentence, PLAIN, LEFT + INDENT, width);
                    typesetter.text(Kind::Paragraph, &note, NOTE, LEFT + INDENT, width);
                });
            });
            typesetter.space(4.0);
        }
    });
}

/// Sentences with a dash before each.
fn list(typesetter: &mut Typesetter<'_>, items: &[String]) {
    typesetter.group(Kind::List, |typesetter| {
        for item in items {
            typesetter.room(PLAIN.height());
            typesetter.group(Kind::Item, |typesetter| {
                let top = typesetter.y;
                typesetter.text(Kind::Label, "–", LABEL, LEFT, 12.0);
                typesetter.y = top;
                typesetter.text(Kind::Body, item, PLAIN, LEFT + 14.0, RIGHT - LEFT - 14.0);
            });
            typesetter.space(2.0);
        }
    });
    typesetter.space(4.0);
}

/// Breaks at spaces, and inside words that are wider than the line. A line keeps the space at its end, which is how a
/// reader's software knows where words end.
fn break_lines(text: &str, width: f32, measure: impl Fn(&str) -> f32) -> Vec<String> {
    let mut lines = vec![];
    let mut line = String::new();
    let mut used = 0.0;
    for word in text.split_inclusive(' ') {
        let bare = measure(word.trim_end_matches(' '));
        if used + bare > width && !line.is_empty() {
            lines.push(std::mem::take(&mut line));
            used = 0.0;
        }
        if bare <= width {
            line.push_str(word);
            used += measure(word);
            continue;
        }
        for c in word.chars() {
            let advance = measure(c.encode_utf8(&mut [0; 4]));
            if used + advance > width && !line.is_empty() {
                lines.push(std::mem::take(&mut line));
                used = 0.0;
            }
            line.push(c);
            used += advance;
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_inside_long_words() {
        for (text, expected) in [
            ("", vec![""]),
            ("one two", vec!["one two"]),
            ("one two three", vec!["one two ", "three"]),
            ("abcdefghijkl", vec!["abcdefgh", "ijkl"]),
            ("a abcdefghijkl b", vec!["a ", "abcdefgh", "ijkl b"]),
            ("12345678 9", vec!["12345678 ", "9"]),
        ] {
            assert_eq!(break_lines(text, 8.0, |t| t.chars().count() as f32), expected, "{text}");
        }
    }
}
