//! XML signatures of the public vectors: Merlin, Phaos, IAIK, W3C, xmlsec and Apache Santuario.
//!
//! Every reference whose data is there is digested, and every value whose key is stated is verified. What does not
//! come out as the vector's name says is in the ledger with its reason.

use lacre_core::{
    algorithm::DigestAlgorithm,
    crypto::{Hasher, PublicKey, Signed, verify},
    formats::{
        xades::public_key,
        xml::{
            DSIG, DocumentTypes, Options, Tree, decode, parse,
            signature::{ReferenceError, XmlSignature, signatures},
        },
    },
    uri::unescaped,
    x509::Certificate,
};
use lacre_testkit::files::files;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

const LEDGER: &str = include_str!("conformance/xmldsig.tsv");

/// How the parts of a file came out.
#[derive(Debug, Default, Clone, Copy)]
struct Outcome {
    references: usize,
    broken: usize,
    missing: usize,
    values: usize,
    invalid: usize,
    without_key: usize,
}

impl Outcome {
    fn add(&mut self, other: Self) {
        self.references += other.references;
        self.broken += other.broken;
        self.missing += other.missing;
        self.values += other.values;
        self.invalid += other.invalid;
        self.without_key += other.without_key;
    }
}

/// Digests and verifies everything that the file's signatures say.
fn outcome(path: &Path, tree: &Tree) -> Outcome {
    let mut outcome = Outcome::default();
    for element in signatures(tree) {
        let Ok(signature) = XmlSignature::read(element) else { continue };
        for reference in &signature.references {
            let beside = |uri: &str| std::fs::read(path.parent()?.join(unescaped(uri).as_ref())).ok();
            let outside = reference.uri.filter(|uri| !uri.is_empty()).and_then(beside).map(Cow::Owned);
            let Some(mut hasher) = DigestAlgorithm::from_uri(reference.digest_method).and_then(Hasher::new) else {
                continue;
            };
            match reference.bytes(element, outside, &mut hasher) {
                Err(ReferenceError::NotFound) => outcome.missing += 1,
                Ok(()) if Some(hasher.finish()) == reference.digest => outcome.references += 1,
                Ok(()) | Err(_) => outcome.broken += 1,
            }
        }
        let mut signed = vec![];
        let keys: Vec<PublicKey> = keys(&signature).iter().filter_map(|spki| PublicKey::from_spki(spki).ok()).collect();
        match (signature.signed_bytes(&mut signed), signature.algorithm) {
            (Ok(()), Some(algorithm)) if !keys.is_empty() => {
                let holds =
                    |key: &PublicKey| verify(key, &algorithm, Signed::Message(&signed), &signature.value).is_ok();
                if keys.iter().any(holds) { outcome.values += 1 } else { outcome.invalid += 1 }
            }
            _ => outcome.without_key += 1,
        }
    }
    outcome
}

/// The keys that a signature's `KeyInfo` states, outright and by certificates.
fn keys(signature: &XmlSignature) -> Vec<Vec<u8>> {
    let Some(info) = signature.key_info else { return vec![] };
    let certificates = info.tree().elements(info.id()).filter(|element| element.is(DSIG, "X509Certificate"));
    let spki = |der: Vec<u8>| Certificate::from_der(&der).ok().map(|certificate| certificate.spki().to_vec());
    let certified = certificates.filter_map(lacre_core::formats::xml::signature::base64_text).filter_map(spki);
    public_key(info).into_iter().chain(certified).collect()
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn public_vectors() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let ledger: BTreeMap<&str, &str> =
        LEDGER.lines().filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t')).collect();
    let paths = ["xmlsec", "x-santuario"].map(|folder| files(&corpus.join(folder), "")).concat();
    let (mut whole, mut total, mut unexpected, mut met) = (0, Outcome::default(), vec![], vec![]);
    for path in paths {
        let bytes = std::fs::read(&path).expect("listed before");
        let mut options = Options::default();
        options.document_types = DocumentTypes::All;
        let Some(tree) = decode(&bytes).ok().filter(|text| text.contains("Signature")) else { continue };
        let Ok(tree) = parse(&tree, &options) else { continue };
        let found = outcome(&path, &tree);
        total.add(found);
        let name = path.strip_prefix(&corpus).expect("below the corpus").display().to_string();
        if found.broken + found.invalid == 0 {
            whole += usize::from(found.references + found.values > 0);
        } else if ledger.contains_key(name.as_str()) {
            met.push(name);
        } else {
            unexpected.push(format!("{name}: {found:?}"));
        }
    }
    let parts = total.references + total.broken + total.values + total.invalid;
    let good = total.references + total.values;
    println!("{whole} files whole; {total:?}: {:.1} % of what can be checked", 100.0 * good as f64 / parts as f64);
    assert!(unexpected.is_empty(), "{} not in the ledger: {unexpected:#?}", unexpected.len());
    let unused: Vec<&&str> = ledger.keys().filter(|name| !met.iter().any(|known| known == **name)).collect();
    assert!(unused.is_empty(), "in the ledger, yet whole: {unused:?}");
}
