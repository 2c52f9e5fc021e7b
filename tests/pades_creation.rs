//! Signatures of PDF documents that lacre makes, read by lacre: every way to write a document, every kind of field, what
//! forbids to sign.

use lacre::signing::pades::{
    self, Alignment, Appearance, Arrangement, Colour, EmptyField, Extensions, Field, Lock, LockAction, NewField,
    Options, Permission, Placement, Rectangle, Rotation, Scaling, SeedValues,
};
use lacre::signing::{Commitment, KeyAlgorithm, Place, Prepared, SignatureAlgorithm};
use lacre::signing::{DigestAlgorithm, SignatureParameters, Signer, SigningError, SigningErrorCode as Code};
use lacre::{Budget, Document, Facts};
use lacre_core::x509::Certificate;
use lacre_testkit::lab::{AT, Lab, SIGNED};
use lacre_testkit::pdf::{self, Carrier, Form, Objects, Pdf, objects};
use lacre_testkit::pki::Entity;

/// Signs as somebody of the laboratory.
struct Desk {
    lab: Lab,
}

impl Desk {
    fn new() -> Self {
        Self { lab: Lab::new() }
    }

    fn signer(&self, entity: &Entity) -> Signer {
        let certificate = Certificate::from_der(&entity.certificate).expect("a certificate");
        let algorithm = SignatureAlgorithm::new(KeyAlgorithm::Ecdsa, Some(DigestAlgorithm::Sha256));
        let root = Certificate::from_der(&self.lab.root.certificate).expect("a certificate");
        Signer::new(certificate, algorithm).expect("a signer").with_chain(vec![root])
    }

    fn parameters(&self) -> SignatureParameters {
        SignatureParameters::new(SIGNED.parse().expect("a time"))
    }

    fn prepared(&self, document: &Document<'_>, options: &Options, by: &Entity) -> Result<Prepared, SigningError> {
        pades::prepare(document, &self.parameters(), options, &self.signer(by), &Budget::default())
    }

    fn try_sign(&self, document: &Document<'_>, options: &Options, by: &Entity) -> Result<Vec<u8>, SigningError> {
        let prepared = self.prepared(document, options, by)?;
        let output = prepared.finish(document, &by.key.sign(prepared.to_be_signed()))?;
        Ok(output.to_vec(document.bytes()))
    }

    fn sign(&self, bytes: &[u8], options: &Options) -> Vec<u8> {
        self.try_sign(&Document::new(bytes), options, &self.lab.alice).unwrap_or_else(|error| panic!("{error}"))
    }

    fn facts(&self, document: &Document<'_>) -> Facts {
        self.lab.validator().facts(document, AT.parse().expect("a time")).expect("a document that is read")
    }

    /// Checks that every signature is PAdES-BASELINE-B, intact, and that nothing but signatures came after it.
    fn check(&self, situation: &str, document: &Document<'_>, count: usize) {
        let facts = self.facts(document);
        assert_eq!(facts.irregularities.len(), 0, "{situation}: {:?}", facts.irregularities);
        assert_eq!(facts.signatures.len(), count, "{situation}: signatures");
        for signature in &facts.signatures {
            let level = signature.level.map(|level| level.to_string());
            assert_eq!(level.as_deref(), Some("PAdES-BASELINE-B"), "{situation}");
            assert!(signature.basic.intact && signature.basic.valid, "{situation}: value and digest");
            let revision = signature.pdf_revision.as_ref().expect("a PDF");
            assert_eq!(revision.byte_range_valid, Some(true), "{situation}: byte range");
            assert!(revision.dictionary_consistent, "{situation}: the dictionary");
            let changes = revision.modifications.clone().unwrap_or_default();
            let objects = changes.objects.expect("objects were compared");
            assert_eq!(objects.undefined, vec![], "{situation}: undefined changes");
            assert_eq!(objects.annotation, vec![], "{situation}: annotations");
            assert_eq!(changes.page_differences, Vec::<u32>::new(), "{situation}");
            assert_eq!(changes.visual_differences, Vec::<u32>::new(), "{situation}");
            let ranges = &revision.byte_range;
            if signature.id == facts.signatures[count - 1].id {
                assert_eq!(ranges[2] + ranges[3], document.bytes().len() as i64, "{situation}: the whole file");
            }
        }
    }

    /// Signs, checks, and signs a second time as Bob.
    fn check_signed(&self, situation: &str, bytes: &[u8], options: &Options) -> Vec<u8> {
        let signed = self.sign(bytes, options);
        assert!(signed.starts_with(bytes), "{situation}: what was there stays as it is");
        assert_eq!(signed, self.sign(bytes, options), "{situation}: the same again is the same bytes");
        self.check(situation, &Document::new(&signed), 1);
        let document = Document::new(&signed);
        let again = self.try_sign(&document, &Options::default(), &self.lab.bob);
        let again = again.unwrap_or_else(|error| panic!("{situation}: {error}"));
        self.check(&format!("{situation}, and again"), &Document::new(&again), 2);
        signed
    }

    fn refusal(&self, bytes: &[u8], options: &Options) -> Option<Code> {
        self.try_sign(&Document::new(bytes), options, &self.lab.alice).err().map(|error| error.code())
    }
}

fn named(name: &str) -> Options {
    let mut options = Options::default();
    options.field = Field::Named(name.into());
    options
}

fn new_field(change: impl FnOnce(&mut NewField)) -> Options {
    let mut field = NewField::default();
    change(&mut field);
    let mut options = Options::default();
    options.field = Field::New(field);
    options
}

fn with(change: impl FnOnce(&mut Options)) -> Options {
    let mut options = Options::default();
    change(&mut options);
    options
}

/// The usual page, its catalog, page and more objects written so.
fn document(catalog: &str, page: &str, more: &[(u32, &str)], form: Form) -> Pdf {
    let page =
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.275590551181102 842] /Contents 4 0 R {page} >>");
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R {catalog} >>");
    let mut changes = objects(&[(1, &catalog), (3, &page)]);
    changes.extend(objects(more));
    Pdf::of(Pdf::page("The parties agree.", changes).objects, form)
}

#[test]
fn new_fields_in_every_kind_of_document() {
    let desk = Desk::new();
    let link = "<< /Type /Annot /Subtype /Link /Rect [1 2 3 4] /Border [0 0 0] >>";
    let text =
        "<< /FT /Tx /T (Text) /Type /Annot /Subtype /Widget /Rect [9 9 50 20] /P 3 0 R /DA (/F 9 Tf) /V (x) /F 4 >>";
    let hidden = {
        let changes = objects(&[(6, "<< /Hidden true >>")]);
        Pdf::usual().carried(&changes, "", Carrier::Hybrid)
    };
    for form in [Form::Table, Form::Stream, Form::Packed] {
        let rows: [(&str, &str, &str, Vec<(u32, &str)>); 8] = [
            ("no form, no annotations", "", "", vec![]),
            ("a form inside of the catalog", "/AcroForm << /Fields [] >>", "", vec![]),
            ("a form of its own", "/AcroForm 7 0 R", "", vec![(7, "<< /Fields [] /SigFlags 1 >>")]),
            ("an array of fields of its own", "/AcroForm 7 0 R", "", vec![(7, "<< /Fields 8 0 R >>"), (8, "[]")]),
            ("a form that is null", "/AcroForm null", "/Annots null", vec![]),
            ("annotations inside of the page", "", "/Annots [7 0 R]", vec![(7, link)]),
            ("annotations of their own", "", "/Annots 8 0 R", vec![(7, link), (8, "[7 0 R]")]),
            (
                "another field",
                "/AcroForm 8 0 R",
                "/Annots [7 0 R]",
                vec![(7, text), (8, "<< /Fields [7 0 R] /NeedAppearances true /DA (/F 9 Tf) >>")],
            ),
        ];
        for (situation, catalog, page, more) in rows {
            let pdf = document(catalog, page, &more, form);
            desk.check_signed(&format!("{situation}, {form:?}"), &pdf.bytes, &Options::default());
        }
    }
    desk.check_signed("a hybrid file", &hidden, &Options::default());
    let usual = Pdf::usual().bytes;
    desk.check_signed("no line end at the end", &usual[..usual.len() - 1], &Options::default());
    let pages = pages(300);
    desk.check_signed("many pages", &pages, &new_field(|field| field.page = -1));
}

/// A document of so many pages, in a tree of two levels.
fn pages(count: u32) -> Vec<u8> {
    let mut all = Objects::new();
    let mut groups = vec![];
    for group in 0..count / 100 {
        let node = 10 + group;
        let kids: Vec<u32> = (0..100).map(|page| 1000 + group * 100 + page).collect();
        for kid in &kids {
            let text = format!("<< /Type /Page /Parent {node} 0 R >>");
            all.insert(*kid, pdf::object(&text));
        }
        let kids: Vec<String> = kids.iter().map(|kid| format!("{kid} 0 R")).collect();
        let text = format!("<< /Type /Pages /Parent 2 0 R /Count 100 /Kids [{}] >>", kids.join(" "));
        all.insert(node, pdf::object(&text));
        groups.push(format!("{node} 0 R"));
    }
    all.insert(1, pdf::object("<< /Type /Catalog /Pages 2 0 R >>"));
    let kids = groups.join(" ");
    let root = format!("<< /Type /Pages /Count {count} /MediaBox [0 0 100 100] /Kids [{kids}] >>");
    all.insert(2, pdf::object(&root));
    Pdf::of(all, Form::Table).bytes
}

#[test]
fn what_the_dictionary_says() {
    let desk = Desk::new();
    let options = with(|options| {
        options.reason = Some("Für (gut) befunden".into());
        options.contact_info = Some("alice@example.org".into());
        options.signer_name = Some("Alice".into());
        options.application = Some("Some App".into());
        options.utc_offset = 60;
    });
    let mut parameters = desk.parameters();
    parameters.place = Some(Place { locality: Some("Łódź".into()), country: Some("PL".into()), ..Place::default() });
    let bytes = Pdf::usual().bytes;
    let document = Document::new(&bytes);
    let signer = desk.signer(&desk.lab.alice);
    let prepared = pades::prepare(&document, &parameters, &options, &signer, &Budget::default()).expect("prepared");
    let value = desk.lab.alice.key.sign(prepared.to_be_signed());
    let signed = prepared.finish(&document, &value).expect("signed").to_vec(&bytes);
    desk.check("all that is stated", &Document::new(&signed), 1);
    let facts = desk.facts(&Document::new(&signed));
    let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
    assert_eq!(revision.reason.as_deref(), Some("Für (gut) befunden"), "table 252");
    assert_eq!(revision.contact_info.as_deref(), Some("alice@example.org"), "table 252");
    assert_eq!(revision.signer_name.as_deref(), Some("Alice"), "table 252");
    assert_eq!(revision.location.as_deref(), Some("Łódź, PL"), "table 252");
    assert_eq!(facts.signatures[0].claimed_signing_time, SIGNED.parse().ok(), "7.9.4: with its offset");
    let find = |text: &[u8]| pdf::find(&signed, text, 0).is_some();
    assert!(find(b"/M(D:20261121130000+01'00')"), "7.9.4");
    assert!(find(b"/Prop_Build<</App<</Name/Some#20App>>>>"), "table 252");
    assert!(find(b"/SigFlags 3"), "table 219");
    assert!(find(b"/Extensions<</ESIC<</BaseVersion/1.7/ExtensionLevel 2>>>>"), "7.12");

    parameters.commitments = vec![Commitment::ProofOfApproval];
    let conflict = pades::prepare(&document, &parameters, &options, &signer, &Budget::default()).err();
    assert_eq!(conflict.map(|e| e.code()), Some(Code::ParametersConflict), "EN 319 142-1 6.3: a reason beside it");
}

/// A document with a signature field as object 7, in a form as object 8.
fn with_field(entries: &str, more: &[(u32, &str)]) -> Vec<u8> {
    let field =
        format!("<< /Type /Annot /Subtype /Widget /FT /Sig /T (Here) /Rect [10 10 90 40] /F 4 /P 3 0 R {entries} >>");
    let mut all = vec![(7, &field[..]), (8, "<< /Fields [7 0 R] /SigFlags 1 >>")];
    all.extend_from_slice(more);
    document("/AcroForm 8 0 R", "/Annots [7 0 R]", &all, Form::Table).bytes
}

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
fn encrypted_documents() {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encrypted/");
    for (name, fills, adds) in [
        ("rc4-40", true, true),
        ("rc4-128", true, true),
        ("aes-128", true, true),
        ("aes-256-r5", true, true),
        ("aes-256-r6", true, true),
        ("aes-256-fill", true, false),
        ("aes-256-restricted", false, false),
    ] {
        let bytes = std::fs::read(format!("{folder}{name}.pdf")).expect("a file of the tests");
        for (password, is_owner) in [(&b"user"[..], false), (b"owner", true)] {
            let document = Document::new(&bytes).with_password(password);
            let reason = |field: Field| {
                with(|options| {
                    options.field = field;
                    options.reason = Some("A secret reason".into());
                })
            };
            for (field, allowed) in [(Field::default(), adds), (Field::Named("Waiting".into()), fills)] {
                let signed = desk.try_sign(&document, &reason(field.clone()), &desk.lab.alice);
                if !(allowed || is_owner) {
                    let code = signed.err().map(|error| error.code());
                    assert_eq!(code, Some(Code::PermissionDenied), "table 22: {name} {field:?}");
                    continue;
                }
                let signed = signed.unwrap_or_else(|error| panic!("{name} {field:?}: {error}"));
                let again = desk.try_sign(&document, &reason(field), &desk.lab.alice).expect("signed again");
                assert_eq!(signed, again, "{name}: the same bytes");
                assert_eq!(pdf::find(&signed, b"A secret", 0), None, "7.6.1: {name}");
                let opened = Document::new(&signed).with_password(b"user");
                desk.check(name, &opened, 1);
                let facts = desk.facts(&opened);
                let revision = facts.signatures[0].pdf_revision.as_ref().expect("a PDF");
                assert_eq!(revision.reason.as_deref(), Some("A secret reason"), "7.6.2: {name}");
            }
        }
        for (password, expected) in [(None, Code::PasswordNeeded), (Some(&b"x"[..]), Code::PasswordWrong)] {
            let document = Document::new(&bytes);
            let document = password.into_iter().fold(document, |document, password| document.with_password(password));
            let refusal = desk.try_sign(&document, &Options::default(), &desk.lab.alice).err();
            assert_eq!(refusal.map(|error| error.code()), Some(expected), "7.6.1: {name}");
        }
    }
}

#[test]
fn what_is_signed_cannot_be_exchanged() {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    let document = Document::new(&bytes);
    let options = new_field(|field| field.name = Some("Seller".into()));
    let prepared = desk.prepared(&document, &options, &desk.lab.alice).expect("nothing forbids it");
    let text = String::from_utf8(prepared.to_json()).expect("JSON is UTF-8");
    let (state, _) = text.rsplit_once(",\"sha256\":").expect("it states its digest");
    let (_, update) = state.split_once("\"after\":\"").expect("it holds the update");
    let (update, _) = update.split_once('"').expect("it ends");
    let shown = String::from_utf8_lossy(&BASE64_STANDARD.decode(update).expect("Base64")).into_owned();
    assert!(shown.contains("(Seller)"), "{shown}");
    let other = BASE64_STANDARD.encode(shown.replace("(Seller)", "(Robber)"));
    let state = state.replacen(update, &other, 1) + "}";
    let sha256 = lacre::signing::digest(DigestAlgorithm::Sha256, state.as_bytes()).expect("it is computed");
    let sha256: String = sha256.iter().map(|byte| format!("{byte:02x}")).collect();
    let changed = format!("{},\"sha256\":\"{sha256}\"}}", &state[..state.len() - 1]);
    let changed = Prepared::from_json(changed.as_bytes()).expect("its digest is that of the rest");
    let refusal = changed.finish(&document, &desk.lab.alice.key.sign(prepared.to_be_signed())).expect_err("exchanged");
    assert_eq!(refusal.code(), Code::StateTampered, "ISO 32000-1 12.8.1: what is covered");
}

#[test]
fn the_gap() {
    let desk = Desk::new();
    let bytes = Pdf::usual().bytes;
    let reserve = |reserved| with(|options: &mut Options| options.reserved = Some(reserved));
    let refusal = desk.try_sign(&Document::new(&bytes), &reserve(1), &desk.lab.alice).expect_err("too small");
    assert_eq!(refusal.code(), Code::ContentsTooSmall);
    let words: Vec<usize> =
        refusal.to_string().split(' ').filter_map(|word| word.trim_matches(',').parse().ok()).collect();
    let needed = *words.last().expect("the error says how many are needed");
    desk.check("as large as it can be", &Document::new(&desk.sign(&bytes, &reserve(needed))), 1);
    assert_eq!(desk.refusal(&bytes, &reserve(needed - 1)), Some(Code::ContentsTooSmall), "one byte less");
    // A value of ECDSA is sometimes shorter than the longest, never longer.
    let document = Document::new(&bytes);
    let prepared = desk.prepared(&document, &reserve(needed), &desk.lab.alice).expect("prepared");
    let json = prepared.to_json();
    let read = Prepared::from_json(&json).expect("read again");
    assert_eq!(read, prepared, "the prepared signature travels");
    let value = desk.lab.alice.key.sign(read.to_be_signed());
    let here = prepared.finish(&document, &value).expect("signed").to_vec(&bytes);
    let there = read.finish(&document, &value).expect("signed").to_vec(&bytes);
    assert_eq!(here, there, "finished elsewhere: the same bytes");
    let mut other = bytes.clone();
    other[20] ^= 1;
    let changed = read.finish(&Document::new(&other), &value).err().map(|error| error.code());
    assert_eq!(changed, Some(Code::ContentDiffers), "the document changed between the steps");
    let wrong = desk.lab.bob.key.sign(read.to_be_signed());
    assert_eq!(read.finish(&document, &wrong).err().map(|error| error.code()), Some(Code::ValueDoesNotVerify));
}

#[test]
fn documents_that_are_not_signed() {
    let desk = Desk::new();
    let good = Pdf::usual().bytes;
    let dynamic = document("/NeedsRendering true /AcroForm << /Fields [] /XFA [] >>", "", &[], Form::Table).bytes;
    let mut moved = good.clone();
    let at = pdf::rfind(&moved, b"startxref\n").expect("an end") + 10;
    moved[at] = b'9';
    let hidden = {
        let mut changes = Objects::new();
        changes.insert(4, pdf::stream("", &pdf::line(pdf::EVIL)));
        Pdf::usual().carried(&changes, "", Carrier::HybridFree)
    };
    let mut cut = desk.sign(&good, &Options::default());
    cut.pop();
    for (situation, bytes, expected) in [
        ("cross-references elsewhere", moved, Code::PdfNeedsRepair),
        ("junk at the end", [&good[..], b"PK"].concat(), Code::PdfTrailingData),
        ("junk at the beginning", [&b"junk\n"[..], &good].concat(), Code::PdfLeadingBytes),
        ("a dynamic form", dynamic, Code::XfaDynamic),
        ("another page to some readers", hidden, Code::PdfNeedsRepair),
        ("no PDF", b"Hello".to_vec(), Code::DocumentUnreadable),
        ("cut short after it was signed", cut, Code::SignatureInvalid),
        ("cut short", good[..good.len() / 2].to_vec(), Code::DocumentUnreadable),
    ] {
        let refusal = desk.refusal(&bytes, &Options::default());
        let is_expected =
            refusal == Some(expected) || situation == "cut short" && refusal == Some(Code::PdfNeedsRepair);
        assert!(is_expected, "{situation}: {refusal:?}, expected {expected}");
    }
}

/// The metadata of a document that claims these properties.
fn claiming(properties: &str) -> pdf::Object {
    pdf::stream("/Type /Metadata /Subtype /XML", format!("<rdf:Description {properties}/>").as_bytes())
}

#[test]
fn what_documents_claim_to_be() {
    let desk = Desk::new();
    let with = |catalog: &str, properties: &str, more: &[(u32, &str)]| {
        let mut pdf = document(&format!("/Metadata 20 0 R {catalog}"), "/StructParents 0", more, Form::Packed).objects;
        pdf.insert(20, claiming(properties));
        Pdf::of(pdf, Form::Packed).bytes
    };
    let signed = desk.check_signed("PDF/A-1", &with("", "pdfaid:part='1'", &[]), &Options::default());
    assert!(pdf::find(&signed, b"/AP<</N ", 0).is_some(), "ISO 19005-1 6.9: an appearance");
    let signed = desk.check_signed("PDF/A-2", &with("", "pdfaid:part='2'", &[]), &Options::default());
    assert!(pdf::find(&signed, b"/AP<</N ", 0).is_none(), "ISO 19005-2 6.4: none is needed");

    let tree = "/StructTreeRoot 21 0 R /MarkInfo << /Marked true >>";
    let element = "<< /Type /StructElem /S /Document /P 21 0 R /K [24 0 R] >>";
    let leaf = "<< /Nums [0 [24 0 R]] >>";
    let paragraph = "<< /Type /StructElem /S /P /P 23 0 R /Pg 3 0 R /K 0 >>";
    for (situation, root, numbers, expected) in [
        ("numbers in the root", "/K [23 0 R] /ParentTreeNextKey 1", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("no next number is stated", "/K 23 0 R", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("the next number is too low", "/K 23 0 R /ParentTreeNextKey 0", leaf, Some("/Nums[0[24 0 R]1 ")),
        ("numbers below", "/K 23 0 R", "<< /Kids [25 0 R] >>", Some("/Limits[8 8]/Nums[8 ")),
        ("no numbers", "/K 23 0 R", "<< >>", None),
    ] {
        let root = format!("<< /Type /StructTreeRoot /ParentTree 22 0 R {root} >>");
        let below = "<< /Limits [0 7] /Nums [0 [24 0 R] 7 null] >>";
        let more = [(21, &root[..]), (22, numbers), (23, element), (24, paragraph), (25, below)];
        let bytes = with(tree, "pdfuaid:part='1'", &more);
        let added = |options: &Options| {
            let signed = desk.check_signed(situation, &bytes, options);
            let text = String::from_utf8_lossy(&signed[bytes.len()..]).into_owned();
            assert!(text.contains("/Tabs/S"), "ISO 14289-1 7.18.3: {situation}");
            text
        };
        let unseen = added(&Options::default());
        assert!(!unseen.contains("/S/Form"), "ISO 14289-1 7.18.1: {situation}: outside of the page");
        assert!(unseen.contains("/Rect[-1 -1 -1 -1]"), "ISO 14289-1 7.18.1: {situation}: {unseen}");
        let seen = Placement::Page(Rectangle { left: 20.0, bottom: 20.0, right: 80.0, top: 40.0 });
        let text = added(&new_field(|field| field.placement = Some(seen)));
        assert!(text.contains("/TU(Signature1)"), "ISO 14289-1 7.18.1: {situation}");
        assert_eq!(text.contains("/S/Form/P 23 0 R"), expected.is_some(), "ISO 14289-1 7.18.4: {situation}");
        assert!(expected.is_none_or(|expected| text.contains(expected)), "7.9.7: {situation}: {text}");
    }
    desk.check_signed("no structure", &with("", "pdfuaid:part='1'", &[]), &Options::default());
}

#[test]
fn references_to_nothing_stay_so() {
    let desk = Desk::new();
    let page = "/Resources << /XObject << /A 21 0 R /B 8 0 R >> >>";
    for form in [Form::Table, Form::Stream] {
        let bytes = document("", page, &[], form).bytes;
        let signed = desk.check_signed("references to nothing", &bytes, &Options::default());
        let again = desk.sign(&signed, &Options::default());
        assert!(pdf::find(&again, b"\n21 0 obj", 0).is_none(), "7.3.10, {form:?}");
        assert!(pdf::find(&again, b"\n22 0 obj", 0).is_some(), "7.3.10, {form:?}");
    }
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

#[test]
fn extensions() {
    let desk = Desk::new();
    let higher =
        document("/Extensions << /ESIC << /BaseVersion /1.7 /ExtensionLevel 5 >> >>", "", &[], Form::Table).bytes;
    let second = document("/Version /2.0", "", &[], Form::Table).bytes;
    let usual = Pdf::usual().bytes;
    let extend = |extensions| with(|options: &mut Options| options.extensions = extensions);
    for (situation, bytes, options, expected) in [
        ("ETSI's by default", &usual, Options::default(), Some("/ESIC<</BaseVersion/1.7/ExtensionLevel 2>>")),
        ("none", &usual, extend(Extensions::None), None),
        ("Adobe's", &usual, extend(Extensions::Adobe), Some("/ADBE<</BaseVersion/1.7/ExtensionLevel 8>>")),
        ("one that is there stays", &higher, Options::default(), None),
        ("PDF 2.0 has it", &second, Options::default(), None),
    ] {
        let signed = desk.check_signed(situation, bytes, &options);
        let appended = String::from_utf8_lossy(&signed[bytes.len()..]).into_owned();
        match expected {
            Some(expected) => assert!(appended.contains(expected), "7.12: {situation}: {appended}"),
            None => assert!(!appended.contains("ExtensionLevel 2") && !appended.contains("ADBE"), "7.12: {situation}"),
        }
    }
}

/// An option set with a field of 200 by 80 points, and this appearance.
fn visible(appearance: Appearance) -> Options {
    let placement = Placement::Displayed { left: 50.0, top: 100.0, width: 200.0, height: 80.0 };
    let mut options = new_field(|field| field.placement = Some(placement));
    options.appearance = Some(appearance);
    options
}

fn picture(name: &str) -> Vec<u8> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/pictures/");
    std::fs::read(format!("{folder}{name}")).expect("a picture of the tests")
}

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

/// Numbers that look random, and are the same each time.
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % count
    }
}

#[test]
fn damaged_documents_are_refused_or_signed_well() {
    let desk = Desk::new();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/encrypted/");
    let file = |name: &str| std::fs::read(format!("{folder}{name}")).expect("a file of the tests");
    let hybrid = Pdf::usual().carried(&objects(&[(6, "<< /Hidden true >>")]), "", Carrier::Hybrid);
    let tagged = "/StructTreeRoot << /K [] /ParentTree << /Nums [] >> >> /Metadata 20 0 R";
    let mut accessible = document(tagged, "", &[], Form::Table).objects;
    accessible.insert(20, claiming("pdfuaid:part='1' pdfaid:part='1'"));
    let signed = desk.sign(&with_field("", &[]), &named("Here"));
    let seeds = [
        with_field("/Lock << /Action /All >> /SV << /Ff 8 /Reasons [(x)] >>", &[]),
        document("/AcroForm << /Fields [] >>", "/Annots []", &[], Form::Stream).bytes,
        document("/AcroForm << /Fields [] >>", "/Annots []", &[], Form::Packed).bytes,
        Pdf::of(accessible, Form::Table).bytes,
        hybrid,
        signed,
        file("aes-128.pdf"),
        file("rc4-128.pdf"),
    ];
    let (mut dice, mut count) = (Dice(1), 0);
    for (place, seed) in seeds.iter().enumerate() {
        for round in 0..400 {
            let mut bytes = seed.clone();
            for _ in 0..=dice.below(3) {
                let at = dice.below(bytes.len());
                match dice.below(4) {
                    0 => bytes[at] = b"<>[]()/%0123456789 R"[dice.below(20)],
                    1 => drop(bytes.remove(at)),
                    2 => bytes.insert(at, b"<>[]()/% 019"[dice.below(12)]),
                    _ => bytes[at] ^= 1 << dice.below(8),
                }
            }
            let document = Document::new(&bytes).with_password(b"owner");
            let options = match round % 3 {
                0 => Options::default(),
                1 => with(|options| options.field = Field::OnlyEmpty),
                _ => visible(Appearance::saying("{name}")),
            };
            let Ok(signed) = desk.try_sign(&document, &options, &desk.lab.alice) else { continue };
            count += 1;
            let what = format!("seed {place}, round {round}");
            assert!(signed.starts_with(&bytes), "{what}: what was there stays");
            let facts = desk.facts(&Document::new(&signed).with_password(b"owner"));
            let length = signed.len() as i64;
            let whole = facts.signatures.iter().find(|signature| {
                let ranges = signature.pdf_revision.as_ref().map(|revision| revision.byte_range.clone());
                ranges.is_some_and(|ranges| ranges[2] + ranges[3] == length)
            });
            let new = whole.unwrap_or_else(|| panic!("{what}: no signature over the whole file"));
            assert!(new.basic.intact && new.basic.valid, "{what}: the signature");
            let revision = new.pdf_revision.as_ref().expect("a PDF");
            assert_eq!(revision.byte_range_valid, Some(true), "{what}: the byte range");
            assert_eq!(new.level.map(|level| level.to_string()).as_deref(), Some("PAdES-BASELINE-B"), "{what}");
        }
    }
    assert!(count > 400, "much damage is harmless: {count} signed");
}

#[test]
fn beside_a_signature_that_cannot_be_read() {
    let desk = Desk::new();
    let outside = Pdf::usual().and(&[
        (6, "<< /Type /Annot /Subtype /Widget /FT /Sig /T (Hidden) /Rect [0 0 0 0] /F 4 /P 3 0 R /V 7 0 R >>"),
        (7, "<< /Type /Sig /Filter /Adobe.PPKLite /SubFilter /ETSI.CAdES.detached /ByteRange [0 1 2 3] /Contents <30> >>"),
    ]);
    let page = outside.with(3, "Annots", "[6 0 R]").value.to_string();
    let refused = desk.refusal(&outside.and(&[(3, &page)]).bytes, &Options::default());
    assert_eq!(refused, Some(Code::SignatureInvalid), "ISO 32000-1 12.7.2: on a page, and there is no form");
    let mut signed = desk.sign(&Pdf::usual().bytes, &Options::default());
    let at = pdf::find(&signed, b"/Contents<30", 0).expect("it is there");
    signed[at + b"/Contents<".len()] = b'4';
    let refused = desk.refusal(&signed, &Options::default());
    assert_eq!(refused, Some(Code::SignatureInvalid), "EN 319 102-1 5.2.2: no signature of that file would hold");
}
