//! Policies: the default against DSS 6.5's file, and every constraint file of the corpus.

use lacre_core::policy::{Context, Level, Policy, PolicySection, RuleName, SubContext};
use lacre_testkit::files::files;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

fn shared(path: &str) -> Vec<u8> {
    lacre_testkit::files::shared(&format!("schemas/{path}"))
}

#[test]
#[ignore = "needs ../shared"]
fn the_policy_of_dss_is_that_of_6_5() {
    let bytes = shared("dss/6.5/constraint.xml");
    let theirs = Policy::from_bytes(&bytes).unwrap();
    let ours = Policy::dss();
    for ((section, name), rule) in theirs.rules() {
        assert_eq!(ours.rule(*section, *name), Some(rule), "{section:?} {name}");
    }
    let own = ours.rules().filter(|((section, name), _)| theirs.rule(*section, *name).is_none());
    let own: Vec<RuleName> = own.map(|((_, name), _)| *name).collect();
    assert_eq!(own, [RuleName::OCSPResponderAuthorized], "rules that DSS 6.5 does not have");
    assert_eq!(ours.model(), theirs.model());
    assert_eq!(ours.has_eidas(), theirs.has_eidas());
    for context in Context::ALL {
        for sub in [None, Some(SubContext::SigningCertificate), Some(SubContext::CaCertificate)] {
            assert_eq!(ours.cryptographic(*context, sub), theirs.cryptographic(*context, sub), "{context} {sub:?}");
        }
    }
}

/// A section as docs/policy.md names it.
fn section_name(section: PolicySection) -> String {
    let context = |context: Context| context.as_str().to_lowercase().replace('_', "-");
    match section {
        PolicySection::Basic(of) => context(of),
        PolicySection::SignedAttributes(of) => format!("{}, signed attributes", context(of)),
        PolicySection::UnsignedAttributes(of) => format!("{}, unsigned attributes", context(of)),
        PolicySection::Token(of) => format!("{} as a whole", context(of)),
        PolicySection::Certificate(of, SubContext::CaCertificate) => format!("{}, CA certificates", context(of)),
        PolicySection::Certificate(of, _) => format!("{}, signing certificate", context(of)),
        PolicySection::Container => "container".into(),
        PolicySection::PdfA => "PDF/A".into(),
        PolicySection::Eidas => "trusted lists".into(),
        other => format!("{other:?}"),
    }
}

/// Each rule that differs between the two built-in policies, as docs/policy.md lists it: name, DSS's level, ours, sections.
fn differences() -> Vec<String> {
    let (dss, ours) = (Policy::dss(), Policy::eidas());
    let mut rows: BTreeMap<_, Vec<String>> = BTreeMap::new();
    for ((section, name), rule) in ours.rules() {
        let theirs = dss.rule(*section, *name);
        if theirs == Some(rule) {
            continue;
        }
        let level = |rule: Option<&lacre_core::policy::Rule>| rule.map_or("–", |rule| rule.level.as_str());
        let row = (name.as_str(), level(theirs), level(Some(rule)));
        rows.entry(row).or_default().push(section_name(*section));
    }
    let row = |((name, theirs, ours), sections): ((&str, &str, &str), Vec<String>)| {
        format!("| {name} | {theirs} | {ours} | {} |", sections.join("; "))
    };
    rows.into_iter().map(row).collect()
}

#[test]
fn our_policy_is_nowhere_laxer_than_that_of_dss() {
    let strictness = |level| match level {
        Level::Fail => 3,
        Level::Warn => 2,
        Level::Inform => 1,
        _ => 0,
    };
    let (dss, ours) = (Policy::dss(), Policy::eidas());
    for ((section, name), theirs) in dss.rules() {
        // A check that is not made in either has no level.
        let level = ours.rule(*section, *name).map_or(Level::Ignore, |rule| rule.level);
        assert!(strictness(level) >= strictness(theirs.level), "{section:?} {name}: {} in DSS's", theirs.level);
    }
    assert_eq!(ours.model(), dss.model());
}

#[test]
fn every_difference_between_the_built_in_policies_is_documented() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/policy.md");
    let page = std::fs::read_to_string(page).expect("docs/policy.md is there");
    let rows = differences();
    // The reason is the column behind.
    let missing: Vec<_> = rows.iter().filter(|row| !page.lines().any(|line| line.starts_with(row.as_str()))).collect();
    assert!(
        missing.is_empty(),
        "docs/policy.md lacks\n{}",
        missing.iter().map(|row| format!("{row} …\n")).collect::<String>()
    );
    let (_, table) = page.split_once("## Every difference").expect("the section is there");
    let documented = table.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| Rule ")).count();
    assert_eq!(documented, rows.len(), "docs/policy.md has a row for what does not differ");
}

#[test]
fn built_in_policies_have_names() {
    for (name, policy) in [("eidas", Policy::eidas()), ("dss", Policy::dss())] {
        assert_eq!(Policy::named(name).expect("it is built in").sha256(), policy.sha256());
        assert_eq!(Policy::from_bytes(name.as_bytes()).expect("it is built in").sha256(), policy.sha256());
    }
    assert!(Policy::named("DSS").is_none());
    assert_ne!(Policy::eidas().sha256(), Policy::dss().sha256());
}

#[test]
#[ignore = "needs ../shared"]
fn the_shipped_policies_are_read() {
    for file in ["constraint.xml", "certificate-constraint.xml", "qwac-constraint.xml", "tsl-constraint.xml"] {
        let bytes = shared(&format!("dss/{file}"));
        Policy::from_bytes(&bytes).unwrap_or_else(|error| panic!("{file}: {error}"));
    }
    for file in ["certificate-constraint.xml", "qwac-constraint.xml", "eaa-constraint.xml"] {
        let bytes = shared(&format!("dss/6.5/{file}"));
        Policy::from_bytes(&bytes).unwrap_or_else(|error| panic!("6.5/{file}: {error}"));
    }
}

/// Whether a file is a validation policy as DSS writes it.
fn is_policy(path: &PathBuf) -> bool {
    path.metadata().is_ok_and(|m| m.len() < 1_000_000)
        && String::from_utf8_lossy(&std::fs::read(path).unwrap_or_default()).contains("<ConstraintsParameters")
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn every_constraint_file_of_the_corpus() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let projects = ["dss", "dss-demonstrations", "digidoc4j", "siva"];
    let mut files: Vec<_> = projects.iter().flat_map(|project| files(&corpus.join(project), ".xml")).collect();
    files.retain(is_policy);
    for path in &files {
        let read = Policy::from_bytes(&std::fs::read(path).unwrap());
        let name = path.file_name().unwrap().to_string_lossy();
        match read {
            // Their own projects ship these two as policies that must be refused.
            Ok(_) => assert!(!name.starts_with("invalid-"), "{} is accepted", path.display()),
            Err(error) => {
                assert!(name.starts_with("invalid-"), "{}: {error}", path.display());
                eprintln!("{name}: {error}");
            }
        }
    }
    eprintln!("{} constraint files", files.len());
}

#[test]
fn what_is_wrong_with_a_policy() {
    let policy = |body: &str| {
        Policy::from_bytes(format!("<ConstraintsParameters Name=\"x\">\n{body}</ConstraintsParameters>").as_bytes())
    };
    for (situation, body, message) in [
        (
            "an unknown section",
            "<Signatures/>",
            "line 2, column 1: <Signatures> is not allowed in <ConstraintsParameters>; allowed: Description,",
        ),
        (
            "an unknown level",
            "<eIDAS><TLNotExpired Level=\"WARNING\"/></eIDAS>",
            "attribute `Level` of <TLNotExpired> is `WARNING`; allowed: FAIL, WARN, INFORM, IGNORE",
        ),
        (
            "an unknown unit",
            "<eIDAS><TLFreshness Level=\"WARN\" Unit=\"WEEKS\" Value=\"1\"/></eIDAS>",
            "allowed: DAYS, HOURS",
        ),
        (
            "an unknown attribute",
            "<eIDAS><TLNotExpired Severity=\"WARN\"/></eIDAS>",
            "attribute `Severity` is not allowed in <TLNotExpired>; allowed: Level",
        ),
        (
            "a rule in the wrong section",
            "<eIDAS>\n<KeyUsage/></eIDAS>",
            "line 3, column 1: <KeyUsage> is not allowed in <eIDAS>; allowed: TLFreshness",
        ),
        ("a rule that stands twice", "<eIDAS><TLNotExpired/><TLNotExpired/></eIDAS>", "<TLNotExpired> stands twice"),
        (
            "a date that does not exist",
            "<Cryptographic><AlgoExpirationDate><Algo Date=\"2024-02-30\">RSA</Algo></AlgoExpirationDate></Cryptographic>",
            "expected a date as `yyyy-MM-dd`",
        ),
        ("no end", "<eIDAS>", "not well-formed XML"),
    ] {
        let error = policy(body).expect_err(situation).to_string();
        assert!(error.contains(message), "{situation}: {error}");
    }
    assert!(Policy::from_bytes(b"<x/>").is_err());
    assert!(Policy::from_bytes(b"").is_err());
    assert!(Policy::from_bytes(b"\xff").is_err());
    let policy = policy("<eIDAS><TLNotExpired Level=\"WARN\"/><TLWellSigned/></eIDAS>").unwrap();
    assert_eq!(policy.rule(PolicySection::Eidas, RuleName::TLNotExpired).map(|rule| rule.level), Some(Level::Warn));
    assert_eq!(
        policy.rule(PolicySection::Eidas, RuleName::TLWellSigned),
        None,
        "without a level a rule asks for nothing"
    );
}

/// What two suites say of every algorithm that both have.
fn assert_same_dates(one: &lacre::policy::CryptographicSuite, other: &lacre::policy::CryptographicSuite) -> usize {
    use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm};
    let mut compared = 0;
    for digest in DigestAlgorithm::ALL.iter().copied() {
        if one.digest_reliable(digest) && other.digest_reliable(digest) {
            assert_eq!(one.digest_expiry(digest), other.digest_expiry(digest), "{digest}");
            compared += 1;
        }
        for key in KeyAlgorithm::ALL.iter().copied() {
            if !one.signature_algorithm_reliable(key, digest) || !other.signature_algorithm_reliable(key, digest) {
                continue;
            }
            for bits in [100, 160, 256, 521, 786, 1023, 1024, 1536, 1900, 2048, 3000, 4096] {
                let what = format!("{key} with {digest}, {bits} bits");
                assert_eq!(
                    one.key_size_sufficient(key, digest, bits),
                    other.key_size_sufficient(key, digest, bits),
                    "{what}"
                );
                assert_eq!(
                    one.signature_expiry(key, digest, bits),
                    other.signature_expiry(key, digest, bits),
                    "{what}"
                );
                compared += 1;
            }
        }
    }
    compared
}

#[test]
#[ignore = "needs ../shared"]
fn the_catalogue_of_dss_6_4_has_the_dates_of_its_policy() {
    use lacre::policy::CryptographicSuite;
    let catalogue = CryptographicSuite::from_bytes(&shared("dss/dss-crypto-suite.json")).unwrap();
    let policy = Policy::from_bytes(&shared("dss/constraint.xml")).unwrap();
    let compared = assert_same_dates(&catalogue, policy.cryptographic(Context::Signature, None).unwrap());
    assert!(compared > 200, "only {compared} comparisons");
}

#[test]
#[ignore = "needs target/corpus, which ../shared/corpus/unpack.sh unpacks"]
fn every_catalogue_of_the_corpus() {
    use lacre::policy::CryptographicSuite;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/corpus");
    let suites = corpus.join("dss/dss-validation/src/test/resources/diag-data/crypto-suite");
    let read = |path: &Path| CryptographicSuite::from_bytes(&std::fs::read(path).unwrap());
    let mut pairs = 0;
    for xml in files(&suites, ".xml") {
        let suite = read(&xml).unwrap_or_else(|error| panic!("{}: {error}", xml.display()));
        let json = xml.with_extension("json");
        if json.exists() {
            let same = read(&json).unwrap_or_else(|error| panic!("{}: {error}", json.display()));
            assert!(assert_same_dates(&suite, &same) > 100, "{}", json.display());
            pairs += 1;
        }
    }
    assert!(pairs >= 2, "{pairs} catalogues in both forms");
    for name in [
        "dss-policy-crypto-xml/src/test/resources/19312MachineReadable.xml",
        "dss-policy-crypto-json/src/test/resources/19312MachineReadable.json",
        "dss-policy-crypto-json/src/test/resources/19312MachineReadable-fix.json",
    ] {
        let path = corpus.join("dss").join(name);
        read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
    let path =
        corpus.join("dss/dss-policy-crypto-json/src/test/resources/19312MachineReadable-invalid-signature-type.json");
    let error = read(&path).unwrap_err().to_string();
    assert!(error.contains("line ") && error.contains("signature"), "{error}");
}

#[test]
fn a_suite_of_its_own_makes_another_policy() {
    use lacre::policy::CryptographicSuite;
    use lacre_core::algorithm::{DigestAlgorithm, KeyAlgorithm};
    let catalogue = r#"{"SecuritySuitabilityPolicy": {"PolicyName": {"Name": "x"}, "PolicyIssueDate": "2026-01-01T00:00:00Z",
        "Algorithm": [{"AlgorithmIdentifier": {"Name": "SHA256", "ObjectIdentifier": "2.16.840.1.101.3.4.2.1"},
        "Evaluation": [{"Validity": {"End": "2030-01-01"}}]}, {"AlgorithmIdentifier": {"Name": "RSA",
        "ObjectIdentifier": "1.2.840.113549.1.1.1"}, "Evaluation": [{"Parameter": [{"name": "moduluslength", "Min": 3000,
        "Max": 8000}], "Validity": {"Start": "2020-01-01"}}, {"Parameter": [{"name": "colour", "Min": 1}]}]}]}}"#;
    let suite = CryptographicSuite::from_bytes(catalogue.as_bytes()).unwrap();
    for (clause, situation, digest, bits, time, accepted) in [
        ("RFC 5698 3.4", "within the parameters and both periods", DigestAlgorithm::Sha256, 4096, "2025-01-01", true),
        ("RFC 5698 3.4", "below the smallest key that is told", DigestAlgorithm::Sha256, 2048, "2025-01-01", false),
        ("RFC 5698 3.4", "above the largest key", DigestAlgorithm::Sha256, 16384, "2025-01-01", false),
        ("RFC 5698 3.5", "before the key's period", DigestAlgorithm::Sha256, 4096, "2019-12-31", false),
        ("RFC 5698 3.5", "after the digest's period", DigestAlgorithm::Sha256, 4096, "2030-01-01", false),
        ("RFC 5698 4", "a digest that is not listed", DigestAlgorithm::Sha512, 4096, "2025-01-01", false),
    ] {
        let found = suite.signature_acceptable_at(KeyAlgorithm::Rsa, digest, bits, time.parse().unwrap());
        assert_eq!(found, accepted, "{clause} {situation}");
    }
    let policy = Policy::eidas().with_suite(suite.clone());
    assert_eq!(policy.cryptographic(Context::Timestamp, Some(SubContext::CaCertificate)), Some(&suite));
    assert_ne!(policy.sha256(), Policy::eidas().sha256());
    assert_eq!(Policy::eidas().sha256(), Policy::eidas().sha256());
}
