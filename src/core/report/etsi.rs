//! The signature validation report of ETSI TS 119 102-2 V1.4.1, as XML.
//!
//! A projection: every element comes from the facts or from the verdicts. Where
//! the standard leaves room, the choices are those of EU DSS, so that tools made
//! for its reports read ours: which attributes are listed in which order, one
//! constraint per building block, identifiers of its own under `urn:cef:dss:`.

mod attributes;
mod objects;
mod quality;
mod writer;

use super::model::Row;
use super::view::{CertificateView, Finding, Severity, SignatureView};
use super::{Report, messages, model};
use crate::facts::{Certificate, Id, Signature, TrustState};
use crate::validation::ProofOfExistence;
use crate::validation::blocks::BuildingBlocks;
use crate::validation::engine::{Block, BlockKind, Conclusion, Message};
use crate::validation::outcome::{Indication, SubIndication};
use quality::signature_uri;
use writer::Writer;

/// Writes the report.
pub(super) fn write(report: &Report) -> String {
    Etsi { report }.to_xml()
}

/// A report as it is written.
struct Etsi<'a> {
    report: &'a Report,
}

/// The building blocks that the report lists for a token, in the order of the report.
const SIGNATURE_BLOCKS: &[BlockKind] = &[
    BlockKind::FormatChecking,
    BlockKind::IdentificationOfSigningCertificate,
    BlockKind::ValidationContextInitialization,
    BlockKind::CryptographicVerification,
    BlockKind::SignatureAcceptance,
    BlockKind::X509CertificateValidation,
    BlockKind::PastSignatureValidation,
    BlockKind::PastCertificateValidation,
    BlockKind::ValidationTimeSliding,
];

const TIMESTAMP_BLOCKS: &[BlockKind] = &[
    BlockKind::FormatChecking,
    BlockKind::IdentificationOfSigningCertificate,
    BlockKind::CryptographicVerification,
    BlockKind::SignatureAcceptance,
    BlockKind::X509CertificateValidation,
    BlockKind::PastSignatureValidation,
    BlockKind::PastCertificateValidation,
    BlockKind::ValidationTimeSliding,
];

const REVOCATION_BLOCKS: &[BlockKind] = &[
    BlockKind::IdentificationOfSigningCertificate,
    BlockKind::CryptographicVerification,
    BlockKind::SignatureAcceptance,
    BlockKind::X509CertificateValidation,
];

impl Etsi<'_> {
    fn to_xml(&self) -> String {
        let mut xml = Writer::new();
        xml.open(
            "ValidationReport",
            &[
                ("xmlns", "http://uri.etsi.org/19102/v1.4.1#"),
                ("xmlns:ds", "http://www.w3.org/2000/09/xmldsig#"),
                ("xmlns:xs", "http://www.w3.org/2001/XMLSchema"),
                ("xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance"),
            ],
        );
        if self.report.facts.signatures.is_empty() {
            xml.element("SignatureValidationReport", |xml| {
                xml.element("SignatureValidationStatus", |xml| {
                    xml.text("MainIndication", main_indication(Indication::NoSignatureFound));
                });
            });
        }
        for signature in self.report.signatures() {
            self.signature(&mut xml, signature);
        }
        self.objects(&mut xml);
        xml.finish()
    }

    /// Writes the report on one signature (clause 4.3).
    fn signature(&self, xml: &mut Writer, signature: SignatureView<'_>) {
        let (facts, verdict) = (signature.facts(), signature.verdict());
        xml.element("SignatureValidationReport", |xml| {
            self.signature_identifier(xml, facts);
            self.constraints(xml, SIGNATURE_BLOCKS, &verdict.blocks);
            xml.element("ValidationTimeInfo", |xml| {
                xml.time("ValidationTime", self.report.verdicts.time);
                xml.element("BestSignatureTime", |xml| proof_of_existence(xml, signature.best_signature_time()));
            });
            self.signers_document(xml, signature);
            self.signature_attributes(xml, signature);
            self.signer_information(xml, signature.signer(), true);
            xml.element("SignatureQuality", |xml| {
                xml.text("SignatureQualityInformation", signature_uri(signature.qualification()));
            });
            xml.element("SignatureValidationProcess", |xml| {
                xml.text("SignatureValidationProcessID", "urn:etsi:019102:validationprocess:LTA");
            });
            let service = signature.trust_service().map(model::listed).unwrap_or_default();
            let data = Associated {
                token: signature.id(),
                chain: &facts.chain,
                algorithm: &facts.basic,
                blocks: &verdict.blocks,
                sub_indication: verdict.sub_indication,
                trust_service: service.iter().map(|text| text.text_in(self.report.language)).collect(),
                messages: [&verdict.findings.errors, &verdict.findings.warnings, &verdict.findings.infos],
                qualification: self.qualification(
                    signature.qualification_findings(),
                    &model::steps_of_signature(self.report, signature),
                ),
            };
            self.status(xml, verdict.indication, verdict.sub_indication, Some(&data));
        });
    }

    /// Returns how a qualification came about; nothing where no trusted list could have spoken.
    fn qualification<'a>(&self, findings: impl Iterator<Item = Finding<'a>>, steps: &[Row]) -> Qualification<'a> {
        match model::lists_could_speak(self.report) {
            true => Qualification { steps: self.steps(steps), findings: findings.collect() },
            false => Qualification::default(),
        }
    }

    /// Writes which signature this is about (clause 4.3.3).
    fn signature_identifier(&self, xml: &mut Writer, signature: &Signature) {
        xml.open("SignatureIdentifier", &[("id", signature.id.as_str())]);
        if let Some(digest) = &signature.data_to_be_signed {
            xml.digest("DigestAlgAndValue", digest);
        }
        xml.base64("ds:SignatureValue", &signature.value.0);
        xml.boolean("HashOnly", signature.hash_only == Some(true));
        xml.boolean("DocHashOnly", signature.document_hash_only == Some(true));
        if let Some(identifier) = &signature.da_identifier {
            xml.text("DAIdentifier", identifier);
        }
        xml.close("SignatureIdentifier");
    }

    /// Writes what was signed (clause 4.3.7).
    fn signers_document(&self, xml: &mut Writer, signature: SignatureView<'_>) {
        let mut data: Vec<&Id> = signature.facts().scopes.iter().map(|scope| &scope.signed_data).collect();
        data.dedup();
        if data.is_empty() {
            return;
        }
        let found = signature.scope().next().and_then(|first| first.signed_data());
        xml.element("SignersDocument", |xml| {
            if let Some(only) = found.filter(|_| data.len() == 1) {
                xml.digest("DigestAlgAndValue", &only.digest);
            }
            let ids = data.iter().map(|id| id.as_str()).collect::<Vec<_>>().join(" ");
            xml.empty("SignersDocumentRepresentation", &[("VOReference", &ids)]);
        });
    }

    /// Writes who signed (clause 4.3.9).
    fn signer_information(&self, xml: &mut Writer, signer: Option<CertificateView<'_>>, of_signature: bool) {
        let Some(certificate) = signer.map(|signer| signer.facts()) else { return };
        let pseudonym = certificate.attributes.pseudonym.is_some();
        let attributes: &[(&str, &str)] = match (of_signature, pseudonym) {
            (false, _) => &[],
            (true, true) => &[("Pseudonym", "true")],
            (true, false) => &[("Pseudonym", "false")],
        };
        xml.open("SignerInformation", attributes);
        xml.empty("SignerCertificate", &[("VOReference", certificate.id.as_str())]);
        xml.text("Signer", signer_name(certificate));
        xml.close("SignerInformation");
    }

    /// Writes one constraint a building block, applied where it ran (clause 4.3.5).
    fn constraints(&self, xml: &mut Writer, kinds: &[BlockKind], blocks: &BuildingBlocks) {
        xml.element("ValidationConstraintsEvaluationReport", |xml| {
            for kind in kinds {
                let ran = block(blocks, *kind);
                xml.element("ValidationConstraint", |xml| {
                    xml.text("ValidationConstraintIdentifier", block_uri(*kind));
                    xml.element("ConstraintStatus", |xml| {
                        let status = if ran.is_some() { "applied" } else { "disabled" };
                        xml.text("Status", &format!("urn:etsi:019102:constraintStatus:{status}"));
                    });
                    if let Some(block) = ran {
                        xml.element("ValidationStatus", |xml| {
                            self.conclusion(xml, &block.conclusion);
                        });
                    }
                });
            }
        });
    }

    fn conclusion(&self, xml: &mut Writer, conclusion: &Conclusion) {
        indications(xml, conclusion.indication, conclusion.sub_indication);
        let messages = [&conclusion.errors, &conclusion.warnings, &conclusion.infos];
        if messages.iter().any(|list| !list.is_empty()) {
            xml.element("AssociatedValidationReportData", |xml| {
                self.messages(xml, messages, None, &[], &Qualification::default())
            });
        }
    }

    /// Writes the verdict and the data that it rests on (clause 4.3.4).
    fn status(
        &self,
        xml: &mut Writer,
        indication: Indication,
        sub_indication: Option<SubIndication>,
        data: Option<&Associated<'_>>,
    ) {
        xml.element("SignatureValidationStatus", |xml| {
            indications(xml, indication, sub_indication);
            if let Some(data) = data.filter(|data| !self.is_empty(data)) {
                xml.element("AssociatedValidationReportData", |xml| self.associated(xml, data));
            }
        });
    }

    /// Returns whether the element would be empty, which the schema allows and no reader needs.
    fn is_empty(&self, data: &Associated<'_>) -> bool {
        data.chain.is_empty()
            && data.algorithm.key_algorithm.is_none()
            && data.messages.iter().all(|list| list.is_empty())
            && data.qualification.is_empty()
            && self.nobody_trusted().is_none()
    }

    /// Writes chain, algorithm, revocation and messages (clause 4.3.4.4).
    fn associated(&self, xml: &mut Writer, data: &Associated<'_>) {
        let anchor = data.chain.iter().position(|id| self.is_trusted(id));
        if let Some(anchor) = anchor {
            xml.empty("TrustAnchor", &[("VOReference", data.chain[anchor].as_str())]);
        }
        if let Some((first, rest)) = data.chain.split_first() {
            xml.element("CertificateChain", |xml| {
                xml.empty("SigningCertificate", &[("VOReference", first.as_str())]);
                let between = anchor.map_or(rest.len(), |at| at.saturating_sub(1));
                for id in &rest[..between.min(rest.len())] {
                    xml.empty("IntermediateCertificate", &[("VOReference", id.as_str())]);
                }
                if let Some(anchor) = anchor {
                    xml.empty("TrustAnchor", &[("VOReference", data.chain[anchor].as_str())]);
                }
            });
        }
        self.revocation_status(xml, data);
        attributes::crypto_information(xml, data);
        let nobody = anchor.is_none().then(|| self.nobody_trusted()).flatten();
        if nobody.is_some()
            || !data.trust_service.is_empty()
            || !data.qualification.is_empty()
            || data.messages.iter().any(|list| !list.is_empty())
        {
            self.messages(xml, data.messages, nobody, &data.trust_service, &data.qualification);
        }
    }

    /// Returns that there is no trust anchor at all, which differs from a signer who is not trusted.
    fn nobody_trusted(&self) -> Option<TrustState> {
        let state = self.report.facts.trust_store.as_ref()?.state();
        matches!(state, TrustState::Nobody | TrustState::NoUsableList).then_some(state)
    }

    /// Writes when and why a certificate of the chain was revoked, where that decided (clause 4.3.4.4.4).
    fn revocation_status(&self, xml: &mut Writer, data: &Associated<'_>) {
        use SubIndication::{Revoked, RevokedCaNoPoe, RevokedNoPoe, TryLater};
        let concerned: &[Id] = match data.sub_indication {
            Some(Revoked | RevokedNoPoe | TryLater) => &data.chain[..data.chain.len().min(1)],
            Some(RevokedCaNoPoe) => data.chain.get(1..).unwrap_or_default(),
            _ => return,
        };
        let revoked = concerned.iter().find_map(|id| {
            let certificate = self.report.certificate(id)?;
            let found = certificate.facts().revocations.iter().find(|r| r.revocation_date.is_some())?;
            Some((id, found.revocation_date?, found))
        });
        let Some((certificate, time, revocation)) = revoked else { return };
        xml.element("RevocationStatusInformation", |xml| {
            xml.empty("ValidationObjectId", &[("VOReference", certificate.as_str())]);
            xml.time("RevocationTime", time);
            if let Some(reason) = revocation.reason {
                xml.text("RevocationReason", &format!("urn:etsi:019102:revocationReason:{reason}"));
            }
            xml.empty("RevocationObject", &[("VOReference", revocation.revocation.as_str())]);
        });
    }

    fn messages(
        &self,
        xml: &mut Writer,
        lists: [&Vec<Message>; 3],
        nobody_trusted: Option<TrustState>,
        service: &[String],
        qualification: &Qualification<'_>,
    ) {
        xml.element("AdditionalValidationReportData", |xml| {
            if let Some(state) = nobody_trusted {
                xml.element("ReportData", |xml| {
                    xml.text("Type", "urn:lacre:trust:state");
                    xml.typed_text("Value", &state.to_string());
                });
            }
            for sentence in service {
                xml.element("ReportData", |xml| {
                    xml.text("Type", "urn:lacre:trust:service");
                    xml.typed_text("Value", sentence);
                });
            }
            for step in &qualification.steps {
                xml.element("ReportData", |xml| {
                    xml.text("Type", "urn:lacre:qualification:step");
                    xml.typed_text("Value", step);
                });
            }
            for finding in &qualification.findings {
                let severity = match finding.severity {
                    Severity::Error => "error",
                    Severity::Warning => "warning",
                    Severity::Info => "information",
                };
                xml.element("ReportData", |xml| {
                    xml.text("Type", &format!("urn:lacre:qualification:{severity}"));
                    xml.typed_text("Value", &self.qualification_finding(finding));
                });
            }
            for (severity, list) in ["error", "warning", "information"].iter().zip(lists) {
                for message in list {
                    xml.element("ReportData", |xml| {
                        xml.text("Type", &format!("urn:cef:dss:message:{severity}"));
                        xml.typed_text("Value", messages::sentence(self.report.language, message.key()));
                    });
                }
            }
        });
    }

    /// Writes a finding of a qualification: whose list it is about, what was found, the values, the key.
    fn qualification_finding(&self, finding: &Finding<'_>) -> String {
        let list = self.report.trusted_list(finding.token);
        let list = list.map(|list| format!("{}: ", model::list_name(list).text_in(self.report.language)));
        let compared = finding.compared.map(|values| format!(" [{values}]"));
        let (list, compared) = (list.unwrap_or_default(), compared.unwrap_or_default());
        format!("{list}{}{compared} ({})", finding.message, finding.check)
    }

    /// Writes each value of the steps to a qualification after the label of its step.
    fn steps(&self, rows: &[Row]) -> Vec<String> {
        let language = self.report.language;
        let step = |row: &Row| {
            let label = messages::text(language, row.label);
            row.values.iter().map(|value| format!("{label}: {}", value.text_in(language))).collect::<Vec<_>>()
        };
        rows.iter().flat_map(step).collect()
    }

    fn is_trusted(&self, id: &Id) -> bool {
        self.report.certificate(id).is_some_and(|certificate| certificate.is_trusted())
    }
}

/// The contents of `AssociatedValidationReportData`.
struct Associated<'a> {
    token: &'a Id,
    chain: &'a [Id],
    algorithm: &'a crate::facts::BasicSignature,
    blocks: &'a BuildingBlocks,
    sub_indication: Option<SubIndication>,
    /// What trusted lists say of the service that issued the signing certificate.
    trust_service: Vec<String>,
    messages: [&'a Vec<Message>; 3],
    /// The steps to the qualification, and what its checks noticed.
    qualification: Qualification<'a>,
}

/// How the qualification came about, as TS 119 615 finds it out.
#[derive(Default)]
struct Qualification<'a> {
    steps: Vec<String>,
    findings: Vec<Finding<'a>>,
}

impl Qualification<'_> {
    fn is_empty(&self) -> bool {
        self.steps.is_empty() && self.findings.is_empty()
    }
}

/// Returns the name of a certificate's subject: its common name, else the first other name that it has.
fn signer_name(certificate: &Certificate) -> &str {
    let attributes = &certificate.attributes;
    [&attributes.common_name, &attributes.given_name, &attributes.surname, &attributes.pseudonym]
        .into_iter()
        .chain([&attributes.organization, &attributes.organizational_unit])
        .find_map(|name| name.as_deref())
        .unwrap_or(&certificate.subject.rfc2253)
}

/// Returns the building block of that kind, where it ran.
fn block(blocks: &BuildingBlocks, kind: BlockKind) -> Option<&Block> {
    match kind {
        BlockKind::FormatChecking => blocks.fc.as_ref(),
        BlockKind::IdentificationOfSigningCertificate => blocks.isc.as_ref(),
        BlockKind::ValidationContextInitialization => blocks.vci.as_ref(),
        BlockKind::X509CertificateValidation => blocks.xcv.as_ref().map(|xcv| &xcv.block),
        BlockKind::CryptographicVerification => blocks.cv.as_ref(),
        BlockKind::SignatureAcceptance => blocks.sav.as_ref(),
        BlockKind::PastSignatureValidation => blocks.psv.as_ref(),
        BlockKind::PastCertificateValidation => blocks.pcv.as_ref(),
        BlockKind::ValidationTimeSliding => blocks.vts.as_ref(),
        _ => None,
    }
}

fn indications(xml: &mut Writer, indication: Indication, sub_indication: Option<SubIndication>) {
    xml.text("MainIndication", main_indication(indication));
    if let Some(sub) = sub_indication {
        xml.text("SubIndication", &format!("urn:etsi:019102:subindication:{sub}"));
    }
}

fn proof_of_existence(xml: &mut Writer, proof: &ProofOfExistence) {
    xml.time("POETime", proof.time);
    xml.text("TypeOfProof", "urn:etsi:019102:poetype:validation");
    if let Some(provider) = &proof.provider {
        xml.empty("POEObject", &[("VOReference", provider.as_str())]);
    }
}

/// Returns the URI of a main indication (TS 119 102-2 clause 5).
fn main_indication(indication: Indication) -> &'static str {
    match indication {
        Indication::TotalPassed => "urn:etsi:019102:mainindication:total-passed",
        Indication::TotalFailed => "urn:etsi:019102:mainindication:total-failed",
        Indication::Indeterminate => "urn:etsi:019102:mainindication:indeterminate",
        Indication::Passed => "urn:etsi:019102:mainindication:passed",
        Indication::Failed => "urn:etsi:019102:mainindication:failed",
        Indication::NoSignatureFound => "urn:cef:dss:mainindication:noSignatureFound",
    }
}

fn block_uri(kind: BlockKind) -> &'static str {
    match kind {
        BlockKind::FormatChecking => "urn:cef:dss:bbb:formatChecking",
        BlockKind::IdentificationOfSigningCertificate => "urn:cef:dss:bbb:identificationOfTheSigningCertificate",
        BlockKind::ValidationContextInitialization => "urn:cef:dss:bbb:validationContextInitialization",
        BlockKind::X509CertificateValidation => "urn:cef:dss:bbb:x509CertificateValidation",
        BlockKind::CryptographicVerification => "urn:cef:dss:bbb:cryptographicVerification",
        BlockKind::SignatureAcceptance => "urn:cef:dss:bbb:signatureAcceptanceValidation",
        BlockKind::RevocationFreshness => "urn:cef:dss:bbb:revocationFreshnessChecker",
        BlockKind::ValidationTimeSliding => "urn:cef:dss:bbb:validationTimeSliding",
        BlockKind::PastCertificateValidation => "urn:cef:dss:bbb:pastCertificateValidation",
        _ => "urn:cef:dss:bbb:pastSignatureValidation",
    }
}
