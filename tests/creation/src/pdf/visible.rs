//! What a signature shows, and where.

use super::fields::merged;
use super::{How, plain, sign, signed_at};
use crate::archival;
use crate::cell::{Level, Sheet};
use crate::documents::{self, Table, page};
use lacre::signing::pades::{self, Field, NewField};
use serde_json::json;

/// A page that is turned, cropped or measured in other units, and where a box of 200 by 60 points is put, 50 from the left and
/// 40 from the top of what is displayed.
pub(super) fn visible(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let pages = [
        ("upright", "", [595, 842]),
        ("turned by 90", "/Rotate 90", [842, 595]),
        ("turned by 180", "/Rotate 180", [595, 842]),
        ("turned by 270", "/Rotate 270", [842, 595]),
        ("cropped", "/CropBox [100 100 500 700]", [400, 600]),
        ("cropped and turned by 90", "/CropBox [100 100 500 700] /Rotate 90", [600, 400]),
        ("in units of 2 points", "/UserUnit 2", [1190, 1684]),
    ];
    let picture = |name: &str| std::fs::read(format!("{}/../data/pictures/{name}", env!("CARGO_MANIFEST_DIR")));
    let saying = || pades::Appearance::saying("{name}\n{time}\nLi e concordo");
    let with = |name: &str| Ok::<_, std::io::Error>(saying().with_picture(picture(name)?));
    let mut other = pades::Appearance::default();
    other.picture = picture("alpha.png").ok();
    let mut framed = saying();
    framed.border = Some(1.0);
    framed.background = Some(pades::Colour { red: 230, green: 240, blue: 255 });
    let letters = pades::Appearance::saying("Ελληνικά, кириллица, ąęłżő");
    let kinds = [
        ("text", Some(saying())),
        ("PNG with alpha", Some(other)),
        ("text and JPEG", with("colours.jpg").ok()),
        ("text and grey PNG with alpha", with("grey-alpha.png").ok()),
        ("text, border, background", Some(framed)),
        ("other letters", Some(letters)),
    ];
    let how = |appearance: &pades::Appearance| {
        How::usual().options(|options| {
            let mut field = NewField::default();
            field.tooltip = Some("Signature".into());
            field.placement = Some(pades::Placement::Displayed { left: 50.0, top: 40.0, width: 200.0, height: 60.0 });
            options.field = Field::New(field);
            options.appearance = Some(appearance.clone());
        })
    };
    for (page_kind, entries, size) in pages {
        let shown = format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> {entries} >>"
        );
        let bytes = Table::default().write(&page(&[(3, &shown)]));
        for (kind, appearance) in &kinds {
            if page_kind != "upright" && *kind != "text" {
                continue;
            }
            for level in [Level::B, Level::Lta] {
                sheet.passes("P3", &format!("{kind}, page {page_kind}, {}", level.name()), || {
                    let appearance = appearance.as_ref().ok_or("the picture is not there")?;
                    let mut made = signed_at(world, &plain(kind, bytes.clone()), &how(appearance), level)?;
                    made.more = json!({ "visible": [50.0, 40.0, 250.0, 100.0], "page": size });
                    Ok(made)
                });
            }
        }
    }
    let field = How::usual().field("Seller").options(|options| options.appearance = Some(saying()));
    for level in [Level::B, Level::Lta] {
        sheet.passes("P3", &format!("text in an existing field, {}", level.name()), || {
            let mut made = signed_at(world, &plain("", merged("")), &field, level)?;
            // The field is at [72 500 272 550] of a page 842 high.
            made.more = json!({ "visible": [72.0, 292.0, 272.0, 342.0], "page": [595, 842] });
            Ok(made)
        });
    }
    for (profile, bytes) in archival::documents() {
        for (kind, appearance) in [("text", Some(saying())), ("text and PNG with alpha", with("alpha.png").ok())] {
            for level in [Level::B, Level::Lta] {
                sheet.passes("P7", &format!("{profile}, visible, {kind}, {}", level.name()), || {
                    let appearance = appearance.as_ref().ok_or("the picture is not there")?;
                    let mut made = signed_at(world, &plain(profile, bytes.clone()), &how(appearance), level)?;
                    made.conformance = vec![profile];
                    made.more = json!({ "visible": [50.0, 40.0, 250.0, 100.0], "page": [595, 842] });
                    Ok(made)
                });
            }
        }
    }
    let outside = How::usual().options(|options| {
        let mut field = NewField::default();
        field.placement = Some(pades::Placement::Displayed { left: 500.0, top: 40.0, width: 200.0, height: 60.0 });
        options.field = Field::New(field);
        options.appearance = Some(saying());
    });
    sheet.refused("P3", "outside of the page", "field-outside-page", || {
        sign(world, &documents::plain(), None, &outside).expect("there is the key")
    });
    let over = |left: f64, top: f64| {
        how(&saying()).options(|options| {
            let mut field = NewField::default();
            field.placement = Some(pades::Placement::Displayed { left, top, width: 100.0, height: 30.0 });
            options.field = Field::New(field);
        })
    };
    sheet.refused("P3", "over an empty signature field", "field-overlaps", || {
        sign(world, &merged(""), None, &over(80.0, 300.0)).expect("there is the key")
    });
    sheet.refused("P3", "over a signature", "field-overlaps", || {
        let first = sign(world, &documents::plain(), None, &how(&saying())).expect("there is the key")?;
        sign(world, &first, None, &over(60.0, 50.0)).expect("there is the key")
    });
    let missing = how(&pades::Appearance::saying("署名"));
    sheet.refused("P3", "letters that the typeface has not", "font-missing-glyph", || {
        sign(world, &documents::plain(), None, &missing).expect("there is the key")
    });
    let mut broken = pades::Appearance::default();
    broken.picture = Some(b"no picture".to_vec());
    sheet.refused("P3", "a picture that is none", "picture-unreadable", || {
        sign(world, &documents::plain(), None, &how(&broken)).expect("there is the key")
    });
}
