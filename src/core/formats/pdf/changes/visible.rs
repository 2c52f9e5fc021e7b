//! Pages that look different because an annotation was added, deleted or modified, as far as that can be found without
//! drawing them.

use super::annotation_pages::AnnotationPages;
use super::{VisibleChange, VisibleChangeKind};
use crate::formats::pdf::object::Dictionary;
use crate::formats::pdf::page_content::PageContent;
use crate::formats::pdf::pages;
use crate::formats::pdf::rectangle::Rectangle;
use crate::formats::pdf::revision::Revision;
use std::cell::{OnceCell, RefCell};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;

/// The share of a page above which a filled field is taken for the page itself.
const LARGE: f64 = 0.25;

/// The share of a page above which all its filled fields together are taken for the page itself.
const MOST: f64 = 0.5;

/// The share of a line, in height and in width, that a field on words covers.
const ON_WORDS: f64 = 0.5;

/// The share of a picture that a field hides with it.
const HIDDEN: f64 = 0.5;

/// The share of the height of a line that lies between a line and what can be read as a part of it.
const NEAR: f64 = 0.5;

/// The most that strokes of a letter, or letters of a word, are apart.
const STROKES: f64 = 3.0;

/// Bounds the changes for which pages are looked at; each beyond counts as covering something.
const CHANGES: usize = 1_000;

/// The pages of the latest revision, with their content as far as it was asked for.
#[derive(Default)]
pub(in crate::formats::pdf) struct PageContents<'a> {
    numbered: OnceCell<Vec<(Option<u32>, Rc<Dictionary<'a>>)>>,
    contents: RefCell<HashMap<u32, Rc<PageContent>>>,
    annotations: RefCell<HashMap<u32, Rc<[Rectangle]>>>,
    annotated_words: RefCell<HashMap<u32, Rc<[(u32, Rectangle)]>>>,
    annotation_pages: OnceCell<AnnotationPages>,
}

impl<'a> PageContents<'a> {
    /// Returns the pages in their order.
    fn numbered(&self, last: &Revision<'a, '_>) -> &[(Option<u32>, Rc<Dictionary<'a>>)] {
        self.numbered.get_or_init(|| pages::numbered(last))
    }

    /// Returns which pages show which annotations.
    fn annotation_pages(&self, last: &Revision<'a, '_>) -> &AnnotationPages {
        self.annotation_pages.get_or_init(|| AnnotationPages::of(last, self.numbered(last)))
    }

    /// Returns the areas of the visible annotations of a page.
    fn annotations(&self, last: &Revision<'a, '_>, number: u32, page: &Dictionary<'a>) -> Rc<[Rectangle]> {
        let read = || pages::annotation_areas(last, page).into();
        self.annotations.borrow_mut().entry(number).or_insert_with(read).clone()
    }

    /// Returns whether a field stands on words of an annotation that is below it.
    fn is_on_annotated_words(
        &self,
        last: &Revision<'a, '_>,
        change: &VisibleChange,
        area: &Rectangle,
        (number, page): (u32, &Dictionary<'a>),
    ) -> bool {
        let read = || pages::annotated_words(last, page).into();
        let words = self.annotated_words.borrow_mut().entry(number).or_insert_with(read).clone();
        let is_other = |(other, _): &&(u32, Rectangle)| Some(*other) != change.annotation;
        words.iter().take_while(is_other).any(|(_, words)| stands_on(area, words))
    }

    /// Returns the content of a page.
    fn content(&self, last: &Revision<'a, '_>, number: u32, page: &Dictionary<'a>) -> Rc<PageContent> {
        self.contents.borrow_mut().entry(number).or_insert_with(|| Rc::new(PageContent::read(last, page))).clone()
    }
}

/// Returns the pages, counted from one, that look different.
///
/// An annotation that was deleted or modified changes its page. A new one does where it covers content of the page, or
/// another annotation, and a link or a note with a look of its own where it stands next to words; one that adds words or
/// drawings does anywhere, unless the signer permits annotations. A field shows its value where it always was: that covers
/// content where the field stands on words of the page, or is large.
pub(in crate::formats::pdf) fn changed_pages<'a>(
    of: &PageContents<'a>,
    last: &Revision<'a, '_>,
    changes: &[VisibleChange],
    annotations_permitted: bool,
) -> Vec<u32> {
    if changes.is_empty() {
        return Vec::new();
    }
    let pages = of.numbered(last);
    let numbered: HashMap<u32, &Rc<Dictionary<'a>>> =
        pages.iter().filter_map(|(number, page)| Some(((*number)?, page))).collect();
    let mut filled: HashMap<u32, f64> = HashMap::new();
    let mut found = HashSet::new();
    for (index, change) in changes.iter().enumerate() {
        let shown_on = of.annotation_pages(last).of_change(change);
        let is_too_much = index > CHANGES || shown_on.is_none();
        for number in shown_on.unwrap_or_else(|| [change.page].into()) {
            let Some(page) = numbered.get(&number).filter(|_| !found.contains(&number)) else { continue };
            if is_too_much || differs(of, last, change, (number, page), annotations_permitted, &mut filled) {
                found.insert(number);
            }
        }
    }
    let numbers = (1..).zip(pages);
    numbers.filter(|(_, (number, _))| number.is_some_and(|number| found.contains(&number))).map(|(n, _)| n).collect()
}

/// Returns whether a page looks different by a change. Of each page `filled` has the share that filled fields take.
fn differs<'a>(
    of: &PageContents<'a>,
    last: &Revision<'a, '_>,
    change: &VisibleChange,
    (number, page): (u32, &Dictionary<'a>),
    annotations_permitted: bool,
    filled: &mut HashMap<u32, f64>,
) -> bool {
    match (change.kind, change.area) {
        (VisibleChangeKind::Changed, _) | (_, None) => true,
        (VisibleChangeKind::Drawn, _) if !annotations_permitted => true,
        (VisibleChangeKind::Filled, Some(area)) => {
            let share = pages::page_area(last, page).map_or(1.0, |whole| area.share_of(&whole));
            let together = filled.entry(number).or_default();
            *together += share;
            share > LARGE || *together > MOST || {
                let content = of.content(last, number, page);
                content.any_words(&|words| stands_on(&area, words))
                    || content.any_picture(&|picture| hides(&area, picture))
                    || of.is_on_annotated_words(last, change, &area, (number, page))
            }
        }
        (VisibleChangeKind::Added | VisibleChangeKind::Annotated | VisibleChangeKind::Drawn, Some(area)) => {
            let content = of.content(last, number, page);
            let is_annotated = change.kind == VisibleChangeKind::Annotated;
            // Marks of which each is a stroke are words together.
            let around = if is_annotated { area.widened(STROKES) } else { area };
            content.any_box(&|shown| shown.overlaps(&area))
                || is_annotated && content.any_words(&|words| adjoins(&area, words))
                // It is one of them itself.
                || of.annotations(last, number, page).iter().filter(|other| other.overlaps(&around)).nth(1).is_some()
        }
    }
}

/// Returns whether a change is seen where there is no page: viewers disagree on what is a page where one is in another object
/// or has kids (ISO 32000-1 tables 29 and 30).
pub(in crate::formats::pdf) fn is_beside_pages<'a>(
    of: &PageContents<'a>,
    last: &Revision<'a, '_>,
    changes: &[VisibleChange],
) -> bool {
    if changes.is_empty() {
        return false;
    }
    let pages = of.numbered(last).iter().filter(|(_, page)| page.get(b"Kids").is_none());
    let pages: HashSet<u32> = pages.filter_map(|(number, _)| *number).collect();
    changes.iter().any(|change| !pages.contains(&change.page))
}

/// Returns whether a mark is so near to words that it can be read as one of their letters.
fn adjoins(area: &Rectangle, words: &Rectangle) -> bool {
    words.widened(NEAR * words.height()).overlaps(area)
}

/// Returns whether a field covers most of a picture, such as words that are drawn.
fn hides(area: &Rectangle, picture: &Rectangle) -> bool {
    area.within(picture).is_some_and(|both| both.share_of(picture) > HIDDEN)
}

/// Returns whether a field stands on words rather than beside them, or is narrow or low and in the midst of them.
fn stands_on(area: &Rectangle, words: &Rectangle) -> bool {
    let least = ON_WORDS * words.width().min(words.height());
    let Some(both) = area.within(words) else { return false };
    let is_amid =
        [words.left < area.left && area.right < words.right, words.bottom < area.bottom && area.top < words.top];
    (both.width() >= least || is_amid[0]) && (both.height() >= least || is_amid[1])
}

#[cfg(test)]
mod tests {
    use crate::budget::Budget;
    use crate::formats::pdf::File;
    use crate::formats::pdf::changes::{Comparison, Graph, LatestForm};
    use std::rc::Rc;

    /// Appends objects, with their cross-references.
    fn append(bytes: &mut Vec<u8>, objects: &[(u32, String)], previous: &mut String) {
        let mut table = String::from("xref\n");
        for (number, object) in objects {
            table += &format!("{number} 1\n{:010} 00000 n \n", bytes.len());
            bytes.extend(format!("{number} 0 obj {object} endobj\n").bytes());
        }
        let start = bytes.len();
        bytes.extend(format!("{table}trailer <</Root 1 0 R{previous}>>\nstartxref\n{start}\n%%EOF\n").bytes());
        *previous = format!("/Prev {start}");
    }

    /// Returns whether the page, 200 by 200 with words at 20, 100, looks otherwise when the annotation becomes another
    /// one.
    fn differs(before: Option<&str>, after: &str, permitted: bool) -> bool {
        let words = "BT /F 10 Tf 20 100 Td (Price 100) Tj 0 -50 Td (______) Tj ET";
        let length = words.len();
        let annotations = |there: bool| if there { "[5 0 R]" } else { "[]" };
        let fields = if after.contains("/Widget") { "5 0 R" } else { "" };
        let page = |there| format!("<</Parent 2 0 R/Contents 4 0 R/Annots{}>>", annotations(there));
        let signed = [
            (1, format!("<</Pages 2 0 R/AcroForm<</Fields[{fields}]>>>>")),
            (2, "<</Kids[3 0 R]/Count 1/MediaBox[0 0 900 900]/CropBox[0 0 200 200]>>".into()),
            (3, page(before.is_some())),
            (4, format!("<</Length {length}>>stream\n{words}\nendstream")),
            (5, before.unwrap_or("null").into()),
        ];
        let (mut bytes, mut previous) = (b"%PDF-1.7\n".to_vec(), String::new());
        append(&mut bytes, &signed, &mut previous);
        let end = bytes.len();
        append(&mut bytes, &[(3, page(true)), (5, after.into())], &mut previous);
        let file = File::new(&bytes, &Budget::default()).expect("a PDF");
        let last = file.open(None).expect("a revision");
        let signed = file.revision(end).expect("a revision");
        let (mut graph, form) = (Graph::default(), || Rc::new(LatestForm::of(&last)));
        let found = Comparison::new(&signed, &last, &mut graph, &form).documents();
        assert!(found.objects.undefined.is_empty(), "{after}: {:?}", found.objects.undefined);
        !super::changed_pages(&super::PageContents::default(), &last, &found.visible, permitted).is_empty()
    }

    #[test]
    fn new_annotations() {
        for (clause, situation, annotation, expected) in [
            ("12.5.6.4", "a note in the margin", "/Subtype/Text/Rect[150 150 170 170]", false),
            ("12.5.6.4", "a note as large as a paragraph", "/Subtype/Text/Rect[150 150 199 170]/AP<<>>", true),
            ("12.5.6.5", "a link before the words, as a minus", "/Subtype/Link/Rect[12 102 18 103]", true),
            ("12.5.6.4", "a note next to the words", "/Subtype/Text/Rect[2 98 17 110]/AP<</N 4 0 R>>", true),
            ("12.5.6.5", "a link in the margin", "/Subtype/Link/Rect[150 150 160 160]", false),
            ("12.5.4", "its border goes over the page", "/Subtype/Link/Rect[150 150 160 160]/Border[0 0 300]", true),
            ("12.5.4", "the same by a style", "/Subtype/Link/Rect[150 150 160 160]/BS<</W 300>>", true),
            ("12.5.6.6", "words in the margin", "/Subtype/FreeText/Rect[150 150 160 160]", true),
            ("12.5.6.12", "a stamp without rectangle", "/Subtype/Stamp/Rect[0 0]", true),
            ("12.5.6.15", "a file", "/Subtype/FileAttachment/Rect[150 150 160 160]", true),
            ("12.5.6.15", "one that is hidden", "/Subtype/FileAttachment/F 2/Rect[150 150 160 160]", true),
            ("12.5.6.4", "the icon of a note reaches over words", "/Subtype/Text/Rect[20 125 20 125]", true),
            (
                "12.7.4.3",
                "a text field without appearance",
                "/Subtype/Widget/FT/Tx/T(a)/V(a)/Rect[20 100 90 120]",
                true,
            ),
            ("12.7.4.5", "a field to sign, of no look", "/Subtype/Widget/FT/Sig/T(a)/Rect[100 150 190 170]", false),
            (
                "12.5.5",
                "one with no appearance, beside the words",
                "/Subtype/Widget/FT/Sig/T(a)/Rect[100 98 140 110]/AP<</N 6 0 R>>",
                false,
            ),
            (
                "12.7.5.5",
                "one on the words, which MuPDF hides",
                "/Subtype/Widget/FT/Sig/T(a)/Rect[20 98 60 110]/AP<</N 6 0 R>>",
                true,
            ),
            (
                "12.7.4.5",
                "a field to sign that shows words",
                "/Subtype/Widget/FT/Sig/T(a)/Rect[100 150 190 170]/AP<</N 4 0 R>>",
                true,
            ),
            ("12.5.2", "what is hidden", "/Subtype/Stamp/F 2/Rect[0 0 200 200]", false),
        ] {
            assert_eq!(differs(None, &format!("<<{annotation}>>"), false), expected, "{clause} {situation}");
        }
        let beside = "/Rect[150 150 160 160]";
        for (clause, situation, annotation, expected) in [
            ("12.8.2.2", "permitted, beside the words", format!("/Subtype/FreeText{beside}"), false),
            ("12.8.2.2", "no annotation alone, but a field", format!("/Subtype/Widget/FT/Tx/T(a)/V(a){beside}"), true),
            ("12.8.2.2", "permitted, on the words", "/Subtype/FreeText/Rect[20 90 60 110]".into(), true),
            ("12.5.6.7", "a line through the words", format!("/Subtype/Line{beside}/L[20 105 90 105]"), true),
            ("12.5.6.7", "a line with a caption", format!("/Subtype/Line{beside}/L[150 150 160 160]/Cap true"), true),
            ("12.5.6.9", "a polygon on them", format!("/Subtype/Polygon{beside}/Vertices[20 95 90 95 90 110]"), true),
            (
                "12.5.6.10",
                "a highlight",
                format!("/Subtype/Highlight{beside}/QuadPoints[20 95 90 95 20 110 90 110]"),
                true,
            ),
            ("12.5.6.13", "ink", format!("/Subtype/Ink{beside}/InkList[[20 105 90 105]]"), true),
            ("12.5.6.13", "ink beside", format!("/Subtype/Ink{beside}/InkList[[151 151 155 155]]"), false),
        ] {
            assert_eq!(differs(None, &format!("<<{annotation}>>"), true), expected, "{clause} {situation}");
        }
    }

    #[test]
    fn changed_annotations() {
        let stamp = "<</Subtype/Stamp/Rect[150 150 160 160]/C[0]>>";
        for (clause, situation, after, expected) in [
            ("12.5.2", "another rectangle of five numbers", "<</Subtype/Stamp/Rect[0 0 90 90 0]/C[0]>>", true),
            ("12.5.2", "what it says", "<</Subtype/Stamp/Rect[150 150 160 160]/C[0]/Contents(a)>>", false),
        ] {
            assert_eq!(differs(Some(stamp), after, true), expected, "{clause} {situation}");
        }
    }

    #[test]
    fn filled_fields() {
        let field =
            |kind: &str, area: &str, value: &str| format!("<</Subtype/Widget/FT/{kind}/T(a)/Rect[{area}]{value}>>");
        for (situation, kind, area, expected) in [
            ("beside the words", "Tx", "100 95 180 110", false),
            ("on the words", "Tx", "50 95 180 110", true),
            ("on the last letter, partly", "Tx", "61 95 180 110", false),
            ("below them, touching", "Tx", "20 88 180 100", false),
            ("a line through them", "Tx", "10 101 90 103", true),
            ("on one narrow digit", "Tx", "50 98 53 110", true),
            ("on a line of the page", "Tx", "20 45 180 60", false),
            ("more than a quarter of what is shown", "Tx", "0 120 200 180", true),
            ("a box to tick, on a character", "Btn", "20 98 32 110", true),
        ] {
            let value = if kind == "Btn" { "/V/On" } else { "/V(b)" };
            let (before, after) = (field(kind, area, ""), field(kind, area, value));
            assert_eq!(differs(Some(&before), &after, true), expected, "12.7.3.3 {situation}");
        }
    }
}
