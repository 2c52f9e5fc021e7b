//! What CMS signatures, JSON signatures and time-stamps state, against the facts that DSS collected from the same files.

use lacre::{Facts, Time, report::TimestampType};
use lacre_core::{
    document::{Document, Syntax},
    facts::{DigestMatcher, HashIndex, MatcherType, Scope, Shared, Signature, SignaturePolicy, Timestamp},
    formats::{
        Source,
        draft::{Draft, SignatureDraft, TimestampDraft},
    },
};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A file of the corpus, its detached contents, and DSS's facts.
struct Case {
    file: String,
    bytes: Vec<u8>,
    contents: Vec<(String, Vec<u8>)>,
    facts: Facts,
}

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The files that are CMS, JWS, time-stamps or evidence records and that DSS read; none where the corpus is missing.
fn cases() -> Vec<Case> {
    let corpus = root().join("target/corpus");
    let Ok(answers) = std::fs::read(root().join("../shared/oracle/near.jsonl.gz")) else { return vec![] };
    let mut text = String::new();
    if flate2::read::GzDecoder::new(&*answers).read_to_string(&mut text).is_err() {
        return vec![];
    }
    let read = |path: &str| std::fs::read(corpus.join(path)).ok();
    let case = |line: &str| {
        let answer: serde_json::Value = serde_json::from_str(line).ok()?;
        let file = answer["file"].as_str()?.to_owned();
        let bytes = read(&file)?;
        let facts = Facts::from_bytes(&read(&format!("dss-facts/near/{file}.xml"))?).ok()?;
        let document = Document::new(&bytes);
        let source = Source::open(&document, &lacre::Budget::default()).ok()?;
        let evidence_record = facts.signatures.is_empty() && source.syntax() == Syntax::Xml;
        let read_here = [Syntax::Asn1, Syntax::Base64Asn1, Syntax::Json, Syntax::CompactJws];
        let here = evidence_record || read_here.contains(&source.syntax());
        if !here || source.read().is_err() {
            return None;
        }
        drop(source);
        let contents = answer["content"].as_array().into_iter().flatten().filter_map(|item| {
            let (path, name) = item.as_str()?.split_once('=')?;
            Some((name.to_owned(), read(path)?))
        });
        Some(Case { contents: contents.collect(), file, bytes, facts })
    };
    text.lines().filter_map(case).collect()
}

/// Files that differ for a reason: a part of the path, and why.
const EXPLAINED: &[(&str, &str)] = &[
    (
        "flattened-extra-element",
        "RFC 7515 7.2.2: a member beside those of the JWS is covered by nothing, so that the file is not whole",
    ),
    (
        "cades-level-b-sig-policy-invalid-digest-algo",
        "EN 319 122-1 5.2.9: DSS drops the stated hash where it does not know the function; we keep what is stated",
    ),
    (
        "dss-646/CAdES_A_DETACHED",
        "EN 319 122-1 5.2.9.1: the qualifier of a policy is read also without a list around it",
    ),
    ("jades-level-b-sig-policy-invalid-digest-algo", "TS 119 182-1 5.2.7: the same in JSON"),
    ("simple-detached-wrong-algo", "TS 119 182-1 5.2.8.4: the same of the objects in sigD"),
    ("jades-detached-by-uri-encoded-pars", "RFC 7515 5.1: without a payload DSS digests the header alone; we nothing"),
    ("serialization-wrong-payload-type", "RFC 7515 5.1: the same where the payload is no text"),
    ("specs-jades/src/test/resources/jades-lta-invalid", "RFC 7515 5.1: the same where it is elsewhere"),
];

/// Differences found in one file.
#[derive(Default)]
struct Differences(Vec<String>);

impl Differences {
    fn same<T: PartialEq + std::fmt::Debug>(&mut self, what: &str, dss: T, ours: T) {
        if dss != ours {
            self.0.push(format!("{what}: DSS {dss:?} · lacre {ours:?}"));
        }
    }
}

fn compare_signature(dss: &Signature, draft: &SignatureDraft<'_>, found: &mut Differences) {
    let ours = &draft.facts;
    found.same("claimed signing time", dss.claimed_signing_time, ours.claimed_signing_time);
    found.same("counter-signature", dss.counter_signature, ours.is_counter_signature());
    found.same("content type", &dss.content_type, &ours.content_type);
    found.same("media type", &dss.mime_type, &ours.mime_type);
    found.same("content hints", &dss.content_hints, &ours.content_hints);
    found.same("content identifier", &dss.content_identifier, &ours.content_identifier);
    found.same("place", &dss.production_place, &ours.production_place);
    found.same("commitments", dss.commitments.len(), ours.commitments.len());
    found.same("roles", &dss.roles, &ours.roles);
    // Why a policy document is not there, DSS writes in its own words; what has no description it describes as "".
    let policy = |policy: &Option<SignaturePolicy>| {
        let description = |p: &SignaturePolicy| p.description.clone().filter(|text| !text.is_empty());
        policy.clone().map(|p| SignaturePolicy { description: description(&p), processing_error: None, ..p })
    };
    found.same("policy", policy(&dss.policy), policy(&ours.policy));
    found.same("policy store", &dss.policy_store, &ours.policy_store);
    // The input of a JWS is intact where its value is, which a draft does not know.
    let input = MatcherType::JwsSigningInput;
    let unverified = |m: &DigestMatcher| m.kind == input && !dss.basic.intact;
    let known =
        |m: &Shared<DigestMatcher>| DigestMatcher { data_intact: m.data_intact && !unverified(m), ..(**m).clone() };
    let matchers = |matchers: &[Shared<DigestMatcher>]| matchers.iter().map(known).collect::<Vec<_>>();
    found.same("digest matchers", matchers(&dss.digest_matchers), matchers(&ours.digest_matchers));
    found.same("data to be signed", &dss.data_to_be_signed, &ours.data_to_be_signed);
    found.same("digest reference", &dss.digest_reference, &ours.digest_reference);
    let timestamps = draft.timestamps.len() + ours.timestamps_elsewhere.len();
    found.same("time-stamps", dss.found_timestamps.len(), timestamps);
    let scopes = |scopes: &[Shared<Scope>]| {
        scopes.iter().map(|scope| (scope.kind, scope.description.len() > 6)).collect::<Vec<_>>()
    };
    let jws = ours.digest_matchers.iter().any(|matcher| matcher.kind == input);
    if !dss.counter_signature && (dss.basic.intact || !jws) {
        found.same("scopes", scopes(&dss.scopes), scopes(&ours.scopes));
    }
    found.same("key", dss.basic.key_algorithm, draft.check.algorithm.map(|a| a.key));
    found.same("digest", dss.basic.digest_algorithm, draft.check.algorithm.and_then(|a| a.digest));
    found.same("signers", dss.signer_infos.len(), ours.signer_infos.len());
}

/// Matchers without what only display needs, in no order.
fn matched(matchers: &[Shared<DigestMatcher>]) -> BTreeSet<(&str, bool, bool, &[u8])> {
    matchers.iter().map(|m| (m.kind.as_str(), m.data_found, m.data_intact, &m.digest.value.0[..])).collect()
}

fn compare_timestamp(dss: &Timestamp, draft: &TimestampDraft<'_>, found: &mut Differences) {
    let ours = &draft.facts;
    let what = |name: &str| format!("{} of {}: {name}", dss.kind, dss.production_time);
    found.same(&what("archive type"), dss.archive_type, ours.archive_type);
    let index = |index: &Option<HashIndex>| index.as_ref().map(|i| (i.version, i.valid, i.messages.len()));
    found.same(&what("hash index"), index(&dss.hash_index), index(&ours.hash_index));
    found.same(&what("imprint"), matched(&dss.digest_matchers), matched(&ours.digest_matchers));
    found.same(&what("renewal"), dss.evidence_record_type, ours.evidence_record_type);
    if dss.basic.intact {
        found.same(&what("key"), dss.basic.key_algorithm, draft.check.algorithm.map(|a| a.key));
        found.same(&what("digest"), dss.basic.digest_algorithm, draft.check.algorithm.and_then(|a| a.digest));
    }
    let name = dss.tsa_name.as_ref().map(|name| &name.name);
    found.same(&what("authority"), name, draft.tsa.as_ref().map(|tsa| &tsa.name));
}

/// Kind and time: DSS writes no fractions of a second.
fn moment(kind: TimestampType, time: Time) -> String {
    format!("{kind} {:?}", time.civil())
}

/// By kind and time; of several alike, in order.
fn by_moment<T>(items: Vec<T>, key: impl Fn(&T) -> String) -> BTreeMap<String, Vec<T>> {
    let mut map: BTreeMap<String, Vec<T>> = BTreeMap::new();
    for item in items {
        map.entry(key(&item)).or_default().push(item);
    }
    map
}

fn compare(case: &Case, draft: &Draft<'_>) -> Differences {
    let mut found = Differences::default();
    found.same("signatures", case.facts.signatures.len(), draft.signatures.len());
    for dss in &case.facts.signatures {
        match draft.signatures.iter().find(|ours| ours.facts.value == dss.value) {
            Some(ours) => compare_signature(dss, ours, &mut found),
            None => found.0.push(format!("signature {} is not found", dss.id)),
        }
    }
    let records: Vec<_> =
        draft.signatures.iter().flat_map(|s| &s.evidence_records).chain(&draft.evidence_records).collect();
    found.same("evidence records", case.facts.evidence_records.len(), records.len());
    for (dss, ours) in case.facts.evidence_records.iter().zip(&records) {
        found.same("evidence record", (dss.kind, dss.origin), (ours.facts.kind, ours.facts.origin));
        found.same("incorporation", dss.incorporation, ours.facts.incorporation);
        found.same("matchers of evidence record", matched(&dss.digest_matchers), matched(&ours.facts.digest_matchers));
    }
    let own = draft.signatures.iter().flat_map(|s| &s.timestamps).chain(&draft.timestamps);
    let ours: Vec<_> = own.chain(records.iter().flat_map(|record| &record.timestamps)).collect();
    let mut ours = by_moment(ours, |t| moment(t.facts.kind, t.facts.production_time));
    for dss in &case.facts.timestamps {
        let rest = ours.get_mut(&moment(dss.kind, dss.production_time)).filter(|rest| !rest.is_empty());
        match rest {
            Some(rest) => compare_timestamp(dss, rest.remove(0), &mut found),
            None => found.0.push(format!("{} of {} is not found", dss.kind, dss.production_time)),
        }
    }
    found
        .0
        .extend(ours.values().flatten().map(|t| format!("DSS has no {} of {}", t.facts.kind, t.facts.production_time)));
    found
}

#[test]
#[ignore = "needs ../shared and target/corpus"]
fn drafts_state_what_dss_found() {
    let cases = cases();
    assert!(!cases.is_empty(), "../shared/oracle or target/corpus is missing");
    let mut different = 0;
    for case in &cases {
        let name = Path::new(&case.file).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let document = case.contents.iter().fold(Document::new(&case.bytes).named(name), |document, (name, bytes)| {
            document.with_content(name.clone(), bytes)
        });
        let source = Source::open(&document, &lacre::Budget::default()).expect("the case was opened before");
        let draft = source.read().expect("the case was read before");
        let found = compare(case, &draft);
        let reason = EXPLAINED.iter().find(|(path, _)| case.file.contains(path)).map(|(_, reason)| *reason);
        if let Some(reason) = reason {
            assert!(!found.0.is_empty(), "{} no longer differs: {reason}", case.file);
        } else if !found.0.is_empty() {
            different += 1;
            println!("\n{}", case.file);
            found.0.iter().for_each(|line| println!("    {line}"));
        }
    }
    println!("\n{} files, {different} with differences", cases.len());
    assert_eq!(different, 0, "differences without a reason");
}
