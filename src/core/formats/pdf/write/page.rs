//! Pages on which something is placed: ISO 32000-1 §7.7.3.3.

use super::error::WriteError;
use super::update::Update;
use crate::formats::pdf::annotation::{area, is_hidden};
use crate::formats::pdf::field::inherited;
use crate::formats::pdf::object::{Dictionary, Object, Reference};
use crate::formats::pdf::pages::{Pages, page_area};
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::rc::Rc;

/// The area of a page that states none: US Letter, as viewers take it.
const LETTER: Rectangle = Rectangle { left: 0.0, bottom: 0.0, right: 612.0, top: 792.0 };

/// A page.
#[derive(Debug, Clone)]
pub struct Page<'a> {
    /// Its object.
    pub id: Reference,
    /// The area that viewers show, in default user space: the crop box within the media box.
    pub area: Rectangle,
    /// By how many degrees viewers turn it clockwise: 0, 90, 180 or 270.
    pub rotation: u16,
    /// How many points a unit of user space has.
    pub unit: f64,
    dictionary: Rc<Dictionary<'a>>,
}

impl<'a> Page<'a> {
    /// Returns a page by its number: from one on, or from minus one on from the end. `None` where there is none.
    ///
    /// # Errors
    ///
    /// [`WriteError::Unusual`] where it is no object of its own.
    pub fn numbered(revision: &Revision<'a, '_>, number: i32) -> Result<Option<Self>, WriteError> {
        let place = |number: i32| usize::try_from(number.unsigned_abs()).ok()?.checked_sub(1);
        let mut pages = Pages::new(revision);
        let found = match (place(number), number < 0) {
            (None, _) => None,
            (Some(place), false) => pages.nth(place),
            (Some(place), true) => {
                let all: Vec<_> = pages.collect();
                all.into_iter().nth_back(place)
            }
        };
        found.map(|(number, dictionary)| Self::read(revision, number, dictionary)).transpose()
    }

    /// Returns the page that an annotation is on: the one that it names, if it lists the annotation, or else the first that
    /// does.
    ///
    /// # Errors
    ///
    /// [`WriteError::Unusual`] where the page is no object of its own.
    pub fn with_annotation(
        revision: &Revision<'a, '_>,
        id: Reference,
        annotation: &Dictionary<'a>,
    ) -> Result<Option<Self>, WriteError> {
        let lists = |page: &Dictionary<'a>| {
            let annotations = revision.array(page, b"Annots").unwrap_or_default();
            annotations.iter().any(|item| item.reference().is_some_and(|reference| reference.number == id.number))
        };
        let named = annotation.get(b"P").and_then(Object::reference);
        let named = named.and_then(|named| Some((Some(named.number), revision.dictionary(annotation, b"P")?)));
        let found =
            named.filter(|(_, page)| lists(page)).or_else(|| Pages::new(revision).find(|(_, page)| lists(page)));
        found.map(|(number, dictionary)| Self::read(revision, number, dictionary)).transpose()
    }

    fn read(
        revision: &Revision<'a, '_>,
        number: Option<u32>,
        dictionary: Rc<Dictionary<'a>>,
    ) -> Result<Self, WriteError> {
        let number = number.ok_or(WriteError::Unusual {
            found: "a page inside of another object".into(),
            expected: "one that is an object of its own",
        })?;
        let turned = inherited(revision, &dictionary, b"Rotate").integer().unwrap_or(0).rem_euclid(360);
        let unit = revision.lookup(&dictionary, b"UserUnit").number().filter(|unit| *unit > 0.0);
        Ok(Self {
            id: revision.in_use(number),
            area: page_area(revision, &dictionary).unwrap_or(LETTER),
            rotation: (turned / 90 * 90) as u16,
            unit: unit.unwrap_or(1.0),
            dictionary,
        })
    }

    /// Returns, in the coordinates of the page, a rectangle that is so far from the left upper corner of the displayed page,
    /// and of that size, all in points.
    pub fn displayed(&self, left: f64, top: f64, width: f64, height: f64) -> Rectangle {
        let [left, top, width, height] = [left, top, width, height].map(|length| length / self.unit);
        // Two opposite corners, from the displayed page's left upper corner: to the right, and down.
        let corner = |right: f64, down: f64| match self.rotation {
            90 => (self.area.left + down, self.area.bottom + right),
            180 => (self.area.right - right, self.area.bottom + down),
            270 => (self.area.right - down, self.area.top - right),
            _ => (self.area.left + right, self.area.top - down),
        };
        Rectangle::around([corner(left, top), corner(left + width, top + height)])
    }

    /// Returns the areas of its annotations, but of hidden ones; those of fields that wait for a signature included.
    pub fn annotations(&self, revision: &Revision<'a, '_>) -> Vec<Rectangle> {
        let annotations = revision.array(&self.dictionary, b"Annots").unwrap_or_default();
        let area = |annotation: &Object<'a>| match revision.resolve(annotation) {
            Object::Dictionary(annotation) if !is_hidden(revision, &annotation) => area(revision, &annotation),
            _ => None,
        };
        annotations.iter().filter_map(area).collect()
    }
}

/// Adds an annotation to a page.
pub fn annotate(update: &mut Update<'_, '_, '_>, page: Reference, annotation: Reference) -> Result<(), WriteError> {
    update.push(page, &[], b"Annots", annotation)
}
