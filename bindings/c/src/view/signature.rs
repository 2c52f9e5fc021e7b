//! A signature, as C reads it.

use super::signer_name;
use crate::ffi::read_part;
use crate::report::at;
use crate::text::{Text, lacre_str};
use crate::time::{LACRE_NO_TIME, millis};
use crate::view::{lacre_certificate, lacre_finding};
use crate::words::{lacre_indication, lacre_sub_indication};
use lacre::report::SignatureView;
use std::ptr;

/// A signature and its verdict. It belongs to its report, and is never freed.
///
/// @ingroup signatures
pub struct lacre_signature {
    id: Text,
    parent: Text,
    indication: lacre_indication,
    sub_indication: lacre_sub_indication,
    level: Text,
    qualification: Text,
    qualification_text: Text,
    file: Text,
    field: Text,
    claimed_time: i64,
    best_time: i64,
    signer: Text,
    chain: Vec<lacre_certificate>,
    digest_algorithm: Text,
    key_algorithm: Text,
    key_bits: u32,
    value_sha256: Text,
    scopes: Vec<Scope>,
    timestamps: Vec<Text>,
    findings: Vec<lacre_finding>,
    qualification_findings: Vec<lacre_finding>,
}

/// Something that a signature signs.
struct Scope {
    name: Text,
    kind: Text,
}

impl lacre_signature {
    pub(super) fn of(signature: SignatureView<'_>) -> Self {
        let facts = signature.facts();
        Self {
            id: Text::new(signature.id().as_str()),
            parent: Text::maybe(facts.parent.as_ref().map(|id| id.as_str())),
            indication: signature.indication().into(),
            sub_indication: signature.sub_indication().into(),
            level: Text::maybe(signature.level().map(|level| level.as_str())),
            qualification: Text::new(signature.qualification().as_str()),
            qualification_text: Text::new(signature.qualification_text()),
            file: Text::new(facts.file.as_str()),
            field: Text::maybe(signature.field_name()),
            claimed_time: millis(signature.claimed_signing_time()),
            best_time: millis(Some(signature.best_signature_time().time)),
            signer: signer_name(signature.signer()),
            chain: signature.chain().map(lacre_certificate::of).collect(),
            digest_algorithm: Text::maybe(facts.basic.digest_algorithm.map(|a| a.as_str())),
            key_algorithm: Text::maybe(facts.basic.key_algorithm.map(|a| a.as_str())),
            key_bits: facts.basic.key_length.unwrap_or_default(),
            value_sha256: Text::maybe(signature.value_sha256()),
            scopes: signature
                .scope()
                .map(|scope| Scope { name: Text::maybe(scope.name()), kind: Text::new(scope.kind().as_str()) })
                .collect(),
            timestamps: facts.found_timestamps.iter().map(|id| Text::new(id.as_str())).collect(),
            findings: signature.findings().map(lacre_finding::of).collect(),
            qualification_findings: signature.qualification_findings().map(lacre_finding::of).collect(),
        }
    }

    pub(crate) fn has_passed(&self) -> bool {
        self.indication == lacre_indication::LACRE_INDICATION_TOTAL_PASSED
    }
}

/// Returns the id by which reports name the signature.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_id(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.id.borrow()) }
}

/// Returns the id of the signature that this one counter-signs; empty where it counter-signs none.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_parent(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.parent.borrow()) }
}

/// Returns the verdict: LACRE_INDICATION_TOTAL_PASSED, _TOTAL_FAILED or _INDETERMINATE.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_indication(signature: *const lacre_signature) -> lacre_indication {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_indication::LACRE_INDICATION_NONE, |signature| signature.indication) }
}

/// Returns why it is not TOTAL-PASSED.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_sub_indication(signature: *const lacre_signature) -> lacre_sub_indication {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(signature, lacre_sub_indication::LACRE_SUB_INDICATION_NONE, |signature| signature.sub_indication)
    }
}

/// Returns the profile that it fulfils, such as "PAdES-BASELINE-LT"; empty where that is not known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_level(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.level.borrow()) }
}

/// Returns what it is in the eyes of eIDAS, as a code: "QESIG", "ADESIG-QC", "INDETERMINATE-QESIG", "NA" and others.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_qualification(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.qualification.borrow()) }
}

/// Returns the same in words, in English.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_qualification_text(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.qualification_text.borrow()) }
}

/// Returns the name of the file that holds it, within a container.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_file(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.file.borrow()) }
}

/// Returns the name of the form field of a PDF file that holds it; empty in other formats.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_field(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.field.borrow()) }
}

/// Returns when the signer claims to have signed, in milliseconds since 1970; LACRE_NO_TIME where nothing is claimed.
/// Nothing proves it: see lacre_signature_best_time().
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_claimed_time(signature: *const lacre_signature) -> i64 {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, LACRE_NO_TIME, |signature| signature.claimed_time) }
}

/// Returns since when the signature is proven to exist, in milliseconds since 1970: the validation time where nothing
/// proves an earlier one.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: LACRE_NO_TIME comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_best_time(signature: *const lacre_signature) -> i64 {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, LACRE_NO_TIME, |signature| signature.best_time) }
}

/// Returns who signed, for people: the common name of the signing certificate, else its whole subject. Empty where
/// there is no certificate.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_signer(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.signer.borrow()) }
}

/// Returns how many certificates its chain has, as far as it could be built.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_certificate_count(signature: *const lacre_signature) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.chain.len()) }
}

/// Returns a certificate of its chain: at 0 the signing certificate, then its issuer, and so on.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_certificate(
    signature: *const lacre_signature,
    index: usize,
) -> *const lacre_certificate {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, ptr::null(), |signature| at(&signature.chain, index)) }
}

/// Returns the digest function of its value, such as "SHA256"; empty where that is not known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_digest_algorithm(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.digest_algorithm.borrow()) }
}

/// Returns the kind of its key, such as "RSA" or "ECDSA"; empty where that is not known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_key_algorithm(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.key_algorithm.borrow()) }
}

/// Returns the length of its key in bits; 0 where that is not known.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_key_bits(signature: *const lacre_signature) -> u32 {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.key_bits) }
}

/// Returns the SHA-256 of its value, in lower-case hexadecimal: the same signature has the same in every validator.
/// Empty where it has no value that can be read.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_value_sha256(signature: *const lacre_signature) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, lacre_str::EMPTY, |signature| signature.value_sha256.borrow()) }
}

/// Returns how many things it signs.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_scope_count(signature: *const lacre_signature) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.scopes.len()) }
}

/// Returns the name of something that it signs, such as a file or a revision; empty where it has none.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @param index      From 0; past the last an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_scope_name(signature: *const lacre_signature, index: usize) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(signature, lacre_str::EMPTY, |signature| {
            signature.scopes.get(index).map_or(lacre_str::EMPTY, |scope| scope.name.borrow())
        })
    }
}

/// Returns how much of it is signed: "FULL", "PARTIAL", "DIGEST" and others.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @param index      From 0; past the last an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_scope_kind(signature: *const lacre_signature, index: usize) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(signature, lacre_str::EMPTY, |signature| {
            signature.scopes.get(index).map_or(lacre_str::EMPTY, |scope| scope.kind.borrow())
        })
    }
}

/// Returns how many time-stamps belong to it.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_timestamp_count(signature: *const lacre_signature) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.timestamps.len()) }
}

/// Returns the id of a time-stamp that belongs to it, as lacre_timestamp_id() gives it.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: an empty text.
/// @param index      From 0; past the last an empty text.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_timestamp_id(signature: *const lacre_signature, index: usize) -> lacre_str {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe {
        read_part(signature, lacre_str::EMPTY, |signature| {
            signature.timestamps.get(index).map_or(lacre_str::EMPTY, Text::borrow)
        })
    }
}

/// Returns how many findings there are: errors first, then warnings, then information.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_finding_count(signature: *const lacre_signature) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.findings.len()) }
}

/// Returns a finding.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_finding(
    signature: *const lacre_signature,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, ptr::null(), |signature| at(&signature.findings, index)) }
}

/// Returns how many findings there are on its qualification (TS 119 615): errors first, then warnings, then
/// information. An error keeps it from being qualified, and says nothing against its validity.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: 0 comes back.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_qualification_finding_count(signature: *const lacre_signature) -> usize {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, 0, |signature| signature.qualification_findings.len()) }
}

/// Returns a finding on its qualification. One on a trusted list has the id of the list as its token.
///
/// Thread safety: any thread.
///
/// @param signature  May be NULL: NULL comes back.
/// @param index      From 0; past the last NULL comes back.
/// @return Borrowed from the report.
/// @ingroup signatures
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lacre_signature_qualification_finding(
    signature: *const lacre_signature,
    index: usize,
) -> *const lacre_finding {
    // SAFETY: `signature` is NULL or borrowed from a live report, as the header asks.
    unsafe { read_part(signature, ptr::null(), |signature| at(&signature.qualification_findings, index)) }
}
