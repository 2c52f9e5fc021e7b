//! From model to PDF, through krilla and its validators.

use super::fonts::{Fonts, Weight};
use super::page_model::{
    BOTTOM, Colour, ContentId, DrawOp, HEIGHT, Kind, LEFT, MarkedContent, Node, OutlineEntry, PageModel, RIGHT, WIDTH,
};
use super::typesetter::{QUIET, RULE, SMALL};
use super::{Error, Particulars, qr};
use crate::report::messages;
use crate::time::Time;
use krilla::SerializeSettings;
use krilla::color::rgb;
use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::document::Document;
use krilla::embed::{AssociationKind, EmbeddedFile, MimeType};
use krilla::geom::{PathBuilder, Point, Rect, Transform};
use krilla::graphic::Graphic;
use krilla::metadata::{DateTime, Metadata};
use krilla::num::NormalizedF32;
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::paint::{Fill, Stroke};
use krilla::surface::Surface;
use krilla::tagging::{
    Artifact, ArtifactType, BBox, ContentTag, Identifier, ListNumbering, SpanTag, TableHeaderScope, Tag, TagGroup,
    TagKind, TagTree,
};
use std::num::NonZeroU16;

/// How large the QR code is: its modules are at least 0.4 mm wide.
const CODE: f32 = 54.0;

/// Writes the file.
pub(super) fn write(model: PageModel, fonts: &Fonts, particulars: Particulars) -> Result<Vec<u8>, Error> {
    let configuration = ConfigurationBuilder::new()
        .with_archival_validator(Archival::A3_A)
        .with_accessibility_validator(Accessibility::UA1)
        .finish()
        .expect("PDF/A-3a and PDF/UA-1 are both about PDF 1.7");
    let mut document = Document::new_with(SerializeSettings { configuration, ..SerializeSettings::default() });
    let date = date(particulars.time);
    let metadata = Metadata::new()
        .title(particulars.title.clone())
        .language(particulars.language.to_owned())
        .creator(concat!("lacre ", env!("CARGO_PKG_VERSION")).to_owned())
        .creation_date(date)
        .document_id(particulars.id.clone());
    document.set_metadata(metadata);
    for (name, kind, bytes, relation) in [
        ("report.xml", "application/xml", &particulars.etsi, "ETSI TS 119 102-2"),
        ("report.json", "application/json", &particulars.json, "lacre-report/2"),
    ] {
        document.embed_file(EmbeddedFile {
            path: name.to_owned(),
            mime_type: MimeType::new(kind),
            description: Some(relation.to_owned()),
            association_kind: AssociationKind::Data,
            data: bytes.clone().into_bytes().into(),
            modification_date: Some(date),
            compress: Some(true),
            location: None,
        });
    }
    let mut contents: Vec<Option<Identifier>> = vec![None; model.content_count];
    let count = model.pages.len();
    let mut code = None;
    for (at, drawn) in model.pages.iter().enumerate() {
        let settings = PageSettings::from_wh(WIDTH, HEIGHT).expect("A4 has a positive width and height");
        let mut page = document.start_page_with(settings);
        let mut surface = page.surface();
        page_contents(&mut surface, drawn, fonts, &mut contents);
        surface.start_tagged(ContentTag::Artifact(Artifact::with_kind(ArtifactType::Footer)));
        let values = [("n", &*(at + 1).to_string()), ("count", &*count.to_string())];
        foot(&mut surface, fonts, &[&particulars.foot, &messages::fill(particulars.page, &values)]);
        let code = code.get_or_insert_with(|| drawn_code(&mut surface, &particulars.code));
        surface.draw_graphic(code.clone());
        surface.end_tagged();
        surface.finish();
        page.finish();
    }
    document.set_outline(outline(&model.outline));
    let mut tree = TagTree::new();
    for node in model.tree {
        match node {
            Node::Group(kind, nodes) => tree.push(group(kind, nodes, &mut contents)),
            Node::Content(content) => {
                contents.get_mut(content).and_then(Option::take).into_iter().for_each(|id| tree.push(id))
            }
        }
    }
    document.set_tag_tree(tree);
    document.finish().map_err(|error| Error::Refused(error.to_string()))
}

/// Returns the time of the judgement as the PDF's only date.
fn date(time: Time) -> DateTime {
    let (year, month, day, hour, minute, second) = time.civil();
    DateTime::new(u16::try_from(year.clamp(0, 9999)).unwrap_or_default())
        .month(month)
        .day(day)
        .hour(hour)
        .minute(minute)
        .second(second)
        .utc_offset_hour(0)
        .utc_offset_minute(0)
}

/// Draws what is on a page, in its order. Neighbours of the same piece of content are marked as one.
fn page_contents(
    surface: &mut Surface<'_>,
    drawn: &[MarkedContent],
    fonts: &Fonts,
    contents: &mut [Option<Identifier>],
) {
    for piece in drawn.chunk_by(|a, b| a.content == b.content) {
        let content = piece.first().and_then(|first| first.content);
        let tag = match (content, piece) {
            (None, _) => ContentTag::Artifact(Artifact::with_kind(ArtifactType::Layout)),
            (Some(_), [MarkedContent { op: DrawOp::Text { .. }, .. }]) => ContentTag::Span(SpanTag::empty()),
            (Some(_), _) => ContentTag::Other,
        };
        let identifier = surface.start_tagged(tag);
        piece.iter().for_each(|drawn| draw(surface, &drawn.op, fonts));
        surface.end_tagged();
        if let Some(place) = content.and_then(|content| contents.get_mut(content)) {
            *place = Some(identifier);
        }
    }
}

fn draw(surface: &mut Surface<'_>, op: &DrawOp, fonts: &Fonts) {
    match op {
        DrawOp::Text { x, y, size, weight, colour, text } => {
            paint(surface, *colour);
            let face = fonts.face(*weight);
            surface.draw_glyphs(Point::from_xy(*x, *y), &face.glyphs(text), face.font.clone(), text, *size, false);
        }
        DrawOp::Area { corners, colour } => {
            paint(surface, *colour);
            path(surface, corners, true);
        }
        DrawOp::Line { points, closed, width, colour } => {
            surface.set_fill(None);
            let colour = rgb::Color::new(colour.0, colour.1, colour.2);
            surface.set_stroke(Some(Stroke { paint: colour.into(), width: *width, ..Stroke::default() }));
            path(surface, points, *closed);
        }
    }
}

fn paint(surface: &mut Surface<'_>, (red, green, blue): Colour) {
    surface.set_stroke(None);
    let paint = rgb::Color::new(red, green, blue).into();
    surface.set_fill(Some(Fill { paint, opacity: NormalizedF32::ONE, ..Fill::default() }));
}

fn path(surface: &mut Surface<'_>, points: &[(f32, f32)], closed: bool) {
    let mut path = PathBuilder::new();
    for (at, (x, y)) in points.iter().enumerate() {
        if at == 0 { path.move_to(*x, *y) } else { path.line_to(*x, *y) }
    }
    if closed {
        path.close();
    }
    if let Some(path) = path.finish() {
        surface.draw_path(&path);
    }
}

/// Draws the foot of a page: which report, which file, which page.
fn foot(surface: &mut Surface<'_>, fonts: &Fonts, lines: &[&str]) {
    let top = BOTTOM + 14.0;
    draw(
        surface,
        &DrawOp::Line { points: vec![(LEFT, top), (RIGHT, top)], closed: false, width: 0.5, colour: RULE },
        fonts,
    );
    for (at, line) in lines.iter().enumerate() {
        let y = top + 16.0 + at as f32 * 13.0;
        let text = fonts.settable(line);
        draw(surface, &DrawOp::Text { x: LEFT, y, size: SMALL, weight: Weight::Regular, colour: QUIET, text }, fonts);
    }
}

/// Draws the QR code at the right of the foot, once for all pages: in modules, which are whole numbers.
fn drawn_code(surface: &mut Surface<'_>, text: &str) -> Graphic {
    let (runs, size) = qr::runs(text);
    let module = CODE / size as f32;
    let mut path = PathBuilder::new();
    for (row, column, length) in runs {
        if let Some(rect) = Rect::from_xywh(column as f32, row as f32, length as f32, 1.0) {
            path.push_rect(rect);
        }
    }
    let mut builder = surface.stream_builder();
    let mut inner = builder.surface();
    paint(&mut inner, (0, 0, 0));
    inner.push_transform(&Transform::from_row(module, 0.0, 0.0, module, RIGHT - CODE, BOTTOM + 20.0));
    if let Some(path) = path.finish() {
        inner.draw_path(&path);
    }
    inner.pop();
    inner.finish();
    Graphic::new(builder.finish(), false)
}

/// Headings of the second level under that of the first.
fn outline(marks: &[OutlineEntry]) -> Outline {
    let mut outline = Outline::new();
    let node = |mark: &OutlineEntry| {
        OutlineNode::new(mark.text.clone(), XyzDestination::new(mark.page, Point::from_xy(LEFT, mark.y)))
    };
    if let Some((first, others)) = marks.split_first() {
        let mut root = node(first).with_open(true);
        others.iter().for_each(|mark| root.push_child(node(mark)));
        outline.push_child(root);
    }
    outline
}

fn group(kind: Kind, nodes: Vec<Node>, contents: &mut [Option<Identifier>]) -> TagGroup {
    let mut group = TagGroup::new(tag(kind));
    for node in nodes {
        match node {
            Node::Group(kind, nodes) => group.push(self::group(kind, nodes, contents)),
            Node::Content(content) => take(content, contents).into_iter().for_each(|id| group.push(id)),
        }
    }
    group
}

/// Takes the identifier of a piece of content, which has one place in the structure.
fn take(content: ContentId, contents: &mut [Option<Identifier>]) -> Option<Identifier> {
    contents.get_mut(content).and_then(Option::take)
}

fn tag(kind: Kind) -> TagKind {
    match kind {
        Kind::Section => Tag::Section.into(),
        Kind::Heading(level, title) => Tag::Hn(NonZeroU16::new(level).unwrap_or(NonZeroU16::MIN), Some(title)).into(),
        Kind::Paragraph => Tag::P.into(),
        Kind::List => Tag::L(ListNumbering::None).into(),
        Kind::Item => Tag::LI.into(),
        Kind::Label => Tag::Lbl.into(),
        Kind::Body => Tag::LBody.into(),
        Kind::Table => Tag::Table.into(),
        Kind::Row => Tag::TR.into(),
        Kind::ColumnHeading => Tag::TH(TableHeaderScope::Column).into(),
        Kind::RowHeading => Tag::TH(TableHeaderScope::Row).into(),
        Kind::Cell => Tag::TD.into(),
        Kind::Figure { alternative, page, corners: [(left, top), (right, bottom)] } => {
            let place = Rect::from_ltrb(left, top, right, bottom).map(|rect| BBox::new(page, rect));
            Tag::Figure(Some(alternative)).with_bbox(place).into()
        }
    }
}
