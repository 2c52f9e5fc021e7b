//! Empty fields for others to sign, and the seed values that ask something of a signer.

use crate::desk::*;
use lacre::signing::SigningErrorCode as Code;
use lacre::signing::pades::{
    self, EmptyField, Field, Lock, LockAction, NewField, Options, Permission, Placement, Rectangle, SeedValues,
};
use lacre::{Budget, Document};
use lacre_testkit::pdf::Pdf;

#[test]
fn seed_values() {
    let desk = Desk::new();
    let alice: String = desk.lab.alice.certificate.iter().map(|byte| format!("{byte:02x}")).collect();
    let root: String = desk.lab.root.certificate.iter().map(|byte| format!("{byte:02x}")).collect();
    let reason = with(|options| options.reason = Some("Agreed".into()));
    let certify = with(|options| options.certify = Some(Permission::MinimalChanges));
    let none = Options::default();
    let timestamp = Options::default().with_timestamp();
    let locked = with(|options| {
        options.lock = Some(Lock { action: LockAction::All, fields: vec![], permissions: None });
    });
    let rows: [(&str, String, &Options, bool); 33] = [
        ("filter", "/Ff 1 /Filter /Adobe.PPKLite".into(), &none, true),
        ("another filter", "/Ff 1 /Filter /Other".into(), &none, false),
        ("another filter, advised", "/Ff 0 /Filter /Other".into(), &none, true),
        ("sub-filter", "/Ff 2 /SubFilter [/adbe.pkcs7.detached /ETSI.CAdES.detached]".into(), &none, true),
        ("another sub-filter", "/Ff 2 /SubFilter [/adbe.pkcs7.detached]".into(), &none, false),
        ("another sub-filter, advised", "/SubFilter [/adbe.pkcs7.detached]".into(), &none, true),
        ("version", "/Ff 4 /V 2".into(), &none, true),
        ("a later version", "/Ff 4 /V 9".into(), &none, false),
        ("reason", "/Ff 8 /Reasons [(Agreed) (Seen)]".into(), &reason, true),
        ("no reason", "/Ff 8 /Reasons [(Agreed) (Seen)]".into(), &none, false),
        ("another reason", "/Ff 8 /Reasons [(Seen)]".into(), &reason, false),
        ("another reason, advised", "/Reasons [(Seen)]".into(), &reason, true),
        ("no reason is wanted", "/Ff 8 /Reasons [(.)]".into(), &none, true),
        ("no reason is wanted, there is one", "/Ff 8 /Reasons [(.)]".into(), &reason, false),
        ("attestation", "/Ff 16 /LegalAttestation [(x)]".into(), &certify, false),
        ("attestation, no certification", "/Ff 16 /LegalAttestation [(x)]".into(), &none, true),
        ("revocation data of Adobe", "/Ff 32 /AddRevInfo true".into(), &none, false),
        ("digest", "/Ff 64 /DigestMethod [/SHA256 /SHA512]".into(), &none, true),
        ("another digest", "/Ff 64 /DigestMethod [/SHA512]".into(), &none, false),
        ("no lock", "/Ff 128 /LockDocument /false".into(), &locked, false),
        ("appearance", "/Ff 256 /AppearanceFilter (Seal)".into(), &none, false),
        ("no certification", "/MDP << /P 0 >>".into(), &none, true),
        ("no certification, there is one", "/MDP << /P 0 >>".into(), &certify, false),
        ("certification", "/MDP << /P 2 >>".into(), &certify, true),
        ("another certification", "/MDP << /P 1 >>".into(), &certify, false),
        ("no certification, one is wanted", "/MDP << /P 2 >>".into(), &none, false),
        ("time-stamp", "/TimeStamp << /URL (http://tsa) /Ff 1 >>".into(), &timestamp, true),
        ("no time-stamp", "/TimeStamp << /URL (http://tsa) /Ff 1 >>".into(), &none, false),
        ("the certificate", format!("/Cert << /Ff 1 /Subject [<{alice}>] >>"), &none, true),
        ("another certificate", format!("/Cert << /Ff 1 /Subject [<{root}>] >>"), &none, false),
        (
            "issuer, name and usage",
            format!("/Cert << /Ff 42 /Issuer [<{root}>] /SubjectDN [<< /CN (Alice Honest) >>] /KeyUsage [(X1)] >>"),
            &none,
            true,
        ),
        ("another name", "/Cert << /Ff 8 /SubjectDN [<< /CN (Bob) >>] >>".into(), &none, false),
        ("policy", "/Cert << /Ff 4 /OID [(1.2.3)] >>".into(), &none, false),
    ];
    for (situation, values, options, met) in rows {
        let bytes = with_field(&format!("/SV << /Type /SV {values} >>"), &[]);
        let mut options = options.clone();
        options.field = Field::Named("Here".into());
        let expected = (!met).then_some(Code::SeedValueUnmet);
        assert_eq!(desk.refusal(&bytes, &options), expected, "table 234: {situation}");
        options.obey_seed_values = false;
        assert_eq!(desk.refusal(&bytes, &options), None, "table 234: {situation}, not obeyed");
    }
    let bytes = with_field("/SV << /Ff 128 /LockDocument /true >>", &[]);
    let signed = desk.sign(&bytes, &named("Here"));
    desk.check("the document is to be locked", &Document::new(&signed), 1);
    assert_eq!(
        desk.refusal(&signed, &Options::default()),
        Some(Code::CertifiedNoChanges),
        "ISO 32000-2 table 233: P 1"
    );
}

#[test]
fn fields_are_listed_and_added() {
    let desk = Desk::new();
    let placement = Placement::Displayed { left: 10.0, top: 10.0, width: 100.0, height: 30.0 };
    let lock = Lock { action: LockAction::Include, fields: vec!["x".into()], permissions: None };
    let mut field = NewField::default();
    field.name = Some("First".into());
    field.placement = Some(placement);
    let bytes = pages(100);
    let small = Placement::Displayed { left: 1.0, top: 1.0, width: 10.0, height: 10.0 };
    field.page = 3;
    field.placement = Some(small);
    let budget = Budget::default();
    let mut empty = EmptyField::from(field.clone());
    empty.lock = Some(lock.clone());
    let added = pades::add_field(&Document::new(&bytes), &empty, &budget).expect("added");
    assert_eq!(added.name, "First");
    let prepared = added.output.to_vec(&bytes);
    let listed = pades::fields(&Document::new(&prepared), &budget).expect("listed");
    assert_eq!(listed.len(), 1, "12.7.4.5");
    let first = &listed[0];
    assert_eq!((&first.name[..], first.is_signed, first.page), ("First", false, Some(3)), "12.7.4.5");
    assert_eq!(first.lock.as_ref(), Some(&lock), "table 233");
    assert_eq!(first.rectangle, Some(Rectangle { left: 1.0, bottom: 89.0, right: 11.0, top: 99.0 }), "table 164");
    assert_eq!(first.seed_values, SeedValues::default(), "table 234: it asks nothing");
    let signed = desk.check_signed("the field that was added", &prepared, &named("First"));
    let listed = pades::fields(&Document::new(&signed), &budget).expect("listed");
    assert!(listed[0].is_signed, "12.7.4.5: it is signed");
}

fn added(bytes: &[u8], change: impl FnOnce(&mut EmptyField)) -> Result<Vec<u8>, Code> {
    let mut field = EmptyField::default();
    change(&mut field);
    let added = pades::add_field(&Document::new(bytes), &field, &Budget::default());
    added.map(|added| added.output.to_vec(bytes)).map_err(|error| error.code())
}

fn name(name: &str) -> impl FnOnce(&mut EmptyField) {
    let name = name.to_owned();
    |field| field.field.name = Some(name)
}

#[test]
fn empty_fields_of_every_name() {
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    for given in [
        "Käufer",
        "\u{fe}\u{ff}ab",
        "\u{ff}\u{fe}",
        "\u{ef}\u{bb}\u{bf}x",
        "签名",
        "𝔖",
        "a)b\\(c",
        "/x <y>",
        "%%EOF",
        " ",
        "a.b.c",
        "-1",
    ] {
        let prepared = added(&bytes, name(given)).unwrap_or_else(|code| panic!("{given:?}: {code}"));
        let listed = pades::fields(&Document::new(&prepared), &Budget::default()).expect("listed");
        assert_eq!(listed.iter().map(|field| &field.name[..]).collect::<Vec<_>>(), [given], "7.9.2.2");
        desk.check(given, &Document::new(&desk.sign(&prepared, &named(given))), 1);
        assert_eq!(added(&prepared, name(given)).err(), Some(Code::FieldNameInvalid), "12.7.3.2: {given:?} is there");
    }
    for wrong in ["", ".", "a.", ".a", "a..b", "a\nb", "\0", "\u{1b}[2J", "\u{85}"] {
        assert_eq!(added(&bytes, name(wrong)).err(), Some(Code::FieldNameInvalid), "12.7.3.2: {wrong:?}");
    }
    let one = added(&bytes, name("a")).expect("added");
    assert_eq!(added(&one, name("a.b")).err(), Some(Code::FieldNameInvalid), "12.7.3.1: no parent of others");
    let unnamed = added(&added(&one, |_| ()).expect("added"), |_| ()).expect("added");
    let listed = pades::fields(&Document::new(&unnamed), &Budget::default()).expect("listed");
    let names: Vec<&str> = listed.iter().map(|field| &field.name[..]).collect();
    assert_eq!(names, ["a", "Signature1", "Signature2"], "the next that is free");
}

#[test]
fn empty_fields_that_are_refused() {
    let desk = Desk::new();
    let bytes = pages(100);
    let at = |left, top, width, height| {
        move |field: &mut EmptyField| {
            field.field.placement = Some(Placement::Displayed { left, top, width, height });
        }
    };
    let on = |number| move |field: &mut EmptyField| field.field.page = number;
    for (situation, found) in [
        ("a negative width", added(&bytes, at(50.0, 50.0, -10.0, 10.0))),
        ("a negative height", added(&bytes, at(50.0, 50.0, 10.0, -10.0))),
        ("no size", added(&bytes, at(50.0, 50.0, 0.0, 10.0))),
        ("outside", added(&bytes, at(-5.0, 5.0, 10.0, 10.0))),
        ("beyond", added(&bytes, at(95.0, 5.0, 10.0, 10.0))),
        ("no number", added(&bytes, at(f64::NAN, 5.0, 10.0, 10.0))),
        ("no width", added(&bytes, at(5.0, 5.0, f64::NAN, 10.0))),
        ("no end", added(&bytes, at(5.0, 5.0, f64::INFINITY, 10.0))),
        ("page 0", added(&bytes, on(0))),
        ("a page after the last", added(&bytes, on(i32::MAX))),
        ("a page before the first", added(&bytes, on(i32::MIN))),
    ] {
        assert_eq!(found.err(), Some(Code::FieldOutsidePage), "{situation}");
    }
    let lock = |action, fields: &[&str], permissions| {
        let fields = fields.iter().map(|field| (*field).to_owned()).collect();
        Some(Lock { action, fields, permissions })
    };
    for (situation, wrong) in [
        ("table 233: all and a name", lock(LockAction::All, &["a"], None)),
        ("table 233: some and no name", lock(LockAction::Exclude, &[], None)),
        ("an empty name", lock(LockAction::Include, &[""], None)),
    ] {
        let found = added(&bytes, |field| field.lock = wrong);
        assert_eq!(found.err(), Some(Code::ParameterInvalid), "{situation}");
    }
    let seen = added(&bytes, at(10.0, 10.0, 20.0, 20.0)).expect("added");
    assert_eq!(added(&seen, at(15.0, 15.0, 20.0, 20.0)).err(), Some(Code::FieldOverlaps), "on top of another");
    let on_top = |field: &mut EmptyField| (at(15.0, 15.0, 20.0, 20.0)(field), field.allow_overlap = true).1;
    assert!(added(&seen, on_top).is_ok(), "12.5.2: where that is wanted");

    for (permission, expected) in [
        (Permission::NoChange, Some(Code::CertifiedNoChanges)),
        (Permission::MinimalChanges, Some(Code::CertifiedNoChanges)),
        (Permission::Changes, None),
    ] {
        let certified = desk.sign(&bytes, &with(|options| options.certify = Some(permission)));
        assert_eq!(added(&certified, |_| ()).err(), expected, "table 254: {permission:?}");
    }
    for (situation, locked, expected) in [
        ("all", lock(LockAction::All, &[], None), Some(Code::LockedByField)),
        ("this one", lock(LockAction::Include, &["Second"], None), Some(Code::LockedByField)),
        ("another", lock(LockAction::Include, &["Third"], None), None),
        ("all but this one", lock(LockAction::Exclude, &["Second"], None), None),
        ("all but another", lock(LockAction::Exclude, &["Third"], None), Some(Code::LockedByField)),
        (
            "nothing is permitted",
            lock(LockAction::Include, &["x"], Some(Permission::NoChange)),
            Some(Code::CertifiedNoChanges),
        ),
    ] {
        let signed = desk.sign(&bytes, &with(|options| options.lock = locked));
        assert_eq!(added(&signed, name("Second")).err(), expected, "table 233: {situation}");
    }
    let signed = desk.sign(&bytes, &Options::default());
    let more = added(&signed, name("Second")).expect("added");
    let facts = desk.facts(&Document::new(&more));
    let revision = facts.signatures[0].pdf_revision.clone().expect("a PDF");
    let changes = revision.modifications.clone().unwrap_or_default().objects.expect("objects were compared");
    assert!(facts.signatures[0].basic.intact && changes.undefined.is_empty(), "7.5.6");
    assert!(changes.annotation.iter().all(|change| change.field_name.as_deref() == Some("Second")), "it is reported");
    let signed_by_two = desk.sign(&more, &named("Second"));
    assert!(desk.facts(&Document::new(&signed_by_two)).signatures.iter().all(|one| one.basic.intact), "12.7.4.5");
    let cut = [&signed[..signed.len() - 40], b"\n%%EOF\n"].concat();
    assert!(added(&cut, |_| ()).is_err(), "12.8.1: a signature over bytes that are missing");
}

/// States what a field asks.
type Asking<'a> = &'a dyn Fn(&mut SeedValues);

#[test]
fn what_a_new_field_asks_of_its_signer() {
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    let asked = |change: Asking<'_>| {
        let mut values = SeedValues::default();
        change(&mut values);
        values
    };
    let rows: [(&str, Asking<'_>, &dyn Fn(&mut Options)); 4] = [
        ("a reason", &|values| values.reasons = Some(vec!["Agreed".into(), "Seen (ü)".into()]), &|options| {
            options.reason = Some("Seen (ü)".into());
        }),
        ("a digest", &|values| values.digests = vec!["SHA256".into(), "SHA512".into()], &|_| ()),
        ("a certification", &|values| values.certify = Some(2), &|options| {
            options.certify = Some(Permission::MinimalChanges);
        }),
        ("a time-stamp", &|values| values.timestamp_url = Some("https://tsa.example/".into()), &|options| {
            options.timestamp = Some(9000);
        }),
    ];
    for (situation, values, obeyed) in rows {
        let required = asked(values).required();
        let prepared = added(&bytes, |field| field.seed_values = required.clone()).expect("added");
        let listed = pades::fields(&Document::new(&prepared), &Budget::default()).expect("listed");
        assert_eq!(listed[0].seed_values, required, "table 234: {situation}: as it was stated");
        let mut options = named("Signature1");
        obeyed(&mut options);
        desk.check(situation, &Document::new(&desk.sign(&prepared, &options)), 1);
        if situation != "a digest" {
            let refused = desk.refusal(&prepared, &named("Signature1"));
            assert_eq!(refused, Some(Code::SeedValueUnmet), "table 234: {situation}");
            let advised = added(&bytes, |field| field.seed_values = asked(values)).expect("added");
            let refused = desk.refusal(&advised, &named("Signature1"));
            // Table 234, MDP: it is always required.
            let expected = (situation == "a certification").then_some(Code::SeedValueUnmet);
            assert_eq!(refused, expected, "table 234: {situation}: advice");
        }
    }
    let other = asked(&|values| values.digests = vec!["SHA384".into()]).required();
    let prepared = added(&bytes, |field| field.seed_values = other).expect("added");
    assert_eq!(desk.refusal(&prepared, &named("Signature1")), Some(Code::SeedValueUnmet), "table 234: a digest");
    let wrong: [(&str, Asking<'_>, Code); 7] = [
        ("a digest", &|values| values.digests = vec!["MD17".into()], Code::ParameterInvalid),
        ("an empty reason", &|values| values.reasons = Some(vec![String::new()]), Code::ParameterInvalid),
        ("a level", &|values| values.certify = Some(4), Code::ParameterInvalid),
        ("an address", &|values| values.timestamp_url = Some("https://tsä.example".into()), Code::ParameterInvalid),
        ("no address", &|values| values.timestamp_required = true, Code::ParameterInvalid),
        ("a version", &|values| values.version = Some(f64::NAN), Code::ParameterInvalid),
        ("attestations", &|values| values.attestations = true, Code::ParameterNotInFormat),
    ];
    for (situation, values, expected) in wrong {
        let found = added(&bytes, |field| field.seed_values = asked(values));
        assert_eq!(found.err(), Some(expected), "table 234: {situation}");
    }
}
