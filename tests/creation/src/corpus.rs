//! The public corpus: every PDF that it has is signed to LTA, whoever signed it before.

use crate::cell::{Level, Made, Sheet, told};
use crate::steps::extend;
use crate::world::{Key, World, signed};
use lacre::augmentation::{self, Target};
use lacre::report::Indication;
use lacre::signing::{SignatureParameters, SigningError, pades};
use lacre::{Budget, Document, Validator};
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Rows Q1 (documents that nobody signed) and Q2 (those that somebody did).
pub fn rows(sheet: &mut Sheet<'_>, corpus: &Path) -> std::io::Result<()> {
    let world = sheet.world;
    let manifest = std::fs::read_to_string(corpus.join("manifest.tsv"))?;
    for line in manifest.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [path, kind, _, _, _, details, ..] = columns[..] else { continue };
        if !path.to_ascii_lowercase().ends_with(".pdf") {
            continue;
        }
        let row = if kind.starts_with("pdf-plain") { "Q1" } else { "Q2" };
        if !sheet.wants(row) {
            continue;
        }
        let bytes = std::fs::read(corpus.join(path))?;
        let password = password(details);
        match signed_to_lta(world, &bytes, password.as_deref()) {
            Err(Stop::Declined(error)) => sheet.declined(row, path, &error),
            made => sheet.passes(row, path, || match &made {
                Ok(signed) => made_of(world, &bytes, password.as_deref(), signed),
                Err(Stop::Declined(error) | Stop::Not(error, _)) => Err(told(error.clone())),
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
    Not(SigningError, ()),
    Other(String),
}

fn document<'a>(bytes: &'a [u8], password: Option<&'a str>) -> Document<'a> {
    match password {
        Some(password) => Document::new(bytes).with_password(password.as_bytes()),
        None => Document::new(bytes),
    }
}

fn signed_to_lta(world: &World, bytes: &[u8], password: Option<&str>) -> Result<Vec<u8>, Stop> {
    let user = world.user(Key::P256).map_err(Stop::Other)?;
    let original = document(bytes, password);
    let (parameters, options) = (SignatureParameters::new(signed()), pades::Options::default());
    let prepared = pades::prepare(&original, &parameters, &options, &user.signer, &Budget::default());
    let prepared = prepared.map_err(Stop::Declined)?;
    let first = crate::steps::finish(user, &prepared, &original).map_err(Stop::Declined)?;
    let first = document(&first, password);
    let facts = world.validator().facts(&first, signed()).map_err(|error| Stop::Other(format!("not read: {error}")))?;
    let own = user.signer.certificate().id();
    let own = facts.signatures.iter().find(|signature| signature.signing_certificate.as_ref() == Some(own));
    let own = own.ok_or_else(|| Stop::Other("the new signature is not found".into()))?.id.clone();
    let target = Target::new(augmentation::Level::Lta).only(own);
    extend(world, &first, &target, Level::Lta.moment()).map_err(|error| Stop::Not(error, ()))
}

fn made_of(world: &World, bytes: &[u8], password: Option<&str>, signed: &[u8]) -> Result<Made, String> {
    let mut made = Made::of(signed.to_vec(), "pdf", "PAdES", Level::Lta);
    made.archived = 2;
    made.password = password.map(str::to_owned);
    made.before = Some(bytes.to_vec());
    made.more = json!({ "earlier": true, "foreignStamps": true });
    let validator = world.validator();
    let before = verdicts(&validator, &document(bytes, password));
    let after = verdicts(&validator, &document(signed, password));
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
