//! A signature, as its document states it.

use super::*;

words! {
    /// The profile that a signature fulfils, as DSS prints it.
    pub enum SignatureLevel {
        XmlNotEtsi = "XML-NOT-ETSI",
        XadesBes = "XAdES-BES",
        XadesEpes = "XAdES-EPES",
        XadesT = "XAdES-T",
        XadesLt = "XAdES-LT",
        XadesC = "XAdES-C",
        XadesX = "XAdES-X",
        XadesXl = "XAdES-XL",
        XadesA = "XAdES-A",
        XadesErs = "XAdES-ERS",
        XadesBaselineLta = "XAdES-BASELINE-LTA",
        XadesBaselineLt = "XAdES-BASELINE-LT",
        XadesBaselineT = "XAdES-BASELINE-T",
        XadesBaselineB = "XAdES-BASELINE-B",
        CmsNotEtsi = "CMS-NOT-ETSI",
        CadesBes = "CAdES-BES",
        CadesEpes = "CAdES-EPES",
        CadesT = "CAdES-T",
        CadesLt = "CAdES-LT",
        CadesC = "CAdES-C",
        CadesX = "CAdES-X",
        CadesXl = "CAdES-XL",
        CadesA = "CAdES-A",
        CadesErs = "CAdES-ERS",
        CadesBaselineLta = "CAdES-BASELINE-LTA",
        CadesBaselineLt = "CAdES-BASELINE-LT",
        CadesBaselineT = "CAdES-BASELINE-T",
        CadesBaselineB = "CAdES-BASELINE-B",
        PdfNotEtsi = "PDF-NOT-ETSI",
        PadesBes = "PAdES-BES",
        PadesEpes = "PAdES-EPES",
        PadesLtv = "PAdES-LTV",
        PadesBaselineLta = "PAdES-BASELINE-LTA",
        PadesBaselineLt = "PAdES-BASELINE-LT",
        PadesBaselineT = "PAdES-BASELINE-T",
        PadesBaselineB = "PAdES-BASELINE-B",
        Pkcs7B = "PKCS7-B",
        Pkcs7T = "PKCS7-T",
        Pkcs7Lt = "PKCS7-LT",
        Pkcs7Lta = "PKCS7-LTA",
        JsonNotEtsi = "JSON-NOT-ETSI",
        Jades = "JAdES",
        JadesBaselineB = "JAdES-BASELINE-B",
        JadesBaselineT = "JAdES-BASELINE-T",
        JadesBaselineLt = "JAdES-BASELINE-LT",
        JadesBaselineLta = "JAdES-BASELINE-LTA",
        CborNotEtsi = "CBOR-NOT-ETSI",
        CbAdes = "CB-AdES",
        CbAdesBaselineB = "CB-AdES-BASELINE-B",
        CbAdesBaselineT = "CB-AdES-BASELINE-T",
        CbAdesBaselineLt = "CB-AdES-BASELINE-LT",
        CbAdesBaselineLta = "CB-AdES-BASELINE-LTA",
        DigidocXml10 = "DIGIDOC-XML-1.0",
        DigidocXml11 = "DIGIDOC-XML-1.1",
        DigidocXml12 = "DIGIDOC-XML-1.2",
        DigidocXml13 = "DIGIDOC-XML-1.3",
        Unknown = "UNKNOWN",
    }
}

words! {
    /// The family of profiles that a level belongs to.
    pub enum SignatureForm {
        Xades = "XAdES",
        Cades = "CAdES",
        Pades = "PAdES",
        Pkcs7 = "PKCS7",
        Jades = "JAdES",
        CbAdes = "CB-AdES",
        DigidocXml = "DIGIDOC-XML",
    }
}

impl SignatureLevel {
    /// The family; `None` for a signature of no known kind.
    pub fn form(self) -> Option<SignatureForm> {
        let prefixes = [
            ("XAdES", SignatureForm::Xades),
            ("XML-", SignatureForm::Xades),
            ("CAdES", SignatureForm::Cades),
            ("CMS-", SignatureForm::Cades),
            ("PAdES", SignatureForm::Pades),
            ("PDF-", SignatureForm::Pades),
            ("PKCS7", SignatureForm::Pkcs7),
            ("JAdES", SignatureForm::Jades),
            ("JSON-", SignatureForm::Jades),
            ("CB-AdES", SignatureForm::CbAdes),
            ("CBOR-", SignatureForm::CbAdes),
            ("DIGIDOC-XML", SignatureForm::DigidocXml),
        ];
        prefixes.into_iter().find(|(prefix, _)| self.as_str().starts_with(prefix)).map(|(_, form)| form)
    }
}

words! {
    /// How a JWS is written down (RFC 7515 §7).
    pub enum JwsSerialization {
        Compact = "COMPACT_SERIALIZATION",
        Json = "JSON_SERIALIZATION",
        FlattenedJson = "FLATTENED_JSON_SERIALIZATION",
    }
}

/// A signature or counter-signature.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Signature {
    /// Its id.
    pub id: Id,
    /// Whether another signature has the same id.
    pub duplicated: bool,
    /// The signature that this one counter-signs.
    pub parent: Option<Id>,
    /// Whether it is a counter-signature.
    pub counter_signature: bool,
    /// The id that the signer's application gave it (XML `Id`, PDF field).
    pub da_identifier: Option<String>,
    /// The file that holds it.
    pub file: String,
    /// Why it could not be read whole.
    pub error: Option<String>,
    /// The time that the signer claims.
    pub claimed_signing_time: Option<Time>,
    /// JAdES `exp`.
    pub expiration_time: Option<Time>,
    /// The profile it fulfils.
    pub level: Option<SignatureLevel>,
    /// JAdES: the serialisation.
    pub jws_serialization: Option<JwsSerialization>,
    /// JAdES: `typ`.
    pub signature_type: Option<String>,
    /// Whether it has the structure that its profile asks for; `None` when that was not checked.
    pub structural_validation: Option<StructuralValidation>,
    /// Every digest that the signature rests on.
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// The signature value.
    pub basic: BasicSignature,
    /// The signing certificate.
    pub signing_certificate: Option<Id>,
    /// A bare public key, where there is no certificate.
    pub signing_public_key: Option<Octets>,
    /// From the signing certificate upwards.
    pub chain: Vec<Id>,
    /// CAdES content-type.
    pub content_type: Option<String>,
    /// The signed data's media type.
    pub mime_type: Option<String>,
    /// CAdES content-identifier.
    pub content_identifier: Option<String>,
    /// CAdES content-hints.
    pub content_hints: Option<String>,
    /// Where it was made, as claimed.
    pub production_place: Option<ProductionPlace>,
    /// What the signer commits to.
    pub commitments: Vec<Commitment>,
    /// The signer's roles.
    pub roles: Vec<SignerRole>,
    /// The signature policy.
    pub policy: Option<SignaturePolicy>,
    /// The policy document carried along.
    pub policy_store: Option<SignaturePolicyStore>,
    /// CMS: every `SignerInfo` of the `SignedData`.
    pub signer_infos: Vec<SignerInfo>,
    /// PAdES: the revision that it signs.
    pub pdf_revision: Option<Shared<PdfRevision>>,
    /// PAdES: `/TU` of the signature's VRI dictionary.
    pub vri_creation_time: Option<Time>,
    /// Only digests of the signed data were known.
    pub hash_only: Option<bool>,
    /// Only the digest of the document was known.
    pub document_hash_only: Option<bool>,
    /// Certificates found in it.
    pub found_certificates: Vec<FoundCertificate>,
    /// Revocation data found in it.
    pub found_revocations: Vec<FoundRevocation>,
    /// Time-stamps that belong to it.
    pub found_timestamps: Vec<Id>,
    /// Evidence records that belong to it.
    pub found_evidence_records: Vec<Id>,
    /// What it signs.
    pub scopes: Vec<Shared<Scope>>,
    /// The digest by which a report refers to it; of XML only where something in the document covers it.
    pub digest_reference: Option<SignatureDigestReference>,
    /// The digest of what its value signs.
    pub data_to_be_signed: Option<Digest>,
    /// The signature value's octets.
    pub value: Octets,
    /// What is irregular about it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

/// The digest by which a report refers to a signature.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignatureDigestReference {
    /// XML: how it was canonicalised.
    pub canonicalization: Option<String>,
    /// The digest.
    pub digest: Digest,
}

/// Where a signature was made.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProductionPlace {
    /// CAdES.
    pub postal_address: Vec<String>,
    pub city: Option<String>,
    pub state: Option<String>,
    pub post_office_box: Option<String>,
    pub postal_code: Option<String>,
    pub country: Option<String>,
    /// XAdES, JAdES.
    pub street_address: Option<String>,
}

/// A commitment of the signer.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Commitment {
    /// An OID or URI.
    pub identifier: String,
    pub description: Option<String>,
    pub documentation: Vec<String>,
    /// XAdES: the references committed to; empty together with `all_data` unset means nothing was said.
    pub object_references: Vec<String>,
    /// XAdES: all signed data objects.
    pub all_data: Option<bool>,
}

words! {
    /// Who vouches for a role.
    pub enum RoleCategory {
        Certified = "certified",
        Claimed = "claimed",
        Signed = "signed",
    }
}

/// A role of the signer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignerRole {
    pub role: String,
    pub category: RoleCategory,
    #[serde(default)]
    pub not_before: Option<Time>,
    #[serde(default)]
    pub not_after: Option<Time>,
}

/// The signature policy that a signature names. DSS writes an implied policy with the id `IMPLICIT_POLICY`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignaturePolicy {
    pub id: String,
    pub url: Option<String>,
    pub user_notice: Option<UserNotice>,
    pub document_specification: Option<DocumentSpecification>,
    pub description: Option<String>,
    /// Whether the policy document is at hand.
    pub identified: bool,
    /// Whether it is an ASN.1 policy (TR 102 272) that can be processed.
    pub asn1_processable: Option<bool>,
    pub transformations: Vec<String>,
    pub documentation: Vec<String>,
    /// Why the document could not be processed.
    pub processing_error: Option<String>,
    /// The digest that the signature states.
    pub digest: Option<Digest>,
    /// Whether the document has it.
    pub digest_match: Option<bool>,
    /// Whether the document names the digest function that the signature uses.
    pub digest_algorithms_equal: Option<bool>,
    /// Whether the stated digest is all zeros (policy hash not known).
    pub zero_hash: bool,
}

/// A notice to the user (RFC 3125).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserNotice {
    pub organization: Option<String>,
    pub notice_numbers: Vec<i64>,
    pub explicit_text: Option<String>,
}

/// Which document a policy id means.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentSpecification {
    pub id: String,
    pub description: Option<String>,
    pub documentation: Vec<String>,
}

/// A policy document carried in the signature.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignaturePolicyStore {
    pub specification: DocumentSpecification,
    pub local_uri: Option<String>,
    pub digest: Option<Digest>,
}
