//! PAdES: rows P1 to P11 of the matrix.

use crate::archival;
use crate::cell::{Level, Made, Sheet, told};
use crate::documents::{self, Source, Table, page};
use crate::steps::{climb, climb_with, extend, finish, timestamp, value};
use crate::world::{Key, World, minutes, signed};
use lacre::augmentation::{self, Obstacle, Target};

use lacre::signing::pades::{self, Field, Lock, LockAction, NewField, Options, Permission};
use lacre::signing::{Commitment, DigestAlgorithm, Place, Prepared, SignatureParameters, SigningError};
use lacre::{Budget, Document};
use lacre_testkit::pdf::{Objects, object, objects};
use serde_json::{Value, json};

/// How a document is signed.
#[derive(Clone)]
struct How {
    key: Key,
    parameters: SignatureParameters,
    options: Options,
    /// A signature-time-stamp in the signature, in place of a document time-stamp.
    inline: bool,
}

impl How {
    fn with(key: Key) -> Self {
        let mut parameters = SignatureParameters::new(signed());
        parameters.allow_weak_algorithms = key.is_weak();
        Self { key, parameters, options: Options::default(), inline: false }
    }

    fn usual() -> Self {
        Self::with(Key::P256)
    }

    fn options(mut self, change: impl FnOnce(&mut Options)) -> Self {
        change(&mut self.options);
        self
    }

    fn parameters(mut self, change: impl FnOnce(&mut SignatureParameters)) -> Self {
        change(&mut self.parameters);
        self
    }

    fn field(self, name: &str) -> Self {
        self.options(|options| options.field = Field::Named(name.into()))
    }
}

fn document<'a>(bytes: &'a [u8], password: Option<&'a str>) -> Document<'a> {
    let document = Document::new(bytes);
    match password {
        Some(password) => document.with_password(password.as_bytes()),
        None => document,
    }
}

/// Signs at level B; with a signature-time-stamp at T.
fn sign(
    world: &World,
    bytes: &[u8],
    password: Option<&str>,
    how: &How,
) -> Result<Result<Vec<u8>, SigningError>, String> {
    let user = world.user(how.key)?;
    let document = document(bytes, password);
    let mut options = how.options.clone();
    if how.inline && options.timestamp.is_none() {
        options = options.with_timestamp();
    }
    let prepared = match pades::prepare(&document, &how.parameters, &options, &user.signer, &Budget::default()) {
        Ok(prepared) => prepared,
        Err(error) => return Ok(Err(error)),
    };
    if !how.inline {
        return Ok(finish(user, &prepared, &document));
    }
    let made = value(user, &prepared);
    let finished = || {
        let restored = Prepared::from_json(&prepared.to_json())?;
        let function = user.signer.digest();
        let imprint = restored.timestamp_imprint(&made, function)?;
        let token = world.token(function, &imprint, Level::T.moment());
        Ok(restored.finish_with_timestamp(&document, &made, &token)?.to_vec(bytes))
    };
    Ok(finished())
}

/// A signed document at that level.
fn signed_at(world: &World, source: &Source, how: &How, level: Level) -> Result<Made, String> {
    let first = sign(world, &source.bytes, source.password, how)?.map_err(told)?;
    let from = if how.inline { Level::T } else { Level::B };
    let bytes = climb(world, &document(&first, source.password), source.password, from, level)?;
    let mut made = Made::of(bytes, "pdf", "PAdES", level);
    // Without a signature-time-stamp a document time-stamp makes level T.
    if !how.inline && level >= Level::T {
        made.archived += 1;
    }
    made.password = source.password.map(str::to_owned);
    made.before = Some(source.bytes.clone());
    made.passed_on = level >= Level::T && source.password.is_none();
    Ok(made)
}

fn plain(name: &str, bytes: Vec<u8>) -> Source {
    Source { name: name.into(), bytes, password: None }
}

pub fn rows(sheet: &mut Sheet<'_>) {
    builds(sheet);
    fields(sheet);
    encrypted(sheet);
    certified(sheet);
    archival_profiles(sheet);
    gaps(sheet);
    stated(sheet);
    visible(sheet);
    again(sheet);
    timestamps(sheet);
    errors(sheet);
}

fn builds(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    if !sheet.wants("P1") {
        return;
    }
    for source in documents::builds() {
        for key in [Key::Rsa2048, Key::P256] {
            for level in Level::ALL {
                let name = format!("{}, {}, {}", source.name, key.name(), level.name());
                sheet.passes("P1", &name, || {
                    let mut made = signed_at(world, &source, &How::with(key), level)?;
                    if source.name == "hybrid" {
                        // Its analysis of changes does not know hybrid files.
                        made.more = json!({ "pyhanko": if level == Level::B { "lenient" } else { "no" } });
                    }
                    Ok(made)
                });
            }
        }
    }
    let source = plain("plain", documents::plain());
    for key in Key::ALL {
        if matches!(key, Key::Rsa2048 | Key::P256) {
            continue;
        }
        sheet.passes("P1", &format!("plain, {}, B", key.name()), || {
            let mut made = signed_at(world, &source, &How::with(key), Level::B)?;
            made.more = json!({ "key": key.name() });
            Ok(made)
        });
    }
    let last = How::usual().options(|options| {
        let mut field = NewField::default();
        field.page = -1;
        field.name = Some("Contract.Signatures.Seller".into());
        field.tooltip = Some("The seller's signature".into());
        options.field = Field::New(field);
    });
    let pages = documents::builds().into_iter().find(|source| source.name.starts_with("120")).expect("it is there");
    for level in [Level::B, Level::Lta] {
        sheet.passes("P1", &format!("last page of 120, parents made, {}", level.name()), || {
            let mut made = signed_at(world, &pages, &last, level)?;
            // Of a name DSS tells the last part.
            made.stated = Some(json!({ "field": ["Seller"] }));
            Ok(made)
        });
    }
}

/// A document with signature fields, where object 6 is the first and 10 the form's list.
fn with_fields(annotations: &str, listed: &str, more: &[(u32, &str)]) -> Vec<u8> {
    let catalog = format!("<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [{listed}] >> >>");
    let shown = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> /Annots [{annotations}] >>"
    );
    let mut all: Objects = page(&[(1, &catalog), (3, &shown)]);
    all.extend(objects(more));
    Table::default().write(&all)
}

const WIDGET: &str = "/Type /Annot /Subtype /Widget /Rect [72 500 272 550] /P 3 0 R /F 4";

/// A document with one merged field, and that in its dictionary.
pub fn merged(more: &str) -> Vec<u8> {
    with_fields(
        "6 0 R 7 0 R",
        "6 0 R 7 0 R",
        &[
            (6, &format!("<< {WIDGET} /FT /Sig /T (Seller) {more} >>")),
            (7, "<< /Type /Annot /Subtype /Widget /FT /Tx /T (Name) /V (Ines) /Rect [72 600 300 620] /P 3 0 R /F 4 >>"),
        ],
    )
}

fn fields(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let separate = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /FT /Sig /T (Seller) /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /Parent 6 0 R >>"))],
    );
    let hierarchical = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /T (Contract) /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /FT /Sig /T (Seller) /Parent 6 0 R >>"))],
    );
    let inherited = with_fields(
        "7 0 R",
        "6 0 R",
        &[(6, "<< /T (Contract) /FT /Sig /Kids [7 0 R] >>"), (7, &format!("<< {WIDGET} /T (Seller) /Parent 6 0 R >>"))],
    );
    let lock = |lock: &str| merged(&format!("/Lock << /Type /SigFieldLock {lock} >>"));
    let kinds = [
        ("merged", merged(""), "Seller"),
        ("separate widget", separate, "Seller"),
        ("hierarchical", hierarchical, "Contract.Seller"),
        ("inherited type", inherited, "Contract.Seller"),
        ("lock all", lock("/Action /All"), "Seller"),
        ("lock include", lock("/Action /Include /Fields [(Name)]"), "Seller"),
        ("lock exclude", lock("/Action /Exclude /Fields [(Other)]"), "Seller"),
        ("lock all, P 1", lock("/Action /All /P 1"), "Seller"),
        ("lock include, P 2", lock("/Action /Include /Fields [(Name)] /P 2"), "Seller"),
    ];
    for (kind, bytes, name) in &kinds {
        for (key, levels) in [(Key::P256, &Level::ALL[..]), (Key::Rsa2048, &[Level::B, Level::Lta][..])] {
            for level in levels {
                let cell = format!("{kind}, {}, {}", key.name(), level.name());
                sheet.passes("P2", &cell, || {
                    let mut made = signed_at(world, &plain(kind, bytes.clone()), &How::with(key).field(name), *level)?;
                    made.stated = Some(json!({ "field": [name.rsplit('.').next()] }));
                    if kind.starts_with("lock") {
                        made.more = json!({ "locked": true });
                    }
                    if *kind == "separate widget" {
                        // poppler sees no signature of a field whose widget stands by itself, whoever made it.
                        made.more = json!({ "pdfsig": "no" });
                    }
                    Ok(made)
                });
            }
        }
    }
    let only = How::usual().options(|options| options.field = Field::OnlyEmpty);
    sheet.passes("P2", "the only empty field", || signed_at(world, &plain("", merged("")), &only, Level::B));
    seed_values(sheet);
    let refused = |sheet: &mut Sheet<'_>, name: &str, code: &str, bytes: &[u8], how: How| {
        sheet.refused("P2", name, code, || sign(world, bytes, None, &how).expect("there is the key"));
    };
    refused(sheet, "no such field", "field-not-found", &merged(""), How::usual().field("Buyer"));
    refused(sheet, "a text field", "field-not-signature", &merged(""), How::usual().field("Name"));
    refused(sheet, "no empty field", "field-not-found", &documents::plain(), only.clone());
    let page = How::usual().options(|options| {
        let mut field = NewField::default();
        field.page = 2;
        options.field = Field::New(field);
    });
    refused(sheet, "no such page", "field-outside-page", &documents::plain(), page);
    let taken = How::usual().options(|options| {
        let mut field = NewField::default();
        field.name = Some("Name".into());
        options.field = Field::New(field);
    });
    refused(sheet, "a name that is taken", "field-name-invalid", &merged(""), taken);
    let below = How::usual().options(|options| {
        let mut field = NewField::default();
        field.name = Some("Name.Signature".into());
        options.field = Field::New(field);
    });
    refused(sheet, "a name below a text field", "field-name-invalid", &merged(""), below);
    if let Ok(Ok(once)) = sign(world, &lock("/Action /All"), None, &How::usual().field("Seller")) {
        refused(sheet, "a signed field", "field-signed", &once, How::usual().field("Seller"));
        refused(sheet, "a new field after a lock of all", "locked-by-field", &once, How::usual());
    }
}

/// Seed values: ISO 32000-2 table 237, each required and not.
fn seed_values(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let values = |values: &str| merged(&format!("/SV << /Type /SV {values} >>"));
    let user = world.user(Key::P256).expect("there is the key");
    let hex = |bytes: &[u8]| format!("<{}>", crate::cell::hex(bytes));
    let (own, issuer) = (hex(user.signer.certificate().der()), hex(world.persons.certificate.der()));
    let stranger = hex(world.times.certificate.der());
    let reason = |text: &str| How::usual().options(|options| options.reason = Some(text.into())).field("Seller");
    let usual = || How::usual().field("Seller");
    let met: Vec<(&str, String, How)> = vec![
        ("Filter", "/Filter /Adobe.PPKLite /Ff 1".into(), usual()),
        ("SubFilter", "/SubFilter [/ETSI.CAdES.detached /adbe.pkcs7.detached] /Ff 2".into(), usual()),
        ("V", "/V 2.0 /Ff 4".into(), usual()),
        ("Reasons", "/Reasons [(Agreed) (Read)] /Ff 8".into(), reason("Read")),
        ("Reasons, none", "/Reasons [(.)] /Ff 8".into(), usual()),
        ("DigestMethod", "/DigestMethod [(SHA256) (SHA512)] /Ff 64".into(), usual()),
        ("MDP 0", "/MDP << /P 0 >>".into(), usual()),
        (
            "MDP 2",
            "/MDP << /P 2 >>".into(),
            usual().options(|options| options.certify = Some(Permission::MinimalChanges)),
        ),
        ("Cert Subject", format!("/Cert << /Type /SVCert /Subject [{own}] /Ff 1 >>"), usual()),
        ("Cert Issuer", format!("/Cert << /Type /SVCert /Issuer [{issuer}] /Ff 2 >>"), usual()),
        ("Cert SubjectDN", "/Cert << /Type /SVCert /SubjectDN [<< /C (PT) >>] /Ff 8 >>".into(), usual()),
        ("Cert KeyUsage", "/Cert << /Type /SVCert /KeyUsage [(X1)] /Ff 32 >>".into(), usual()),
        ("LockDocument", "/LockDocument /true /Ff 128".into(), usual()),
        ("AddRevInfo, advice", "/AddRevInfo true".into(), usual()),
        ("SubFilter, advice", "/SubFilter [/adbe.pkcs7.detached]".into(), usual()),
        ("DigestMethod, advice", "/DigestMethod [(SHA512)]".into(), usual()),
        ("Reasons, advice", "/Reasons [(Agreed)]".into(), reason("Read")),
        ("Cert Issuer, advice", format!("/Cert << /Type /SVCert /Issuer [{stranger}] >>"), usual()),
    ];
    for (name, text, how) in &met {
        sheet.passes("P2", &format!("seed value {name}, met"), || {
            signed_at(world, &plain(name, values(text)), how, Level::B)
        });
    }
    let inline = How { inline: true, ..usual() };
    sheet.passes("P2", "seed value TimeStamp, met", || {
        signed_at(world, &plain("", values("/TimeStamp << /URL (http://tsa.example) /Ff 1 >>")), &inline, Level::T)
    });
    let unmet: Vec<(&str, String, How)> = vec![
        ("Filter", "/Filter /Somebody.Else /Ff 1".into(), usual()),
        ("SubFilter", "/SubFilter [/adbe.pkcs7.detached] /Ff 2".into(), usual()),
        ("V", "/V 9.0 /Ff 4".into(), usual()),
        ("Reasons", "/Reasons [(Agreed)] /Ff 8".into(), reason("Read")),
        ("Reasons, none", "/Reasons [(.)] /Ff 8".into(), reason("Read")),
        ("DigestMethod", "/DigestMethod [(SHA512)] /Ff 64".into(), usual()),
        ("AddRevInfo", "/AddRevInfo true /Ff 32".into(), usual()),
        (
            "LegalAttestation",
            "/LegalAttestation [(None)] /Ff 16".into(),
            usual().options(|options| options.certify = Some(Permission::NoChange)),
        ),
        ("Cert Subject", format!("/Cert << /Type /SVCert /Subject [{stranger}] /Ff 1 >>"), usual()),
        ("Cert Issuer", format!("/Cert << /Type /SVCert /Issuer [{stranger}] /Ff 2 >>"), usual()),
        ("Cert SubjectDN", "/Cert << /Type /SVCert /SubjectDN [<< /C (EE) >>] /Ff 8 >>".into(), usual()),
        ("Cert KeyUsage", "/Cert << /Type /SVCert /KeyUsage [(X0)] /Ff 32 >>".into(), usual()),
        ("TimeStamp", "/TimeStamp << /URL (http://tsa.example) /Ff 1 >>".into(), usual()),
    ];
    for (name, text, how) in unmet {
        sheet.refused("P2", &format!("seed value {name}, not met"), "seed-value-unmet", || {
            sign(world, &values(&text), None, &how).expect("there is the key")
        });
    }
}

fn encrypted(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    if !sheet.wants("P4") {
        return;
    }
    for source in documents::encrypted() {
        for (key, levels) in [(Key::P256, &Level::ALL[..]), (Key::Rsa2048, &[Level::B, Level::Lta][..])] {
            for level in levels {
                let name = format!("{}, {}, {}", source.name, key.name(), level.name());
                sheet.passes("P4", &name, || signed_at(world, &source, &How::with(key), *level));
            }
        }
    }
    let first = documents::encrypted().swap_remove(6);
    sheet.refused("P4", "no password", "password-needed", || {
        sign(world, &first.bytes, None, &How::usual()).expect("there is the key")
    });
    sheet.refused("P4", "a wrong password", "password-wrong", || {
        sign(world, &first.bytes, Some("wrong"), &How::usual()).expect("there is the key")
    });
    match documents::restricted() {
        Ok(source) => {
            sheet.refused("P4", "restricted, user", "permission-denied", || {
                sign(world, &source.bytes, source.password, &How::usual()).expect("there is the key")
            });
            let owner = Source { password: Some("owner"), ..source };
            sheet.passes("P4", "restricted, owner, LTA", || signed_at(world, &owner, &How::usual(), Level::Lta));
        }
        Err(error) => eprintln!("{error}"),
    }
}

fn certified(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let source = plain("plain", documents::plain());
    let steps = [(1, Permission::NoChange), (2, Permission::MinimalChanges), (3, Permission::Changes)];
    for (p, permission) in steps {
        let certify = How::usual().options(|options| options.certify = Some(permission));
        for level in Level::ALL {
            sheet.passes("P5", &format!("certified, P {p}, {}", level.name()), || {
                let mut made = signed_at(world, &source, &certify, level)?;
                made.stated = Some(json!({ "docMdp": permission.as_str() }));
                Ok(made)
            });
        }
        let Ok(Ok(once)) = sign(world, &source.bytes, None, &certify) else {
            sheet.passes("P5", &format!("certified, P {p}, then others"), || Err("it was not certified".into()));
            continue;
        };
        let again = How::with(Key::Rsa4096).options(|options| options.certify = Some(permission));
        let code = if p == 1 { "certified-no-changes" } else { "certification-not-first" };
        sheet.refused("P5", &format!("certified, P {p}, then certified again"), code, || {
            sign(world, &once, None, &again).expect("there is the key")
        });
        let approve = How::with(Key::Rsa4096);
        if p == 1 {
            sheet.refused("P5", "certified, P 1, then approved", "certified-no-changes", || {
                sign(world, &once, None, &approve).expect("there is the key")
            });
            continue;
        }
        for level in Level::ALL {
            sheet.passes("P5", &format!("certified, P {p}, then approved, {}", level.name()), || {
                let mut made = signed_at(world, &plain("", once.clone()), &approve, level)?;
                made.levels = vec![level.called("PAdES"); 2];
                made.before = None;
                Ok(made)
            });
        }
    }
    let lock = |action, fields: &[&str], permissions| {
        let fields = fields.iter().map(|field| (*field).to_owned()).collect();
        How::usual().options(|options| options.lock = Some(Lock { action, fields, permissions }))
    };
    for (name, how) in [
        ("all", lock(LockAction::All, &[], None)),
        ("include", lock(LockAction::Include, &["Name"], None)),
        ("exclude", lock(LockAction::Exclude, &["Other"], None)),
        ("all, P 1", lock(LockAction::All, &[], Some(Permission::NoChange))),
        ("include, P 2", lock(LockAction::Include, &["Name"], Some(Permission::MinimalChanges))),
        (
            "all, certified P 2",
            lock(LockAction::All, &[], None).options(|o| o.certify = Some(Permission::MinimalChanges)),
        ),
    ] {
        for level in [Level::B, Level::Lta] {
            sheet.passes("P5", &format!("locks {name}, {}", level.name()), || {
                let mut made = signed_at(world, &plain("", merged("")), &how, level)?;
                made.more = json!({ "locked": true });
                Ok(made)
            });
        }
    }
}

fn archival_profiles(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    if !sheet.wants("P7") {
        return;
    }
    for (profile, bytes) in archival::documents() {
        for level in Level::ALL {
            sheet.passes("P7", &format!("{profile}, invisible, {}", level.name()), || {
                let mut how = How::usual();
                if profile == "ua1" {
                    let mut field = NewField::default();
                    field.tooltip = Some("Signature of the seller".into());
                    how.options.field = Field::New(field);
                }
                let mut made = signed_at(world, &plain(profile, bytes.clone()), &how, level)?;
                made.conformance = vec![profile];
                Ok(made)
            });
        }
    }
}

/// The length of the CMS in the last signature of a document, by its DER.
fn length_of_signature(bytes: &[u8]) -> Option<usize> {
    let start = lacre_testkit::pdf::rfind(bytes, b"/Contents<3")? + 10;
    let digits: Vec<u8> = bytes[start..].iter().copied().take_while(u8::is_ascii_hexdigit).collect();
    let head: Vec<u8> = (0..8)
        .filter_map(|at| u8::from_str_radix(std::str::from_utf8(digits.get(2 * at..2 * at + 2)?).ok()?, 16).ok())
        .collect();
    Some(lacre_testkit::der::read(&head, 0).1)
}

fn gaps(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    // A key whose values are always of one length.
    let how = How::with(Key::Rsa4096);
    let source = plain("plain", documents::plain());
    let Ok(Ok(usual)) = sign(world, &source.bytes, None, &how) else { return };
    let Some(length) = length_of_signature(&usual) else {
        sheet.passes("P8", "as large as the signature", || Err("the signature was not found in the file".into()));
        return;
    };
    let reserved = |bytes: usize| how.clone().options(|options| options.reserved = Some(bytes));
    sheet.passes("P8", "as large as the signature", || signed_at(world, &source, &reserved(length), Level::B));
    sheet.passes("P8", "a byte larger", || signed_at(world, &source, &reserved(length + 1), Level::B));
    sheet.refused("P8", "a byte too small", "contents-too-small", || {
        sign(world, &source.bytes, None, &reserved(length - 1)).expect("there is the key")
    });
    for kilobytes in [4, 8, 12] {
        let inline = How { inline: true, ..how.clone() }.options(|options| options.timestamp = Some(kilobytes * 1024));
        sheet.passes("P8", &format!("room for a time-stamp of {kilobytes} KiB"), || {
            signed_at(world, &source, &inline, Level::T)
        });
    }
    let none = How { inline: true, ..how.clone() }.options(|options| {
        options.timestamp = Some(0);
        options.reserved = Some(length);
    });
    sheet.refused("P8", "no room for a time-stamp", "contents-too-small", || {
        sign(world, &source.bytes, None, &none).expect("there is the key")
    });
}

/// What a signer states, and how T is reached.
fn stated(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let source = plain("plain", documents::plain());
    let cases: Vec<(&str, How, Value)> = vec![
        (
            "reason",
            How::usual().options(|options| options.reason = Some("I agree – sim, concordo".into())),
            json!({ "reason": "I agree – sim, concordo" }),
        ),
        (
            "contact",
            How::usual().options(|options| options.contact_info = Some("ines@example.pt".into())),
            json!({ "contact": "ines@example.pt" }),
        ),
        (
            "name",
            How::usual().options(|options| options.signer_name = Some("Inês Conceição 日本".into())),
            json!({ "name": "Inês Conceição 日本" }),
        ),
        ("application", How::usual().options(|options| options.application = Some("Matrix".into())), json!({})),
        (
            "time zone",
            How::usual().options(|options| options.utc_offset = -210),
            json!({ "signingTime": "2027-03-01T10:00:00Z" }),
        ),
        (
            "place",
            How::usual().parameters(|parameters| {
                let (country, locality) = (Some("PT".into()), Some("Porto".into()));
                parameters.place = Some(Place { country, locality, postal_address: vec![] });
            }),
            json!({}),
        ),
        (
            "roles, commitments",
            How::usual().parameters(|parameters| {
                parameters.claimed_roles = vec!["Procuradora".into(), "Notária".into()];
                parameters.commitments = vec![Commitment::ProofOfApproval, Commitment::ProofOfOrigin];
            }),
            json!({
                "claimedRoles": ["Procuradora", "Notária"],
                "commitments": ["1.2.840.113549.1.9.16.6.5", "1.2.840.113549.1.9.16.6.1"],
            }),
        ),
    ];
    for (name, how, expected) in &cases {
        for level in [Level::B, Level::Lta] {
            sheet.passes("P1", &format!("states {name}, {}", level.name()), || {
                let mut made = signed_at(world, &source, how, level)?;
                made.stated = Some(expected.clone());
                Ok(made)
            });
        }
    }
    for level in [Level::T, Level::Lt, Level::Lta, Level::Lta2] {
        for (kind, source) in [
            ("plain", source.clone()),
            (
                "cross-reference stream",
                documents::builds().into_iter().find(|s| s.name == "cross-reference stream").expect("it is there"),
            ),
        ] {
            sheet.passes("P9", &format!("T inside, {kind}, {}", level.name()), || {
                signed_at(world, &source, &How { inline: true, ..How::usual() }, level)
            });
        }
    }
}

fn errors(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let base = documents::plain();
    let refused = |sheet: &mut Sheet<'_>, name: &str, code: &str, bytes: &[u8]| {
        sheet.refused("P11", name, code, || sign(world, bytes, None, &How::usual()).expect("there is the key"));
    };
    let text = |from: &str, to: &str| {
        let at = lacre_testkit::pdf::rfind(&base, from.as_bytes()).expect("it is there");
        [&base[..at], to.as_bytes(), &base[at + from.len()..]].concat()
    };
    refused(sheet, "no cross-references", "pdf-needs-repair", &base[..base.len() - 60]);
    refused(sheet, "wrong startxref", "pdf-needs-repair", &text("startxref\n", "startxref\n1"));
    refused(sheet, "wrong offset", "pdf-needs-repair", &text(" 00000 n \ntrailer", "7 0000 n \ntrailer"));
    refused(sheet, "junk at the end", "pdf-trailing-data", &[&base[..], &b"junk\n".repeat(400)].concat());
    refused(sheet, "junk before the header", "pdf-leading-bytes", &[b"junk\n", &base[..]].concat());
    refused(sheet, "no PDF", "document-unreadable", b"Dear Sir");
    refused(sheet, "empty", "document-unreadable", b"");
    let mut dynamic =
        page(&[(1, "<< /Type /Catalog /Pages 2 0 R /NeedsRendering true /AcroForm << /Fields [] /XFA 6 0 R >> >>")]);
    dynamic.insert(6, lacre_testkit::pdf::stream("", b"<xdp:xdp xmlns:xdp=\"http://ns.adobe.com/xdp/\"/>"));
    refused(sheet, "dynamic XFA", "xfa-dynamic", &Table::default().write(&dynamic));
    let _ = object("null");
    let stated = |change: fn(&mut How)| {
        let mut how = How::usual();
        change(&mut how);
        how
    };
    for (name, code, how) in [
        (
            "a reason and a commitment",
            "parameters-conflict",
            stated(|how| {
                how.options.reason = Some("Agreed".into());
                how.parameters.commitments = vec![Commitment::ProofOfApproval];
            }),
        ),
        ("an empty reason", "parameter-invalid", stated(|how| how.options.reason = Some(String::new()))),
        ("RSA-2048 in 2027", "algorithm-not-allowed", stated(|how| how.key = Key::Rsa2048)),
        (
            "signed after the certificate's end",
            "certificate-outside-validity",
            stated(|how| {
                how.parameters.signing_time = crate::world::years(signed(), 10);
            }),
        ),
    ] {
        sheet.refused("P11", name, code, || sign(world, &base, None, &how).expect("there is the key"));
    }
}

/// A page that is turned, cropped or measured in other units, and where a box of 200 by 60 points is put, 50 from the left and
/// 40 from the top of what is displayed.
fn visible(sheet: &mut Sheet<'_>) {
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

/// By how many minutes later a second signer signs.
const LATER: i64 = 60;

/// P6 and P9: one signature after the other, over what DSS signed (`.ci/creation` has it made before), with its DSS dictionary.
fn again(sheet: &mut Sheet<'_>) {
    let (world, folder) = (sheet.world, sheet.folder().join("own"));
    for key in [Key::P256, Key::Rsa2048] {
        for (from, name) in [(Level::B, "B"), (Level::T, "T"), (Level::Lt, "LT"), (Level::Lta, "LTA")] {
            let path = folder.join(format!("PAdES-ENVELOPED-{}-{name}", key.name()));
            let theirs = || std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()));
            // DSS extends to T by a document time-stamp, as lacre does.
            let stamps = usize::from(from > Level::B) + usize::from(from == Level::Lta);
            for to in Level::ALL.into_iter().filter(|to| *to > from) {
                sheet.passes("P6", &format!("DSS's, {}, {name} to {}", key.name(), to.name()), || {
                    let bytes = theirs()?;
                    let mut made = Made::of(climb(world, &Document::new(&bytes), None, from, to)?, "pdf", "PAdES", to);
                    made.archived += 1;
                    made.before = Some(bytes);
                    Ok(made)
                });
            }
            for to in Level::ALL {
                sheet.passes(
                    "P6",
                    &format!("DSS's, {}, {name}, then a second signature, {}", key.name(), to.name()),
                    || {
                        let bytes = theirs()?;
                        let how = How::with(Key::Rsa4096).parameters(|p| p.signing_time = minutes(signed(), LATER));
                        let second = sign(world, &bytes, None, &how)?.map_err(told)?;
                        let second =
                            climb_with(world, &Document::new(&second), None, Level::B, to, LATER, |target| target)?;
                        let mut made = Made::of(second, "pdf", "PAdES", to);
                        // A document time-stamp covers the validation data of the first signature, too.
                        let first = if from == Level::Lt && to >= Level::T { Level::Lta } else { from.max(to) };
                        made.levels.push(first.called("PAdES"));
                        made.judged = minutes(made.judged, LATER);
                        made.archived = match to {
                            Level::B => stamps,
                            Level::T | Level::Lt => stamps + 1,
                            Level::Lta => stamps + 2,
                            Level::Lta2 => stamps + 3,
                        };
                        made.online = to < Level::Lt;
                        made.before = Some(bytes);
                        Ok(made)
                    },
                );
            }
        }
    }
    for level in Level::ALL {
        for form in ["table 1.7", "object stream", "qpdf, object streams", "hybrid"] {
            let source = documents::builds().into_iter().find(|source| source.name == form).expect("it is there");
            sheet.passes("P6", &format!("three signatures, {form}, {}", level.name()), || {
                let mut bytes = source.bytes.clone();
                for key in [Key::P256, Key::Rsa4096, Key::P384] {
                    bytes = sign(world, &bytes, None, &How::with(key))?.map_err(told)?;
                }
                let mut made =
                    Made::of(climb(world, &Document::new(&bytes), None, Level::B, level)?, "pdf", "PAdES", level);
                made.levels = vec![level.called("PAdES"); 3];
                made.archived += usize::from(level >= Level::T);
                made.before = Some(source.bytes.clone());
                if form == "hybrid" {
                    made.more = json!({ "pyhanko": "no" });
                }
                Ok(made)
            });
        }
    }
    for level in [Level::Lt, Level::Lta, Level::Lta2] {
        sheet.passes("P9", &format!("with VRI, {}", level.name()), || {
            let source = documents::plain();
            let first = sign(world, &source, None, &How::usual())?.map_err(told)?;
            let bytes =
                climb_with(world, &Document::new(&first), None, Level::B, level, 0, |target| target.with_vri())?;
            let mut made = Made::of(bytes, "pdf", "PAdES", level);
            made.archived += 1;
            made.before = Some(source);
            Ok(made)
        });
    }
    for function in [DigestAlgorithm::Sha384, DigestAlgorithm::Sha512] {
        sheet.passes("P9", &format!("time-stamps by {function}, LTA²"), || {
            let source = documents::plain();
            let first = sign(world, &source, None, &How::usual())?.map_err(told)?;
            let document = Document::new(&first);
            let bytes = climb_with(world, &document, None, Level::B, Level::Lta2, 0, |target| target.digest(function))?;
            let mut made = Made::of(bytes, "pdf", "PAdES", Level::Lta2);
            made.archived += 1;
            made.before = Some(source);
            Ok(made)
        });
    }
}

/// P10: document time-stamps by themselves.
fn timestamps(sheet: &mut Sheet<'_>) {
    let world = sheet.world;
    let target = |level| Target::new(level);
    let stamped =
        |bytes: &[u8], level, moment| extend(world, &Document::new(bytes), &target(level), moment).map_err(told);
    let alone_stamped = |bytes: &[u8], moment| timestamp(world, &Document::new(bytes), moment).map_err(told);
    let alone = |bytes, stamps, judged| {
        let mut made = Made::of(bytes, "pdf", "PAdES", Level::T);
        made.levels = vec![];
        made.archived = stamps;
        made.judged = judged;
        made
    };
    for source in documents::builds() {
        if !["table 1.7", "object stream", "linearized", "no identifier", "cross-reference stream"]
            .contains(&&source.name[..])
        {
            continue;
        }
        sheet.passes("P10", &format!("unsigned, {}", source.name), || {
            let bytes = alone_stamped(&source.bytes, Level::T.moment())?;
            let mut made = alone(bytes, 1, Level::T.judged());
            made.before = Some(source.bytes.clone());
            Ok(made)
        });
    }
    sheet.passes("P10", "unsigned, renewed five times, two years apart", || {
        let source = documents::plain();
        let mut bytes = alone_stamped(&source, Level::T.moment())?;
        let mut now = Level::T.moment();
        for _ in 0..5 {
            now = crate::world::years(now, 2);
            bytes = alone_stamped(&bytes, now)?;
        }
        let mut made = alone(bytes, 6, minutes(now, 60));
        made.before = Some(source);
        Ok(made)
    });
    sheet.passes("P10", "signed, renewed five times, two years apart", || {
        let source = plain("plain", documents::plain());
        let mut made = signed_at(world, &source, &How::usual(), Level::Lta)?;
        let mut now = Level::Lta.moment();
        for _ in 0..5 {
            now = crate::world::years(now, 2);
            made.bytes = stamped(&made.bytes, augmentation::Level::Lta, now)?;
        }
        made.archived = 7;
        made.judged = minutes(now, 60);
        made.passed_on = false;
        Ok(made)
    });
    sheet.passes("P10", "a signature whose certificate has ended", || {
        let first = sign(world, &documents::plain(), None, &How::usual())?.map_err(told)?;
        let now = crate::world::years(signed(), 5);
        let target = target(augmentation::Level::T).overlooking(Obstacle::ExpiredCertificate);
        let bytes = extend(world, &Document::new(&first), &target, now).map_err(told)?;
        let mut made = alone(bytes, 1, minutes(now, 60));
        made.before = Some(first);
        made.more = json!({ "earlier": true, "pyhanko": "no" });
        Ok(made)
    });
    sheet.refused("P10", "a signature whose certificate has ended, not overlooked", "certificate-expired", || {
        let first = sign(world, &documents::plain(), None, &How::usual()).expect("there is the key")?;
        let now = crate::world::years(signed(), 5);
        extend(world, &Document::new(&first), &target(augmentation::Level::T), now)
    });
}
