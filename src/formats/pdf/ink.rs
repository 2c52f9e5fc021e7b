//! Where a page shows something: the boxes of its text, its pictures and its drawings (ISO 32000-1 §8, §9).
//!
//! This draws nothing. It follows the operators that move and show, as far as is needed to tell whether an annotation
//! lies on something or beside it. Lines and rectangles along the axes are left out: forms, tables and backgrounds are
//! made of them, and signatures are placed in these; but many small squares are a picture. What cannot be followed is
//! taken to be everywhere.

use super::holding::inherited;
use super::lexer::{Lexer, is_regular, is_space};
use super::object::{Dictionary, Object};
use super::pages::{Rectangle, page_area};
use super::revision::Revision;
use std::collections::HashMap;
use std::rc::Rc;

/// Boxes of one page; beyond, it is taken to be full.
const BOXES: usize = 20_000;

/// Operands of one operator, saved states, and forms within forms.
const OPERANDS: usize = 64;
const STATES: usize = 256;
const FORMS: usize = 12;

/// Widths read of one font.
const WIDTHS: usize = 70_000;

/// Squares that together are a picture, such as a bar code, and the length of their sides.
const SQUARES: usize = 12;
const SIDES: std::ops::RangeInclusive<f64> = 1.0..=12.0;

/// The share of the width that is sure where a font does not say its widths.
const NARROW: f64 = 0.75;

/// What a page shows, in the coordinates of its annotations.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// Where there is anything.
    pub boxes: Vec<Rectangle>,
    /// Where there are words, but for what leads to a blank or fills it: lines, dots.
    pub words: Vec<Rectangle>,
}

/// What a page shows.
pub(super) fn shown<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Shown {
    let mut ink = Ink { revision, shown: Shown::default(), squares: Vec::new(), fonts: HashMap::new() };
    let resources = dictionary(inherited(revision, page, b"Resources"));
    let followed = ink.contents(page).and_then(|octets| ink.follow(&octets, &resources, State::default(), 0));
    if followed.is_none() {
        let whole = page_area(revision, page);
        let whole = whole.unwrap_or(Rectangle { left: f64::MIN, bottom: f64::MIN, right: f64::MAX, top: f64::MAX });
        return Shown { boxes: vec![whole], words: vec![whole] };
    }
    if ink.squares.len() >= SQUARES {
        ink.shown.boxes.append(&mut ink.squares);
    }
    ink.shown
}

/// A transformation: ISO 32000-1 §8.3.3.
#[derive(Debug, Clone, Copy)]
struct Matrix([f64; 6]);

impl Matrix {
    const SAME: Self = Self([1.0, 0.0, 0.0, 1.0, 0.0, 0.0]);

    /// First this one, then `other`.
    fn then(self, other: Self) -> Self {
        let ([a, b, c, d, e, f], [p, q, r, s, t, u]) = (self.0, other.0);
        Self([a * p + b * r, a * q + b * s, c * p + d * r, c * q + d * s, e * p + f * r + t, e * q + f * s + u])
    }

    fn moved(x: f64, y: f64) -> Self {
        Self([1.0, 0.0, 0.0, 1.0, x, y])
    }

    fn point(self, x: f64, y: f64) -> (f64, f64) {
        let [a, b, c, d, e, f] = self.0;
        (a * x + c * y + e, b * x + d * y + f)
    }

    /// The box around a box.
    fn around(self, area: Rectangle) -> Rectangle {
        let corners =
            [(area.left, area.bottom), (area.left, area.top), (area.right, area.bottom), (area.right, area.top)];
        Rectangle::around(corners.map(|(x, y)| self.point(x, y)))
    }
}

/// What operators set: ISO 32000-1 tables 52 and 104.
#[derive(Clone)]
struct State {
    matrix: Matrix,
    font: Option<Rc<Font>>,
    size: f64,
    leading: f64,
    between: [f64; 2],
    scale: f64,
    rise: f64,
    mode: i64,
    /// Whether what is filled is filled with a drawing (§8.7.3).
    tiled: bool,
}

impl Default for State {
    fn default() -> Self {
        Self {
            matrix: Matrix::SAME,
            font: None,
            size: 0.0,
            leading: 0.0,
            between: [0.0; 2],
            scale: 1.0,
            rise: 0.0,
            mode: 0,
            tiled: false,
        }
    }
}

/// How wide the glyphs of a font are, in thousandths.
#[derive(Debug, Default)]
struct Font {
    /// Whether two octets are a code.
    pairs: bool,
    widths: HashMap<u32, f64>,
    others: f64,
}

/// Characters that lead to a blank or stand for it.
const LEADERS: &[u8] = b" _.-:\x85\xa0";

impl Font {
    fn read<'a>(revision: &Revision<'a, '_>, font: &Dictionary<'a>) -> Self {
        let number = |object: &Object<'a>| revision.resolve(object).number();
        if revision.lookup(font, b"Subtype").name() != Some(b"Type0") {
            let first = revision.lookup(font, b"FirstChar").integer().unwrap_or(0).max(0) as u32;
            let widths = revision.array(font, b"Widths").unwrap_or_default();
            let widths =
                (first..).zip(widths.iter()).take(256).filter_map(|(code, width)| Some((code, number(width)?)));
            return Self { pairs: false, widths: widths.collect(), others: 600.0 };
        }
        let mut read = Self { pairs: true, others: 1000.0, ..Self::default() };
        let descendants = revision.array(font, b"DescendantFonts").unwrap_or_default();
        let Some(Object::Dictionary(descendant)) = descendants.first().map(|font| revision.resolve(font)) else {
            return read;
        };
        read.others = revision.lookup(&descendant, b"DW").number().unwrap_or(1000.0);
        let listed = revision.array(&descendant, b"W").unwrap_or_default();
        let mut listed = listed.iter().map(|item| revision.resolve(item));
        // ISO 32000-1 §9.7.4.3: a code with its own and the next widths, or two codes with one width.
        while let (Some(first), Some(next)) = (listed.next().and_then(|first| first.integer()), listed.next()) {
            let first = first.clamp(0, 0xFFFF) as u32;
            match next {
                Object::Array(widths) => {
                    let widths = (first..).zip(widths.iter()).take(WIDTHS);
                    read.widths.extend(widths.filter_map(|(code, width)| Some((code, number(width)?))));
                }
                last => {
                    let (Some(last), Some(width)) = (last.integer(), listed.next().and_then(|width| width.number()))
                    else {
                        break;
                    };
                    read.widths.extend((first..=last.clamp(0, 0xFFFF) as u32).map(|code| (code, width)));
                }
            }
            if read.widths.len() > WIDTHS || !revision.file().step() {
                break;
            }
        }
        read
    }

    /// Whether a string is a line or dots.
    fn leads(&self, string: &[u8]) -> bool {
        // What the codes of other fonts are is not known; a line is a repeated one.
        let repeated = || string.len() >= 8 && string.chunks(2).all(|code| Some(code) == string.get(..2));
        if self.pairs { repeated() } else { string.iter().all(|octet| LEADERS.contains(octet)) }
    }

    /// How far a string leads, in units of text.
    fn advance(&self, string: &[u8], state: &State) -> f64 {
        let one = |code: u32, blank: bool| {
            let width = self.widths.get(&code).copied().unwrap_or(self.others) / 1000.0 * state.size;
            width + state.between[0] + if blank { state.between[1] } else { 0.0 }
        };
        let width: f64 = if self.pairs {
            string
                .chunks(2)
                .map(|pair| one(pair.iter().fold(0, |code, octet| code << 8 | u32::from(*octet)), false))
                .sum()
        } else {
            string.iter().map(|octet| one((*octet).into(), *octet == b' ')).sum()
        };
        width * state.scale
    }
}

/// The path that is being made: ISO 32000-1 §8.5.
#[derive(Default)]
struct Drawn {
    points: Vec<(f64, f64)>,
    /// The small squares in it.
    squares: Vec<Rectangle>,
    /// Whether it is more than lines and rectangles along the axes.
    slanted: bool,
}

struct Ink<'a, 'f, 'r> {
    revision: &'r Revision<'a, 'f>,
    shown: Shown,
    squares: Vec<Rectangle>,
    fonts: HashMap<u32, Rc<Font>>,
}

/// `None` where something cannot be followed.
type Followed = Option<()>;

impl<'a> Ink<'a, '_, '_> {
    /// The content of a page: its streams, with a blank between (ISO 32000-1 table 30).
    fn contents(&self, page: &Dictionary<'a>) -> Option<Vec<u8>> {
        let contents = self.revision.lookup(page, b"Contents");
        let streams = match &contents {
            Object::Null => return Some(Vec::new()),
            Object::Array(items) => items.iter().map(|item| self.revision.resolve(item)).collect(),
            one => vec![one.clone()],
        };
        let mut octets = Vec::new();
        for stream in streams {
            match stream {
                Object::Stream(stream) => octets.extend(self.revision.decoded(&stream).ok()?),
                Object::Null => {}
                _ => return None,
            }
            octets.push(b'\n');
        }
        Some(octets)
    }

    fn follow(&mut self, octets: &[u8], resources: &Resources<'a>, state: State, depth: usize) -> Followed {
        let mut run = Run { state, saved: Vec::new(), text: Matrix::SAME, line: Matrix::SAME, drawn: Drawn::default() };
        let (nesting, _) = self.revision.limits();
        let mut lexer = Lexer::new(octets, 0, nesting);
        let mut operands: Vec<Object<'_>> = Vec::new();
        loop {
            lexer.skip_space();
            let at = lexer.position();
            let Some(first) = octets.get(at) else { return Some(()) };
            if !self.revision.file().step()
                || self.shown.boxes.len() + self.squares.len() > BOXES
                || operands.len() > OPERANDS
            {
                return None;
            }
            if let Ok(operand) = lexer.object() {
                operands.push(operand);
                continue;
            }
            let length = octets[at..].iter().take_while(|octet| is_regular(**octet)).count();
            let operator = &octets[at..at + length];
            if length == 0 {
                // A bracket that nothing opened.
                lexer = Lexer::new(octets, at + 1, nesting);
                let _ = first;
                continue;
            }
            lexer = Lexer::new(octets, at + length, nesting);
            if operator == b"ID" {
                self.paint(run.state.matrix.around(Rectangle::UNIT));
                lexer = Lexer::new(octets, image_end(octets, at + length)?, nesting);
            } else {
                self.operator(operator, &operands, &mut run, resources, depth)?;
            }
            operands.clear();
        }
    }

    fn paint(&mut self, area: Rectangle) {
        if !area.is_empty() {
            self.shown.boxes.push(area);
        }
    }

    fn operator(
        &mut self,
        operator: &[u8],
        operands: &[Object<'_>],
        run: &mut Run,
        resources: &Resources<'a>,
        depth: usize,
    ) -> Followed {
        let numbers: Vec<f64> = operands.iter().filter_map(Object::number).collect();
        let n = |place: usize| numbers.get(place).copied().unwrap_or(0.0);
        match operator {
            b"q" if run.saved.len() >= STATES => return None,
            b"q" => run.saved.push(run.state.clone()),
            b"Q" => run.state = run.saved.pop().unwrap_or_else(|| run.state.clone()),
            b"cm" => run.state.matrix = matrix(&numbers)?.then(run.state.matrix),
            b"BT" => (run.text, run.line) = (Matrix::SAME, Matrix::SAME),
            b"Tc" => run.state.between[0] = n(0),
            b"Tw" => run.state.between[1] = n(0),
            b"Tz" => run.state.scale = n(0) / 100.0,
            b"TL" => run.state.leading = n(0),
            b"Ts" => run.state.rise = n(0),
            b"Tr" => run.state.mode = n(0) as i64,
            b"Tf" => {
                run.state.size = n(0);
                run.state.font = operands.first().and_then(Object::name).and_then(|name| self.font(resources, name));
            }
            b"gs" => self.set(operands, run, resources),
            b"scn" | b"SCN" => {
                run.state.tiled = match operands.last() {
                    Some(Object::Name(name)) => self.is_tiling(resources, name),
                    _ => false,
                }
            }
            b"g" | b"rg" | b"k" | b"sc" | b"cs" => run.state.tiled = false,
            b"Td" => run.go(n(0), n(1)),
            b"TD" => {
                run.state.leading = -n(1);
                run.go(n(0), n(1));
            }
            b"Tm" => (run.text, run.line) = (matrix(&numbers)?, matrix(&numbers)?),
            b"T*" => run.next_line(),
            b"Tj" => self.text(operands, run),
            b"TJ" => {
                if let Some(Object::Array(items)) = operands.first() {
                    self.text(items, run);
                }
            }
            b"'" => {
                run.next_line();
                self.text(operands, run);
            }
            b"\"" => {
                run.state.between = [n(1), n(0)];
                run.next_line();
                self.text(operands, run);
            }
            b"m" | b"l" => run.point(n(0), n(1), operator == b"l"),
            b"c" | b"v" | b"y" => {
                run.drawn.slanted = true;
                numbers.chunks_exact(2).for_each(|point| run.point(point[0], point[1], false));
            }
            b"re" => {
                run.drawn.slanted |= !run.is_upright();
                let area = Rectangle::around([(n(0), n(1)), (n(0) + n(2), n(1) + n(3))]);
                let area = run.state.matrix.around(area);
                if SIDES.contains(&(area.right - area.left)) && SIDES.contains(&(area.top - area.bottom)) {
                    run.drawn.squares.push(area);
                }
                run.drawn.points.extend([(area.left, area.bottom), (area.right, area.top)]);
            }
            b"S" | b"s" => {
                let drawn = std::mem::take(&mut run.drawn);
                if drawn.slanted {
                    self.paint(Rectangle::around(drawn.points));
                }
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                let drawn = std::mem::take(&mut run.drawn);
                self.squares.extend(drawn.squares);
                if drawn.slanted || run.state.tiled {
                    self.paint(Rectangle::around(drawn.points));
                }
            }
            b"n" => run.drawn = Drawn::default(),
            b"Do" => return self.object(operands.first().and_then(Object::name)?, run, resources, depth),
            _ => {}
        }
        (run.drawn.points.len() <= BOXES).then_some(())
    }

    fn text(&mut self, items: &[Object<'_>], run: &mut Run) {
        let default = Rc::new(Font { others: 600.0, ..Font::default() });
        let font = run.state.font.clone().unwrap_or(default);
        for item in items {
            let before = run.text;
            let advance = match item {
                Object::String(string) => font.advance(&string.bytes(), &run.state),
                // §9.4.3: a number moves back, in thousandths.
                other => -other.number().unwrap_or(0.0) / 1000.0 * run.state.size * run.state.scale,
            };
            run.text = Matrix::moved(advance, 0.0).then(run.text);
            // §9.3.6: mode 3 shows nothing.
            if matches!(item, Object::String(_)) && run.state.mode != 3 {
                let (size, rise) = (run.state.size, run.state.rise);
                let place = |advance: f64| {
                    let area = Rectangle::around([(0.0, rise - 0.2 * size), (advance, rise + 0.75 * size)]);
                    before.then(run.state.matrix).around(area)
                };
                self.paint(place(advance));
                if !matches!(item, Object::String(string) if font.leads(&string.bytes())) {
                    let sure = if font.widths.is_empty() && !font.pairs { NARROW } else { 1.0 };
                    self.shown.words.push(place(advance * sure));
                }
            }
        }
    }

    /// ISO 32000-1 table 58: a state may set the font, too.
    fn set(&mut self, operands: &[Object<'_>], run: &mut Run, resources: &Resources<'a>) {
        let state = || {
            let states = self.revision.dictionary(resources.as_ref()?, b"ExtGState")?;
            let state = self.revision.dictionary(&states, operands.first()?.name()?)?;
            self.revision.array(&state, b"Font")
        };
        if let Some([font, size]) = state().as_deref() {
            run.state.size = self.revision.resolve(size).number().unwrap_or(0.0);
            run.state.font = self.read_font(font);
        }
    }

    /// ISO 32000-1 §8.7.3.
    fn is_tiling(&self, resources: &Resources<'a>, name: &[u8]) -> bool {
        let patterns = resources.as_ref().and_then(|resources| self.revision.dictionary(resources, b"Pattern"));
        matches!(patterns.map(|patterns| self.revision.lookup(&patterns, name)), Some(Object::Stream(_)))
    }

    fn font(&mut self, resources: &Resources<'a>, name: &[u8]) -> Option<Rc<Font>> {
        let fonts = self.revision.dictionary(resources.as_ref()?, b"Font")?;
        self.read_font(fonts.get(name)?)
    }

    fn read_font(&mut self, font: &Object<'a>) -> Option<Rc<Font>> {
        let number = font.reference().map(|reference| reference.number);
        if let Some(known) = number.and_then(|number| self.fonts.get(&number)) {
            return Some(known.clone());
        }
        let Object::Dictionary(font) = self.revision.resolve(font) else { return None };
        let font = Rc::new(Font::read(self.revision, &font));
        self.fonts.extend(number.map(|number| (number, font.clone())));
        Some(font)
    }

    /// ISO 32000-1 §8.8, §8.10.
    fn object(&mut self, name: &[u8], run: &Run, resources: &Resources<'a>, depth: usize) -> Followed {
        let objects = resources.as_ref().and_then(|resources| self.revision.dictionary(resources, b"XObject"));
        let object = objects.map_or(Object::Null, |objects| self.revision.lookup(&objects, name));
        let Object::Stream(stream) = object else { return Some(()) };
        if self.revision.lookup(&stream.dictionary, b"Subtype").name() != Some(b"Form") {
            self.paint(run.state.matrix.around(Rectangle::UNIT));
            return Some(());
        }
        if depth >= FORMS {
            return None;
        }
        let numbers = self.revision.array(&stream.dictionary, b"Matrix").unwrap_or_default();
        let numbers: Vec<f64> = numbers.iter().filter_map(|item| self.revision.resolve(item).number()).collect();
        let inner = matrix(&numbers).unwrap_or(Matrix::SAME).then(run.state.matrix);
        let own = dictionary(self.revision.lookup(&stream.dictionary, b"Resources"));
        let octets = self.revision.decoded(&stream).ok()?;
        let state = State { matrix: inner, ..run.state.clone() };
        self.follow(&octets, &own.or(resources.clone()), state, depth + 1)
    }
}

/// Where operators are in a stream.
struct Run {
    state: State,
    saved: Vec<State>,
    text: Matrix,
    line: Matrix,
    drawn: Drawn,
}

impl Run {
    /// To another line of text.
    fn go(&mut self, x: f64, y: f64) {
        self.line = Matrix::moved(x, y).then(self.line);
        self.text = self.line;
    }

    fn next_line(&mut self) {
        self.go(0.0, -self.state.leading);
    }

    /// Adds a point to the path, perhaps with a line to it.
    fn point(&mut self, x: f64, y: f64, line: bool) {
        let (x, y) = self.state.matrix.point(x, y);
        if let (Some((last_x, last_y)), true) = (self.drawn.points.last(), line) {
            self.drawn.slanted |= (x - last_x).abs() > 0.1 && (y - last_y).abs() > 0.1;
        }
        self.drawn.points.push((x, y));
    }

    fn is_upright(&self) -> bool {
        let [a, b, c, d, ..] = self.state.matrix.0;
        b == 0.0 && c == 0.0 || a == 0.0 && d == 0.0
    }
}

type Resources<'a> = Option<Rc<Dictionary<'a>>>;

fn dictionary(object: Object<'_>) -> Resources<'_> {
    match object {
        Object::Dictionary(dictionary) => Some(dictionary),
        _ => None,
    }
}

fn matrix(numbers: &[f64]) -> Option<Matrix> {
    numbers.try_into().ok().map(Matrix)
}

/// Where the data of an inline image end: ISO 32000-1 §8.9.7.
fn image_end(octets: &[u8], from: usize) -> Option<usize> {
    let ends = |at: &usize| {
        octets.get(at.saturating_sub(1)).copied().is_some_and(is_space)
            && octets.get(at + 2).is_none_or(|octet| is_space(*octet))
    };
    memchr::memmem::find_iter(octets.get(from..)?, b"EI").map(|at| from + at).find(ends).map(|at| at + 2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::pdf::File;
    use crate::formats::pdf::pages::numbered;

    /// Whether a page of that content, 200 by 200, shows something within a rectangle.
    fn shows(content: &str, area: [f64; 4]) -> bool {
        let mut octets = b"%PDF-1.7\n".to_vec();
        let mut table = String::from("xref\n");
        let length = content.len();
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>".to_string(),
            "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]/Resources<</XObject<</F 5 0 R/I 6 0 R>>>>>>".into(),
            "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>".into(),
            format!("<</Length {length}>>stream\n{content}\nendstream"),
            "<</Subtype/Form/Matrix[1 0 0 1 100 0]/BBox[0 0 9 9]/Length 27>>stream\nBT /F 10 Tf 10 10 Td(a)Tj ET\nendstream"
                .into(),
            "<</Subtype/Image/Length 0>>stream\n\nendstream".into(),
        ];
        for (number, object) in (1..).zip(objects) {
            table += &format!("{number} 1\n{:010} 00000 n \n", octets.len());
            octets.extend(format!("{number} 0 obj {object} endobj\n").bytes());
        }
        let start = octets.len();
        octets.extend(format!("{table}trailer <</Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
        let file = File::new(&octets, &Budget::default()).expect("a PDF");
        let revision = file.open(None).expect("a revision");
        let pages = numbered(&revision);
        let area = Rectangle::around([(area[0], area[1]), (area[2], area[3])]);
        shown(&revision, &pages[0].1).boxes.iter().any(|shown| shown.overlaps(&area))
    }

    #[test]
    fn what_a_page_shows_where() {
        let text = "BT /A 10 Tf 20 100 Td (Price) Tj 0 -20 Td [(100) -5000 (0)] TJ ET";
        for (clause, situation, content, area, expected) in [
            ("9.4.3", "on the text", text, [30.0, 90.0, 40.0, 110.0], true),
            ("9.4.3", "beside it", text, [100.0, 90.0, 150.0, 110.0], false),
            ("9.4.3", "after a gap in the line", text, [88.0, 80.0, 95.0, 85.0], true),
            ("9.3.6", "invisible text", "BT 3 Tr /A 10 Tf 20 100 Td (Price) Tj ET", [30.0, 90.0, 40.0, 110.0], false),
            ("8.3.4", "moved text", "q 1 0 0 1 50 50 cm BT /A 10 Tf (a) Tj ET Q", [50.0, 50.0, 55.0, 55.0], true),
            ("8.4.2", "restored", "q 1 0 0 1 50 50 cm Q BT /A 10 Tf (a) Tj ET", [50.0, 50.0, 55.0, 55.0], false),
            ("8.10", "a form", "/F Do", [110.0, 10.0, 115.0, 15.0], true),
            ("8.8", "a picture", "q 20 0 0 20 50 50 cm /I Do Q", [60.0, 60.0, 61.0, 61.0], true),
            ("8.9.7", "an inline image", "q 9 0 0 9 0 0 cm BI /W 1 ID \u{1} EI Q", [1.0, 1.0, 2.0, 2.0], true),
            ("8.5.2", "a frame", "10 10 100 100 re S", [20.0, 20.0, 30.0, 30.0], false),
            ("8.5.2", "a curve", "10 10 m 20 20 30 30 40 40 c S", [20.0, 20.0, 30.0, 30.0], true),
            ("8.4.2", "too many states", &"q ".repeat(300), [1.0, 1.0, 2.0, 2.0], true),
        ] {
            assert_eq!(shows(content, area), expected, "{clause} {situation}");
        }
    }
}
