//! What a signature shows.

use crate::desk::*;
use lacre::Document;
use lacre::signing::SigningErrorCode as Code;
use lacre::signing::pades::{Alignment, Appearance, Arrangement, Colour, Field, Options, Placement, Rotation, Scaling};
use lacre_testkit::pdf::{self, Form, Pdf};

#[test]
fn appearances() {
    let desk = Desk::new();
    let usual = Pdf::usual().bytes;
    let text = "Signed by {name}\n{time}\nŁódź, Ωμέγα, Київ e\u{301}";
    let with_picture = |name: &str| Appearance::saying(text).with_picture(picture(name));
    let mut rows: Vec<(String, Appearance)> = vec![("text".into(), Appearance::saying(text))];
    for name in ["alpha", "colours", "grey-alpha", "grey", "palette", "sixteen"] {
        let mut appearance = Appearance::default();
        appearance.picture = Some(picture(&format!("{name}.png")));
        rows.push((name.into(), appearance));
    }
    for name in ["colours", "progressive", "grey"] {
        rows.push((name.into(), with_picture(&format!("{name}.jpg"))));
    }
    for arrangement in [Arrangement::Left, Arrangement::Right, Arrangement::Above, Arrangement::Behind] {
        let mut appearance = with_picture("alpha.png");
        appearance.arrangement = arrangement;
        appearance.alignment = Alignment::Centre;
        appearance.scaling = Scaling::Stretch;
        appearance.background = Some(Colour { red: 230, green: 240, blue: 255 });
        appearance.border = Some(1.0);
        rows.push((format!("{arrangement:?}"), appearance));
    }
    for rotation in [Rotation::AsPage, Rotation::Quarter, Rotation::Half, Rotation::ThreeQuarters] {
        let mut appearance = Appearance::saying("Turned");
        appearance.rotation = rotation;
        appearance.alignment = Alignment::Right;
        appearance.font_size = Some(9.0);
        rows.push((format!("{rotation:?}"), appearance));
    }
    for (situation, appearance) in rows {
        let signed = desk.check_signed(&situation, &usual, &visible(appearance));
        let appended = String::from_utf8_lossy(&signed[usual.len()..]).into_owned();
        assert!(appended.contains("/AP<</N "), "12.5.5: {situation}: only a normal appearance");
        for forbidden in ["/SMask", "/Group", "/CA ", "/ca ", "DeviceRGB", "DeviceGray", "/JPXDecode", "/Interpolate"] {
            assert!(!appended.contains(forbidden), "ISO 19005-1 6.2, 6.4: {situation}: {forbidden}");
        }
    }
    let field = with_field("", &[]);
    let mut options = named("Here");
    options.appearance = Some(Appearance::saying("{name} {unknown} {"));
    let signed = desk.check_signed("an existing field", &field, &options);
    assert!(pdf::find(&signed, b"/BBox[0 0 80 30]", 0).is_some(), "12.5.5: as large as the field");
    for (rotation, matrix) in [
        (90, "/BBox[0 0 200 80]/Matrix[0 1 -1 0 80 0]"),
        (180, "/BBox[0 0 200 80]/Matrix[-1 0 0 -1 200 80]"),
        (270, "/BBox[0 0 200 80]/Matrix[0 -1 1 0 0 200]"),
    ] {
        let bytes = document("", &format!("/Rotate {rotation}"), &[], Form::Table).bytes;
        let signed = desk.check_signed("a turned page", &bytes, &visible(Appearance::saying("Upright")));
        assert!(pdf::find(&signed, matrix.as_bytes(), 0).is_some(), "12.5.5: {rotation}");
    }
    let mut broken = picture("alpha.png");
    broken.truncate(60);
    let only = |bytes: Vec<u8>| {
        let mut appearance = Appearance::default();
        appearance.picture = Some(bytes);
        visible(appearance)
    };
    let mut large = Appearance::saying("too large for the field");
    large.font_size = Some(100.0);
    let mut of_no_face = Appearance::saying("x");
    of_no_face.font = Some(b"no font".to_vec());
    let mut no_area = Options::default();
    no_area.appearance = Some(Appearance::saying("x"));
    for (situation, options, expected) in [
        ("a letter that is missing", visible(Appearance::saying("中文")), Code::FontMissingGlyph),
        ("a text that is too long", visible(Appearance::saying("long ".repeat(2000))), Code::ParameterInvalid),
        ("letters that are too large", visible(large), Code::ParameterInvalid),
        ("no typeface", visible(of_no_face), Code::ParameterInvalid),
        ("a broken picture", only(broken), Code::PictureUnreadable),
        ("no picture", only(b"GIF89a".to_vec()), Code::PictureUnreadable),
        ("colours of print", only(picture("print.jpg")), Code::PictureUnreadable),
        ("no area", no_area, Code::FieldOutsidePage),
    ] {
        assert_eq!(desk.refusal(&usual, &options), Some(expected), "12.5.5: {situation}");
    }
    let signed = desk.sign(&usual, &visible(Appearance::saying("First")));
    let second = visible(Appearance::saying("Second"));
    assert_eq!(desk.refusal(&signed, &second), Some(Code::FieldOverlaps), "one on top of the other");
    let mut beside = second.clone();
    let Field::New(field) = &mut beside.field else { panic!("a new field") };
    field.placement = Some(Placement::Displayed { left: 50.0, top: 200.0, width: 200.0, height: 80.0 });
    let both = desk.try_sign(&Document::new(&signed), &beside, &desk.lab.bob).expect("signed");
    desk.check("two that are seen", &Document::new(&both), 2);
}
