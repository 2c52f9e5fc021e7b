//! Locks of fields that are malformed, or whose fields are hard to recognise: ISO 32000-1 §12.7.3, §12.8.2.

use super::Expect::{FindingNotWhole, NotPassed, Passed};
use super::pages::amount;
use super::revisions::PAGE;
use super::{Given, Row, check, pdf};
use lacre_testkit::lab::Lab;
use lacre_testkit::pdf::*;

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

/// A widget of two fields, which holds the signature; then the field `amount` is filled.
fn of_two_parents(lab: &Lab, locks: [&str; 2]) -> Given {
    let amount = |value: &str| amount(value, "");
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R 16 0 R 17 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R 15 0 R]")),
        // Its value is what the next signature will be.
        (15, "<< /Type /Annot /Subtype /Widget /FT /Sig /V 7 0 R /P 3 0 R /Rect [0 0 0 0] /F 132 >>"),
        (16, &format!("<< /T (A) /Kids [15 0 R] {} >>", locks[0])),
        (17, &format!("<< /T (B) /Kids [15 0 R] {} >>", locks[1])),
    ]);
    all.insert(11, amount("100"));
    let mut document = Pdf::page("The parties agree.", all);
    document.sign(lab, &Field::default(), Objects::new());
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

/// A kid of two fields, of which the signature locks one; then it is filled.
fn of_two_fields(lab: &Lab, locked: &str, fields: &str, parent: &str) -> Given {
    let kid = |value: &str| {
        object(&format!(
            "<< /Type /Annot /Subtype /Widget /FT /Tx {parent} /T (kid) /V ({value}) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) >>"
        ))
    };
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{fields}] /SigFlags 3 >> >>");
    let mut all = objects(&[
        (1, &catalog),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
        (12, "<< /T (a) /Kids [11 0 R] >>"),
        (13, "<< /T (b) /Kids [11 0 R] >>"),
    ]);
    all.insert(11, kid("100"));
    let mut document = Pdf::page("The parties agree.", all);
    let dictionary = format!(
        "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /Include /Fields [({locked})] /V /1.2 >> >>]"
    );
    document.sign(lab, &Field { dictionary: &dictionary, ..Field::default() }, Objects::new());
    document.update([(11, kid("999"))].into_iter().collect());
    pdf(document.bytes)
}

/// A field whose value viewers show by themselves, until they are told to show its appearance, which says something else.
fn shown_by_itself(lab: &Lab, action: &str) -> Given {
    let form = |more: &str| {
        format!("<< /Fields [11 0 R] /SigFlags 3 /DR << /Font << /F 5 0 R >> >> /DA (/F 12 Tf 0 g) {more} >>")
    };
    let mut all = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm 14 0 R >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
        (
            11,
            "<< /Type /Annot /Subtype /Widget /FT /Tx /T (amount) /V (100) /P 3 0 R /Rect [100 300 200 320] /F 4 /DA (/F 12 Tf 0 g) /AP << /N 21 0 R >> >>",
        ),
        (14, &form("/NeedAppearances true")),
    ]);
    all.insert(
        21,
        stream(
            "/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << /F 5 0 R >> >>",
            b"/Tx BMC BT /F 12 Tf 2 5 Td (999) Tj ET EMC",
        ),
    );
    let mut document = Pdf::page("The parties agree.", all);
    let dictionary = format!(
        "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams {action} /V /1.2 >> >>]"
    );
    document.sign(lab, &Field { dictionary: &dictionary, ..Field::default() }, Objects::new());
    let mut after = document.value(14).clone();
    after.set("NeedAppearances", "false");
    document.update([(14, Object { value: after, stream: None })].into_iter().collect());
    pdf(document.bytes)
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
fn a_kid_of_two_fields() {
    check(&[
        ("ISO 32000-2 12.7.4.2", "the first is locked", NotPassed, |lab| of_two_fields(lab, "a", "12 0 R 13 0 R", "")),
        ("ISO 32000-2 12.7.4.2", "the second is locked", NotPassed, |lab| of_two_fields(lab, "b", "12 0 R 13 0 R", "")),
        ("ISO 32000-2 12.7.4.2", "its parent is locked, of which it is no kid", NotPassed, |lab| {
            of_two_fields(lab, "a", "13 0 R", "/Parent 12 0 R")
        }),
        ("ISO 32000-2 12.7.4.2", "the field is locked of which it is a kid", NotPassed, |lab| {
            of_two_fields(lab, "b", "13 0 R", "/Parent 12 0 R")
        }),
        ("ISO 32000-2 12.7.4.2", "another field is locked", Passed, |lab| of_two_fields(lab, "c", "12 0 R 13 0 R", "")),
        ("ISO 32000-2 table 224", "the form lists the kid, too, and its field is locked", NotPassed, |lab| {
            of_two_fields(lab, "a", "11 0 R 12 0 R", "/Parent 12 0 R")
        }),
    ]);
}

#[test]
fn values_that_viewers_show_by_themselves() {
    check(&[
        ("ISO 32000-2 12.7.4.3", "all fields are locked, and viewers show another value", NotPassed, |lab| {
            shown_by_itself(lab, "/Action /All")
        }),
        ("ISO 32000-2 12.7.4.3", "another field is locked", Passed, |lab| {
            shown_by_itself(lab, "/Action /Include /Fields [(other)]")
        }),
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
        ("ISO 32000-1 table 232", "of two parents of a widget the first locks all", NotPassed, |lab| {
            of_two_parents(lab, ["/Lock << /Type /SigFieldLock /Action /All >>", ""])
        }),
        ("ISO 32000-1 table 232", "the second does", NotPassed, |lab| {
            of_two_parents(lab, ["", "/Lock << /Type /SigFieldLock /Action /All >>"])
        }),
        ("ISO 32000-1 table 232", "the second locks another field", Passed, |lab| {
            of_two_parents(lab, ["", "/Lock << /Type /SigFieldLock /Action /Include /Fields [(x)] >>"])
        }),
    ]);
}

fn filled(lab: &Lab, dictionary: &str, more: &str) -> Given {
    let before = objects(&[
        (1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [11 0 R] /SigFlags 3 >> >>"),
        (3, &PAGE.replace("[6 0 R]", "[11 0 R]")),
    ]);
    let mut all = before;
    all.insert(11, amount("100", ""));
    let mut document = Pdf::page("The parties agree.", all);
    document.sign(lab, &Field { dictionary, more, ..Field::default() }, Objects::new());
    document.update([(11, amount("999", ""))].into_iter().collect());
    pdf(document.bytes)
}

const ALL_FIELDS: &str = "/Reference [<< /Type /SigRef /TransformMethod /FieldMDP /TransformParams << /Type /TransformParams /Action /All /V /1.2 >> >>]";

const F15: &[Row] = &[
    ("ISO 32000-2 12.8.2.4", "all fields are locked by FieldMDP, one changes", NotPassed, |lab| {
        filled(lab, ALL_FIELDS, "")
    }),
    ("ISO 32000-2 12.7.5.5", "all fields are locked by /Lock with P=1, one changes", NotPassed, |lab| {
        filled(lab, "", "/Lock << /Type /SigFieldLock /Action /All /P 1 >>")
    }),
];

#[test]
fn f15_locked_fields() {
    check(F15);
}
