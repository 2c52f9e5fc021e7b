//! Where a page shows something: the areas of its text, its images and its drawings (ISO 32000-1 §8, §9).
//!
//! This draws nothing. It follows the operators that move and show, as far as is needed to find whether an annotation
//! lies on content of the page or beside it. Lines and rectangles along the axes are left out, and so are gradients within
//! such: forms, tables and backgrounds are made of them, and signatures are placed in these; but many small squares are an
//! image. Content that cannot be followed is taken to be everywhere.

mod font;
mod interpreter;
mod matrix;
mod state;

use super::field::inherited;
use super::object::{Dictionary, Object, Reference, Stream};
use super::pages::page_area;
use super::rectangle::Rectangle;
use super::revision::Revision;
use font::Font;
use interpreter::{Interpreter, dictionary};
use matrix::Matrix;
use state::GraphicsState;
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// The least number of small squares that together are an image, such as a bar code.
const SQUARES: usize = 12;

/// What a page shows, in the coordinates of its annotations.
#[derive(Debug, Default)]
pub(super) struct PageContent {
    /// The areas of everything shown but small squares.
    boxes: Vec<Rectangle>,
    /// The small squares that were filled.
    squares: Vec<Rectangle>,
    /// The areas of words. Lines and dots, which lead to a blank or fill it, are not among them.
    words: Vec<Rectangle>,
    /// The areas of images, and of drawings that are more than frames.
    pictures: Vec<Rectangle>,
    /// How letters are turned and scaled, each way once or some times.
    letters: Vec<Matrix>,
    /// Whether it shows an image, or what may be one: a pattern, a shading, what is painted through a mask.
    has_image: bool,
    /// Whether some readers do not keep it to itself: they do not clip what follows a state that is restored but was not saved (pdf.js)
    /// nor glyphs that are content streams (PDFium), and hide what follows optional content that does not end (poppler, pdf.js).
    is_unclipped: bool,
    /// What its forms show that others may show as well, and what the forms in these do.
    forms: Vec<Rc<PageContent>>,
    /// How many areas these have.
    areas_of_forms: usize,
}

impl PageContent {
    /// Follows the content of a page.
    pub fn read<'a>(revision: &Revision<'a, '_>, page: &Dictionary<'a>) -> Self {
        let mut interpreter = Interpreter::new(revision);
        let resources = dictionary(inherited(revision, page, b"Resources"));
        if interpreter.page(page, &resources).is_none() {
            let whole = page_area(revision, page).unwrap_or(Rectangle::EVERYWHERE);
            return Self { boxes: vec![whole], words: vec![whole], ..Self::default() };
        }
        interpreter.content
    }

    /// Returns it and its forms.
    fn parts(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(self.forms.iter().map(Rc::as_ref))
    }

    /// Returns whether one of the areas of everything shown is such.
    pub fn any_box(&self, is: &dyn Fn(&Rectangle) -> bool) -> bool {
        let is_image = || self.parts().map(|part| part.squares.len()).sum::<usize>() >= SQUARES;
        self.any(|part| &part.boxes, is) || is_image() && self.any(|part| &part.squares, is)
    }

    /// Returns whether one of the areas of words is such.
    pub fn any_words(&self, is: &dyn Fn(&Rectangle) -> bool) -> bool {
        self.any(|part| &part.words, is)
    }

    /// Returns whether one of the areas of images and drawings is such.
    pub fn any_picture(&self, is: &dyn Fn(&Rectangle) -> bool) -> bool {
        self.any(|part| &part.pictures, is)
    }

    fn any(&self, areas: fn(&Self) -> &[Rectangle], is: &dyn Fn(&Rectangle) -> bool) -> bool {
        self.parts().any(|part| areas(part).iter().any(is))
    }

    /// Returns how many areas it has, its forms aside, of the kind of which it has most.
    fn own_areas(&self) -> usize {
        let lengths = [self.words.len(), self.pictures.len(), self.letters.len()];
        lengths.into_iter().fold(self.boxes.len() + self.squares.len(), usize::max)
    }

    /// Returns how many areas it has, with those of its forms.
    fn areas(&self) -> usize {
        self.areas_of_forms + self.own_areas()
    }

    /// Adds what a form shows. One that shows nothing is not kept: it would be looked at for each annotation.
    fn add(&mut self, form: &Rc<PageContent>) {
        self.areas_of_forms += form.areas();
        self.has_image |= form.has_image;
        self.is_unclipped |= form.is_unclipped;
        self.forms.extend(form.forms.iter().chain(Some(form).filter(|form| form.own_areas() > 0)).cloned());
    }
}

/// What was read of the forms and fonts of a revision, which many annotations and pages may share.
#[derive(Default)]
pub(super) struct Drawn {
    /// The forms by the byte of the file where their bytes start, and by what they are called.
    forms: RefCell<HashMap<(usize, Reference), Rc<KnownForm>>>,
    /// The fonts by their object numbers.
    fonts: RefCell<HashMap<u32, Rc<Font>>>,
}

impl Drawn {
    /// Returns what was found of a form so far.
    fn form(&self, form: &Stream<'_>) -> Rc<KnownForm> {
        self.forms.borrow_mut().entry((form.start, form.id)).or_default().clone()
    }
}

/// What was found of a form.
#[derive(Default)]
struct KnownForm {
    /// What it shows as an appearance.
    content: OnceCell<Rc<FormContent>>,
    /// What it shows in content, each time in another state.
    shown: RefCell<Vec<ShownForm>>,
}

/// A form that content shows in a state, so deep within other forms.
struct ShownForm {
    state: GraphicsState,
    depth: usize,
    /// `None` where it cannot be followed.
    content: Option<Rc<PageContent>>,
}

/// What a form XObject, such as an appearance, shows wherever it is shown.
pub(super) struct FormContent {
    /// Whether there is nothing in it.
    pub is_empty: bool,
    /// Whether it shows words or a picture.
    pub shows_words: bool,
    /// Whether it shows text or an image, which may be one of text.
    pub shows_text: bool,
    /// Whether some readers clip nothing of it: it has no box, or what ends the clipping.
    is_unbounded: bool,
    /// Its box, as its matrix has it.
    frame: Rectangle,
    letters: Vec<Matrix>,
}

/// The width or height of a box that is none.
const NO_SIZE: f64 = 0.01;

impl FormContent {
    /// Returns what a form shows, which is followed once.
    pub fn of<'a>(revision: &Revision<'a, '_>, form: &Stream<'a>) -> Rc<Self> {
        revision.drawn.form(form).content.get_or_init(|| Rc::new(Self::read(revision, form))).clone()
    }

    fn read<'a>(revision: &Revision<'a, '_>, form: &Stream<'a>) -> Self {
        let mut interpreter = Interpreter::new(revision);
        let bytes = revision.decoded(form).ok();
        let followed =
            bytes.as_ref().and_then(|bytes| interpreter.form(form, bytes, &None, GraphicsState::default(), 0));
        let sides = revision.array(&form.dictionary, b"BBox").filter(|sides| sides.len() == 4);
        let frame = sides.and_then(|sides| Rectangle::read(revision, &Object::Array(sides)));
        let matrix = interpreter.matrix(&form.dictionary, b"Matrix").unwrap_or(Matrix::IDENTITY);
        let content = &interpreter.content;
        let has_words = content.any_words(&|_| true);
        let mut letters = Vec::new();
        content.parts().for_each(|part| letters.extend_from_slice(&part.letters));
        Self {
            is_empty: bytes.is_some_and(|bytes| bytes.trim_ascii().is_empty()),
            shows_words: followed.is_none() || has_words || content.any_picture(&|_| true),
            shows_text: followed.is_none() || has_words || content.has_image,
            is_unbounded: followed.is_none() || frame.is_none() || content.is_unclipped,
            frame: matrix.around(frame.unwrap_or(Rectangle::NOWHERE)),
            letters,
        }
    }

    /// Returns whether it shows something beyond its box to some readers where it fills an area: PDFium does not clip letters of
    /// hardly any width or height.
    pub fn leaves_its_box(&self, revision: &Revision<'_, '_>, area: &Rectangle) -> bool {
        // ISO 32000-1 algorithm 8.1. A box of no size stays as it is.
        let scale = |area: f64, shown: f64| if shown < NO_SIZE { 1.0 } else { area / shown };
        let (x, y) = (scale(area.width(), self.frame.width()), scale(area.height(), self.frame.height()));
        let scale = Matrix([x, 0.0, 0.0, y, 0.0, 0.0]);
        !self.is_empty
            && (self.is_unbounded
                || revision.limits().steps(self.letters.len() as u64).is_err()
                || self.letters.iter().any(|letter| letter.then(scale).is_thin()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::formats::pdf::File;
    use crate::formats::pdf::pages::numbered;

    /// Returns whether a page of that content, 200 by 200, shows something within a rectangle.
    fn shows(content: &str, area: [f64; 4]) -> bool {
        let area = Rectangle::around([(area[0], area[1]), (area[2], area[3])]);
        read(content).any_box(&|shown| shown.overlaps(&area))
    }

    /// Returns what such a page shows.
    fn read(content: &str) -> PageContent {
        let mut bytes = b"%PDF-1.7\n".to_vec();
        let mut table = String::from("xref\n");
        let length = content.len();
        let font = "<</Subtype/Type0/DescendantFonts[<</W[0 65535 500]>>]>>";
        let long = if content.contains("/L") { 1_000_000 } else { 0 };
        let objects = [
            "<</Type/Catalog/Pages 2 0 R>>".to_string(),
            "<</Type/Pages/Kids[3 0 R]/Count 1/MediaBox[0 0 200 200]/Resources 8 0 R>>".into(),
            "<</Type/Page/Parent 2 0 R/Contents 4 0 R>>".into(),
            format!("<</Length {length}>>stream\n{content}\nendstream"),
            "<</Subtype/Form/Matrix[1 0 0 1 100 0]/BBox[0 0 9 9]/Length 27>>stream\nBT /F 10 Tf 10 10 Td(a)Tj ET\nendstream"
                .into(),
            "<</Subtype/Image/Length 0>>stream\n\nendstream".into(),
            format!("<</Subtype/Form/BBox[0 0 9 9]/Length {long}>>stream\n{}\nendstream", "%".repeat(long)),
            format!("<</XObject<</F 5 0 R/I 6 0 R/L 7 0 R/O 9 0 R>>/Font<</W {font}>>>>"),
            format!("<</Subtype/Form/BBox[0 0 9 9]/Resources<<>>/Length 2000>>stream\n{}\nendstream", " ".repeat(2_000)),
        ];
        for (number, object) in (1..).zip(objects) {
            table += &format!("{number} 1\n{:010} 00000 n \n", bytes.len());
            bytes.extend(format!("{number} 0 obj {object} endobj\n").bytes());
        }
        let start = bytes.len();
        bytes.extend(format!("{table}trailer <</Root 1 0 R>>\nstartxref\n{start}\n%%EOF\n").bytes());
        let file = File::new(&bytes, &Budget::default()).expect("a PDF");
        let revision = file.open(None).expect("a revision");
        let pages = numbered(&revision);
        PageContent::read(&revision, &pages[0].1)
    }

    /// Each annotation is compared with each form: what shows nothing must not be among them, however often it is shown.
    #[test]
    fn forms_that_show_nothing_are_not_kept() {
        assert_eq!(read(&"/O Do ".repeat(1_000)).forms.len(), 0);
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
            ("9.7.4.3", "many widths", "/W 1 Tf", [1.0, 1.0, 2.0, 2.0], false),
            ("9.7.4.3", "too many widths", &"/W 1 Tf ".repeat(17), [1.0, 1.0, 2.0, 2.0], true),
            ("8.10", "a long form", "/L Do", [1.0, 1.0, 2.0, 2.0], false),
            ("8.10", "a long form again and again", &"/L Do ".repeat(200), [1.0, 1.0, 2.0, 2.0], true),
            ("8.4.2", "too many states", &"q ".repeat(300), [1.0, 1.0, 2.0, 2.0], true),
        ] {
            assert_eq!(shows(content, area), expected, "{clause} {situation}");
        }
    }
}
