//! PAdES: rows P1 to P11 of the matrix.

mod fields;
mod further;
mod visible;

pub use fields::merged;

use crate::archival;
use crate::cell::{Level, Made, Sheet, told};
use crate::documents::{self, Source, Table, page};
use crate::steps::{climb, finish, value};
use crate::world::{Key, World, signed};
use lacre::signing::pades::{self, Field, Lock, LockAction, NewField, Options, Permission};
use lacre::signing::{Commitment, Place, Prepared, SignatureParameters, SigningError};
use lacre::{Budget, Document};
use lacre_testkit::pdf::object;
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
    fields::fields(sheet);
    encrypted(sheet);
    certified(sheet);
    archival_profiles(sheet);
    gaps(sheet);
    stated(sheet);
    visible::visible(sheet);
    further::again(sheet);
    further::timestamps(sheet);
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
