//! A laboratory: its usual people, and what lacre answers about the documents that they sign.

use crate::pki::{self, Entity, Key, Spec, Status};
use lacre::{Document, Policy, Report, Time, Validator};

/// When everything of the laboratory is judged.
pub const AT: &str = "2027-01-01T00:00:00Z";
/// When it signs.
pub const SIGNED: &str = "2026-11-21T12:00:00Z";

/// The usual people.
pub struct Lab {
    pub root: Entity,
    pub alice: Entity,
    pub bob: Entity,
    pub tsa: Entity,
    /// The root's revocation list, on which nobody stands.
    pub crl: Vec<u8>,
    /// Whom it trusts besides its root.
    pub anchors: Vec<Vec<u8>>,
    /// Certificates and revocation data that it has beside the document.
    pub evidence: Vec<Vec<u8>>,
}

impl Default for Lab {
    fn default() -> Self {
        Self::new()
    }
}

impl Lab {
    /// A laboratory.
    pub fn new() -> Self {
        let root = Entity::root("Attack Lab Root", Key::of("root"));
        let alice = Spec::signer("Alice Honest", 1001).issued_by(&root, Key::of("alice"));
        let bob = Spec::signer("Bob Other", 1002).issued_by(&root, Key::of("bob"));
        let tsa = Spec::timestamp_unit("Attack Lab TSA", 1003).issued_by(&root, Key::of("tsa"));
        let crl = pki::Crl::default().of(&root);
        Self { root, alice, bob, tsa, crl, anchors: vec![], evidence: vec![] }
    }

    /// A validator under our default policy that trusts the root.
    pub fn validator(&self) -> Validator {
        let mut validator = Validator::new(Policy::eidas());
        for anchor in [&self.root.certificate].into_iter().chain(&self.anchors) {
            validator = validator.trust_anchor(anchor).expect("an anchor is a certificate");
        }
        for evidence in &self.evidence {
            validator = validator.evidence(evidence).expect("evidence is a certificate or revocation data");
        }
        validator
    }

    /// What is said of a document, with contents handed in beside it.
    pub fn answer(&self, bytes: &[u8], name: &str, contents: &[(String, Vec<u8>)]) -> Answer {
        self.answer_of(self.validator(), bytes, name, contents)
    }

    /// What another validator says of it.
    pub fn answer_of(&self, validator: Validator, bytes: &[u8], name: &str, contents: &[(String, Vec<u8>)]) -> Answer {
        let mut document = Document::new(bytes).named(name.to_owned());
        for (name, content) in contents {
            document = document.with_content(name.clone(), content);
        }
        let time: Time = AT.parse().expect("a time");
        // Nothing is remembered from one document to the next: each case stands for itself.
        match validator.without_cache().validate(&document, time) {
            Ok(report) => Answer::of(&report),
            Err(error) => Answer { refused: Some(error.to_string()), ..Answer::default() },
        }
    }

    /// An OCSP response about a certificate of the root, by a delegate.
    pub fn ocsp(&self, serial: u64, status: Status) -> Vec<u8> {
        let delegate = Spec::responder("Attack Lab OCSP", 1004).issued_by(&self.root, Key::of("ocsp"));
        pki::Ocsp { this_update: "20261125000000Z", produced_at: "20261125000000Z", ..pki::Ocsp::about(serial, status) }
            .by(&delegate, &self.root)
    }
}

/// What lacre said, in the few words that are compared.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Answer {
    /// Why the document was not judged at all.
    pub refused: Option<String>,
    /// TOTAL-PASSED, TOTAL-FAILED, …
    pub indication: String,
    /// Findings of severity warning or error about a signature or the document.
    pub about: Vec<String>,
    /// The same with those about time-stamps.
    pub worries: Vec<String>,
    /// The scopes of all signatures.
    pub scopes: Vec<String>,
    /// Each signature by itself.
    pub signatures: Vec<Signed>,
}

/// What is said of one signature.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Signed {
    /// The digest of its value.
    pub value: String,
    /// Whether something is covered as a whole.
    pub whole: bool,
    /// Findings of severity warning or error about it.
    pub about: Vec<String>,
}

/// Findings that have nothing to do with what is signed: where certificates, time-stamps and policies are published.
const UNRELATED: [&str; 4] = ["BBB_FC_IAOD_ANS", "BBB_XCV_AIA_PRES_ANS", "BBB_SAV_ISQPSTP_ANS", "ARCH_LTAIVMP_ANS"];

impl Answer {
    fn of(report: &Report) -> Self {
        let json: serde_json::Value = serde_json::from_str(&report.to_json()).expect("reports are JSON");
        let list = |name: &str| json[name].as_array().cloned().unwrap_or_default();
        let severe = |items: &[serde_json::Value]| {
            let findings = items.iter().filter_map(|item| item["findings"].as_array()).flatten();
            let severe = findings.filter(|f| matches!(f["severity"].as_str(), Some("warning" | "error")));
            let mut names: Vec<String> = severe.filter_map(|f| f["check"].as_str().map(str::to_owned)).collect();
            names.retain(|name| !UNRELATED.contains(&name.as_str()));
            names.sort();
            names.dedup();
            names
        };
        let signatures = list("signatures");
        let each = signatures.iter().map(|one| Signed {
            value: one["value_sha256"].as_str().unwrap_or_default().to_owned(),
            whole: one["scope"].as_array().is_some_and(|scopes| scopes.iter().any(|scope| scope["kind"] == "FULL")),
            about: severe(std::slice::from_ref(one)),
        });
        let each: Vec<Signed> = each.collect();
        let scopes = signatures.iter().filter_map(|s| s["scope"].as_array()).flatten();
        let mut scopes: Vec<String> = scopes.filter_map(|s| s["kind"].as_str().map(str::to_owned)).collect();
        scopes.sort();
        scopes.dedup();
        let about = [signatures, list("evidence_records"), vec![json.clone(), json["document"].clone()]].concat();
        let all = [about.clone(), list("timestamps")].concat();
        Self {
            refused: None,
            indication: report.indication().to_string(),
            about: severe(&about),
            worries: severe(&all),
            scopes,
            signatures: each,
        }
    }

    /// Whether it is TOTAL-PASSED.
    pub fn passed(&self) -> bool {
        self.indication == "TOTAL-PASSED"
    }

    /// Whether a scope is FULL.
    pub fn whole(&self) -> bool {
        self.scopes.iter().any(|scope| scope == "FULL")
    }

    /// In one line.
    pub fn line(&self) -> String {
        match &self.refused {
            Some(why) => format!("refused ({why})"),
            None => format!("{} {} [{}]", self.indication, self.scopes.join("+"), self.worries.join(" ")),
        }
    }
}
