//! Content streams, operator by operator: ISO 32000-1 §7.8.2, annex A.

use super::font::Font;
use super::matrix::Matrix;
use super::state::{Clip, GraphicsState, StreamState};
use super::{PageContent, ShownForm};
use crate::formats::pdf::characters::{is_foreign, is_regular, is_space};
use crate::formats::pdf::lexer::Lexer;
use crate::formats::pdf::object::{Dictionary, Object, Stream};
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::collections::HashMap;
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Bounds the areas of one page; one with more is taken to be full.
const AREAS: usize = 20_000;

/// Bounds the widths read of the fonts of one page; one with more is taken to be full.
const WIDTHS: usize = 1_000_000;

/// The bytes of content that cost as much as a step.
const STRETCH: u64 = 8;

/// Bounds the operands of one operator.
const OPERANDS: usize = 64;

/// Bounds the saved states.
const STATES: usize = 256;

/// Bounds how deep form XObjects are nested.
const FORMS: usize = 12;

/// The length of the sides of small squares.
const SIDES: RangeInclusive<f64> = 1.0..=12.0;

/// The share of its width that is sure where a font does not say its widths.
const NARROW: f64 = 0.75;

/// The least width of a glyph, in font sizes, whatever its font says of it.
const LEAST: f64 = 0.25;

/// The most points of a path that is a frame, such as a box with round corners, or a circle.
const FRAME: usize = 20;

/// The least width of a line of a glyph, in font sizes.
const PEN: f64 = 0.01;

/// The bytes of a form that is long enough to be remembered.
const LONG: usize = 1_024;

/// Bounds the states in which one form is remembered.
const SHOWN: usize = 4;

/// How many of the last ways in which letters are turned and scaled are compared with the next one.
const RECENT: usize = 16;

/// Where glyphs are that cannot be followed.
const ANYWHERE: Rectangle = Rectangle { left: -1e9, bottom: -1e9, right: 1e9, top: 1e9 };

/// A resource dictionary: ISO 32000-1 §7.8.3.
pub(super) type Resources<'a> = Option<Rc<Dictionary<'a>>>;

/// `None` where content cannot be followed.
type Followed = Option<()>;

/// Follows the content streams of a page.
pub(super) struct Interpreter<'a, 'f, 'r> {
    revision: &'r Revision<'a, 'f>,
    /// What was shown.
    pub content: PageContent,
    /// The fonts by their object numbers.
    fonts: HashMap<u32, Rc<Font>>,
    unknown_font: Rc<Font>,
    /// Whether it follows a glyph, of which every line counts.
    is_glyph: bool,
    /// How many widths may still be read.
    widths_left: usize,
}

impl<'a, 'f, 'r> Interpreter<'a, 'f, 'r> {
    /// Prepares to follow a page of `revision`.
    pub fn new(revision: &'r Revision<'a, 'f>) -> Self {
        Self {
            revision,
            content: PageContent::default(),
            fonts: HashMap::new(),
            unknown_font: Rc::new(Font::unknown()),
            is_glyph: false,
            widths_left: WIDTHS,
        }
    }

    /// Follows the content of a page.
    pub fn page(&mut self, page: &Dictionary<'a>, resources: &Resources<'a>) -> Followed {
        let bytes = self.contents(page)?;
        self.follow(&bytes, resources, GraphicsState::default(), 0)
    }

    /// Returns the content of a page: its streams, with a blank between (ISO 32000-1 table 30).
    fn contents(&self, page: &Dictionary<'a>) -> Option<Vec<u8>> {
        let contents = self.revision.lookup(page, b"Contents");
        let streams = match &contents {
            Object::Null => return Some(Vec::new()),
            Object::Array(items) => items.iter().map(|item| self.revision.resolve(item)).collect(),
            one => vec![one.clone()],
        };
        let mut bytes = Vec::new();
        for stream in streams {
            match stream {
                Object::Stream(stream) => bytes.extend(self.revision.decoded(&stream).ok()?),
                Object::Null => {}
                _ => return None,
            }
            bytes.push(b'\n');
        }
        Some(bytes)
    }

    /// Follows one content stream.
    fn follow(&mut self, bytes: &[u8], resources: &Resources<'a>, graphics: GraphicsState, depth: usize) -> Followed {
        // One stream may be shown many times, and a long string is one operand.
        self.revision.limits().steps(1 + bytes.len() as u64 / STRETCH).ok()?;
        let mut state = StreamState::new(graphics);
        let mut lexer = Lexer::new(bytes, 0, self.revision.limits().nesting);
        let (mut operands, mut numbers) = (Vec::new(), Vec::new());
        loop {
            lexer.skip_space();
            let start = lexer.position();
            if start >= bytes.len() {
                self.content.is_unclipped |= state.marks.contains(&true);
                return Some(());
            }
            if !self.revision.file().step()
                || self.content.areas() > AREAS
                || operands.len() > OPERANDS
                || self.widths_left == 0
            {
                return None;
            }
            let operand = lexer.object();
            if lexer.liberty().is_some() {
                return None;
            }
            if let Ok(operand) = operand {
                operands.push(operand);
                continue;
            }
            let end = start + bytes[start..].iter().take_while(|byte| is_regular(**byte)).count();
            if end == start {
                // A bracket that nothing opened.
                lexer.go_to(start + 1);
                continue;
            }
            match &bytes[start..end] {
                b"ID" => {
                    self.image(state.graphics.matrix.around(Rectangle::UNIT));
                    lexer.go_to(image_end(bytes, end)?);
                }
                // It ends sooner to some readers.
                operator if operator.iter().any(|byte| is_foreign(*byte)) => return None,
                operator => {
                    numbers.clear();
                    numbers.extend(operands.iter().filter_map(Object::number));
                    self.operator(operator, &operands, &numbers, &mut state, resources, depth)?;
                    lexer.go_to(end);
                }
            }
            operands.clear();
        }
    }

    /// Records a path that was painted: one of many points is more than a frame with round corners.
    fn draw(&mut self, points: &[(f64, f64)]) {
        let area = Rectangle::around(points.iter().copied());
        match points.len() > FRAME {
            true => self.picture(area),
            false if self.is_glyph && !points.is_empty() => self.content.boxes.push(area),
            false => self.show(area),
        }
    }

    /// Records that an area shows a picture.
    fn picture(&mut self, area: Rectangle) {
        self.show(area);
        self.content.pictures.push(area);
    }

    /// Records that an image is shown, or what may be one.
    fn image(&mut self, area: Rectangle) {
        self.content.has_image = true;
        self.picture(area);
    }

    /// Records that something is shown in an area.
    fn show(&mut self, area: Rectangle) {
        if !area.is_empty() {
            self.content.boxes.push(area);
        }
    }

    /// Follows one operator, of which `numbers` are the operands that are numbers.
    fn operator(
        &mut self,
        operator: &[u8],
        operands: &[Object<'_>],
        numbers: &[f64],
        state: &mut StreamState,
        resources: &Resources<'a>,
        depth: usize,
    ) -> Followed {
        if operands_of(operator).is_some_and(|expected| expected != (operands.len(), numbers.len())) {
            return None;
        }
        let n = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
        let graphics = &mut state.graphics;
        match operator {
            b"q" if state.saved.len() >= STATES => return None,
            b"q" => state.saved.push(state.graphics.clone()),
            b"Q" => match state.saved.pop() {
                Some(saved) => state.graphics = saved,
                None => self.content.is_unclipped = true,
            },
            b"BMC" | b"BDC" if state.marks.len() >= STATES => return None,
            b"BMC" | b"BDC" => state.marks.push(operands.first().and_then(Object::name) == Some(b"OC")),
            b"EMC" => _ = state.marks.pop(),
            b"cm" => graphics.matrix = Matrix::from_numbers(numbers)?.then(graphics.matrix),
            b"BT" => (state.text_matrix, state.line_matrix) = (Matrix::IDENTITY, Matrix::IDENTITY),
            b"Tc" => graphics.character_spacing = n(0),
            b"Tw" => graphics.word_spacing = n(0),
            b"Tz" => graphics.horizontal_scaling = n(0) / 100.0,
            b"TL" => graphics.leading = n(0),
            b"Ts" => graphics.rise = n(0),
            // One that is no integer is none to some readers.
            b"Tr" => {
                let Some(Object::Integer(mode)) = operands.first() else { return None };
                graphics.rendering_mode = *mode;
            }
            b"Tf" => {
                graphics.font_size = n(0);
                graphics.font =
                    operands.first().and_then(Object::name).and_then(|name| self.font(resources, name, depth));
            }
            b"gs" => self.set_state(operands, graphics, resources, depth),
            b"scn" | b"SCN" => {
                graphics.is_picture = match operands.last() {
                    Some(Object::Name(name)) => self.is_picture(resources, name),
                    _ => false,
                }
            }
            b"g" | b"rg" | b"k" | b"sc" | b"cs" => graphics.is_picture = false,
            b"sh" => self.shading(operands.first().and_then(Object::name)?, &graphics.clip, resources),
            b"Td" => state.move_line(n(0), n(1)),
            b"TD" => {
                graphics.leading = -n(1);
                state.move_line(n(0), n(1));
            }
            b"Tm" => {
                let matrix = Matrix::from_numbers(numbers)?;
                (state.text_matrix, state.line_matrix) = (matrix, matrix);
            }
            b"T*" => state.next_line(),
            b"Tj" => self.text(operands, state),
            b"TJ" => {
                if let Some(Object::Array(items)) = operands.first() {
                    self.text(items, state);
                }
            }
            b"'" => {
                state.next_line();
                self.text(operands, state);
            }
            b"\"" => {
                (graphics.word_spacing, graphics.character_spacing) = (n(0), n(1));
                state.next_line();
                self.text(operands, state);
            }
            b"Do" => return self.external_object(operands.first().and_then(Object::name)?, state, resources, depth),
            _ => self.path(operator, numbers, state),
        }
        (state.path.points.len() <= AREAS).then_some(())
    }

    /// Follows an operator that constructs or paints a path: ISO 32000-1 §8.5.
    fn path(&mut self, operator: &[u8], numbers: &[f64], state: &mut StreamState) {
        let n = |index: usize| numbers.get(index).copied().unwrap_or(0.0);
        match operator {
            b"m" | b"l" => state.add_point(n(0), n(1), operator == b"l"),
            b"c" | b"v" | b"y" => {
                state.path.is_slanted = true;
                numbers.chunks_exact(2).for_each(|point| state.add_point(point[0], point[1], false));
            }
            b"re" => {
                let matrix = state.graphics.matrix;
                state.path.is_slanted |= !matrix.is_upright();
                let area = Rectangle::around([(n(0), n(1)), (n(0) + n(2), n(1) + n(3))]);
                let area = matrix.around(area);
                if SIDES.contains(&(area.right - area.left)) && SIDES.contains(&(area.top - area.bottom)) {
                    state.path.squares.push(area);
                }
                state.path.points.extend([(area.left, area.bottom), (area.right, area.top)]);
            }
            b"W" | b"W*" => state.path.clips = true,
            b"S" | b"s" => {
                let path = state.take_path();
                if path.is_slanted || self.is_glyph {
                    self.draw(&path.points);
                }
            }
            b"f" | b"F" | b"f*" | b"B" | b"B*" | b"b" | b"b*" => {
                let path = state.take_path();
                self.content.squares.extend(path.squares);
                if state.graphics.is_picture {
                    self.image(Rectangle::around(path.points));
                } else if path.is_slanted || self.is_glyph {
                    self.draw(&path.points);
                }
            }
            b"n" => _ = state.take_path(),
            _ => {}
        }
    }

    /// Shows strings, with the numbers between them that move the text position: ISO 32000-1 §9.4.3.
    fn text(&mut self, items: &[Object<'_>], state: &mut StreamState) {
        let graphics = &state.graphics;
        let font = graphics.font.as_ref().unwrap_or(&self.unknown_font).clone();
        let (size, rise, is_vertical) = (graphics.font_size, graphics.rise, font.is_vertical());
        let sure = if font.has_widths() { 1.0 } else { NARROW };
        for item in items {
            let before = state.text_matrix;
            let bytes = item.string().map(|string| string.bytes());
            let advance = match &bytes {
                Some(bytes) => font.advance(bytes, graphics),
                // A number moves back, in thousandths.
                None if is_vertical => item.number().unwrap_or(0.0) / 1000.0 * size,
                None => -item.number().unwrap_or(0.0) / 1000.0 * size * graphics.horizontal_scaling,
            };
            let (right, up) = if is_vertical { (0.0, -advance) } else { (advance, 0.0) };
            state.text_matrix = Matrix::translation(right, up).then(state.text_matrix);
            // §9.3.6: mode 3 shows nothing, but has no effect on a Type 3 font.
            let is_shown = graphics.rendering_mode != 3 || font.glyphs().is_some();
            let Some(bytes) = bytes.filter(|bytes| is_shown && !bytes.is_empty()) else { continue };
            let scale = Matrix([size * graphics.horizontal_scaling, 0.0, 0.0, size, 0.0, rise]);
            let letter = scale.then(before).then(graphics.matrix).in_place();
            if !self.content.letters.iter().rev().take(RECENT).any(|known| *known == letter) {
                self.content.letters.push(letter);
            }
            // What a font says of a glyph's width moves the next one; the glyph itself is as wide as it is.
            let advance = if advance.abs() < LEAST * size.abs() { LEAST * size.abs() } else { advance };
            let area = |advance: f64| {
                let area = match is_vertical {
                    true => Rectangle::around([(-0.5 * size, rise), (0.5 * size, rise - advance)]),
                    false => Rectangle::around([(0.0, rise - 0.2 * size), (advance, rise + 0.75 * size)]),
                };
                let shown = before.then(graphics.matrix).around(area);
                // Where it may end sooner, what follows on the line may begin sooner.
                if font.is_mapped() { shown.with(&state.line_matrix.then(graphics.matrix).around(area)) } else { shown }
            };
            if let Some(glyphs) = font.glyphs() {
                let first = scale.then(before).then(graphics.matrix).around(glyphs);
                let last = scale.then(state.text_matrix).then(graphics.matrix).around(glyphs);
                let all = first.with(&last);
                self.content.is_unclipped |= graphics.clip.area.within(&all) != Some(all);
                self.show(all);
                self.content.words.push(all);
            }
            self.show(area(advance));
            if !font.is_leader(&bytes) {
                self.content.words.push(area(advance * sure));
            }
        }
    }

    /// Sets the font that a graphics state parameter dictionary names: ISO 32000-1 table 58.
    fn set_state(
        &mut self,
        operands: &[Object<'_>],
        graphics: &mut GraphicsState,
        resources: &Resources<'a>,
        depth: usize,
    ) {
        let parameters = || {
            let states = self.revision.dictionary(resources.as_ref()?, b"ExtGState")?;
            self.revision.dictionary(&states, operands.first()?.name()?)
        };
        let Some(parameters) = parameters() else { return };
        // What is painted through a mask has its form (§11.4.7).
        self.content.has_image |= self.revision.dictionary(&parameters, b"SMask").is_some();
        if let Some([font, size]) = self.revision.array(&parameters, b"Font").as_deref() {
            graphics.font_size = self.revision.resolve(size).number().unwrap_or(0.0);
            graphics.font = self.read_font(font, resources, depth);
        }
    }

    /// Paints a shading, which goes to the ends of what clips: ISO 32000-1 §8.7.4.2.
    fn shading(&mut self, name: &[u8], clip: &Clip, resources: &Resources<'a>) {
        let shadings = resources.as_ref().and_then(|resources| self.revision.dictionary(resources, b"Shading"));
        let shading = shadings.map_or(Object::Null, |shadings| self.revision.lookup(&shadings, name));
        if clip.is_slanted || !self.is_gradient(&shading) {
            self.content.has_image = true;
            self.show(clip.area);
        }
    }

    /// Returns whether a shading is a gradient along a line or between circles (ISO 32000-1 table 78): all others may show
    /// letters.
    fn is_gradient(&self, shading: &Object<'a>) -> bool {
        let Object::Dictionary(shading) = shading else { return false };
        matches!(self.revision.lookup(shading, b"ShadingType").integer(), Some(2 | 3))
    }

    /// Returns whether a pattern may be a picture: all but gradients are (ISO 32000-1 §8.7).
    fn is_picture(&self, resources: &Resources<'a>, name: &[u8]) -> bool {
        let patterns = resources.as_ref().and_then(|resources| self.revision.dictionary(resources, b"Pattern"));
        match patterns.map(|patterns| self.revision.lookup(&patterns, name)) {
            Some(Object::Dictionary(pattern)) => !self.is_gradient(&self.revision.lookup(&pattern, b"Shading")),
            Some(pattern) => matches!(pattern, Object::Stream(_)),
            None => false,
        }
    }

    fn font(&mut self, resources: &Resources<'a>, name: &[u8], depth: usize) -> Option<Rc<Font>> {
        let fonts = self.revision.dictionary(resources.as_ref()?, b"Font")?;
        self.read_font(fonts.get(name)?, resources, depth)
    }

    fn read_font(&mut self, font: &Object<'a>, resources: &Resources<'a>, depth: usize) -> Option<Rc<Font>> {
        let number = font.reference().map(|reference| reference.number);
        let shared = &self.revision.drawn.fonts;
        if let Some(number) = number
            && let Some(known) = self.fonts.get(&number).or(shared.borrow().get(&number))
        {
            return Some(known.clone());
        }
        let Object::Dictionary(font) = self.revision.resolve(font) else { return None };
        // A glyph that shows its own font ends there.
        self.fonts.extend(number.map(|number| (number, self.unknown_font.clone())));
        let is_drawn = self.revision.lookup(&font, b"Subtype").name() == Some(b"Type3");
        let has_resources = self.revision.dictionary(&font, b"Resources").is_some();
        let glyphs = is_drawn.then(|| self.glyphs(&font, resources, depth).unwrap_or(ANYWHERE));
        let font = Rc::new(Font::read(self.revision, &font, glyphs, &mut self.widths_left));
        if let Some(number) = number {
            self.fonts.remove(&number);
            // One within a glyph was read while another one is not known, one without resources has those of the page or form.
            let is_whole = self.widths_left > 0 && !(is_drawn && self.is_glyph);
            let fonts = if is_drawn && !has_resources { &mut self.fonts } else { &mut *shared.borrow_mut() };
            fonts.extend(is_whole.then(|| (number, font.clone())));
        }
        Some(font)
    }

    /// Returns the area in which the glyphs of a Type 3 font are, for a font size of one: ISO 32000-1 §9.6.5. They are content, which
    /// keeps to no width and no box; `None` where they cannot be followed.
    fn glyphs(&mut self, font: &Dictionary<'a>, resources: &Resources<'a>, depth: usize) -> Option<Rectangle> {
        let matrix = self.matrix(font, b"FontMatrix").unwrap_or(Matrix::THOUSANDTHS);
        let own = dictionary(self.revision.lookup(font, b"Resources")).or(resources.clone());
        let around = (std::mem::take(&mut self.content), self.is_glyph);
        self.is_glyph = true;
        let glyphs = self.revision.dictionary(font, b"CharProcs").filter(|_| depth < FORMS);
        let followed = glyphs.and_then(|glyphs| {
            glyphs.iter().try_for_each(|(_, glyph)| {
                let Object::Stream(glyph) = self.revision.resolve(glyph) else { return Some(()) };
                let bytes = self.revision.decoded(&glyph).ok()?;
                self.follow(&bytes, &own, GraphicsState { matrix, ..GraphicsState::default() }, depth + 1)
            })
        });
        let content = std::mem::replace(&mut self.content, around.0);
        self.is_glyph = around.1;
        // What is beyond the box of an appearance is not seen from the place of the glyphs.
        followed.filter(|()| content.letters.is_empty() && !content.is_unclipped)?;
        let shown = content.boxes.into_iter().chain(content.words).chain(content.squares);
        let area = shown.reduce(|all, one| all.with(&one)).unwrap_or(Rectangle::NOWHERE);
        // A line along an axis is as wide as its pen.
        area.widened(PEN).within(&ANYWHERE)
    }

    /// Returns the matrix that is an entry of a dictionary.
    pub fn matrix(&self, of: &Dictionary<'a>, key: &[u8]) -> Option<Matrix> {
        let numbers = self.revision.array(of, key)?;
        let numbers: Vec<f64> = numbers.iter().filter_map(|item| self.revision.resolve(item).number()).collect();
        Matrix::from_numbers(&numbers)
    }

    /// Shows an external object, such as an image, or follows one that is a form: ISO 32000-1 §8.8, §8.10. Where it is not
    /// found, viewers may find it elsewhere.
    fn external_object(
        &mut self,
        name: &[u8],
        state: &StreamState,
        resources: &Resources<'a>,
        depth: usize,
    ) -> Followed {
        let objects = resources.as_ref().and_then(|resources| self.revision.dictionary(resources, b"XObject"));
        let object = objects.map_or(Object::Null, |objects| self.revision.lookup(&objects, name));
        let Object::Stream(stream) = object else { return None };
        if self.revision.lookup(&stream.dictionary, b"Subtype").name() != Some(b"Form") {
            self.image(state.graphics.matrix.around(Rectangle::UNIT));
            return Some(());
        }
        if depth >= FORMS {
            return None;
        }
        // What it shows depends on what is around it where it has no resources of its own, or may show fonts of which that was so.
        // The lines of a glyph count otherwise.
        let has_resources = || self.revision.dictionary(&stream.dictionary, b"Resources").is_some();
        let is_own = !self.is_glyph && self.fonts.is_empty() && has_resources();
        let form = self.revision.drawn.form(&stream);
        let is_known = |known: &&ShownForm| known.depth == depth && known.state.is_same(&state.graphics);
        if is_own && let Some(known) = form.shown.borrow().iter().find(is_known) {
            let content = known.content.as_ref()?;
            self.revision.limits().steps(1 + content.forms.len() as u64).ok()?;
            self.content.add(content);
            return Some(());
        }
        let bytes = self.revision.decoded(&stream).ok()?;
        if !is_own || bytes.len() < LONG || form.shown.borrow().len() >= SHOWN {
            return self.form(&stream, &bytes, resources, state.graphics.clone(), depth);
        }
        let around = std::mem::take(&mut self.content);
        let followed = self.form(&stream, &bytes, resources, state.graphics.clone(), depth);
        let content = Rc::new(std::mem::replace(&mut self.content, around));
        self.content.add(&content);
        let (state, content) = (state.graphics.clone(), followed.map(|()| content));
        form.shown.borrow_mut().push(ShownForm { state, depth, content });
        followed
    }

    /// Follows a form, of which `bytes` are the content.
    pub fn form(
        &mut self,
        stream: &Stream<'a>,
        bytes: &[u8],
        resources: &Resources<'a>,
        around: GraphicsState,
        depth: usize,
    ) -> Followed {
        let matrix = self.matrix(&stream.dictionary, b"Matrix").unwrap_or(Matrix::IDENTITY).then(around.matrix);
        let own = dictionary(self.revision.lookup(&stream.dictionary, b"Resources"));
        let mut graphics = GraphicsState { matrix, ..around };
        if let Some(frame) = Rectangle::read_entry(self.revision, &stream.dictionary, b"BBox") {
            graphics.clip = graphics.clip.within(matrix.around(frame), !matrix.is_upright());
        }
        self.follow(bytes, &own.or(resources.clone()), graphics, depth + 1)
    }
}

/// Returns how many operands an operator has, and how many of these are numbers (ISO 32000-1 annex A): given more or fewer,
/// readers take the first ones, the last ones, or none.
fn operands_of(operator: &[u8]) -> Option<(usize, usize)> {
    Some(match operator {
        b"Tj" | b"TJ" | b"'" | b"Do" | b"gs" | b"sh" => (1, 0),
        b"Tc" | b"Tw" | b"Tz" | b"TL" | b"Ts" | b"Tr" => (1, 1),
        b"Tf" => (2, 1),
        b"Td" | b"TD" | b"m" | b"l" => (2, 2),
        b"\"" => (3, 2),
        b"re" | b"v" | b"y" => (4, 4),
        b"cm" | b"Tm" | b"c" => (6, 6),
        _ => return None,
    })
}

/// Returns the dictionary that an object is.
pub(super) fn dictionary(object: Object<'_>) -> Resources<'_> {
    match object {
        Object::Dictionary(dictionary) => Some(dictionary),
        _ => None,
    }
}

/// Returns where the data of an inline image ends: ISO 32000-1 §8.9.7.
fn image_end(bytes: &[u8], from: usize) -> Option<usize> {
    let ends = |at: &usize| {
        bytes.get(at.saturating_sub(1)).copied().is_some_and(is_space)
            && bytes.get(at + 2).is_none_or(|byte| is_space(*byte))
    };
    memchr::memmem::find_iter(bytes.get(from..)?, b"EI").map(|at| from + at).find(ends).map(|at| at + 2)
}
