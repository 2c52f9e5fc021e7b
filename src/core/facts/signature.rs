//! A signature, as its document states it.

use super::*;

string_enum! {
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

string_enum! {
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
    /// Returns the family; `None` for a signature of no known kind.
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

string_enum! {
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
    /// `S-` and the upper-case SHA-256 of what identifies the signature.
    pub id: Id,
    /// Whether another signature has the same id.
    pub duplicated: bool,
    /// The signature that this one counter-signs.
    pub parent: Option<Id>,
    /// Whether it is a counter-signature.
    pub counter_signature: bool,
    /// The id that the signer's application gave it (XML `Id`, PDF field).
    pub da_identifier: Option<String>,
    /// The name of the file that holds it.
    pub file: String,
    /// Why it could not be read completely; `None` when it was.
    pub error: Option<String>,
    /// The signing time that the signer claims (CAdES `signing-time`, XAdES `SigningTime`, PDF `/M`, JAdES `iat` or
    /// `sigT`).
    pub claimed_signing_time: Option<Time>,
    /// JAdES `exp` (RFC 7519 §4.1.4): the time after which the token must not be accepted.
    pub expiration_time: Option<Time>,
    /// The profile that it fulfils.
    pub level: Option<SignatureLevel>,
    /// JAdES: how the JWS is written down.
    pub jws_serialization: Option<JwsSerialization>,
    /// JAdES: the header parameter `typ` (RFC 7515 §4.1.9).
    pub signature_type: Option<String>,
    /// Whether it has the structure that its profile requires; `None` when that was not checked.
    pub structural_validation: Option<StructuralValidation>,
    /// Every digest on which the signature rests.
    pub digest_matchers: Vec<Shared<DigestMatcher>>,
    /// The algorithms of the signature value and whether it verifies.
    pub basic: BasicSignature,
    /// The certificate whose key verifies the signature value, or the one that the signature identifies.
    pub signing_certificate: Option<Id>,
    /// A public key (`SubjectPublicKeyInfo`, DER) that is there without a certificate.
    pub signing_public_key: Option<Bytes>,
    /// The certificate path from the signing certificate upwards.
    pub chain: Vec<Id>,
    /// CAdES `content-type` (RFC 5652 §11.1), an OID in dotted form.
    pub content_type: Option<String>,
    /// The media type of the signed data, as the signature states it.
    pub mime_type: Option<String>,
    /// CAdES `content-identifier` (RFC 2634 §2.7).
    pub content_identifier: Option<String>,
    /// CAdES `content-reference` (RFC 2634 §2.11).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content_reference: Option<ContentReference>,
    /// CAdES `content-hints` (RFC 2634 §2.9).
    pub content_hints: Option<String>,
    /// The place at which the signer claims to have signed.
    pub production_place: Option<ProductionPlace>,
    /// The commitment types that the signer indicates (EN 319 122-1 §5.2.3).
    pub commitments: Vec<Commitment>,
    /// The roles of the signer, claimed or certified (EN 319 122-1 §5.2.6).
    pub roles: Vec<SignerRole>,
    /// The signature policy that the signature names (EN 319 122-1 §5.2.9).
    pub policy: Option<SignaturePolicy>,
    /// The signature policy document that the signature carries (EN 319 122-1 §5.2.10).
    pub policy_store: Option<SignaturePolicyStore>,
    /// CMS: the signer identifiers of the `SignedData` (RFC 5652 §5.3), each once: of the
    /// first 32, and its own.
    pub signer_infos: Vec<SignerInfo>,
    /// PAdES: the signature dictionary and the revision that it signs.
    pub pdf_revision: Option<Shared<PdfRevision>>,
    /// PAdES: `/TU` of the signature's VRI dictionary (EN 319 142-1 §5.4.2.3).
    pub vri_creation_time: Option<Time>,
    /// Whether the caller supplied only a digest of the signed data; `None` when that is not known.
    pub hash_only: Option<bool>,
    /// Whether the caller supplied only a digest of the whole document; `None` when that is not known.
    pub document_hash_only: Option<bool>,
    /// Certificates embedded in it or referred to by it.
    pub found_certificates: Vec<Shared<FoundCertificate>>,
    /// Revocation data embedded in it or referred to by it.
    pub found_revocations: Vec<FoundRevocation>,
    /// Time-stamps that belong to it, in the order of their covering.
    pub found_timestamps: Vec<Id>,
    /// Evidence records that belong to it.
    pub found_evidence_records: Vec<Id>,
    /// What it signs.
    pub scopes: Vec<Shared<Scope>>,
    /// The digest by which a report refers to it; for XML signatures only where something in the document covers it.
    pub digest_reference: Option<SignatureDigestReference>,
    /// The digest of the data to be signed (DTBS), over which the value is made.
    pub data_to_be_signed: Option<Digest>,
    /// The signature value.
    pub value: Bytes,
    /// Irregularities of this signature.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub irregularities: Vec<Irregularity>,
}

/// The digest by which a report refers to a signature.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignatureDigestReference {
    /// XML: the URI of the canonicalisation method.
    pub canonicalization: Option<String>,
    /// The digest of the signature.
    pub digest: Digest,
}

/// The place at which the signer claims to have signed: CAdES `signer-location`, XAdES `SignatureProductionPlaceV2`,
/// JAdES `sigPl` (EN 319 122-1 §5.2.5).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ProductionPlace {
    /// CAdES: the lines of the postal address.
    pub postal_address: Vec<String>,
    /// The locality.
    pub city: Option<String>,
    /// The state or province.
    pub state: Option<String>,
    /// JAdES: the post office box.
    pub post_office_box: Option<String>,
    /// The postal code.
    pub postal_code: Option<String>,
    /// The country, as stated.
    pub country: Option<String>,
    /// XAdES and JAdES: street and number.
    pub street_address: Option<String>,
}

/// A commitment type indication of the signer (EN 319 122-1 §5.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Commitment {
    /// The commitment type: an OID in dotted form or a URI.
    pub identifier: String,
    /// Its description in words.
    pub description: Option<String>,
    /// References to documents about it.
    pub documentation: Vec<String>,
    /// XAdES: the references to which it applies. With `all_data` unset and this list empty, the signature says nothing
    /// about its scope.
    pub object_references: Vec<String>,
    /// XAdES: whether it applies to all signed data objects.
    pub all_data: Option<bool>,
    /// CAdES: what is stated besides, as the OID in dotted form and the value in DER.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub qualifiers: Vec<CommitmentQualifier>,
}

/// A qualifier of a commitment type (EN 319 122-1 §5.2.3).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CommitmentQualifier {
    /// What it is: an OID in dotted form.
    pub identifier: String,
    /// Its value, DER.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Bytes>,
}

/// A reference to another signature (RFC 2634 §2.11).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct ContentReference {
    /// The content type, an OID in dotted form.
    pub content_type: String,
    /// The `content-identifier` of the other signature.
    pub identifier: String,
    /// The value of the other signature.
    pub value: Bytes,
}

string_enum! {
    /// Who vouches for a role.
    pub enum RoleCategory {
        Certified = "certified",
        Claimed = "claimed",
        Signed = "signed",
    }
}

/// A role of the signer (EN 319 122-1 §5.2.6).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SignerRole {
    /// The role as stated.
    pub role: String,
    /// Who vouches for it.
    pub category: RoleCategory,
    /// Certified roles: the start of the attribute certificate's validity.
    #[serde(default)]
    pub not_before: Option<Time>,
    /// Certified roles: the end of the attribute certificate's validity.
    #[serde(default)]
    pub not_after: Option<Time>,
    /// Certified roles: whether the attribute certificate was verified and its holder is the signer (RFC 5755 §5). Of documents it
    /// is never verified; `None` where nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verified: Option<bool>,
}

impl SignerRole {
    /// Returns a role of which no certificate says anything.
    pub(crate) fn new(role: String, category: RoleCategory) -> Self {
        Self { role, category, not_before: None, not_after: None, verified: None }
    }
}

/// The signature policy that a signature names (EN 319 122-1 §5.2.9). As in DSS, an implied policy has the id
/// `IMPLICIT_POLICY`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignaturePolicy {
    /// The identifier: an OID in dotted form, a URI, or `IMPLICIT_POLICY`.
    pub id: String,
    /// Where the policy document can be fetched (`SPuri`).
    pub url: Option<String>,
    /// The notice to be shown to the user.
    pub user_notice: Option<UserNotice>,
    /// The technical specification of the policy document's syntax (`sp-doc-specification`).
    pub document_specification: Option<DocumentSpecification>,
    /// Its description in words.
    pub description: Option<String>,
    /// Whether the policy document is available.
    pub identified: bool,
    /// Whether the document is an ASN.1 policy (TR 102 272) that can be processed.
    pub asn1_processable: Option<bool>,
    /// XAdES: the transforms applied before the digest is computed.
    pub transformations: Vec<String>,
    /// References to documents about the policy.
    pub documentation: Vec<String>,
    /// Why the policy document could not be processed.
    pub processing_error: Option<String>,
    /// The digest of the policy document that the signature states.
    pub digest: Option<Digest>,
    /// Whether the policy document has that digest; `None` when it was not compared.
    pub digest_match: Option<bool>,
    /// Whether the policy document names the digest function that the signature uses.
    pub digest_algorithms_equal: Option<bool>,
    /// Whether the stated digest is all zeros: the signer did not know it (EN 319 122-1 §5.2.9.1).
    pub zero_hash: bool,
}

/// A notice to the user (`SPUserNotice`, EN 319 122-1 §5.2.9.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct UserNotice {
    /// The organisation that issued the notice.
    pub organization: Option<String>,
    /// The numbers of its notices.
    pub notice_numbers: Vec<i64>,
    /// The text to be shown.
    pub explicit_text: Option<String>,
}

/// The technical specification that defines the syntax of a policy document (EN 319 122-1 §5.2.9.2).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct DocumentSpecification {
    /// Its identifier: an OID in dotted form or a URI.
    pub id: String,
    /// Its description in words.
    pub description: Option<String>,
    /// References to documents about it.
    pub documentation: Vec<String>,
}

/// A policy document carried in the signature (EN 319 122-1 §5.2.10).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SignaturePolicyStore {
    /// The specification of the document's syntax.
    pub specification: DocumentSpecification,
    /// Where the document is stored locally (`sigPolicyLocalURI`).
    pub local_uri: Option<String>,
    /// The digest of the document carried.
    pub digest: Option<Digest>,
}
