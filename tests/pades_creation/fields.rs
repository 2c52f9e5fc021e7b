//! Signature fields that are there or are made: names, places, locks, certifications.

use crate::desk::*;
use lacre::Document;
use lacre::signing::SigningErrorCode as Code;
use lacre::signing::pades::{Field, Lock, LockAction, Options, Permission, Placement, Rectangle};
use lacre_testkit::pdf::{self, Form, Pdf};

#[test]
fn existing_fields() {
    let desk = Desk::new();
    let annots = "/Annots [9 0 R]";
    let catalog = "/AcroForm 8 0 R";
    let widget =
        |parent: u32| format!("<< /Type /Annot /Subtype /Widget /Rect [1 1 9 9] /F 4 /P 3 0 R /Parent {parent} 0 R >>");
    let (of_7, of_10) = (widget(7), widget(10));
    let rows: [(&str, Options, Vec<u8>); 6] = [
        ("field and widget in one", named("Here"), with_field("", &[])),
        ("the only empty one", with(|options| options.field = Field::OnlyEmpty), with_field("/V null", &[])),
        (
            "a widget of its own",
            named("Here"),
            document(
                catalog,
                annots,
                &[(7, "<< /FT /Sig /T (Here) /Kids [9 0 R] >>"), (8, "<< /Fields [7 0 R] >>"), (9, &of_7)],
                Form::Packed,
            )
            .bytes,
        ),
        (
            "below a parent, of its type",
            named("a.b"),
            document(
                catalog,
                annots,
                &[
                    (7, "<< /FT /Sig /T (a) /Kids [10 0 R] >>"),
                    (8, "<< /Fields [7 0 R] >>"),
                    (10, "<< /T (b) /Parent 7 0 R /Kids [9 0 R] >>"),
                    (9, &of_10),
                ],
                Form::Stream,
            )
            .bytes,
        ),
        ("a lock", named("Here"), with_field("/Lock << /Type /SigFieldLock /Action /Include /Fields [(x)] >>", &[])),
        (
            "a seed value that is met",
            named("Here"),
            with_field("/SV << /Ff 2 /SubFilter [/x /ETSI.CAdES.detached] >>", &[]),
        ),
    ];
    for (situation, options, bytes) in rows {
        desk.check_signed(situation, &bytes, &options);
    }
    let signed = desk.sign(&with_field("", &[]), &named("Here"));
    let text = String::from_utf8_lossy(&signed[with_field("", &[]).len()..]).into_owned();
    assert!(
        !text.contains("3 0 obj") && !text.contains("1 0 obj\n<</Type/Catalog/Pages 2 0 R/AcroForm 8 0 R>>"),
        "only what changes"
    );
    assert!(text.contains("/Rect[10 10 90 40]/F 4/P 3 0 R"), "12.7.4.5: its place and flags stay: {text}");

    for (situation, options, bytes, expected) in [
        ("no such field", named("There"), with_field("", &[]), Code::FieldNotFound),
        ("none empty", with(|options| options.field = Field::OnlyEmpty), signed.clone(), Code::FieldNotFound),
        ("signed already", named("Here"), signed.clone(), Code::FieldSigned),
        (
            "a text field",
            named("Text"),
            document(catalog, "", &[(7, "<< /FT /Tx /T (Text) >>"), (8, "<< /Fields [7 0 R] >>")], Form::Table).bytes,
            Code::FieldNotSignature,
        ),
        (
            "two of the name",
            named("Here"),
            document(
                catalog,
                "",
                &[(7, "<< /FT /Sig /T (Here) >>"), (9, "<< /FT /Sig /T (Here) >>"), (8, "<< /Fields [7 0 R 9 0 R] >>")],
                Form::Table,
            )
            .bytes,
            Code::FieldNameInvalid,
        ),
    ] {
        assert_eq!(desk.refusal(&bytes, &options), Some(expected), "12.7.4.5: {situation}");
    }
}

#[test]
fn names_of_new_fields() {
    let desk = Desk::new();
    let tree = document(
        "/AcroForm 8 0 R",
        "",
        &[(7, "<< /T (a) /Kids [9 0 R] >>"), (9, "<< /FT /Tx /T (b) /Parent 7 0 R >>"), (8, "<< /Fields [7 0 R] >>")],
        Form::Table,
    );
    let name = |name: &str| new_field(|field| field.name = Some(name.into()));
    for (given, expected) in [
        (None, "Signature1"),
        (Some("Owner"), "Owner"),
        (Some("a.c"), "a.c"),
        (Some("a.x.y"), "a.x.y"),
        (Some("p.q.r"), "p.q.r"),
        (Some("Größe"), "Größe"),
    ] {
        let options = given.map_or(Options::default(), name);
        let signed = desk.check_signed(expected, &tree.bytes, &options);
        let facts = desk.facts(&Document::new(&signed));
        let fields = &facts.signatures[0].pdf_revision.as_ref().expect("a PDF").fields;
        assert_eq!(fields.iter().map(|field| &field.name[..]).collect::<Vec<_>>(), [expected], "12.7.3.2");
    }
    for given in ["", "a.", ".a", "a..b", "a.b", "a", "a.b.c"] {
        assert_eq!(desk.refusal(&tree.bytes, &name(given)), Some(Code::FieldNameInvalid), "12.7.3.2: `{given}`");
    }
    for page in [0, 2, -2] {
        let refusal = desk.refusal(&tree.bytes, &new_field(|field| field.page = page));
        assert_eq!(refusal, Some(Code::FieldOutsidePage), "12.5.2: page {page}");
    }
}

#[test]
fn where_fields_are() {
    let desk = Desk::new();
    let displayed = Placement::Displayed { left: 10.0, top: 20.0, width: 100.0, height: 30.0 };
    // The page is 300 wide and 200 high, its lower left corner at 5 7.
    for (rotation, expected) in [
        (0, "[15 157 115 187]"),
        (90, "[25 17 55 117]"),
        (180, "[195 27 295 57]"),
        (270, "[255 97 285 197]"),
        (450, "[25 17 55 117]"),
    ] {
        let page = format!("/CropBox [5 7 305 207] /Rotate {rotation}");
        let bytes = document("", &page, &[], Form::Table).bytes;
        let options = new_field(|field| field.placement = Some(displayed));
        let signed = desk.check_signed(&format!("turned by {rotation}"), &bytes, &options);
        assert!(pdf::find(&signed, format!("/Rect{expected}").as_bytes(), 0).is_some(), "{rotation}: {expected}");
    }
    let unit = document("", "/UserUnit 2 /CropBox [0 0 300 200]", &[], Form::Table).bytes;
    let signed = desk.sign(&unit, &new_field(|field| field.placement = Some(displayed)));
    assert!(pdf::find(&signed, b"/Rect[5 175 55 190]", 0).is_some(), "14.11.2, table 30: units of two points");
    let at = |left, bottom, right, top| {
        new_field(|field| field.placement = Some(Placement::Page(Rectangle { left, bottom, right, top })))
    };
    for (situation, options) in [
        ("beyond the crop box", at(290.0, 0.0, 310.0, 10.0)),
        ("no area", at(10.0, 10.0, 10.0, 20.0)),
        ("no number", at(f64::NAN, 10.0, 10.0, 20.0)),
    ] {
        assert_eq!(desk.refusal(&unit, &options), Some(Code::FieldOutsidePage), "12.5.2: {situation}");
    }
}

#[test]
fn certifications() {
    let desk = Desk::new();
    let certify = |permission| with(|options| options.certify = Some(permission));
    let usage_rights = document("/Perms << /UR3 9 0 R >>", "", &[(9, "<< >>")], Form::Table).bytes;
    for (level, permission) in [(1, Permission::NoChange), (2, Permission::MinimalChanges), (3, Permission::Changes)] {
        let signed = desk.sign(&usage_rights, &certify(permission));
        desk.check(&format!("certified with {level}"), &Document::new(&signed), 1);
        let facts = desk.facts(&Document::new(&signed));
        let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
        assert_eq!(revision.doc_mdp, Some(permission), "12.8.2.2: level {level}");
        let text = String::from_utf8_lossy(&signed).into_owned();
        assert!(text.contains("/Perms<</UR3 9 0 R/DocMDP "), "12.8.4: usage rights stay");
        let again = desk.try_sign(&Document::new(&signed), &Options::default(), &desk.lab.bob);
        let below = desk.refusal(&signed, &new_field(|field| field.name = Some("a.b".into())));
        let seen = Placement::Displayed { left: 50.0, top: 100.0, width: 200.0, height: 80.0 };
        let seen = desk.refusal(&signed, &new_field(|field| field.placement = Some(seen)));
        assert_eq!(seen.is_some(), level < 3, "table 254: a new field that is seen is more than a signature");
        let second = desk.refusal(&signed, &certify(Permission::Changes));
        match level {
            1 => {
                assert_eq!(again.err().map(|error| error.code()), Some(Code::CertifiedNoChanges), "table 254: P 1");
                assert_eq!(second, Some(Code::CertifiedNoChanges), "12.8.2.2");
            }
            _ => {
                let again = again.expect("a second signature");
                desk.check(&format!("certified with {level}, and again"), &Document::new(&again), 2);
                assert_eq!(second, Some(Code::CertificationNotFirst), "12.8.2.2");
            }
        }
        assert_eq!(below.is_some(), level < 3, "table 254: new parents of fields are more than a signature");
    }
}

#[test]
fn locks() {
    let desk = Desk::new();
    let lock = |action, fields: &[&str], permissions| Lock {
        action,
        fields: fields.iter().map(ToString::to_string).collect(),
        permissions,
    };
    let all = lock(LockAction::All, &[], None);
    let include = lock(LockAction::Include, &["x", "Signature2"], None);
    let exclude = lock(LockAction::Exclude, &["Signature2"], None);
    let no_change = lock(LockAction::Include, &["x"], Some(Permission::NoChange));
    for (situation, lock, next, expected) in [
        ("all fields", &all, "Other", Some(Code::LockedByField)),
        ("the field is named", &include, "Signature2", Some(Code::LockedByField)),
        ("another is named", &include, "Other", None),
        ("below one that is named", &include, "x.y", Some(Code::LockedByField)),
        ("all but the field", &exclude, "Signature2", None),
        ("all but another", &exclude, "Other", Some(Code::LockedByField)),
        ("nothing may change", &no_change, "Other", Some(Code::CertifiedNoChanges)),
    ] {
        let signed = desk.sign(&Pdf::usual().bytes, &with(|options| options.lock = Some(lock.clone())));
        desk.check(situation, &Document::new(&signed), 1);
        let facts = desk.facts(&Document::new(&signed));
        let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
        assert_eq!(revision.field_mdp.as_ref().map(|found| found.action), Some(lock.action), "12.8.2.4: {situation}");
        assert_eq!(revision.fields[0].lock.as_ref(), Some(lock), "table 233: {situation}");
        let options = new_field(|field| field.name = Some(next.into()));
        let again = desk.try_sign(&Document::new(&signed), &options, &desk.lab.bob);
        assert_eq!(again.as_ref().err().map(|error| error.code()), expected, "12.8.2.4: {situation}");
        if let Ok(again) = again {
            desk.check(situation, &Document::new(&again), 2);
        }
    }
    let own = with_field("/Lock << /Type /SigFieldLock /Action /All >>", &[]);
    let mut options = named("Here");
    options.lock = Some(include);
    assert_eq!(desk.refusal(&own, &options), Some(Code::ParametersConflict), "table 233: it has a lock");
    let signed = desk.sign(&own, &named("Here"));
    assert_eq!(desk.refusal(&signed, &Options::default()), Some(Code::LockedByField), "table 233: its own lock");
}
