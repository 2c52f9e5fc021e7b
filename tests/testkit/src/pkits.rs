//! NIST's Public Key Interoperability Test Suite (csrc.nist.gov, in the public domain): certificates and CRLs of 224 tests of
//! path validation, kept in `tests/data/pkits`.

use base64::Engine as _;
use std::collections::BTreeMap;

const CERTIFICATES: &str = include_str!("../../data/pkits/certificates.pem");
const CRLS: &str = include_str!("../../data/pkits/crls.pem");
const TESTS: &str = include_str!("../../data/pkits/tests.tsv");
const POLICY: &str = "2.16.840.1.101.3.2.1.48.";

/// One test, perhaps one of several settings of it.
pub struct Test {
    /// Its section, with its initial values where it has some.
    pub name: String,
    pub certificate: &'static str,
    pub authorities: Vec<&'static str>,
    pub crls: Vec<&'static str>,
    /// The user-initial-policy-set; empty for any.
    pub policies: Vec<String>,
    pub explicit_policy: bool,
    pub inhibit_policy_mapping: bool,
    pub inhibit_any_policy: bool,
    pub valid: bool,
}

impl Test {
    /// Whether nothing but certificates and CRLs is given.
    pub fn is_plain(&self) -> bool {
        self.policies.is_empty() && !self.explicit_policy && !self.inhibit_policy_mapping && !self.inhibit_any_policy
    }
}

pub fn tests() -> Vec<Test> {
    TESTS.lines().filter(|line| !line.starts_with('#')).map(test).collect()
}

fn test(line: &'static str) -> Test {
    let [section, certificate, authorities, crls, initial, expected] = line.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{line}: not six columns");
    };
    let has = |word: &str| initial.split(' ').any(|one| one == word);
    let policies = initial.split(' ').filter_map(|word| word.strip_prefix("policy:test-"));
    Test {
        name: format!("{section} {initial}").trim().to_owned(),
        certificate,
        authorities: authorities.split_terminator(' ').collect(),
        crls: crls.split_terminator(' ').collect(),
        policies: policies.map(|number| format!("{POLICY}{number}")).collect(),
        explicit_policy: has("explicit-policy"),
        inhibit_policy_mapping: has("inhibit-policy-mapping"),
        inhibit_any_policy: has("inhibit-any-policy"),
        valid: expected == "valid",
    }
}

/// The suite's objects by their names.
pub struct Objects(BTreeMap<&'static str, Vec<u8>>);

impl Objects {
    pub fn certificates() -> Self {
        Self::of(CERTIFICATES)
    }

    pub fn crls() -> Self {
        Self::of(CRLS)
    }

    fn of(text: &'static str) -> Self {
        let mut found = BTreeMap::new();
        let (mut name, mut digits) = ("", String::new());
        for line in text.lines() {
            if let Some(title) = line.strip_prefix("# ") {
                name = title;
            } else if line.starts_with("-----END") {
                let der = base64::engine::general_purpose::STANDARD.decode(&digits).expect("Base64");
                assert!(found.insert(name, der).is_none(), "{name} twice");
                digits.clear();
            } else if !line.starts_with("-----BEGIN") {
                digits.push_str(line);
            }
        }
        Self(found)
    }

    pub fn count(&self) -> usize {
        self.0.len()
    }

    pub fn all(&self) -> impl Iterator<Item = (&'static str, &[u8])> {
        self.0.iter().map(|(name, der)| (*name, der.as_slice()))
    }

    pub fn get(&self, name: &str) -> &[u8] {
        self.0.get(name).unwrap_or_else(|| panic!("{name}: not in the suite"))
    }
}
