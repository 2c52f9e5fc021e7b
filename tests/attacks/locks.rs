//! Locks of fields that are malformed, or whose fields are hard to recognise: ISO 32000-1 §12.7.3, §12.8.2.

use super::Expect::{FindingNotWhole, NotPassed};
use super::{Given, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

const PAGE: &str = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [6 0 R] >>";

/// Fields of that depth, of which the signature locks some; then the last is filled.
fn locked(lab: &Lab, parent: &str, depth: u32, fields: &str) -> Given {
    let total = |value: &str, parent: &str| {
        format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (total) /V ({value}) {parent} /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) >>"
        )
    };
    // 100 is the root of the tree, then those below it, and 13 at the end.
    let last = 100 + depth - 1;
    let parent = parent.replace("LAST", &last.to_string());
    let mut list: Vec<(u32, String)> = vec![
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [100 0 R] /SigFlags 3 >> >>".into()),
        (3, PAGE.replace("[6 0 R]", "[13 0 R]")),
        (13, total("100", &parent)),
    ];
    for number in 100..=last {
        let kid = if number == last { 13 } else { number + 1 };
        let above = if number == 100 { String::new() } else { format!("/Parent {} 0 R", number - 1) };
        list.push((number, format!("<< /T (a) {above} /Kids [{kid} 0 R] >>")));
    }
    let list: Vec<(u32, &str)> = list.iter().map(|(number, text)| (*number, text.as_str())).collect();
    let mut document = Pdf::page("The parties agree.", objects(&list));
    let dictionary = format!(
        "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /Include /Fields [({fields})] /V /1.2 >> >>]"
    );
    document.sign(lab, &Field { dictionary: &dictionary, ..Field::default() }, Objects::new());
    document.update(objects(&[(13, &total("999", &parent))]));
    pdf(document.bytes)
}

/// A signature with those entries of its dictionary and its field; then the field `amount` is filled.
fn lock_of(lab: &Lab, dictionary: &str, more: &str) -> Given {
    let amount = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) >>"
        ))
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    all.insert(11, amount("100"));
    let mut document = Pdf::page("The parties agree.", all);
    document.sign(lab, &Field { dictionary, more, ..Field::default() }, Objects::new());
    document.update([(11, amount("999"))].into_iter().collect());
    pdf(document.bytes)
}

/// A field that was prepared for the signature locks nothing, its own field locks all; then a field is filled.
fn second_lock(lab: &Lab) -> Given {
    let amount = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V ({value}) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) >>"
        ))
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R 15 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R 15 0 R]")),
        // Its value is what the next signature will be.
        (
            15,
            "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Prepared) /V 7 0 R /P 3 0 R /Rect [0 0 0 0] /F 132 /Lock << /Type /SigFieldLock /Action /Include /Fields [(nothing)] >> >>",
        ),
    ]);
    all.insert(11, amount("100"));
    let mut document = Pdf::page("The parties agree.", all);
    document.sign(
        lab,
        &Field { more: "/Lock << /Type /SigFieldLock /Action /All >>", ..Field::default() },
        Objects::new(),
    );
    document.update([(11, amount("999"))].into_iter().collect());
    pdf(document.bytes)
}

/// A certification whose reference has no parameters, and a note.
fn note_after_certification(lab: &Lab) -> Given {
    let dictionary = "/Reference [<< /Type /SigRef /TransformMethod /DocMDP >>]";
    let mut document = Pdf::usual();
    document.sign(lab, &Field { dictionary, catalog: PERMS, ..Field::default() }, Objects::new());
    let note = "<< /Type /Annot /Subtype /Text /Rect [500 780 520 800] /F 28 /P 3 0 R /T (Bob) /Contents (Read this.) /Name /Note >>";
    let mut page = document.value(3).clone();
    page.get_mut("Annots").expect("it").push("20 0 R");
    let mut changes = objects(&[(20, note)]);
    changes.insert(3, Object { value: page, stream: None });
    document.update(changes);
    pdf(document.bytes)
}

/// A signature whose field has that lock; then the field `amount` is filled.
fn own(lab: &Lab, lock: &str) -> Given {
    lock_of(lab, "", &format!("/Lock {lock}"))
}

/// The same with a reference to `FieldMDP`.
fn mdp(lab: &Lab, parameters: &str) -> Given {
    lock_of(lab, &format!("/Reference [<< /Type /SigRef /TransformMethod /FieldMDP {parameters} >>]"), "")
}

#[test]
fn malformed_locks() {
    check(&[
        ("ISO 32000-2 table 236", "a lock permits no change", NotPassed, |lab| {
            own(lab, "<< /Action /Include /Fields [(x)] /P 1 >>")
        }),
        ("ISO 32000-2 table 236", "a lock has a permission that there is not", NotPassed, |lab| {
            own(lab, "<< /Action /Include /Fields [(x)] /P 0 >>")
        }),
        ("ISO 32000-1 table 233", "a lock has no action", FindingNotWhole, |lab| {
            own(lab, "<< /Fields [(amount)] /P 1 >>")
        }),
        ("ISO 32000-1 table 233", "a lock names fields by names", FindingNotWhole, |lab| {
            own(lab, "<< /Action /Include /Fields [/amount] >>")
        }),
        ("ISO 32000-1 table 232", "a lock is no dictionary", FindingNotWhole, |lab| own(lab, "/All")),
        ("ISO 32000-1 table 256", "FieldMDP has no action", FindingNotWhole, |lab| {
            mdp(lab, "/TransformParams << /Fields [(amount)] /V /1.2 >>")
        }),
        ("ISO 32000-1 table 256", "FieldMDP has an action that there is not", FindingNotWhole, |lab| {
            mdp(lab, "/TransformParams << /Action /all /Fields [(amount)] /V /1.2 >>")
        }),
        ("ISO 32000-1 table 253", "FieldMDP has no parameters", FindingNotWhole, |lab| mdp(lab, "")),
        ("ISO 32000-1 table 254", "DocMDP has no parameters", NotPassed, note_after_certification),
    ]);
}

#[test]
fn fields_hard_to_recognise() {
    check(&[
        ("ISO 32000-1 12.7.3.2", "a locked field has a parent", NotPassed, |lab| {
            locked(lab, "/Parent LAST 0 R", 1, "a.total")
        }),
        ("ISO 32000-1 table 220", "it does not name its parent", NotPassed, |lab| locked(lab, "", 1, "a.total")),
        ("ISO 32000-1 table 220", "the parent is locked", NotPassed, |lab| locked(lab, "", 1, "a")),
        ("ISO 32000-1 12.7.3.2", "it has 40 ancestors", NotPassed, |lab| {
            locked(lab, "/Parent LAST 0 R", 40, &format!("{}total", "a.".repeat(40)))
        }),
        ("ISO 32000-1 table 232", "of two fields of a signature one locks all", NotPassed, second_lock),
    ]);
}
