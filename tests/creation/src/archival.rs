//! Documents of the profiles of PDF/A and PDF/UA: row P7.

use krilla::configure::{Accessibility, Archival, ConfigurationBuilder};
use krilla::destination::XyzDestination;
use krilla::geom::Point;
use krilla::metadata::{DateTime, Metadata};
use krilla::outline::{Outline, OutlineNode};
use krilla::page::PageSettings;
use krilla::tagging::{ContentTag, Identifier, SpanTag, Tag, TagGroup, TagTree};
use krilla::text::{Font, GlyphId, KrillaGlyph};
use krilla::{Document, SerializeSettings};
use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider as _};

const TEXT: &str = "The parties agree.";

/// A document of each profile: what veraPDF calls it, and the file.
pub fn documents() -> Vec<(&'static str, Vec<u8>)> {
    let a = |archival| ConfigurationBuilder::new().with_archival_validator(archival);
    [
        ("1b", a(Archival::A1_B)),
        ("1a", a(Archival::A1_A)),
        ("2b", a(Archival::A2_B)),
        ("2u", a(Archival::A2_U)),
        ("2a", a(Archival::A2_A)),
        ("3b", a(Archival::A3_B)),
        ("4", a(Archival::A4)),
        ("ua1", ConfigurationBuilder::new().with_accessibility_validator(Accessibility::UA1)),
    ]
    .into_iter()
    .filter_map(|(name, builder)| {
        let configuration = builder.finish().map_err(|error| eprintln!("{name}: {error:?}")).ok()?;
        let settings = SerializeSettings { configuration, ..SerializeSettings::default() };
        Some((name, write(Document::new_with(settings)).map_err(|error| eprintln!("{name}: {error}")).ok()?))
    })
    .collect()
}

fn write(mut document: Document) -> Result<Vec<u8>, String> {
    let face = include_bytes!("../../../src/core/report/pdf/fonts/NotoSans-Regular.ttf");
    let font = Font::new(face.to_vec().into(), 0).ok_or("the face cannot be read")?;
    let date = DateTime::new(2027).month(3).day(1);
    document.set_metadata(
        Metadata::new()
            .title("Contract".into())
            .language("en".into())
            .creation_date(date)
            .document_id("contract".into()),
    );
    let mut page = document.start_page_with(PageSettings::from_wh(595.0, 842.0).ok_or("a page has a size")?);
    let mut surface = page.surface();
    let tagged: Identifier = surface.start_tagged(ContentTag::Span(SpanTag::empty()));
    surface.draw_glyphs(Point::from_xy(72.0, 100.0), &glyphs(face)?, font, TEXT, 14.0, false);
    surface.end_tagged();
    surface.finish();
    page.finish();
    let mut tree = TagTree::new();
    let mut paragraph = TagGroup::new(Tag::P);
    paragraph.push(tagged);
    tree.push(paragraph);
    document.set_tag_tree(tree);
    let mut outline = Outline::new();
    outline.push_child(OutlineNode::new("Contract".into(), XyzDestination::new(0, Point::from_xy(72.0, 100.0))));
    document.set_outline(outline);
    document.finish().map_err(|error| format!("{error:?}"))
}

/// The glyphs of the text, side by side.
fn glyphs(face: &[u8]) -> Result<Vec<KrillaGlyph>, String> {
    let font = FontRef::new(face).map_err(|error| error.to_string())?;
    let (characters, widths) = (font.charmap(), font.glyph_metrics(Size::new(1.0), LocationRef::default()));
    TEXT.char_indices()
        .map(|(at, character)| {
            let glyph = characters.map(character).ok_or("a character has no glyph")?;
            let width = widths.advance_width(glyph).unwrap_or_default();
            Ok(KrillaGlyph::new(
                GlyphId::new(glyph.to_u32()),
                width,
                0.0,
                0.0,
                0.0,
                at..at + character.len_utf8(),
                None,
            ))
        })
        .collect()
}
