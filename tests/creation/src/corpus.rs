//! The public corpus: every PDF and every CMS file that it has is signed to LTA, whoever signed it before.

use crate::cell::{Level, Made, Sheet, told};
use crate::steps::extend;
use crate::world::{Key, User, World, signed};
use lacre::augmentation::{self, Target};
use lacre::report::Indication;
use lacre::signing::{Prepared, SignatureParameters, SigningError, SigningErrorCode as Code, cades, pades};
use lacre::{Budget, Document, Validator};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// A document of the corpus.
struct Original<'m> {
    row: &'static str,
    path: &'m str,
    bytes: Vec<u8>,
    contents: Vec<(String, Vec<u8>)>,
    password: Option<String>,
}

impl Original<'_> {
    /// The document, or another one of the same content and password.
    fn with<'a>(&'a self, bytes: &'a [u8]) -> Document<'a> {
        let document = Document::new(bytes);
        let document =
            self.contents.iter().fold(document, |document, (name, bytes)| document.with_content(name, bytes));
        match &self.password {
            Some(password) => document.with_password(password.as_bytes()),
            None => document,
        }
    }

    fn is_cms(&self) -> bool {
        self.row == "Q3"
    }
}

/// Documents that are signed at B and rightly go no further, with the error.
const NOT_EXTENDED: [(&str, Code); 2] = [
    // A signature is covered by an evidence record; what is added to the file would not be (RFC 4998 §3.3).
    ("dss/dss-pades/src/test/resources/validation/evidence-record/PAdES_with_er.pdf", Code::EvidenceRecordInside),
    // A key that no standard knows leads from the page tree to the page once more; a field more there is an undefined change.
    (
        "pyhanko/internal/common-test-utils/src/pyhanko_testing_commons/test_data/data/pdf/safedocs/CompactedPDFSyntaxTest.pdf",
        Code::TimestampInvalid,
    ),
];

/// Files in which no signature is of a baseline level, with the level that one has then: what is signed is not `id-data`, which
/// EN 319 122-1 §6.3 f) asks for.
const NOT_BASELINE: [(&str, &str); 1] =
    [("dss/dss-cades/src/test/resources/validation/cades-bes-signeddata-detached.p7s", "CAdES-A")];

/// Rows Q1 (PDF documents that nobody signed), Q2 (those that somebody did) and Q3 (CMS signatures, which get one beside them).
pub fn rows(sheet: &mut Sheet<'_>, corpus: &Path) -> std::io::Result<()> {
    let world = sheet.world;
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv"))?;
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [path, kind, _, _, detached, details, ..] = columns[..] else { continue };
        let row = match kind {
            _ if path.to_ascii_lowercase().ends_with(".pdf") && kind.starts_with("pdf-plain") => "Q1",
            _ if path.to_ascii_lowercase().ends_with(".pdf") => "Q2",
            "cades-attached" | "cades-detached" => "Q3",
            _ => continue,
        };
        if !sheet.wants(row) {
            continue;
        }
        let mut contents = vec![];
        // Evidence records, and digests in place of contents, have a prefix.
        for place in detached.split(';').filter(|place| row == "Q3" && corpus.join(place).is_file()) {
            let name = place.rsplit('/').next().unwrap_or(place);
            contents.push((name.to_owned(), std::fs::read(corpus.join(place))?));
        }
        let bytes = std::fs::read(corpus.join(path))?;
        let original = Original { row, path, bytes, contents, password: password(details) };
        match signed_to_lta(world, &original) {
            Err(Stop::Declined(error)) => sheet.declined(row, path, &error),
            Err(Stop::Not(error)) if NOT_EXTENDED.contains(&(path, error.code())) => sheet.declined(row, path, &error),
            made => sheet.passes(row, path, || match &made {
                Ok(signed) => made_of(world, &original, signed),
                Err(Stop::Declined(error) | Stop::Not(error)) => Err(told(error.clone())),
                Err(Stop::Other(error)) => Err(error.clone()),
            }),
        }
    }
    Ok(())
}

/// What opens an encrypted document, as the manifest has it.
fn password(details: &str) -> Option<String> {
    let (_, rest) = details.split_once("encrypted=")?;
    match rest.strip_prefix("password=\"") {
        Some(rest) => rest.split('"').next().map(str::to_owned),
        None => Some(String::new()),
    }
}

enum Stop {
    /// It is not signed, for that reason.
    Declined(SigningError),
    /// It was signed, and not extended.
    Not(SigningError),
    Other(String),
}

fn prepared(user: &User, document: &Document<'_>, is_cms: bool) -> Result<Prepared, SigningError> {
    let parameters = SignatureParameters::new(signed());
    if is_cms {
        return cades::prepare(
            &cades::Content::Parallel(document),
            &parameters,
            &cades::Options::default(),
            &user.signer,
        );
    }
    let in_field = |field| {
        let mut options = pades::Options::default();
        options.field = field;
        pades::prepare(document, &parameters, &options, &user.signer, &Budget::default())
    };
    match in_field(pades::Field::default()) {
        // Where no field may be added, one that is there may be signed.
        Err(error) if error.code() == Code::PermissionDenied => in_field(pades::Field::OnlyEmpty).map_err(|_| error),
        prepared => prepared,
    }
}

fn signed_to_lta(world: &World, original: &Original<'_>) -> Result<Vec<u8>, Stop> {
    let user = world.user(Key::P256).map_err(Stop::Other)?;
    let document = original.with(&original.bytes);
    let prepared = prepared(user, &document, original.is_cms()).map_err(Stop::Declined)?;
    let first = crate::steps::finish(user, &prepared, &document).map_err(Stop::Declined)?;
    let first = original.with(&first);
    let facts = world.validator().facts(&first, signed()).map_err(|error| Stop::Other(format!("not read: {error}")))?;
    let own = user.signer.certificate().id();
    let own = facts.signatures.iter().find(|signature| signature.signing_certificate.as_ref() == Some(own));
    let own = own.ok_or_else(|| Stop::Other("the new signature is not found".into()))?.id.clone();
    let target = Target::new(augmentation::Level::Lta).only(own);
    extend(world, &first, &target, Level::Lta.moment()).map_err(Stop::Not)
}

fn made_of(world: &World, original: &Original<'_>, signed: &[u8]) -> Result<Made, String> {
    let (extension, kind) = match original.is_cms() {
        true if original.contents.is_empty() => ("p7m", "CAdES"),
        true => ("p7s", "CAdES"),
        false => ("pdf", "PAdES"),
    };
    let mut made = Made::of(signed.to_vec(), extension, kind, Level::Lta);
    made.archived = if original.is_cms() { 1 } else { 2 };
    made.password = original.password.clone();
    made.contents = original.contents.clone();
    made.before = Some(original.bytes.clone());
    // OpenSSL knows none of the other authorities.
    made.more = json!({ "earlier": true, "foreignStamps": true, "openssl": "no" });
    if let Some((_, level)) = NOT_BASELINE.iter().find(|(path, _)| *path == original.path) {
        made.levels = vec![(*level).to_owned()];
    }
    let validator = world.validator();
    let before = verdicts(&validator, &original.with(&original.bytes));
    let after = verdicts(&validator, &original.with(signed));
    for (value, was) in before {
        match after.get(&value) {
            None => return Err("lacre: an earlier signature is gone".into()),
            Some(is) if *is == was || is.0 == Indication::TotalPassed => {}
            Some(is) => return Err(format!("lacre: an earlier signature was {was:?} and is {is:?}")),
        }
    }
    Ok(made)
}

type Verdict = (Indication, Option<String>);

/// The verdicts on signatures, by the digests of their values.
fn verdicts(validator: &Validator, document: &Document<'_>) -> BTreeMap<String, Verdict> {
    let Ok(report) = validator.validate(document, Level::Lta.judged()) else { return BTreeMap::new() };
    let verdict = |signature: lacre::report::SignatureView<'_>| {
        let sub = signature.sub_indication().map(|sub| sub.to_string());
        Some((signature.value_sha256()?, (signature.indication(), sub)))
    };
    report.signatures().filter_map(verdict).collect()
}
