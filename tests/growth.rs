//! The work of reading and judging grows with the number of things in a document, not with its square.
//!
//! Counted, not timed: the memory that is asked for, and, where valgrind is there, the instructions.

mod documents_of_many;

use allocation_counter::measure;
use documents_of_many::{DOCUMENTS, Large};
use lacre::{Document, Facts};
use lacre_core::{facts::IrregularityKind, policy::Policy, validation::validate};
use lacre_testkit::cms::{SIGNATURE_TIMESTAMP, Signer};
use lacre_testkit::der::{oid, sequence, tlv};
use lacre_testkit::lab::Lab;
use lacre_testkit::many;
use lacre_testkit::pdf::Pdf;
use lacre_testkit::pki::{Crl, Ocsp, SHA256, Status, extension};
use serde_json::json;
use std::process::Command;

/// Sets of facts for a number of tokens, which are judged.
const FACTS: [(&str, fn(usize) -> Facts); 2] =
    [("time-stamps", many::timestamps), ("certificates", many::certificates)];

/// Tells the second process what it does: `kind<TAB>count`.
const TASK: &str = "LACRE_TEST_GROWTH";

/// What is measured, once it is prepared.
type Work = Box<dyn FnOnce()>;

/// Judges facts of so many tokens, or reads, judges and reports a document of so many of one thing.
fn work(kind: &str, count: usize) -> Work {
    if let Some((_, make)) = FACTS.iter().find(|(name, _)| *name == kind) {
        let facts = make(count);
        return Box::new(move || {
            std::hint::black_box(validate(&facts, &Policy::eidas(), many::now()));
        });
    }
    let (_, make) = DOCUMENTS.iter().find(|(name, _)| *name == kind).expect("a kind");
    let lab = Lab::new();
    let bytes = make(&lab, count);
    let validator = lab.validator().without_cache();
    Box::new(move || {
        let report = validator.validate(&Document::new(&bytes).named("many".to_owned()), many::now());
        std::hint::black_box(report.map(|report| report.to_json())).ok();
    })
}

#[inline(never)]
fn measured(work: Work) {
    work();
}

#[test]
fn four_times_of_one_thing_take_no_sixteen_times_the_memory() {
    let facts = FACTS.iter().map(|(kind, _)| (*kind, [500, 2_000]));
    for (kind, counts) in facts.chain(DOCUMENTS.iter().map(|(kind, _)| (*kind, [100, 400]))) {
        let [few, many] = counts.map(|count| {
            let work = work(kind, count);
            measure(|| measured(work)).bytes_total
        });
        let [lower, upper] = counts;
        assert!(many < few * 6, "{lower} {kind}: {few} bytes, {upper}: {many}");
    }
}

/// What the chains of a record are over is digested once, however many there are.
#[test]
fn chains_of_a_record_do_not_each_read_the_message() {
    let lab = Lab::new();
    let bytes = documents_of_many::chains_over_a_large_message(&lab, 1 << 20);
    let validator = lab.validator().without_cache();
    let asked = measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_total;
    assert!(asked < 32 << 20, "64 chains over a megabyte: {asked} bytes are asked for");
}

/// RFC 5280 §5, RFC 6960 §4.2: what is long, and about many certificates, is read once for all of them.
#[test]
fn revocation_data_is_read_once() {
    let lab = Lab::new();
    let extensions = (0..20_000).map(|number| extension(&format!("1.2.{number}"), false, &[5, 0])).collect();
    let list = Crl { extensions, ..Crl::default() }.of(&lab.root);
    let answers: Vec<_> = (490_100..500_100).map(|number| Ocsp::about(number, Status::Good)).collect();
    let response = Ocsp::all_by(&answers, &lab.root, &lab.root);
    for (what, lists, responses) in [("extensions", vec![list], vec![]), ("answers", vec![], vec![response])] {
        let bytes = documents_of_many::signers_beside(&lab, 100, lists, responses);
        let validator = lab.validator().without_cache();
        let asked = measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_total;
        assert!(asked < 64 << 20, "{what} of a list about 100 signers: {asked} bytes are asked for");
    }
}

/// EN 319 122-1 §5.3: what stands for time-stamps and is none is said a few times, however often it stands there.
#[test]
fn values_that_are_no_time_stamps_are_said_in_short() {
    let lab = Lab::new();
    let values = [0x30, 0].repeat(300_000);
    let unsigned = sequence(&[&oid(SIGNATURE_TIMESTAMP), &tlv(0x31, &[&values])]);
    let signer = Signer { unsigned: vec![unsigned], ..Signer::of(&lab.alice, b"text") };
    let bytes = lab.signed_data(Some(b"text"), b"text", &[signer]).bytes();
    let validator = lab.validator().without_cache();
    let asked = measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_total;
    assert!(asked < 32 << 20, "300,000 values: {asked} bytes are asked for");
}

/// ISO 32000-2 §12.5.5: what many annotations draw is read once for all of them, whatever they fill with it.
#[test]
fn appearances_are_read_once() {
    let lab = Lab::new();
    let asked = [1, 5_000].map(|letters| {
        let bytes = Pdf::stamped(&lab, 1_000, letters);
        let validator = lab.validator().without_cache();
        measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_total
    });
    let [short, long] = asked;
    assert!(
        long < short + (8 << 20),
        "1,000 stamps of a short appearance: {short} bytes are asked for, of a long one: {long}"
    );
}

fn causes(error: &dyn std::error::Error) -> String {
    let causes = std::iter::successors(Some(error), |error| error.source());
    causes.map(ToString::to_string).collect::<Vec<_>>().join(": ")
}

/// A document with a name of two thousand bytes and one: names are compared again and again.
fn long_name(before: &str, behind: &str) -> Vec<u8> {
    format!("{before}{}{behind}", "n".repeat(2_001)).into_bytes()
}

fn etsi_u_of(count: usize) -> Vec<u8> {
    documents_of_many::bare_jws(&json!({}), json!({ "header": { "etsiU": vec![1; count] } }))
}

/// What each of many covers, holds or is compared with are all of them: that is bounded.
#[test]
fn relations_are_bounded() {
    let lab = Lab::new();
    let refused = |bytes: &[u8]| {
        let validator = lab.validator().without_cache();
        let error = validator.validate(&Document::new(bytes), many::now()).expect_err("it is more than may be");
        causes(&error)
    };
    for (bytes, expected) in [
        (documents_of_many::signers_with_certificates(&lab, 1_001), "bound relations of the budget, which is 1000000"),
        (documents_of_many::xml_timestamps(&lab, 1_500), "bound relations of the budget, which is 1000000"),
        (documents_of_many::jws_timestamps(&lab, 1_500), "bound relations of the budget, which is 1000000"),
        (documents_of_many::chains(&lab, 65), "evidence record with more than 64 chains"),
        (documents_of_many::record(&lab, 513), "evidence record with more than 512 archive time-stamps"),
        (documents_of_many::record_of_hashes(&lab, 100_001), "evidence record with more than 100000 hashes"),
        (documents_of_many::pdf_signatures(&lab, 501), "more than 500 signatures"),
        (long_name("<r xmlns:p=\"urn:", "\"/>"), "more than 2000 bytes in one name"),
        (long_name("<r><", "/></r>"), "more than 2000 bytes in one name"),
        (etsi_u_of(10_001), "10001 elements in `etsiU`, of which at most 10000 are read"),
        (documents_of_many::asic_references(&lab, 45, 8), "more than 1000000 references in manifests"),
        (documents_of_many::asic_references(&lab, 8, 25_000), "more than 100000 different references in manifests"),
    ] {
        let found = refused(&bytes);
        assert!(found.contains(expected), "{found}");
    }
    let chains = documents_of_many::chains(&lab, 64);
    let judged = lab.validator().validate(&Document::new(&chains), many::now());
    assert_eq!(judged.expect("it is as much as may be").facts().timestamps.len(), 64);
}

/// RFC 5280 §6.1: what is found of an authority is repeated with each signer below it, and with the others of the path.
#[test]
fn paths_of_many_signers_are_bounded() {
    let lab = Lab::new();
    for (signers, depth, refused) in [(890, 95, true), (990, 0, false), (100, 20, false)] {
        let bytes = documents_of_many::signers_below(&lab, signers, depth);
        let validator = lab.validator().without_cache();
        let mut bounds = vec![];
        let most = measure(|| {
            let report = validator.validate(&Document::new(&bytes), many::now()).expect("it is read");
            std::hint::black_box(report.to_json());
            let found = report.facts().irregularities.iter();
            bounds = found.map(|one| (one.kind, one.subject.clone())).collect();
        });
        let expected = (IrregularityKind::BudgetExceeded, Some("relations".into()));
        assert_eq!(bounds.contains(&expected), refused, "{signers} below {depth}: {bounds:?}");
        assert!(most.bytes_max < MOST, "{signers} below {depth}: {} bytes", most.bytes_max);
    }
}

/// EN 319 162-1 A.4: what manifests list is held once, in whatever order they list it.
#[test]
fn references_of_manifests_are_held_once() {
    let lab = Lab::new();
    let bytes = documents_of_many::asic_references(&lab, 10, 8);
    let validator = lab.validator().without_cache();
    let most = measure(|| drop(validator.validate(&Document::new(&bytes), many::now()))).bytes_max;
    assert!(most < 100 << 20, "{most} bytes for a container of {}", bytes.len());
}

/// What a JWS of some megabytes may take, with a content of one beside it.
const MOST: u64 = 200 << 20;

/// Objects that `sigD` names again and again, payloads that many share: RFC 7515 §7.2.1, TS 119 182-1 §5.2.8.
#[test]
fn payloads_are_bounded() {
    let content = vec![b'v'; 1 << 20];
    let by = |mechanism: &str, names: Vec<String>| {
        let digests = vec!["AAAA"; names.len()];
        let mechanism = format!("http://uri.etsi.org/19182/{mechanism}");
        let data = json!({ "mId": mechanism, "pars": names, "hashM": "S256", "hashV": digests });
        let header = json!({ "alg": "ES256", "b64": false, "crit": ["b64", "sigD"], "sigD": data });
        documents_of_many::bare_jws(&header, json!({}))
    };
    let same = |count| vec!["a.txt".to_owned(); count];
    let escaped = |jws: Vec<u8>| {
        let text = String::from_utf8(jws).expect("JSON").replace("\"payload\":\"B", "\"payload\":\"\\u0042");
        text.into_bytes()
    };
    let signatures = documents_of_many::signatures_over_one_payload;
    for (situation, bytes, refused) in [
        ("4,000 times one object", by("ObjectIdByURI", same(4_000)), true),
        ("one field 4,000 times", by("HttpHeaders", same(4_000)), false),
        ("other digests", by("ObjectIdByURIHash", (0..4_000).map(|n| n.to_string()).collect()), false),
        ("1,000 signatures over 1.5 MB", signatures("ES256", 1_000, 1_500_000), true),
        ("60 signatures over 1.5 MB", signatures("ES256", 60, 1_500_000), false),
        ("60 by EdDSA", signatures("EdDSA", 60, 1_500_000), false),
        ("60 over a payload with an escape", escaped(signatures("ES256", 60, 1_500_000)), false),
        (
            "components that are none",
            documents_of_many::bare_jws(&json!({}), json!({ "header": { "etsiU": vec![1; 900_000] } })),
            false,
        ),
    ] {
        let validator = Lab::new().validator().without_cache();
        let mut found = String::new();
        let most = measure(|| {
            let judged = validator.validate(&Document::new(&bytes).with_content("a.txt", &content), many::now());
            found = judged.map(|_| String::new()).unwrap_or_else(|error| causes(&error));
        });
        assert_eq!(found.contains("bound payload_bytes"), refused, "{situation}: {found}");
        assert!(most.bytes_max < MOST, "{situation}: {} bytes", most.bytes_max);
    }
}

/// TS 119 182-1 §5.3.2: what counter-signatures of counter-signatures hold is held once, however many are around it.
#[test]
fn what_counter_signatures_hold_is_held_once() {
    let inside = |levels: usize| {
        let zeros = vec!["0"; 100_000].join(",");
        let mut jws = format!("{{\"signature\":\"AAAA\",\"header\":{{\"etsiU\":[{{\"a\":[{zeros}]}}]}}}}");
        for _ in 0..levels {
            jws = format!("{{\"signature\":\"AAAA\",\"header\":{{\"etsiU\":[{{\"cSig\":{jws}}}]}}}}");
        }
        let validator = Lab::new().validator().without_cache();
        measure(|| drop(validator.validate(&Document::new(jws.as_bytes()), many::now()))).bytes_max
    };
    let [one, eight] = [1, 8].map(inside);
    assert!(eight < one * 2, "1: {one} bytes, 8: {eight}");
}

/// RFC 8419 §3: EdDSA digests the message itself, which is held once for all signers.
#[test]
fn contents_are_held_once() {
    const LENGTH: usize = 1 << 20;
    let lab = Lab::new();
    let bytes = documents_of_many::signers_of_a_large_content(&lab, 200, LENGTH);
    let validator = lab.validator().without_cache();
    let most = measure(|| {
        let judged = validator.validate(&Document::new(&bytes), many::now());
        assert_eq!(judged.expect("it is read").facts().signatures.len(), 200);
    });
    assert!(most.bytes_max < 16 * LENGTH as u64, "{} bytes", most.bytes_max);
}

/// Elements by the million in few compressed bytes, and records that each want another canonical form: XMLDSig §4.4.3.2, RFC 6283
/// §3.2.1.
#[test]
fn documents_beside_signatures_are_bounded() {
    let lab = Lab::new();
    let validator = lab.validator().without_cache();
    let few = format!("<r>{}</r>", "<a/>".repeat(100_000));
    // As many bytes as may be compressed to a hundredth.
    let many = format!("<r><!--{}-->{}</r>", documents_of_many::noise(200_000), "<a/>".repeat(2_500_000));
    for (situation, bytes, refused) in [
        ("a file in canonical form", documents_of_many::transformed_beside(&lab, &few, 1), false),
        ("by as many as may be", documents_of_many::transformed_beside(&lab, &few, 5), false),
        ("by many signatures, each in a file of its own", documents_of_many::transformed_beside(&lab, &few, 20), true),
        ("one of millions of elements", documents_of_many::transformed_beside(&lab, &many, 1), true),
        ("a record over a file", documents_of_many::records_over(&lab, &few, 1), false),
        ("many of one form", documents_of_many::records_over(&lab, &few, 120), false),
        ("a record of chains", documents_of_many::records_of_chains(&lab, "<a/>", 1, (10, 100)), false),
        ("one over millions of elements", documents_of_many::records_over(&lab, &many, 1), true),
    ] {
        let mut found = String::new();
        let most = measure(|| {
            let judged = validator.validate(&Document::new(&bytes), many::now());
            found = judged.map_or_else(|error| causes(&error), |report| report.to_json());
        });
        let is_refused = found.contains("digested_bytes") || found.contains("canonical_bytes");
        assert_eq!(is_refused, refused, "{situation}: {found}");
        assert!(most.bytes_max < MOST / 2, "{situation}: {} bytes", most.bytes_max);
    }
}

/// RFC 6283 §4.2.2: each chain covers those before it, whose bytes are held until the record is verified.
#[test]
fn chains_of_records_in_xml_are_bounded() {
    let lab = Lab::new();
    let validator = lab.validator().without_cache();
    let bytes = documents_of_many::records_of_chains(&lab, "<a/>", 3, (60, 30_000));
    let most = measure(|| {
        let judged = validator.validate(&Document::new(&bytes), many::now()).expect("the container is read");
        assert!(judged.to_json().contains("UNREADABLE_SIGNATURE"), "{}", judged.to_json());
    });
    assert!(most.bytes_max < MOST, "{} bytes", most.bytes_max);
}

/// Time-stamps that are each over what is large: EN 319 122-1 §5.3, §5.5, annex A.1.5, TS 101 733 annex K.
#[test]
fn digests_are_bounded() {
    const MD2: &str = "1.2.840.113549.2.2";
    const VALUE: &str = "1.2.840.113549.1.9.16.2.14";
    const V2: &str = "1.2.840.113549.1.9.16.2.48";
    const V3: &str = "0.4.0.1733.2.4";
    const REFERENCED: &str = "1.2.840.113549.1.9.16.2.21";
    const OVER_REFERENCES: &str = "1.2.840.113549.1.9.16.2.26";
    const LENGTH: usize = 500_000;
    let lab = Lab::new();
    let validator = lab.validator().without_cache();
    for (situation, stamps, large, refused) in [
        ("version 2, few and quick", (V2, 20, SHA256), Large::Unsigned("1.2.3.4", LENGTH), false),
        ("version 2", (V2, 60, MD2), Large::Unsigned("1.2.3.4", LENGTH), true),
        ("version 3, few and quick", (V3, 20, SHA256), Large::Signed(LENGTH), false),
        ("version 3", (V3, 60, MD2), Large::Signed(LENGTH), true),
        ("over references, few and quick", (OVER_REFERENCES, 20, SHA256), Large::Unsigned(REFERENCED, LENGTH), false),
        ("over references", (OVER_REFERENCES, 60, MD2), Large::Unsigned(REFERENCED, LENGTH), true),
        ("over the value, few and quick", (VALUE, 20, SHA256), Large::Value(LENGTH), false),
        ("over the value", (VALUE, 60, MD2), Large::Value(LENGTH), true),
    ] {
        let bytes = documents_of_many::stamped_over(&lab, stamps, large);
        let judged = validator.validate(&Document::new(&bytes), many::now());
        let found = judged.map(|report| report.facts().timestamps.len()).map_err(|error| causes(&error));
        match refused {
            true => {
                assert!(found.as_ref().is_err_and(|error| error.contains("digested_bytes")), "{situation}: {found:?}")
            }
            false => assert_eq!(found, Ok(stamps.1), "{situation}"),
        }
    }
}

#[test]
#[ignore = "needs valgrind"]
fn four_times_of_one_thing_take_no_sixteen_times_the_instructions() {
    if let Ok(task) = std::env::var(TASK) {
        let (kind, count) = task.split_once('\t').expect("a kind and a number");
        return measured(work(kind, count.parse().expect("a number")));
    }
    for kind in FACTS.iter().map(|(kind, _)| kind).chain(DOCUMENTS.iter().map(|(kind, _)| kind)) {
        let [few, many] = [100, 400].map(|count| instructions(&format!("{kind}\t{count}")));
        assert!(many < few * 6, "100 {kind}: {few} instructions, 400: {many}");
    }
}

/// The instructions inside `measured`, in a process that does the task.
fn instructions(task: &str) -> u64 {
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null", "--toggle-collect=growth::measured*"])
        .arg(std::env::current_exe().expect("a test knows its program"))
        .args(["--exact", "four_times_of_one_thing_take_no_sixteen_times_the_instructions", "--ignored"])
        .env(TASK, task)
        .output()
        .expect("valgrind is installed (Debian package valgrind)");
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    assert!(done.status.success(), "{said}");
    let (_, count) = said.lines().find_map(|line| line.split_once("Collected :")).expect("callgrind prints it");
    let count = count.trim().parse().expect("a number");
    assert!(count > 100_000, "callgrind did not see what is measured: {said}");
    count
}
