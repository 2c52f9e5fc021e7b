//! The example documents, through the front door: what the README promises of them.

use lacre::{
    Cache, Document, Policy, Report, Time, Validator,
    report::{Indication, SubIndication},
};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

fn example(name: &str) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/documents").join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

fn time() -> Time {
    "2027-01-01T00:00:00Z".parse().expect("a valid time")
}

fn validate(name: &str) -> Report {
    let (bytes, letter) = (example(name), example("letter.txt"));
    let validator =
        Validator::new(Policy::eidas()).trust_anchor(&example("root.der")).expect("root.der is a certificate");
    let mut document = Document::new(&bytes).named(name);
    // A content that nobody signed is no help.
    if name == "letter.txt.p7s" {
        document = document.with_content("letter.txt", &letter);
    }
    validator.validate(&document, time()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

#[test]
fn verdicts_are_as_their_page_says() {
    use Indication::{Indeterminate, NoSignatureFound, TotalFailed, TotalPassed};
    use SubIndication::{CertificateChainGeneralFailure, HashFailure, RevokedNoPoe};
    for (name, indication, sub_indication, level) in [
        ("contract.pdf", TotalPassed, None, Some("PAdES-BASELINE-LT")),
        ("contract-tampered.pdf", TotalFailed, Some(HashFailure), Some("PAdES-BASELINE-LT")),
        ("revoked.pdf", Indeterminate, Some(RevokedNoPoe), Some("PAdES-BASELINE-LT")),
        ("letter.txt.p7s", Indeterminate, Some(CertificateChainGeneralFailure), Some("CAdES-BASELINE-T")),
        ("not-signed.pdf", NoSignatureFound, None, None),
    ] {
        let report = validate(name);
        let found = report.signatures().next();
        assert_eq!(report.indication(), indication, "{name}\n{}", report.to_text());
        assert_eq!(
            found.and_then(|signature| signature.sub_indication()),
            sub_indication,
            "{name}\n{}",
            report.to_text()
        );
        assert_eq!(found.and_then(|signature| signature.level()).map(|level| level.as_str()), level, "{name}");
    }
}

#[test]
fn without_trust_nothing_passes() {
    let bytes = example("contract.pdf");
    let report = Validator::new(Policy::eidas()).validate(&Document::new(&bytes), time()).expect("it is a PDF");
    let signature = report.signatures().next().expect("it is signed");
    assert_eq!(signature.sub_indication(), Some(SubIndication::NoCertificateChainFound), "{}", report.to_text());
}

#[test]
fn a_missing_content_is_wanted_by_name() {
    let bytes = example("letter.txt.p7s");
    let validator =
        Validator::new(Policy::eidas()).trust_anchor(&example("root.der")).expect("root.der is a certificate");
    let report = validator.validate(&Document::new(&bytes), time()).expect("it is CMS");
    let signature = report.signatures().next().expect("it is signed");
    assert_eq!(signature.sub_indication(), Some(SubIndication::SignedDataNotFound), "{}", report.to_text());
    assert!(report.wanted().iter().any(|w| w.kind == lacre::report::WantedKind::Content));
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let (once, again) = (validate("contract.pdf"), validate("contract.pdf"));
    assert_eq!(once.to_json(), again.to_json());
    assert_eq!(once.to_text(), again.to_text());
    assert_eq!(once.to_etsi_xml(), again.to_etsi_xml());
}

/// Also where one validator has seen the same authorities before.
#[test]
fn the_cache_changes_no_report() {
    let root = example("root.der");
    let fresh = || Validator::new(Policy::eidas()).trust_anchor(&root).expect("root.der is a certificate");
    let cache = Cache::default();
    let kept = fresh().with_cache(cache.clone());
    for name in ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "letter.txt.p7s", "contract.pdf"] {
        let bytes = example(name);
        let json = |validator: &Validator| {
            validator.validate(&Document::new(&bytes).named(name), time()).expect("it is signed").to_json()
        };
        assert_eq!(json(&kept), json(&fresh()), "{name}");
        assert_eq!(json(&kept.clone()), json(&fresh()), "{name} by a clone");
        assert_eq!(json(&fresh().without_cache()), json(&fresh()), "{name} without a cache");
    }
    cache.clear();
    let bytes = example("contract.pdf");
    let json =
        |validator: &Validator| validator.validate(&Document::new(&bytes), time()).expect("it is signed").to_json();
    assert_eq!(json(&kept), json(&fresh()), "once it is cleared");
}

/// Manifests, signatures and time-stamps that are checked side by side, the last of them first.
#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn the_executor_changes_no_report() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let backwards = |count: usize, piece: &(dyn Fn(usize) + Sync)| {
        std::thread::scope(|scope| {
            scope.spawn(|| (0..count).rev().step_by(2).for_each(piece));
            (0..count).rev().skip(1).step_by(2).for_each(piece);
        });
    };
    for (file, least) in [
        ("dss/dss-cookbook/src/test/resources/snippets/25sigs.pdf", 20),
        ("siva-test/src/test/resources/asics/test/timestamp/Valid200xTstAsics.asics", 200),
    ] {
        let bytes = std::fs::read(corpus.join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
        let pieces = Arc::new(AtomicUsize::new(0));
        let counted = pieces.clone();
        let executor = move |count: usize, piece: &(dyn Fn(usize) + Sync)| {
            counted.fetch_add(count, Ordering::Relaxed);
            backwards(count, piece);
        };
        let json =
            |validator: Validator| validator.validate(&Document::new(&bytes), time()).expect("it is signed").to_json();
        let alone = json(Validator::new(Policy::eidas()));
        assert!(json(Validator::new(Policy::eidas()).with_executor(executor)) == alone, "{file}");
        let pieces = pieces.load(Ordering::Relaxed);
        assert!(pieces >= least, "{file}: the executor ran {pieces} pieces");
    }
}

#[test]
fn what_is_no_signed_file_is_refused_with_what_was_found() {
    for (bytes, expected) in [
        (&b""[..], "nothing (it is empty)"),
        (b"Hello, world", "`Hello, world`"),
        (b"\x00\x01\x02", "the bytes 000102"),
        (b"PK\x03\x04", "container"),
        (b"{}", "JSON"),
    ] {
        let refused = Validator::new(Policy::eidas()).validate(&Document::new(bytes), time());
        let message = refused.expect_err("no signed file").to_string();
        assert!(message.contains(expected), "{message}");
    }
}
