//! What a field that is filled hides of what was signed, where the page was made for that: ISO 32000-2 §9, §12.7, §12.8.2.2.

use super::Expect::{FindingNotWhole, Passed};
use super::revisions::sign;
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// A page of that content and those resources with an empty field at 105, 495, which is filled then.
fn filled(lab: &Lab, content: &str, resources: &str, more: &[(u32, Object)]) -> Given {
    let field = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (a) /P 3 0 R /Rect [105 495 140 515] /F 4 /DA (/F 12 Tf 0 g) {value} >>"
        ))
    };
    let page = super::revisions::PAGE
        .replace("[6 0 R]", "[11 0 R]")
        .replace("/Resources <<", &format!("/Resources << {resources}"));
    let mut all =
        objects(&[(1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"), (3, &page)]);
    all.insert(4, stream("", content.as_bytes()));
    all.insert(11, field(""));
    all.extend(more.iter().cloned());
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, Some(2));
    let shown = "1 1 1 rg 0 0 35 20 re f 0 g BT /F 14 Tf 2 5 Td (9999) Tj ET";
    let appearance = "/Type /XObject /Subtype /Form /BBox [0 0 35 20] /Resources << /Font << /F 5 0 R >> >>";
    let changes = [(11, field("/V (9999) /AP << /N 21 0 R >>")), (21, stream(appearance, shown.as_bytes()))];
    document.update(changes.into_iter().collect());
    pdf(document.bytes)
}

/// The same of text in another font.
fn in_font(lab: &Lab, content: &str, font: &str, more: &[(u32, Object)]) -> Given {
    let mut all = vec![(15, object(&format!("<< /Type /Font {font} >>")))];
    all.extend(more.iter().cloned());
    // The font of the page is another one.
    filled(lab, content, "/ExtGState << /G << /Font [15 0 R 14] >> >>", &all)
}

#[test]
fn fields_over_words_that_a_font_places() {
    check(&[
        ("ISO 32000-2 12.7.5.3", "a field beside the words", Passed, |lab| {
            filled(lab, "BT /F 14 Tf 72 400 Td (Price 1000 euros) Tj ET", "", &[])
        }),
        ("ISO 32000-2 12.7.5.3", "a field on the words", FindingNotWhole, |lab| {
            filled(lab, "BT /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET", "", &[])
        }),
        ("ISO 32000-2 12.7.5.3", "a field on dots", Passed, |lab| {
            filled(lab, "BT /F 14 Tf 72 500 Td (.................) Tj ET", "", &[])
        }),
        ("ISO 32000-2 9.2.4", "glyphs that are said to have no width", FindingNotWhole, |lab| {
            let font = "/Subtype /Type1 /BaseFont /Helvetica /FirstChar 48 /LastChar 57 /Widths [0 0 0 0 0 0 0 0 0 0]";
            in_font(lab, "/G gs BT 108 500 Td [(1) -600 (0) -600 (0) -600 (0)] TJ ET", font, &[])
        }),
        ("ISO 32000-2 9.6.5", "dots that an encoding makes digits of", FindingNotWhole, |lab| {
            let font = "/Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [45 /one /zero] >>";
            in_font(lab, "/G gs BT 108 500 Td (-...) Tj ET", font, &[])
        }),
        ("ISO 32000-2 9.6.5", "dots that an encoding leaves dots", Passed, |lab| {
            let font = "/Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [45 /hyphen /period] >>";
            in_font(lab, "/G gs BT 108 500 Td (-...) Tj ET", font, &[])
        }),
        ("ISO 32000-2 9.6.5", "a code that is too great for anybody", Passed, |lab| {
            let font =
                "/Subtype /Type1 /BaseFont /Helvetica /Encoding << /Differences [9223372036854775807 /one /zero] >>";
            in_font(lab, "/G gs BT 108 500 Td (-...) Tj ET", font, &[])
        }),
        ("ISO 32000-2 9.6.2", "a first code that is too great for anybody", Passed, |lab| {
            in_font(
                lab,
                "/G gs BT 108 500 Td (-...) Tj ET",
                "/Subtype /Type1 /BaseFont /Helvetica /FirstChar 4294967295 /Widths [600 600]",
                &[],
            )
        }),
        ("ISO 32000-2 9.7.5", "codes of one byte", FindingNotWhole, |lab| {
            let map = "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <00> <ff> endcodespacerange 1 begincidrange <20> <7e> 1 endcidrange endcmap";
            let font = "/Subtype /Type0 /BaseFont /X /Encoding 16 0 R /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /X /DW 556 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>]";
            in_font(
                lab,
                "/G gs BT 40 500 Td (Price 1000) Tj ET",
                font,
                &[(16, stream("/Type /CMap /CMapName /A", map.as_bytes()))],
            )
        }),
        ("ISO 32000-2 9.6.4", "a glyph that draws words elsewhere", FindingNotWhole, |lab| {
            let font = "/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 16 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1] /Resources << /Font << /F 5 0 R >> >>";
            let glyph = stream("", b"1 0 d0 BT /F 1 Tf 2 5 Td (1000) Tj ET");
            in_font(lab, "/G gs BT 80 430 Td (a) Tj ET", font, &[(16, glyph)])
        }),
        ("ISO 32000-2 9.6.4", "a glyph that draws lines elsewhere", FindingNotWhole, |lab| {
            let font = "/Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /CharProcs << /a 16 0 R >> /Encoding << /Type /Encoding /Differences [97 /a] >> /FirstChar 97 /LastChar 97 /Widths [1]";
            let glyph = stream("", b"1 0 d0 2 5 m 2 6 l S 3 5 m 3 6 l S");
            in_font(lab, "/G gs BT 80 430 Td (a) Tj ET", font, &[(16, glyph)])
        }),
    ]);
}

#[test]
fn fields_over_words_that_operators_place() {
    check(&[
        ("ISO 32000-2 7.8.2", "more operands than an operator has", FindingNotWhole, |lab| {
            filled(lab, "BT /F 14 Tf 72 -400 72 500 Td (Price 1000 euros) Tj ET", "", &[])
        }),
        ("ISO 32000-2 7.8.2", "text that is invisible, or is not", FindingNotWhole, |lab| {
            filled(lab, "BT 3 0 Tr /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET", "", &[])
        }),
        ("ISO 32000-2 9.3.6", "a mode that is no integer", FindingNotWhole, |lab| {
            filled(lab, "BT 3.0 Tr /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET", "", &[])
        }),
        ("ISO 32000-2 7.3.3", "a number that readers read differently", FindingNotWhole, |lab| {
            filled(lab, "BT /F 14 Tf 72 5-00 Td (Price 1000 euros) Tj ET", "", &[])
        }),
    ]);
}

#[test]
fn fields_over_words_that_are_drawn() {
    check(&[
        ("ISO 32000-2 8.9", "an image of the price", FindingNotWhole, |lab| {
            let image = stream(
                "/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
                &[0, 255],
            );
            filled(lab, "q 30 0 0 14 107 498 cm /I Do Q", "/XObject << /I 15 0 R >>", &[(15, image)])
        }),
        ("ISO 32000-2 8.9", "the image of a page", Passed, |lab| {
            let image = stream(
                "/Type /XObject /Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray",
                &[0, 255],
            );
            filled(lab, "q 595 0 0 842 0 0 cm /I Do Q", "/XObject << /I 15 0 R >>", &[(15, image)])
        }),
        ("ISO 32000-2 8.5.2", "a digit that is drawn", FindingNotWhole, |lab| {
            filled(
                lab,
                "110 502 m 110 502 112 504 113 506 c 114 508 113 510 112 512 c 111 512 110 512 109 511 c 108 510 108 509 109 508 c 110 507 111 507 113 508 c 112 504 112 503 111 502 c 110 502 110 502 110 502 c f",
                "",
                &[],
            )
        }),
        ("ISO 32000-2 8.5.2", "a box with round corners, in which the field is", Passed, |lab| {
            filled(
                lab,
                "108 495 m 137 495 l 139 495 140 496 140 498 c 140 512 l 140 514 139 515 137 515 c 108 515 l 106 515 105 514 105 512 c 105 498 l 105 496 106 495 108 495 c h f",
                "",
                &[],
            )
        }),
    ]);
}

/// A box to tick on that content, at 108, 496: a check box or a radio button.
fn ticked(lab: &Lab, content: &str, is_radio: bool) -> Given {
    let state = |state: &str| {
        let (field, kid) = match is_radio {
            true => (format!("<< /FT /Btn /Ff 49152 /T (a) /Kids [12 0 R] /V /{state} >>"), "/Parent 11 0 R"),
            false => ("null".to_owned(), "/FT /Btn /T (a)"),
        };
        let value = if is_radio { String::new() } else { format!("/V /{state}") };
        let kid = format!(
            "<< /Type /Annot /Subtype /Widget {kid} {value} /AS /{state} /P 3 0 R /Rect [108 496 124 512] /F 4 /AP << /N << /Off 21 0 R /On 22 0 R >> >> >>"
        );
        objects(&[(11, &field), (12, &kid)])
    };
    let fields = if is_radio { "11" } else { "12" };
    let mut all = objects(&[
        (1, &format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{fields} 0 R] /SigFlags 3 >> >>")),
        (3, &super::revisions::PAGE.replace("[6 0 R]", "[12 0 R]")),
    ]);
    let frame = "/Type /XObject /Subtype /Form /BBox [0 0 16 16] /Resources << /Font << /F 5 0 R >> >>";
    all.insert(4, stream("", content.as_bytes()));
    all.insert(21, stream(frame, b""));
    all.insert(22, stream(frame, b"1 1 1 rg 0 0 16 16 re f 0 g BT /F 14 Tf 0 4 Td (99) Tj ET"));
    all.extend(state("Off"));
    let mut document = Pdf::page("", all);
    sign(&mut document, lab, Some(2));
    document.update(state("On"));
    pdf(document.bytes)
}

const PRICE: &str = "BT /F 14 Tf 72 500 Td (Price 1000 euros) Tj ET";

#[test]
fn boxes_over_words() {
    check(&[
        ("ISO 32000-2 12.7.5.2.3", "a box is ticked that covers digits", FindingNotWhole, |lab| {
            ticked(lab, PRICE, false)
        }),
        ("ISO 32000-2 12.7.5.2.4", "a radio button is chosen that covers digits", FindingNotWhole, |lab| {
            ticked(lab, PRICE, true)
        }),
        ("ISO 32000-2 12.7.5.2.3", "a box is ticked in a frame", Passed, |lab| {
            ticked(lab, "107 495 18 18 re S BT /F 14 Tf 130 500 Td (I agree) Tj ET", false)
        }),
        ("ISO 32000-2 12.7.5.2.4", "a radio button is chosen in a circle", Passed, |lab| {
            ticked(
                lab,
                "124 504 m 124 508 120 512 116 512 c 112 512 108 508 108 504 c 108 500 112 496 116 496 c 120 496 124 500 124 504 c s BT /F 14 Tf 130 500 Td (I agree) Tj ET",
                true,
            )
        }),
    ]);
}
