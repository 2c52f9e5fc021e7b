//! What a visible signature by EU DSS brings along: an output intent (ISO 32000-2 §14.11.5), and the rectangle of a field that was
//! there and is signed unseen (§12.7.5.5).

use super::Expect::{NotPassed, Passed};
use super::revisions::{PAGE, cover, sign};
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

/// The colours of sRGB's primaries.
const PRIMARIES: [[f64; 3]; 3] = [[0.4361, 0.2225, 0.0139], [0.3851, 0.7169, 0.0971], [0.1431, 0.0606, 0.7141]];

fn srgb(value: f64) -> f64 {
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// Numbers as profiles have them (ICC.1 10.31), behind the name of their type.
fn numbers(kind: &str, numbers: &[f64]) -> Vec<u8> {
    let numbers = numbers.iter().flat_map(|number| ((number * 65536.0).round() as i32).to_be_bytes());
    kind.bytes().chain([0; 4]).chain(numbers).collect()
}

/// A curve by so many entries (10.6).
fn table(count: u32, curve: impl Fn(f64) -> f64) -> Vec<u8> {
    let entry = |at: u32| (curve(f64::from(at) / f64::from(count - 1)) * 65535.0).round() as u16;
    b"curv\0\0\0\0"
        .iter()
        .copied()
        .chain(count.to_be_bytes())
        .chain((0..count).flat_map(|at| entry(at).to_be_bytes()))
        .collect()
}

/// A profile of such colours, of these primaries and one curve for all, with more tags.
fn profile(colours: &str, primaries: [[f64; 3]; 3], curve: &[u8], more: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut tags = vec![("desc", b"desc".to_vec()), ("wtpt", numbers("XYZ ", &[0.9642, 1.0, 0.8249]))];
    tags.extend(["rXYZ", "gXYZ", "bXYZ"].into_iter().zip(primaries.map(|colour| numbers("XYZ ", &colour))));
    tags.extend(["rTRC", "gTRC", "bTRC"].map(|name| (name, curve.to_vec())));
    tags.extend(more.iter().cloned());
    let mut head = vec![0; 128];
    head[12..24].copy_from_slice(format!("mntr{colours}XYZ ").as_bytes());
    head[36..40].copy_from_slice(b"acsp");
    head.extend((tags.len() as u32).to_be_bytes());
    let mut data = Vec::new();
    let start = head.len() + 12 * tags.len();
    for (name, tag) in tags {
        head.extend(name.bytes());
        head.extend([start + data.len(), tag.len()].into_iter().flat_map(|number| (number as u32).to_be_bytes()));
        data.extend(tag);
    }
    [head, data].concat()
}

/// The usual profile.
fn usual() -> Vec<u8> {
    profile("RGB ", PRIMARIES, &table(1024, srgb), &[])
}

/// A signed page, then a second signature with an output intent of these entries, whose profile has these.
fn intent(lab: &Lab, p: Option<u8>, entries: &str, of_profile: &str, profile: &[u8]) -> Given {
    let intents = format!(
        "/OutputIntents [<< /Type /OutputIntent /OutputConditionIdentifier (sRGB) /DestOutputProfile 40 0 R {entries} >>]"
    );
    let mut document = Pdf::page("The parties agree.", Objects::new());
    sign(&mut document, lab, p);
    let second = Field { catalog: &intents, ..SECOND };
    document.sign(lab, &second, [(40, stream(of_profile, profile))].into_iter().collect());
    pdf(document.bytes)
}

/// The kind of an intent that is for screens, too.
const KIND: &str = "/S /GTS_PDFA1";

/// The same, with a usual intent.
fn of(lab: &Lab, profile: &[u8]) -> Given {
    intent(lab, None, KIND, "/N 3", profile)
}

#[test]
fn output_intents_that_come_later() {
    const CLAUSE: &str = "ISO 32000-2 14.11.5";
    check(&[
        (CLAUSE, "sRGB, by tables", Passed, |lab| of(lab, &usual())),
        (CLAUSE, "sRGB, by tables, P=2", Passed, |lab| intent(lab, Some(2), KIND, "/N 3", &usual())),
        (CLAUSE, "sRGB, by tables, P=1", NotPassed, |lab| intent(lab, Some(1), KIND, "/N 3", &usual())),
        (CLAUSE, "an exponent, which is another curve near black", NotPassed, |lab| {
            of(lab, &profile("RGB ", PRIMARIES, b"curv\0\0\0\0\0\0\0\x01\x02\x33", &[]))
        }),
        (CLAUSE, "sRGB, by a formula, with the adaptation of its white", Passed, |lab| {
            let formula = numbers("para", &[3.0, 2.4, 1.0 / 1.055, 0.055 / 1.055, 1.0 / 12.92, 0.04045]);
            let white = [1.04788, 0.02292, -0.05019, 0.02959, 0.99048, -0.01706, -0.00923, 0.01508, 0.75168];
            of(lab, &profile("RGB ", PRIMARIES, &formula, &[("chad", numbers("sf32", &white))]))
        }),
        (CLAUSE, "red is green", NotPassed, |lab| {
            let [red, green, blue] = PRIMARIES;
            of(lab, &profile("RGB ", [green, red, blue], &table(1024, srgb), &[]))
        }),
        (CLAUSE, "black is white", NotPassed, |lab| of(lab, &profile("RGB ", PRIMARIES, &table(1024, |_| 1.0), &[]))),
        (CLAUSE, "one grey is white", NotPassed, |lab| {
            let curve = |value: f64| if (value - 0.5).abs() < 0.001 { 1.0 } else { srgb(value) };
            of(lab, &profile("RGB ", PRIMARIES, &table(1024, curve), &[]))
        }),
        (CLAUSE, "black on nearly black is seen", NotPassed, |lab| {
            let curve = |value: f64| if value > 0.0 { (srgb(value) + 0.005).min(1.0) } else { 0.0 };
            of(lab, &profile("RGB ", PRIMARIES, &table(1024, curve), &[]))
        }),
        (CLAUSE, "values are light", NotPassed, |lab| {
            of(lab, &profile("RGB ", PRIMARIES, &table(2, |value| value), &[]))
        }),
        (CLAUSE, "another white", NotPassed, |lab| {
            of(lab, &profile("RGB ", PRIMARIES, &table(1024, srgb), &[("wtpt", numbers("XYZ ", &[0.5, 0.5, 0.5]))]))
        }),
        (CLAUSE, "a table of colours beside the curves", NotPassed, |lab| {
            of(lab, &profile("RGB ", PRIMARIES, &table(1024, srgb), &[("A2B0", b"mft2\0\0\0\0".to_vec())]))
        }),
        (CLAUSE, "a second curve", NotPassed, |lab| {
            of(lab, &profile("RGB ", PRIMARIES, &table(1024, srgb), &[("rTRC", table(2, |_| 1.0))]))
        }),
        (CLAUSE, "a curve that is not all there", NotPassed, |lab| {
            let cut = usual();
            of(lab, &cut[..cut.len() - 2])
        }),
        (CLAUSE, "colours of ink", NotPassed, |lab| of(lab, &profile("CMYK", PRIMARIES, &table(1024, srgb), &[]))),
        (CLAUSE, "no profile", NotPassed, |lab| of(lab, b"")),
        (CLAUSE, "for print", NotPassed, |lab| intent(lab, None, "/S /GTS_PDFX", "/N 3", &usual())),
        (CLAUSE, "four colours", NotPassed, |lab| intent(lab, None, KIND, "/N 4", &usual())),
        (CLAUSE, "another alternate", NotPassed, |lab| {
            intent(lab, None, KIND, "/N 3 /Alternate /DeviceCMYK", &usual())
        }),
        (CLAUSE, "another file", NotPassed, |lab| intent(lab, None, KIND, "/N 3 /F (other.icc)", &usual())),
        (CLAUSE, "a reference to a profile", NotPassed, |lab| {
            intent(lab, None, "/S /GTS_PDFA1 /DestOutputProfileRef << /URLs [] >>", "/N 3", &usual())
        }),
        (CLAUSE, "a profile that was another", NotPassed, |lab| {
            let catalog =
                "<< /Type /Catalog /Pages 2 0 R /OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile 40 0 R >>] >>";
            let mut all = objects(&[(1, catalog)]);
            all.insert(40, stream("/N 3", &profile("RGB ", PRIMARIES, &table(2, |value| value), &[])));
            let mut document = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
            document.update([(40, stream("/N 3", &usual()))].into_iter().collect());
            pdf(document.bytes)
        }),
        (CLAUSE, "of a page", NotPassed, |lab| {
            let mut document = Pdf::page("The parties agree.", objects(&[(3, &PAGE.replace("[6 0 R]", "[]"))]));
            sign(&mut document, lab, None);
            let page =
                PAGE.replace("[6 0 R]", "[6 0 R] /OutputIntents [<< /S /GTS_PDFA1 /DestOutputProfile 40 0 R >>]");
            let mut changes = objects(&[(3, &page)]);
            changes.insert(40, stream("/N 3", &usual()));
            document.update(changes);
            pdf(document.bytes)
        }),
    ]);
}

/// A signed page with an empty field, of those entries, that is then signed in another rectangle.
fn withdrawn(lab: &Lab, entries: &str, rectangle: &str) -> Given {
    let empty = format!(
        "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Second) /P 3 0 R /Rect [72 600 300 640] /F 4 {entries} >>"
    );
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [8 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[8 0 R]")),
        (8, &empty),
    ]);
    all.insert(21, cover("Unless he withdraws."));
    let mut document = Pdf::page("The parties agree.", all).signed(lab, &Field::default());
    document.sign(lab, &Field { rectangle, flags: 4, more: entries, ..SECOND }, Objects::new());
    pdf(document.bytes)
}

#[test]
fn rectangles_of_fields_that_are_signed() {
    const CLAUSE: &str = "ISO 32000-2 12.7.5.5";
    check(&[
        (CLAUSE, "an empty field becomes a point", Passed, |lab| withdrawn(lab, "", "[0 0 0 0]")),
        (CLAUSE, "an empty field stays where it is", Passed, |lab| withdrawn(lab, "", "[72 600 300 640]")),
        (CLAUSE, "an empty field is moved", NotPassed, |lab| withdrawn(lab, "", "[72 500 300 540]")),
        (CLAUSE, "an empty field becomes a line", NotPassed, |lab| withdrawn(lab, "", "[72 600 300 600]")),
        (CLAUSE, "a field that says something becomes a point", NotPassed, |lab| {
            withdrawn(lab, "/AP << /N 21 0 R >>", "[0 0 0 0]")
        }),
        (CLAUSE, "a field with a border becomes a point", NotPassed, |lab| {
            withdrawn(lab, "/MK << /BC [0 0 0] /BG [1 1 1] >>", "[0 0 0 0]")
        }),
    ]);
}
