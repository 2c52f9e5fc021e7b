/**
 * @file lacre.h
 * lacre validates European electronic signatures: bytes in, a verdict that anyone can check out.
 *
 * Written by cbindgen from bindings/c/src; never edited by hand.
 *
 * Conventions, true of every function:
 *
 * - **Handles** are opaque. Who is given one through an _out parameter owns it and frees it with the function of its
 *   type, once, also after an error elsewhere. Freeing NULL is allowed and does nothing.
 * - **What is borrowed** says from whom: texts, signatures, time-stamps, certificates, findings from their report, as
 *   long as it lives. Bytes handed in are borrowed for the call; where for longer, the function says so.
 * - **const** means that a function does not change a handle. A handle that nobody changes may be used by any number
 *   of threads at once. There is no global state, no clock, no network, no environment.
 * - **Failure**: every function that can fail returns a lacre_status and takes error_out, which may be NULL. On
 *   failure each _out parameter is NULL, and everything handed in is as it was before.
 * - **A bad signature is no failure.** The verdict is in the report.
 * - **Numbers of lists** (formats, digests, profiles and so on) go in as int32_t and are checked.
 * - **Texts** going in are UTF-8 and end with a NUL. Those going out as lacre_str have their length, and a NUL too.
 * - **Times** are milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME is none.
 * - **NULL** where it is not allowed, impossible lengths, unknown numbers and texts that are not UTF-8 are errors.
 *   Functions that answer with a value answer NULL with an empty value. In debug builds of the library a handle that
 *   was freed is told too (LACRE_ERROR_INVALID_HANDLE); in release builds it is undefined behaviour.
 *
 * @defgroup version Version
 * @defgroup values Texts, bytes, times
 * @defgroup errors Errors
 * @defgroup documents Documents
 * @defgroup validators Validators: policy, trust, evidence
 * @defgroup trusted_lists Trusted lists
 * @defgroup reports Reports
 * @defgroup certificate_reports Certificates judged by themselves
 * @defgroup bundles Evidence bundles
 * @defgroup signatures Signatures of a report
 * @defgroup timestamps Time-stamps of a report
 * @defgroup evidence_records Evidence records of a report
 * @defgroup certificates Certificates of a report
 * @defgroup findings Findings of a report
 * @defgroup wanted Evidence that a report asks for
 * @defgroup signing Keys and signatures
 * @defgroup extending Extending and time-stamping
 * @defgroup issuing Certificates, revocation lists and time-stamps issued
 */


#ifndef LACRE_H
#define LACRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * Bytes that the longest signature value has that a callback may give back: ML-DSA-87 (FIPS 204 table 2).
 */
#define LACRE_SIGNATURE_MAX 4627

/**
 * Random bytes that a function asks a callback for, in one call: a seed of 256 bits.
 */
#define LACRE_RANDOM_SEED 32

/**
 * No moment: an answer where there is none, and an argument where the header allows it.
 */
#define LACRE_NO_TIME INT64_MIN

/**
 * Bytes that the longest text of lacre_time_format() needs, with its NUL.
 */
#define LACRE_TIME_TEXT_SIZE 32

/**
 * The version of this header: lacre_version() is that of the library that was linked.
 */
#define LACRE_VERSION_MAJOR 0

/**
 * As LACRE_VERSION_MAJOR.
 */
#define LACRE_VERSION_MINOR 1

/**
 * As LACRE_VERSION_MAJOR.
 */
#define LACRE_VERSION_PATCH 0

/**
 * How a call ended. A number that was given out once never means anything else.
 *
 * @ingroup errors
 */
enum lacre_status
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The function did what it says.
   */
  LACRE_OK = 0,
  /**
   * A pointer was NULL that may not be.
   */
  LACRE_ERROR_NULL_ARGUMENT = 1,
  /**
   * A number is not in its list, a length is not possible, an index or a text is not one of those allowed.
   */
  LACRE_ERROR_INVALID_ARGUMENT = 2,
  /**
   * A text is not UTF-8.
   */
  LACRE_ERROR_INVALID_UTF8 = 3,
  /**
   * Debug builds only: the handle was freed already, or is of another type.
   */
  LACRE_ERROR_INVALID_HANDLE = 4,
  /**
   * A file could not be opened or read.
   */
  LACRE_ERROR_FILE = 5,
  /**
   * The document is of no format that can hold a signature.
   */
  LACRE_ERROR_UNKNOWN_FORMAT = 6,
  /**
   * The document is of a known format, and damaged, or holds nothing that is supported.
   */
  LACRE_ERROR_UNREADABLE = 7,
  /**
   * A trust anchor, certificate, CRL or OCSP response is not what it should be.
   */
  LACRE_ERROR_EVIDENCE = 8,
  /**
   * A validation policy or cryptographic suite cannot be read.
   */
  LACRE_ERROR_POLICY = 9,
  /**
   * Stored facts cannot be read, or state no time where one is needed.
   */
  LACRE_ERROR_FACTS = 10,
  /**
   * A private or public key cannot be read or made.
   */
  LACRE_ERROR_KEY = 11,
  /**
   * A signature could not be prepared, made or finished; lacre_error_cause() says why in a word.
   */
  LACRE_ERROR_SIGNING = 12,
  /**
   * A certificate could not be issued.
   */
  LACRE_ERROR_ISSUANCE = 13,
  /**
   * A callback said that it failed, or gave back what it may not.
   */
  LACRE_ERROR_CALLBACK = 14,
  /**
   * The report could not be written in that format.
   */
  LACRE_ERROR_REPORT = 15,
  /**
   * An evidence bundle was changed or cannot be read, or the document is not the one that it is about.
   */
  LACRE_ERROR_BUNDLE = 16,
  /**
   * A snapshot of trusted lists was changed or cannot be read.
   */
  LACRE_ERROR_TRUSTED_LISTS = 17,
  /**
   * The system gives no randomness.
   */
  LACRE_ERROR_RANDOM = 18,
  /**
   * A signature value is not of the form of its algorithm, or not one of the signer's key over what was to be
   * signed.
   */
  LACRE_ERROR_SIGNATURE_VALUE = 19,
  /**
   * A prepared signature was changed, cannot be read, or is of another version or document.
   */
  LACRE_ERROR_PREPARED = 20,
  /**
   * A time-stamp, or the response of a time-stamping authority, is not what was asked for.
   */
  LACRE_ERROR_TIMESTAMP = 21,
  /**
   * A document could not be extended or time-stamped; lacre_error_cause() says why in a word.
   */
  LACRE_ERROR_EXTENSION = 22,
  /**
   * A defect of lacre. Everything handed in is as it was before; please report it.
   */
  LACRE_ERROR_INTERNAL = 100,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_status lacre_status;
#else
typedef int32_t lacre_status;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The result of a judgement: EN 319 102-1 table 5.
 *
 * @ingroup reports
 */
enum lacre_indication
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There is none.
   */
  LACRE_INDICATION_NONE = 0,
  /**
   * The signature is valid under the policy.
   */
  LACRE_INDICATION_TOTAL_PASSED = 1,
  /**
   * The signature is not valid.
   */
  LACRE_INDICATION_TOTAL_FAILED = 2,
  /**
   * What is at hand does not decide.
   */
  LACRE_INDICATION_INDETERMINATE = 3,
  /**
   * Of a time-stamp or evidence record: it is valid.
   */
  LACRE_INDICATION_PASSED = 4,
  /**
   * Of a time-stamp or evidence record: it is not valid.
   */
  LACRE_INDICATION_FAILED = 5,
  /**
   * Of a document: nothing in it is signed.
   */
  LACRE_INDICATION_NO_SIGNATURE_FOUND = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_indication lacre_indication;
#else
typedef int32_t lacre_indication;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a result is not passed: EN 319 102-1 table 6.
 *
 * @ingroup reports
 */
enum lacre_sub_indication
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There is none.
   */
  LACRE_SUB_INDICATION_NONE = 0,
  /**
   * A signature is not as its format demands.
   */
  LACRE_SUB_INDICATION_FORMAT_FAILURE = 1,
  /**
   * What is signed was changed.
   */
  LACRE_SUB_INDICATION_HASH_FAILURE = 2,
  /**
   * The signature value does not verify.
   */
  LACRE_SUB_INDICATION_SIG_CRYPTO_FAILURE = 3,
  /**
   * The signing certificate was revoked before the signature is known to exist.
   */
  LACRE_SUB_INDICATION_REVOKED = 4,
  /**
   * The signature is known to exist only after its certificate's end.
   */
  LACRE_SUB_INDICATION_EXPIRED = 5,
  /**
   * The signature was made before its certificate's beginning.
   */
  LACRE_SUB_INDICATION_NOT_YET_VALID = 6,
  /**
   * An attribute of the signature is not as the policy demands.
   */
  LACRE_SUB_INDICATION_SIG_CONSTRAINTS_FAILURE = 7,
  /**
   * The certificates are not as the policy demands.
   */
  LACRE_SUB_INDICATION_CHAIN_CONSTRAINTS_FAILURE = 8,
  /**
   * The certificates could not be judged to the end; often revocation data is missing.
   */
  LACRE_SUB_INDICATION_CERTIFICATE_CHAIN_GENERAL_FAILURE = 9,
  /**
   * An algorithm is too weak for the policy.
   */
  LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE = 10,
  /**
   * An algorithm is too weak by now, and nothing proves an earlier time.
   */
  LACRE_SUB_INDICATION_CRYPTO_CONSTRAINTS_FAILURE_NO_POE = 11,
  /**
   * The signature's policy cannot be processed.
   */
  LACRE_SUB_INDICATION_POLICY_PROCESSING_ERROR = 12,
  /**
   * The signature's policy is not at hand.
   */
  LACRE_SUB_INDICATION_SIGNATURE_POLICY_NOT_AVAILABLE = 13,
  /**
   * Time-stamps contradict each other.
   */
  LACRE_SUB_INDICATION_TIMESTAMP_ORDER_FAILURE = 14,
  /**
   * The signing certificate is not there.
   */
  LACRE_SUB_INDICATION_NO_SIGNING_CERTIFICATE_FOUND = 15,
  /**
   * No chain leads to a trust anchor.
   */
  LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND = 16,
  /**
   * The trust anchor is trusted no more, and nothing proves an earlier time.
   */
  LACRE_SUB_INDICATION_NO_CERTIFICATE_CHAIN_FOUND_NO_POE = 17,
  /**
   * The signing certificate was revoked, and nothing proves an earlier time.
   */
  LACRE_SUB_INDICATION_REVOKED_NO_POE = 18,
  /**
   * An authority's certificate was revoked, and nothing proves an earlier time.
   */
  LACRE_SUB_INDICATION_REVOKED_CA_NO_POE = 19,
  /**
   * The certificate is out of its validity, and was not revoked.
   */
  LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NOT_REVOKED = 20,
  /**
   * The certificate is out of its validity, and nothing proves an earlier time.
   */
  LACRE_SUB_INDICATION_OUT_OF_BOUNDS_NO_POE = 21,
  /**
   * As the one before, for who signed revocation data.
   */
  LACRE_SUB_INDICATION_REVOCATION_OUT_OF_BOUNDS_NO_POE = 22,
  /**
   * Nothing proves that something existed in time.
   */
  LACRE_SUB_INDICATION_NO_POE = 23,
  /**
   * Newer revocation data is needed.
   */
  LACRE_SUB_INDICATION_TRY_LATER = 24,
  /**
   * What is signed is not at hand.
   */
  LACRE_SUB_INDICATION_SIGNED_DATA_NOT_FOUND = 25,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_sub_indication lacre_sub_indication;
#else
typedef int32_t lacre_sub_indication;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A kind of evidence that could change a verdict, or that an extension wants.
 *
 * @ingroup wanted
 */
enum lacre_evidence_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There is none.
   */
  LACRE_EVIDENCE_NONE = 0,
  /**
   * An OCSP response.
   */
  LACRE_EVIDENCE_OCSP = 1,
  /**
   * A CRL.
   */
  LACRE_EVIDENCE_CRL = 2,
  /**
   * The certificate of an issuer.
   */
  LACRE_EVIDENCE_ISSUER = 3,
  /**
   * A trusted list.
   */
  LACRE_EVIDENCE_TRUSTED_LIST = 4,
  /**
   * A detached content.
   */
  LACRE_EVIDENCE_CONTENT = 5,
  /**
   * A time-stamp; only an extension wants one.
   */
  LACRE_EVIDENCE_TIMESTAMP = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_evidence_kind lacre_evidence_kind;
#else
typedef int32_t lacre_evidence_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a key signs. A function takes it as int32_t.
 *
 * @ingroup signing
 */
enum lacre_scheme
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * As is usual for the kind of key: ECDSA, EdDSA, ML-DSA, or RSA with PKCS #1 v1.5. Never handed to a callback.
   */
  LACRE_SCHEME_USUAL = 0,
  /**
   * ECDSA; the value is the SEQUENCE of two integers of RFC 3279.
   */
  LACRE_SCHEME_ECDSA = 1,
  /**
   * RSA with PKCS #1 v1.5.
   */
  LACRE_SCHEME_RSA_PKCS1 = 2,
  /**
   * RSASSA-PSS with the digest function also in the mask, and a salt as long as the digest.
   */
  LACRE_SCHEME_RSA_PSS = 3,
  /**
   * Ed25519 or Ed448 (RFC 8032), over the message itself; the digest function is the curve's own.
   */
  LACRE_SCHEME_EDDSA = 4,
  /**
   * ML-DSA (FIPS 204), over the message itself.
   */
  LACRE_SCHEME_ML_DSA = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_scheme lacre_scheme;
#else
typedef int32_t lacre_scheme;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A digest function. A function takes it as int32_t.
 *
 * @ingroup signing
 */
enum lacre_digest
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * None, or one that is not in this list. Never handed in.
   */
  LACRE_DIGEST_NONE = 0,
  /**
   * SHA-256.
   */
  LACRE_DIGEST_SHA256 = 1,
  /**
   * SHA-384.
   */
  LACRE_DIGEST_SHA384 = 2,
  /**
   * SHA-512.
   */
  LACRE_DIGEST_SHA512 = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_digest lacre_digest;
#else
typedef int32_t lacre_digest;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How much a finding weighs.
 *
 * @ingroup findings
 */
enum lacre_severity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * There is none.
   */
  LACRE_SEVERITY_NONE = 0,
  /**
   * It keeps the token from passing.
   */
  LACRE_SEVERITY_ERROR = 1,
  /**
   * The policy only warns of it.
   */
  LACRE_SEVERITY_WARNING = 2,
  /**
   * It may be good to know.
   */
  LACRE_SEVERITY_INFO = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_severity lacre_severity;
#else
typedef int32_t lacre_severity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A form in which a report is written. A function takes it as int32_t.
 *
 * @ingroup reports
 */
enum lacre_format
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * For people, as plain text in UTF-8.
   */
  LACRE_FORMAT_TEXT = 1,
  /**
   * For programs: lacre-report/2, one object on one line.
   */
  LACRE_FORMAT_JSON = 2,
  /**
   * For programs: XML after ETSI TS 119 102-2.
   */
  LACRE_FORMAT_ETSI_XML = 3,
  /**
   * For people, as one page for a browser, which loads nothing.
   */
  LACRE_FORMAT_HTML = 4,
  /**
   * For people and for the file: PDF/A-3a and PDF/UA-1, with JSON and XML attached.
   */
  LACRE_FORMAT_PDF = 5,
  /**
   * For experts: every check, what it compared, and its clause, as plain text in UTF-8.
   */
  LACRE_FORMAT_TRACE = 6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_format lacre_format;
#else
typedef int32_t lacre_format;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A kind of new key. A function takes it as int32_t.
 *
 * @ingroup signing
 */
enum lacre_key_kind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * ECDSA on P-256.
   */
  LACRE_KEY_ECDSA_P256 = 1,
  /**
   * ECDSA on P-384.
   */
  LACRE_KEY_ECDSA_P384 = 2,
  /**
   * RSA of 3,072 bits.
   */
  LACRE_KEY_RSA_3072 = 3,
  /**
   * RSA of 4,096 bits.
   */
  LACRE_KEY_RSA_4096 = 4,
  /**
   * ECDSA on P-521.
   */
  LACRE_KEY_ECDSA_P521 = 5,
  /**
   * ECDSA on brainpoolP256r1.
   */
  LACRE_KEY_ECDSA_BRAINPOOL_P256R1 = 6,
  /**
   * ECDSA on brainpoolP384r1.
   */
  LACRE_KEY_ECDSA_BRAINPOOL_P384R1 = 7,
  /**
   * Ed25519.
   */
  LACRE_KEY_ED25519 = 8,
  /**
   * Ed448.
   */
  LACRE_KEY_ED448 = 9,
  /**
   * ML-DSA-44.
   */
  LACRE_KEY_ML_DSA_44 = 10,
  /**
   * ML-DSA-65.
   */
  LACRE_KEY_ML_DSA_65 = 11,
  /**
   * ML-DSA-87.
   */
  LACRE_KEY_ML_DSA_87 = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_key_kind lacre_key_kind;
#else
typedef int32_t lacre_key_kind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A level above B: EN 319 122-1 §6, EN 319 142-1 §6. A function takes it as int32_t.
 *
 * @ingroup extending
 */
enum lacre_level
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A trusted time after signing.
   */
  LACRE_LEVEL_T = 1,
  /**
   * All certificates and revocation data that a validation needs.
   */
  LACRE_LEVEL_LT = 2,
  /**
   * A time-stamp over all of it; where there is one, another one (renewal).
   */
  LACRE_LEVEL_LTA = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_level lacre_level;
#else
typedef int32_t lacre_level;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a certificate is for. A function takes it as int32_t.
 *
 * @ingroup issuing
 */
enum lacre_profile
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * A root authority, which signs itself.
   */
  LACRE_PROFILE_ROOT = 1,
  /**
   * An authority that issues to everybody but authorities.
   */
  LACRE_PROFILE_ISSUING_AUTHORITY = 2,
  /**
   * A natural person's signatures: EN 319 412-2.
   */
  LACRE_PROFILE_NATURAL_PERSON = 3,
  /**
   * The same, qualified: EN 319 412-5.
   */
  LACRE_PROFILE_NATURAL_PERSON_QUALIFIED = 4,
  /**
   * The same, its key in a qualified device.
   */
  LACRE_PROFILE_NATURAL_PERSON_QSCD = 5,
  /**
   * A legal person's seals: EN 319 412-3.
   */
  LACRE_PROFILE_LEGAL_PERSON = 6,
  /**
   * The same, qualified: EN 319 412-5.
   */
  LACRE_PROFILE_LEGAL_PERSON_QUALIFIED = 7,
  /**
   * The same, its key in a qualified device.
   */
  LACRE_PROFILE_LEGAL_PERSON_QSCD = 8,
  /**
   * A delegated OCSP responder: RFC 6960.
   */
  LACRE_PROFILE_OCSP_RESPONDER = 9,
  /**
   * A time-stamping unit: EN 319 422.
   */
  LACRE_PROFILE_TIMESTAMP_UNIT = 10,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_profile lacre_profile;
#else
typedef int32_t lacre_profile;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a certificate says. A function takes it as int32_t.
 *
 * Natural persons have country, given name, surname and serial number; everybody else has country, organisation,
 * organisation identifier and common name. Locations are the issuer's, and each may be left out.
 *
 * @ingroup issuing
 */
enum lacre_attribute
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * ISO 3166-1: two capital letters.
   */
  LACRE_ATTRIBUTE_COUNTRY = 1,
  /**
   * Given names.
   */
  LACRE_ATTRIBUTE_GIVEN_NAME = 2,
  /**
   * Surname.
   */
  LACRE_ATTRIBUTE_SURNAME = 3,
  /**
   * What tells persons of one name apart, as "PASSK-P3000180" (EN 319 412-1).
   */
  LACRE_ATTRIBUTE_SERIAL_NUMBER = 4,
  /**
   * The full registered name.
   */
  LACRE_ATTRIBUTE_ORGANIZATION = 5,
  /**
   * Its identifier, as "VATBE-0876866142" (EN 319 412-1).
   */
  LACRE_ATTRIBUTE_ORGANIZATION_IDENTIFIER = 6,
  /**
   * The name that it is commonly known by.
   */
  LACRE_ATTRIBUTE_COMMON_NAME = 7,
  /**
   * Where the issuer's certificate is published.
   */
  LACRE_ATTRIBUTE_ISSUER_URL = 8,
  /**
   * The issuer's OCSP responder.
   */
  LACRE_ATTRIBUTE_OCSP_URL = 9,
  /**
   * The issuer's revocation list.
   */
  LACRE_ATTRIBUTE_CRL_URL = 10,
  /**
   * The disclosure statement of qualified certificates, in English.
   */
  LACRE_ATTRIBUTE_DISCLOSURE_URL = 11,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum lacre_attribute lacre_attribute;
#else
typedef int32_t lacre_attribute;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Where a callback puts what it got. It lives for the call.
 *
 * @ingroup signing
 */
typedef struct lacre_answer lacre_answer;

/**
 * Bytes or a text that the caller owns. Immutable; freed with lacre_buffer_free(). Private keys are wiped then.
 *
 * @ingroup values
 */
typedef struct lacre_buffer lacre_buffer;

/**
 * An evidence bundle: facts, policy, report, and everything that was handed in, but the document, of which it states
 * the digest. Immutable; freed with lacre_bundle_free().
 *
 * @ingroup bundles
 */
typedef struct lacre_bundle lacre_bundle;

/**
 * A certificate. It belongs to its report, and is never freed.
 *
 * @ingroup certificates
 */
typedef struct lacre_certificate lacre_certificate;

/**
 * A certificate to be issued.
 *
 * Made by lacre_certificate_order_new(), changed by the functions that begin with lacre_certificate_order_set, freed
 * with lacre_certificate_order_free().
 *
 * @ingroup issuing
 */
typedef struct lacre_certificate_order lacre_certificate_order;

/**
 * What was found about one certificate, and what was concluded. Immutable; freed with lacre_certificate_report_free().
 *
 * @ingroup certificate_reports
 */
typedef struct lacre_certificate_report lacre_certificate_report;

/**
 * A document, its name, its detached contents, its password.
 *
 * Made by lacre_document_from_memory() or lacre_document_from_file(), changed by the functions that begin with
 * lacre_document_set or lacre_document_add, freed with lacre_document_free(). Not changed any more, it may be used by
 * any number of threads.
 *
 * @ingroup documents
 */
typedef struct lacre_document lacre_document;

/**
 * What went wrong, in words. Immutable; freed with lacre_error_free().
 *
 * @ingroup errors
 */
typedef struct lacre_error lacre_error;

/**
 * An evidence record (RFC 4998, RFC 6283) and its verdict. It belongs to its report, and is never freed.
 *
 * @ingroup evidence_records
 */
typedef struct lacre_evidence_record lacre_evidence_record;

/**
 * What became of a signature. It belongs to its extension, and is never freed.
 *
 * @ingroup extending
 */
typedef struct lacre_extended_signature lacre_extended_signature;

/**
 * A document that is being extended or time-stamped. Nothing of it is changed but what its format leaves open for
 * additions.
 *
 * Made by lacre_extension_new(), lacre_extension_new_timestamp() or lacre_extension_new_renewal(), changed by the
 * functions that begin with lacre_extension_set, freed with lacre_extension_free(). Then lacre_extension_run() with
 * callbacks; or a loop of lacre_extension_advance() and answers to what it wants. One thread at a time may use it.
 *
 * @ingroup extending
 */
typedef struct lacre_extension lacre_extension;

/**
 * A signature field. It belongs to its fields, and is never freed.
 *
 * @ingroup signing
 */
typedef struct lacre_field lacre_field;

/**
 * The signature fields of a PDF, signed and empty ones. Immutable; freed with lacre_fields_free().
 *
 * @ingroup signing
 */
typedef struct lacre_fields lacre_fields;

/**
 * Something that a reader should see. It belongs to its report, and is never freed.
 *
 * @ingroup findings
 */
typedef struct lacre_finding lacre_finding;

/**
 * A private key, wherever it is kept. Immutable; freed with lacre_key_free().
 *
 * @ingroup signing
 */
typedef struct lacre_key lacre_key;

/**
 * A file that was read as a list, and what came of it. It belongs to its lists, and is never freed.
 *
 * @ingroup trusted_lists
 */
typedef struct lacre_list_state lacre_list_state;

/**
 * What it would take to extend a document. Immutable; freed with lacre_outlook_free().
 *
 * @ingroup extending
 */
typedef struct lacre_outlook lacre_outlook;

/**
 * A signature that lacks only its value. Immutable; freed with lacre_prepared_free().
 *
 * It does not depend on the process that made it: lacre_prepared_to_json() and lacre_prepared_from_json().
 *
 * @ingroup signing
 */
typedef struct lacre_prepared lacre_prepared;

/**
 * What was found in a document, and what was concluded. Immutable; freed with lacre_report_free().
 *
 * @ingroup reports
 */
typedef struct lacre_report lacre_report;

/**
 * A signature and its verdict. It belongs to its report, and is never freed.
 *
 * @ingroup signatures
 */
typedef struct lacre_signature lacre_signature;

/**
 * What it would take to extend a signature. It belongs to its outlook, and is never freed.
 *
 * @ingroup extending
 */
typedef struct lacre_signature_outlook lacre_signature_outlook;

/**
 * A signature to be made: who signs, what the signer states, how it is made. The document is handed in when it is
 * prepared, so that one of these serves many documents.
 *
 * Made by lacre_signing_new(), changed by the functions that begin with lacre_signing_set or lacre_signing_add, freed
 * with lacre_signing_free(). Then lacre_signing_sign() with a key at hand; or lacre_signing_prepare(), the value from
 * wherever the key is, and lacre_prepared_finish().
 *
 * @ingroup signing
 */
typedef struct lacre_signing lacre_signing;

/**
 * A time-stamp and its verdict. It belongs to its report, and is never freed.
 *
 * @ingroup timestamps
 */
typedef struct lacre_timestamp lacre_timestamp;

/**
 * The list of lists, the trusted lists that it points at (TS 119 612), and who may sign the former.
 *
 * Made by lacre_trusted_lists_new(), changed by the functions that begin with lacre_trusted_lists_add, freed with
 * lacre_trusted_lists_free(). Reading the lists of all countries takes seconds: make it once, for all validators. Not
 * changed any more, it may be used by any number of threads.
 *
 * @ingroup trusted_lists
 */
typedef struct lacre_trusted_lists lacre_trusted_lists;

/**
 * A validation policy, who is trusted, and evidence that documents may lack.
 *
 * Made by lacre_validator_new(), changed by the functions that begin with lacre_validator_add, freed with
 * lacre_validator_free(). Not changed any more, it may be used by any number of threads.
 *
 * @ingroup validators
 */
typedef struct lacre_validator lacre_validator;

/**
 * Something that an extension wants. It belongs to its extension, until the next step, and is never freed.
 *
 * @ingroup extending
 */
typedef struct lacre_want lacre_want;

/**
 * A piece of evidence that could change the verdict. It belongs to its report, and is never freed.
 *
 * @ingroup wanted
 */
typedef struct lacre_wanted lacre_wanted;

/**
 * A text that belongs to somebody else: UTF-8, len bytes, then a NUL that is not counted.
 *
 * data is never NULL; what is absent is an empty text. Where the text itself holds a NUL (a hostile name may),
 * "%s" prints less than there is, and len tells. Valid as long as what it was asked of.
 *
 * @ingroup values
 */
typedef struct {
  /**
   * The bytes, NUL-terminated.
   */
  const char *data;
  /**
   * How many there are, without the NUL.
   */
  size_t len;
} lacre_str;

/**
 * Asks a time-stamping authority: sends the request (application/timestamp-query), and gives its response
 * (application/timestamp-reply) to lacre_answer_set(). As a callback for signing, it must return.
 *
 * @param user_data    What was handed in with the callback.
 * @param request      A TimeStampReq, borrowed for the call.
 * @param request_len  How many bytes it has.
 * @param answer       Where the response goes.
 * @return 0 when there is a response; any other number is a failure, and stands in the error, with what
 *         lacre_answer_fail() said.
 * @ingroup signing
 */
typedef int32_t (*lacre_timestamp_callback)(void *user_data,
                                            const uint8_t *request,
                                            size_t request_len,
                                            lacre_answer *answer);

/**
 * Asks for a piece of evidence at one address, and gives what it got to lacre_answer_set(): a CRL, a certificate, an
 * OCSP response. As a callback for signing, it must return.
 *
 * @param user_data    What was handed in with the callback.
 * @param want         What is wanted, borrowed for the call.
 * @param url          Where it may be had: NUL-terminated, borrowed for the call.
 * @param request      Of an OCSP response the OCSPRequest, to be sent by POST (application/ocsp-request); otherwise
 *                     NULL, and the address is asked by GET. Borrowed for the call.
 * @param request_len  How many bytes it has.
 * @param answer       Where the evidence goes.
 * @return 0 when there is some; any other number: not at this address, for the reason that lacre_answer_fail() gave.
 * @ingroup extending
 */
typedef int32_t (*lacre_evidence_callback)(void *user_data,
                                           const lacre_want *want,
                                           const char *url,
                                           const uint8_t *request,
                                           size_t request_len,
                                           lacre_answer *answer);

/**
 * Fills memory with unpredictable bytes: LACRE_RANDOM_SEED of them, asked for once in each call of a function that
 * takes one, and stretched by ChaCha20 to what is needed. As a callback for signing, it must return.
 *
 * @param      user_data   What was handed in with the callback.
 * @param[out] bytes      What to fill.
 * @param      bytes_len  How many bytes it has.
 * @return 0 when all were filled; any other number is a failure, and stands in the error.
 * @ingroup signing
 */
typedef int32_t (*lacre_random_callback)(void *user_data,
                                         uint8_t *bytes,
                                         size_t bytes_len);

/**
 * Makes a signature value over a digest, wherever the key is kept: in a token, on a card, behind a network.
 *
 * The digest is signed as it is, and not digested again; EdDSA and ML-DSA sign a message. The value is checked with
 * the public key afterwards. A callback must return: no exception and no longjmp may leave it.
 *
 * @param      user_data       What was handed in with the callback.
 * @param      scheme          One of lacre_scheme, but LACRE_SCHEME_USUAL.
 * @param      digest          One of lacre_digest: the function that made the digest; LACRE_DIGEST_NONE for EdDSA and
 *                             ML-DSA.
 * @param      hash            The digest, or the message for EdDSA and ML-DSA; borrowed for the call.
 * @param      hash_len        How many bytes it has.
 * @param[out] value           Where the value goes.
 * @param      value_capacity  How many bytes it may have: LACRE_SIGNATURE_MAX.
 * @param[out] value_len       How many bytes it has.
 * @return 0 when the value was made; any other number is a failure, and stands in the error.
 * @ingroup signing
 */
typedef int32_t (*lacre_sign_callback)(void *user_data,
                                       int32_t scheme,
                                       int32_t digest,
                                       const uint8_t *hash,
                                       size_t hash_len,
                                       uint8_t *value,
                                       size_t value_capacity,
                                       size_t *value_len);

/**
 * Is told once that user_data is not needed any more. As a callback for signing, it must return.
 *
 * @param user_data  What was handed in with the callback.
 * @ingroup signing
 */
typedef void (*lacre_release_callback)(void *user_data);

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Validates as lacre_validate() does, and keeps everything that the report rests on.
 *
 * Thread safety: any number of threads, also with the same validator and the same document.
 *
 * @param      validator   The policy, and who is trusted.
 * @param      document    The document.
 * @param      time        Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
 * @param      language    The language of the report in the bundle, as for lacre_report_write(). NULL: English.
 * @param[out] report_out  The report. On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
 * @param[out] bundle_out  The bytes of a ZIP file, which the same validation gives again. On LACRE_OK owned by the
 *                         caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8,
 *         LACRE_ERROR_UNKNOWN_FORMAT or LACRE_ERROR_UNREADABLE.
 * @ingroup bundles
 */
lacre_status lacre_validate_bundled(const lacre_validator *validator,
                                    const lacre_document *document,
                                    int64_t time,
                                    const char *language,
                                    lacre_report **report_out,
                                    lacre_buffer **bundle_out,
                                    lacre_error **error_out);

/**
 * Reads a bundle. One in which any byte is another than was written is refused.
 *
 * Thread safety: any thread.
 *
 * @param      bundle      The bytes of the ZIP file, borrowed for the call.
 * @param      bundle_len  How many there are.
 * @param[out] bundle_out  On LACRE_OK owned by the caller, freed with lacre_bundle_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_BUNDLE.
 * @ingroup bundles
 */
lacre_status lacre_bundle_from_memory(const uint8_t *bundle,
                                      size_t bundle_len,
                                      lacre_bundle **bundle_out,
                                      lacre_error **error_out);

/**
 * Returns the name of the document that was judged; empty where it had none.
 *
 * Thread safety: any thread.
 *
 * @param bundle  May be NULL: an empty text.
 * @return Borrowed from the bundle.
 * @ingroup bundles
 */
lacre_str lacre_bundle_document_name(const lacre_bundle *bundle);

/**
 * Returns the SHA-256 of the document that was judged, in lower-case hexadecimal.
 *
 * Thread safety: any thread.
 *
 * @param bundle  May be NULL: an empty text.
 * @return Borrowed from the bundle.
 * @ingroup bundles
 */
lacre_str lacre_bundle_document_sha256(const lacre_bundle *bundle);

/**
 * Returns the moment that was judged for, in milliseconds since 1970-01-01T00:00:00Z.
 *
 * Thread safety: any thread.
 *
 * @param bundle  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup bundles
 */
int64_t lacre_bundle_validation_time(const lacre_bundle *bundle);

/**
 * Returns the report as it was written then, as JSON.
 *
 * Thread safety: any thread.
 *
 * @param bundle  May be NULL: an empty text.
 * @return Borrowed from the bundle.
 * @ingroup bundles
 */
lacre_str lacre_bundle_report(const lacre_bundle *bundle);

/**
 * Judges again, by the policy and for the moment of the bundle, and says what differs from then.
 *
 * Without the document the facts of the bundle are judged; with it, it is read again, with the trust anchors, the
 * trusted lists and the evidence of the bundle, under the name that it had.
 *
 * Thread safety: any number of threads, also with the same bundle and the same document.
 *
 * @param      bundle           The bundle.
 * @param      document         The document that was judged, with its detached contents. May be NULL.
 * @param[out] report_out       The report of today. On LACRE_OK owned by the caller, freed with lacre_report_free().
 *                              Otherwise NULL.
 * @param[out] differences_out  A text: a line for each of the first hundred differences, empty where there is none. On
 *                              LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_UNREADABLE or LACRE_ERROR_BUNDLE, which is also that of
 *         another document.
 * @ingroup bundles
 */
lacre_status lacre_bundle_replay(const lacre_bundle *bundle,
                                 const lacre_document *document,
                                 lacre_report **report_out,
                                 lacre_buffer **differences_out,
                                 lacre_error **error_out);

/**
 * Frees a bundle, and with it all that was borrowed from it.
 *
 * Thread safety: any thread, as long as no other uses the bundle.
 *
 * @param bundle  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup bundles
 */
lacre_status lacre_bundle_free(lacre_bundle *bundle);

/**
 * Judges a certificate by itself, as of one moment: its path, its revocation, and what it is under eIDAS, when it was
 * issued and at that moment. One that is not good is still LACRE_OK: the verdict is in the report.
 *
 * Thread safety: any number of threads, also with the same validator.
 *
 * @param      validator        The policy, who is trusted, and evidence.
 * @param      certificate      DER or PEM, borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param      name             A file name, for the report: NUL-terminated UTF-8, borrowed for the call. May be NULL.
 * @param      time             Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
 * @param[out] report_out       On LACRE_OK owned by the caller, freed with lacre_certificate_report_free(). Otherwise
 *                              NULL.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or
 *         LACRE_ERROR_EVIDENCE.
 * @ingroup certificate_reports
 */
lacre_status lacre_validate_certificate(const lacre_validator *validator,
                                        const uint8_t *certificate,
                                        size_t certificate_len,
                                        const char *name,
                                        int64_t time,
                                        lacre_certificate_report **report_out,
                                        lacre_error **error_out);

/**
 * Writes a report on a certificate down. The same report gives the same bytes.
 *
 * Thread safety: any number of threads, also with the same report.
 *
 * @param      report      The report.
 * @param      format      LACRE_FORMAT_TEXT: for people. LACRE_FORMAT_JSON: lacre-certificate/2, one object on one line.
 * @param      language    The language of its sentences, as for lacre_report_write(). NULL: English.
 * @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup certificate_reports
 */
lacre_status lacre_certificate_report_write(const lacre_certificate_report *report,
                                            int32_t format,
                                            const char *language,
                                            lacre_buffer **bytes_out,
                                            lacre_error **error_out);

/**
 * Returns the verdict: LACRE_INDICATION_PASSED, LACRE_INDICATION_FAILED or LACRE_INDICATION_INDETERMINATE.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup certificate_reports
 */
lacre_indication lacre_certificate_report_indication(const lacre_certificate_report *report);

/**
 * Returns why the verdict is not LACRE_INDICATION_PASSED.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
 * @ingroup certificate_reports
 */
lacre_sub_indication lacre_certificate_report_sub_indication(const lacre_certificate_report *report);

/**
 * Returns what the certificate was when it was issued, such as "QCERT-FOR-ESIG-QSCD"; "NA" where no trusted list
 * tells.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
lacre_str lacre_certificate_report_qualification_at_issuance(const lacre_certificate_report *report);

/**
 * Returns the same as a sentence, in English.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
lacre_str lacre_certificate_report_qualification_at_issuance_text(const lacre_certificate_report *report);

/**
 * Returns what the certificate is at the moment judged for, spelt as when it was issued.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
lacre_str lacre_certificate_report_qualification_at_time(const lacre_certificate_report *report);

/**
 * Returns the same as a sentence, in English.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
lacre_str lacre_certificate_report_qualification_at_time_text(const lacre_certificate_report *report);

/**
 * Returns how many certificates the chain has, its own included.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup certificate_reports
 */
size_t lacre_certificate_report_certificate_count(const lacre_certificate_report *report);

/**
 * Returns a certificate of the chain: first the one that was judged, then its issuer, upwards.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
const lacre_certificate *lacre_certificate_report_certificate(const lacre_certificate_report *report,
                                                              size_t index);

/**
 * Returns how many findings there are.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup certificate_reports
 */
size_t lacre_certificate_report_finding_count(const lacre_certificate_report *report);

/**
 * Returns a finding: errors first, then warnings, then information.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
const lacre_finding *lacre_certificate_report_finding(const lacre_certificate_report *report,
                                                      size_t index);

/**
 * Returns how many pieces of evidence could change the verdict.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup certificate_reports
 */
size_t lacre_certificate_report_wanted_count(const lacre_certificate_report *report);

/**
 * Returns a piece of evidence that could change the verdict: fetch it, lacre_validator_add_evidence(), validate again.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup certificate_reports
 */
const lacre_wanted *lacre_certificate_report_wanted(const lacre_certificate_report *report,
                                                    size_t index);

/**
 * Frees a report on a certificate, and with it all that was borrowed from it.
 *
 * Thread safety: any thread, as long as no other uses the report.
 *
 * @param report  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup certificate_reports
 */
lacre_status lacre_certificate_report_free(lacre_certificate_report *report);

/**
 * Makes a document of bytes in memory. Nothing is copied.
 *
 * Thread safety: any thread.
 *
 * @param      document      Borrowed until the handle is freed; NULL only if document_len is 0. Must not change
 *                           meanwhile.
 * @param      document_len  How many bytes it has.
 * @param[out] document_out  On LACRE_OK owned by the caller, freed with lacre_document_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup documents
 */
lacre_status lacre_document_from_memory(const uint8_t *document,
                                        size_t document_len,
                                        lacre_document **document_out,
                                        lacre_error **error_out);

/**
 * Makes a document of a file, which is mapped, not read: it may be larger than memory. Its name is the last part of
 * the path. While the handle lives, nobody may truncate the file.
 *
 * Thread safety: any thread.
 *
 * @param      path          NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
 * @param[out] document_out  On LACRE_OK owned by the caller, freed with lacre_document_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
 * @ingroup documents
 */
lacre_status lacre_document_from_file(const char *path,
                                      lacre_document **document_out,
                                      lacre_error **error_out);

/**
 * Gives the document a file name, for the report and for references by name.
 *
 * Thread safety: one thread at a time may change a document, and none may use it meanwhile.
 *
 * @param      document   The document.
 * @param      name       NUL-terminated UTF-8, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup documents
 */
lacre_status lacre_document_set_name(lacre_document *document,
                                     const char *name,
                                     lacre_error **error_out);

/**
 * Gives the document a password, for an encrypted PDF file: the user's or the owner's. It is copied.
 *
 * Thread safety: one thread at a time may change a document, and none may use it meanwhile.
 *
 * @param      document      The document.
 * @param      password      Borrowed for the call; NULL only if password_len is 0.
 * @param      password_len  How many bytes it has.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup documents
 */
lacre_status lacre_document_set_password(lacre_document *document,
                                         const uint8_t *password,
                                         size_t password_len,
                                         lacre_error **error_out);

/**
 * Adds a detached content: what the document's signatures sign without holding it. Nothing is copied.
 *
 * Thread safety: one thread at a time may change a document, and none may use it meanwhile.
 *
 * @param      document     The document.
 * @param      name         The content's file name: NUL-terminated UTF-8, borrowed for the call.
 * @param      content      Borrowed until the document is freed; NULL only if content_len is 0. Must not change
 *                          meanwhile.
 * @param      content_len  How many bytes it has.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup documents
 */
lacre_status lacre_document_add_content(lacre_document *document,
                                        const char *name,
                                        const uint8_t *content,
                                        size_t content_len,
                                        lacre_error **error_out);

/**
 * Adds a detached content that is in a file, under the last part of its path. The file is mapped.
 *
 * Thread safety: one thread at a time may change a document, and none may use it meanwhile.
 *
 * @param      document   The document.
 * @param      path       NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
 * @ingroup documents
 */
lacre_status lacre_document_add_content_file(lacre_document *document,
                                             const char *path,
                                             lacre_error **error_out);

/**
 * Frees a document. What was borrowed by it is the caller's alone again.
 *
 * Thread safety: any thread, as long as no other uses the document.
 *
 * @param document  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup documents
 */
lacre_status lacre_document_free(lacre_document *document);

/**
 * Returns the code of an error; LACRE_OK for NULL.
 *
 * Thread safety: any thread.
 *
 * @param error  May be NULL.
 * @ingroup errors
 */
lacre_status lacre_error_code(const lacre_error *error);

/**
 * Returns what keeps a signature from being made or extended, as a word that programs compare, such as
 * "value-does-not-verify", "field-signed" or "revocation-missing"; empty for other errors. They are those of the Rust
 * library (SigningErrorCode) and of the command.
 *
 * Thread safety: any thread.
 *
 * @param error  May be NULL: an empty text.
 * @return Borrowed from the error.
 * @ingroup errors
 */
lacre_str lacre_error_cause(const lacre_error *error);

/**
 * Returns what went wrong: what was found and what was expected, with the causes after colons. In English.
 *
 * Thread safety: any thread.
 *
 * @param error  May be NULL: an empty text.
 * @return Borrowed from the error.
 * @ingroup errors
 */
lacre_str lacre_error_message(const lacre_error *error);

/**
 * Returns what the user could do about it; empty where there is no advice. In English.
 *
 * Thread safety: any thread.
 *
 * @param error  May be NULL: an empty text.
 * @return Borrowed from the error.
 * @ingroup errors
 */
lacre_str lacre_error_hint(const lacre_error *error);

/**
 * Frees an error.
 *
 * Thread safety: any thread, as long as no other uses the error.
 *
 * @param error  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup errors
 */
lacre_status lacre_error_free(lacre_error *error);

/**
 * Returns the name of a code as it is written in C, such as "LACRE_ERROR_FILE".
 *
 * Thread safety: any thread.
 *
 * @param status  Any number; for one that is no code the name is "LACRE_ERROR_UNKNOWN".
 * @return Static, NUL-terminated.
 * @ingroup errors
 */
const char *lacre_status_name(int32_t status);

/**
 * Begins to extend the signatures of a document to a level. One that cannot be extended does not keep the others from
 * it.
 *
 * Thread safety: any thread.
 *
 * @param      validator      Judges before and after; a copy of it is kept.
 * @param      document       The document, with its detached contents and password. It has to live, and may not be
 *                            changed, until the extension is freed.
 * @param      level          One of lacre_level.
 * @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
 * @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_extension_new(const lacre_validator *validator,
                                 const lacre_document *document,
                                 int32_t level,
                                 lacre_extension **extension_out,
                                 lacre_error **error_out);

/**
 * Begins to time-stamp a document: in a PDF, signed or not, a document time-stamp; of any other file the token itself,
 * which stands beside the file (.tst).
 *
 * Thread safety: any thread.
 *
 * @param      validator      Judges before and after; a copy of it is kept.
 * @param      document       The document. It has to live, and may not be changed, until the extension is freed.
 * @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
 * @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_extension_new_timestamp(const lacre_validator *validator,
                                           const lacre_document *document,
                                           lacre_extension **extension_out,
                                           lacre_error **error_out);

/**
 * Begins to renew a time-stamp that stands beside a file: a token, which becomes an evidence record (RFC 4998), or
 * such a record, which gets another time-stamp.
 *
 * Thread safety: any thread.
 *
 * @param      validator      Judges before and after; a copy of it is kept.
 * @param      document       The token or record, with the file that it is over among its contents. It has to live,
 *                            and may not be changed, until the extension is freed.
 * @param[out] extension_out  On LACRE_OK owned by the caller, freed with lacre_extension_free(). Otherwise NULL.
 * @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_extension_new_renewal(const lacre_validator *validator,
                                         const lacre_document *document,
                                         lacre_extension **extension_out,
                                         lacre_error **error_out);

/**
 * Sets an option by its name. What is marked with + may be set several times, and each time adds one; of others the
 * last counts.
 *
 * - `signature` +: the id, as in a report, of a signature that is extended. Without it: all of them.
 * - `freshness`: how recent revocation data has to be: "strict", issued after the time-stamp; "accept-older", current
 *   when it was made. Without it: "strict".
 * - `digest`: the function of time-stamps. Without it: SHA256.
 * - `renewal`: "false": signatures of level LTA stay as they are. Without it: "true".
 * - `vri`: "true": also the VRI dictionaries of a PDF, which no validation needs. Without it: "false".
 * - `overlook` +: what does not keep a signature from being extended: "broken-timestamp", "expired-certificate",
 *   "untrusted-chain", "missing-revocation"
 * - `timestamp-policy`: the policy under which authorities are to stamp, an object identifier
 * - `timestamp-nonce`: "false": lacre_extension_run() asks without a nonce. Without it: "true".
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension  The extension, before its first step.
 * @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
 * @param      value      NUL-terminated UTF-8, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
 *                        unknown name it lists those that are known.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup extending
 */
lacre_status lacre_extension_set(lacre_extension *extension,
                                 const char *key,
                                 const char *value,
                                 lacre_error **error_out);

/**
 * Takes a step: judges the document with what was handed in so far. Either it is done, or something is wanted:
 * lacre_extension_want(). What was handed in and is wanted again was of no use, and its addresses are not asked again.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension  The extension.
 * @param      time       This moment: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] done_out   Whether it is done.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_TIMESTAMP or
 *         LACRE_ERROR_EXTENSION.
 * @ingroup extending
 */
lacre_status lacre_extension_advance(lacre_extension *extension,
                                     int64_t time,
                                     bool *done_out,
                                     lacre_error **error_out);

/**
 * Frees an extension, also one that is not done.
 *
 * Thread safety: any thread, as long as no other uses the extension.
 *
 * @param extension  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup extending
 */
lacre_status lacre_extension_free(lacre_extension *extension);

/**
 * Returns how many things are wanted.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param extension  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_extension_want_count(const lacre_extension *extension);

/**
 * Returns something that is wanted: a time-stamp, or a piece of evidence. Of several about one certificate one is
 * enough.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param extension  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the extension, until its next step.
 * @ingroup extending
 */
const lacre_want *lacre_extension_want(const lacre_extension *extension,
                                       size_t index);

/**
 * Hands in a piece of evidence that is wanted: a certificate, CRL or OCSP response (DER or PEM); of issuers, also a
 * "certs-only" message (.p7c). It is copied. What cannot be read is refused, and may be asked for elsewhere.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension     The extension.
 * @param      index         Which of what is wanted.
 * @param      evidence      Borrowed for the call.
 * @param      evidence_len  How many bytes it has.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
 * @ingroup extending
 */
lacre_status lacre_extension_answer(lacre_extension *extension,
                                    size_t index,
                                    const uint8_t *evidence,
                                    size_t evidence_len,
                                    lacre_error **error_out);

/**
 * Gives the request for a time-stamp that is wanted: a TimeStampReq (RFC 3161), for lacre_extension_timestamp().
 * Another one about the same takes its place.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension    The extension.
 * @param      index        Which of what is wanted.
 * @param      nonce        8 to 16 random bytes, by which the response is known to be new; borrowed for the call. NULL
 *                          with a length of 0: none.
 * @param      nonce_len    How many bytes it has.
 * @param      policy       The policy to stamp under, an object identifier: NUL-terminated, borrowed for the call.
 *                          NULL: that of the option timestamp-policy, or the authority's choice.
 * @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup extending
 */
lacre_status lacre_extension_timestamp_request(lacre_extension *extension,
                                               size_t index,
                                               const uint8_t *nonce,
                                               size_t nonce_len,
                                               const char *policy,
                                               lacre_buffer **request_out,
                                               lacre_error **error_out);

/**
 * Hands in the response to lacre_extension_timestamp_request(), which is checked as lacre_timestamp_token() does. One
 * that is refused leaves the extension as it was: another authority may be asked.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension     The extension.
 * @param      index         Which of what is wanted.
 * @param      response      The TimeStampResp, borrowed for the call.
 * @param      response_len  How many bytes it has.
 * @param      time          When it was received: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TIMESTAMP.
 * @ingroup extending
 */
lacre_status lacre_extension_timestamp(lacre_extension *extension,
                                       size_t index,
                                       const uint8_t *response,
                                       size_t response_len,
                                       int64_t time,
                                       lacre_error **error_out);

/**
 * Says that a piece of evidence was looked for in vain: it is not wanted there again, and the reason stands in the
 * error if nothing else helps. There is no going on without a time-stamp.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension  The extension.
 * @param      index      Which of what is wanted.
 * @param      url        One of its addresses: NUL-terminated UTF-8, borrowed for the call. NULL: all of them.
 * @param      reason     A sentence: NUL-terminated UTF-8, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup extending
 */
lacre_status lacre_extension_failed(lacre_extension *extension,
                                    size_t index,
                                    const char *url,
                                    const char *reason,
                                    lacre_error **error_out);

/**
 * Says what it would take to extend the signatures of the document, with what was handed in so far. Nothing is asked of
 * anybody, and the extension stays as it is.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension    One of lacre_extension_new().
 * @param      time         This moment: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] outlook_out  On LACRE_OK owned by the caller, freed with lacre_outlook_free(); it outlives the extension.
 *                          Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EXTENSION.
 * @ingroup extending
 */
lacre_status lacre_extension_outlook(const lacre_extension *extension,
                                     int64_t time,
                                     lacre_outlook **outlook_out,
                                     lacre_error **error_out);

/**
 * Returns how many signatures were chosen.
 *
 * Thread safety: any thread.
 *
 * @param outlook  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_outlook_count(const lacre_outlook *outlook);

/**
 * Returns what a signature would take, in the order of the document.
 *
 * Thread safety: any thread.
 *
 * @param outlook  May be NULL: NULL comes back.
 * @param index    From 0; past the last NULL comes back.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
const lacre_signature_outlook *lacre_outlook_signature(const lacre_outlook *outlook,
                                                       size_t index);

/**
 * Frees an outlook.
 *
 * Thread safety: any thread, as long as no other uses the outlook.
 *
 * @param outlook  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup extending
 */
lacre_status lacre_outlook_free(lacre_outlook *outlook);

/**
 * Returns its id, as in a report.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
lacre_str lacre_signature_outlook_id(const lacre_signature_outlook *signature);

/**
 * Returns the profile that it fulfils, such as "PAdES-BASELINE-B"; empty where none is known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
lacre_str lacre_signature_outlook_level(const lacre_signature_outlook *signature);

/**
 * Returns what is in the way, as a word like those of lacre_error_cause(); empty where nothing is.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
lacre_str lacre_signature_outlook_cause(const lacre_signature_outlook *signature);

/**
 * Returns what is in the way: what was found and what was expected, in English.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
lacre_str lacre_signature_outlook_message(const lacre_signature_outlook *signature);

/**
 * Returns what the user could do about it; empty where there is no advice.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the outlook.
 * @ingroup extending
 */
lacre_str lacre_signature_outlook_hint(const lacre_signature_outlook *signature);

/**
 * Returns how many time-stamps it would get; in a PDF the same ones serve all signatures.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_signature_outlook_timestamp_count(const lacre_signature_outlook *signature);

/**
 * Returns how many pieces of evidence are missing, as far as they are known: what time-stamps to come need is not.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_signature_outlook_want_count(const lacre_signature_outlook *signature);

/**
 * Returns a piece of evidence that is missing, to be read with the functions that begin with lacre_want.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the outlook, also where those functions say: from the extension.
 * @ingroup extending
 */
const lacre_want *lacre_signature_outlook_want(const lacre_signature_outlook *signature,
                                               size_t index);

/**
 * Gives the new file, once the extension is done.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension  The extension.
 * @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                        Otherwise NULL.
 * @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF all
 *                        of them, so that a copy of it needs no more than what follows.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_extension_file(const lacre_extension *extension,
                                  lacre_buffer **file_out,
                                  size_t *kept_out,
                                  lacre_error **error_out);

/**
 * Gives the judgement of the new file, once the extension is done.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param      extension   The extension.
 * @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_extension_report(const lacre_extension *extension,
                                    lacre_report **report_out,
                                    lacre_error **error_out);

/**
 * Returns how many signatures the document has; 0 as long as the extension is not done.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param extension  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_extension_signature_count(const lacre_extension *extension);

/**
 * Returns what became of a signature, in the order of the document.
 *
 * Thread safety: one thread at a time may use an extension.
 *
 * @param extension  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
const lacre_extended_signature *lacre_extension_signature(const lacre_extension *extension,
                                                          size_t index);

/**
 * Returns its id in the document as it was.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_id(const lacre_extended_signature *signature);

/**
 * Returns its id in the new file.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_new_id(const lacre_extended_signature *signature);

/**
 * Returns the profile that it fulfilled, such as "PAdES-BASELINE-B"; empty where none is known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_level_before(const lacre_extended_signature *signature);

/**
 * Returns the profile that it fulfils in the new file, such as "PAdES-BASELINE-LTA"; empty where none is known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_level_after(const lacre_extended_signature *signature);

/**
 * Returns the verdict on it before.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup extending
 */
lacre_indication lacre_extended_signature_indication_before(const lacre_extended_signature *signature);

/**
 * Returns the verdict on it in the new file.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup extending
 */
lacre_indication lacre_extended_signature_indication_after(const lacre_extended_signature *signature);

/**
 * Returns why it was not extended, as a word like those of lacre_error_cause(); empty where it was, and where it was
 * not chosen.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_cause(const lacre_extended_signature *signature);

/**
 * Returns why it was not extended: what was found and what was expected, in English.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_message(const lacre_extended_signature *signature);

/**
 * Returns what the user could do about it; empty where there is no advice.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_extended_signature_hint(const lacre_extended_signature *signature);

/**
 * Extends: takes steps, and asks callbacks for what is wanted, until it is done. Of evidence that nobody has, the
 * callback's reasons stand in the error.
 *
 * Thread safety: one thread at a time may use an extension; the callbacks are called from this one.
 *
 * @param      extension    The extension.
 * @param      time         This moment: milliseconds since 1970-01-01T00:00:00Z. Time-stamps have to be of within five
 *                          minutes.
 * @param      timestamp    Asks a time-stamping authority; NULL where no time-stamp will be wanted.
 * @param      evidence     Asks for revocation data and certificates; NULL: nobody is asked.
 * @param      user_data    Handed to both callbacks.
 * @param      random       Where the randomness of nonces comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_TIMESTAMP,
 *         LACRE_ERROR_EXTENSION, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
 * @ingroup extending
 */
lacre_status lacre_extension_run(lacre_extension *extension,
                                 int64_t time,
                                 lacre_timestamp_callback timestamp,
                                 lacre_evidence_callback evidence,
                                 void *user_data,
                                 lacre_random_callback random,
                                 void *random_data,
                                 lacre_error **error_out);

/**
 * Returns what it is: LACRE_EVIDENCE_TIMESTAMP, LACRE_EVIDENCE_OCSP, LACRE_EVIDENCE_CRL or LACRE_EVIDENCE_ISSUER.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: LACRE_EVIDENCE_NONE comes back.
 * @ingroup extending
 */
lacre_evidence_kind lacre_want_kind(const lacre_want *want);

/**
 * Returns the id of the certificate that it is about, or of the signature that is to be stamped; empty for a
 * time-stamp for all of them.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_want_about(const lacre_want *want);

/**
 * Returns the name of the certificate that it is about, for people; empty for a time-stamp.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_want_name(const lacre_want *want);

/**
 * Returns the digest function of the imprint of a time-stamp, such as "SHA256"; empty for evidence.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_want_digest(const lacre_want *want);

/**
 * Returns at how many places evidence may be had where it was not looked for yet; 0 for a time-stamp.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: 0 comes back.
 * @ingroup extending
 */
size_t lacre_want_url_count(const lacre_want *want);

/**
 * Returns where evidence may be had, best first.
 *
 * Thread safety: any thread.
 *
 * @param want   May be NULL: an empty text.
 * @param index  From 0; past the last an empty text.
 * @return Borrowed from the extension.
 * @ingroup extending
 */
lacre_str lacre_want_url(const lacre_want *want,
                         size_t index);

/**
 * Returns from when on revocation data is recent enough, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME
 * where any is.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup extending
 */
int64_t lacre_want_not_before(const lacre_want *want);

/**
 * Returns when its issuer will have issued the next, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME where
 * that is not known.
 *
 * Thread safety: any thread.
 *
 * @param want  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup extending
 */
int64_t lacre_want_retry_at(const lacre_want *want);

/**
 * Gives the imprint that is to be stamped: empty for evidence.
 *
 * Thread safety: any thread.
 *
 * @param      want         What is wanted.
 * @param[out] imprint_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_want_imprint(const lacre_want *want,
                                lacre_buffer **imprint_out,
                                lacre_error **error_out);

/**
 * Gives the certificate that evidence is about, DER: empty for a time-stamp.
 *
 * Thread safety: any thread.
 *
 * @param      want             What is wanted.
 * @param[out] certificate_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_want_certificate(const lacre_want *want,
                                    lacre_buffer **certificate_out,
                                    lacre_error **error_out);

/**
 * Gives the request for an OCSP response: an OCSPRequest (RFC 6960), which is sent to the addresses by POST
 * (application/ocsp-request). Empty where something else is wanted, or the issuer is not known.
 *
 * Thread safety: any thread.
 *
 * @param      want         What is wanted.
 * @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup extending
 */
lacre_status lacre_want_ocsp_request(const lacre_want *want,
                                     lacre_buffer **request_out,
                                     lacre_error **error_out);

/**
 * Reads the signature fields of a PDF, to choose the one that is signed (option field of lacre_signing_set()).
 *
 * Thread safety: any number of threads, also with the same document.
 *
 * @param      document    The PDF, with its password if it takes one.
 * @param[out] fields_out  On LACRE_OK owned by the caller, freed with lacre_fields_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_fields_of(const lacre_document *document,
                             lacre_fields **fields_out,
                             lacre_error **error_out);

/**
 * Returns how many fields there are.
 *
 * Thread safety: any thread.
 *
 * @param fields  May be NULL: 0 comes back.
 * @ingroup signing
 */
size_t lacre_fields_count(const lacre_fields *fields);

/**
 * Returns a field, in the order of the form.
 *
 * Thread safety: any thread.
 *
 * @param fields  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the fields.
 * @ingroup signing
 */
const lacre_field *lacre_fields_at(const lacre_fields *fields,
                                   size_t index);

/**
 * Frees fields.
 *
 * Thread safety: any thread, as long as no other uses the fields.
 *
 * @param fields  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup signing
 */
lacre_status lacre_fields_free(lacre_fields *fields);

/**
 * Returns its fully qualified name.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: an empty text.
 * @return Borrowed from the fields.
 * @ingroup signing
 */
lacre_str lacre_field_name(const lacre_field *field);

/**
 * Returns whether it has a signature.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: false comes back.
 * @ingroup signing
 */
bool lacre_field_is_signed(const lacre_field *field);

/**
 * Returns the number of its page, from 1 on; 0 where it is on none.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: 0 comes back.
 * @ingroup signing
 */
uint32_t lacre_field_page(const lacre_field *field);

/**
 * Gives where it is seen: left, bottom, right and top, in the coordinates of the page.
 *
 * Thread safety: any thread.
 *
 * @param      field          May be NULL: false comes back.
 * @param[out] rectangle_out  Four numbers; all 0 where it is not seen. May be NULL.
 * @return Whether it is seen.
 * @ingroup signing
 */
bool lacre_field_rectangle(const lacre_field *field,
                           double *rectangle_out);

/**
 * Returns which fields nobody may change once it is signed: "all", "include" (those of lacre_field_locked()),
 * "exclude" (all but those); empty where it locks none.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: an empty text.
 * @return Borrowed from the fields.
 * @ingroup signing
 */
lacre_str lacre_field_lock(const lacre_field *field);

/**
 * Returns how many fields its lock names.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: 0 comes back.
 * @ingroup signing
 */
size_t lacre_field_locked_count(const lacre_field *field);

/**
 * Returns the name of a field that its lock names.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: an empty text.
 * @param index  From 0; past the last an empty text comes back.
 * @return Borrowed from the fields.
 * @ingroup signing
 */
lacre_str lacre_field_locked(const lacre_field *field,
                             size_t index);

/**
 * Returns what its lock still permits in the whole document: 1, nothing; 2, filling in and signing; 3, comments, too;
 * 0 where it does not say.
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: 0 comes back.
 * @ingroup signing
 */
int32_t lacre_field_permission(const lacre_field *field);

/**
 * Returns what it asks of its signer (ISO 32000-1 table 234), one of several by its index. What it requires is checked
 * when it is signed.
 *
 * - `reason`: a reason that can be chosen
 * - `digest`: a digest function that is allowed
 * - `filter`, `sub-filter`: the signature handler, and encodings that are allowed
 * - `certify`: what a certification is to permit, "1" to "3"; "0" for none
 * - `timestamp-url`: the address of a time-stamping authority; `timestamp-required`: "true"
 * - `lock-document`: "true" or "false"
 * - `revocation-information`, `attestations`: "true"
 * - `appearance`: the name of an appearance
 *
 * Thread safety: any thread.
 *
 * @param field  May be NULL: an empty text.
 * @param key    One of these, NUL-terminated. NULL or any other: an empty text.
 * @param index  From 0; past the last, and where it asks nothing of the kind, an empty text comes back.
 * @return Borrowed from the fields.
 * @ingroup signing
 */
lacre_str lacre_field_asks(const lacre_field *field,
                           const char *key,
                           size_t index);

/**
 * Begins a certificate.
 *
 * Thread safety: any thread.
 *
 * @param      profile    One of lacre_profile.
 * @param[out] order_out  On LACRE_OK owned by the caller, freed with lacre_certificate_order_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_new(int32_t profile,
                                         lacre_certificate_order **order_out,
                                         lacre_error **error_out);

/**
 * Sets what the certificate says of its subject, or where its issuer publishes.
 *
 * Thread safety: one thread at a time may change an order, and none may use it meanwhile.
 *
 * @param      order      The order.
 * @param      attribute  One of lacre_attribute. What the profile does not use is left aside.
 * @param      value      NUL-terminated UTF-8, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_set_attribute(lacre_certificate_order *order,
                                                   int32_t attribute,
                                                   const char *value,
                                                   lacre_error **error_out);

/**
 * Sets from when until when the certificate is valid. It may not outlive its issuer's.
 *
 * Thread safety: one thread at a time may change an order, and none may use it meanwhile.
 *
 * @param      order      The order.
 * @param      from       The first moment: milliseconds since 1970-01-01T00:00:00Z.
 * @param      to         The last moment: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_set_validity(lacre_certificate_order *order,
                                                  int64_t from,
                                                  int64_t to,
                                                  lacre_error **error_out);

/**
 * Sets the subject's key, of whose possession the caller knows. Roots have the issuer's.
 *
 * Thread safety: one thread at a time may change an order, and none may use it meanwhile.
 *
 * @param      order           The order.
 * @param      public_key      A SubjectPublicKeyInfo (RFC 5280), DER or PEM, as lacre_key_public() writes it; borrowed
 *                             for the call.
 * @param      public_key_len  How many bytes it has.
 * @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_set_public_key(lacre_certificate_order *order,
                                                    const uint8_t *public_key,
                                                    size_t public_key_len,
                                                    lacre_error **error_out);

/**
 * Sets the subject's key from a request, whose signature proves its possession. Nothing else is taken from it.
 *
 * Thread safety: one thread at a time may change an order, and none may use it meanwhile.
 *
 * @param      order        The order.
 * @param      request      PKCS #10 (RFC 2986), DER or PEM, borrowed for the call.
 * @param      request_len  How many bytes it has.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_ISSUANCE.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_set_request(lacre_certificate_order *order,
                                                 const uint8_t *request,
                                                 size_t request_len,
                                                 lacre_error **error_out);

/**
 * Issues a certificate.
 *
 * Thread safety: any number of threads, also with the same order and the same key.
 *
 * @param      order            What it says.
 * @param      issuer           The issuer's certificate (DER or PEM), borrowed for the call; for a root NULL.
 * @param      issuer_len       How many bytes it has.
 * @param      issuer_key       The issuer's key; for a root its own.
 * @param      random           Where randomness comes from; NULL: the system.
 * @param      random_data      Handed to the callback.
 * @param[out] certificate_out  The certificate in DER. On LACRE_OK owned by the caller, freed with
 *                              lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
 *         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE or LACRE_ERROR_CALLBACK.
 * @ingroup issuing
 */
lacre_status lacre_issue(const lacre_certificate_order *order,
                         const uint8_t *issuer,
                         size_t issuer_len,
                         const lacre_key *issuer_key,
                         lacre_random_callback random,
                         void *random_data,
                         lacre_buffer **certificate_out,
                         lacre_error **error_out);

/**
 * Issues a revocation list (RFC 5280 §5) of an authority that has revoked nobody.
 *
 * Thread safety: any number of threads, also with the same key.
 *
 * @param      issuer       The authority's certificate (DER or PEM), borrowed for the call.
 * @param      issuer_len   How many bytes it has.
 * @param      issuer_key   The authority's key.
 * @param      number       The number of the list: greater than that of every earlier one.
 * @param      this_update  When it is issued: milliseconds since 1970-01-01T00:00:00Z.
 * @param      next_update  When the next will have been issued: milliseconds since 1970-01-01T00:00:00Z.
 * @param      random       Where randomness comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] crl_out      The list in DER. On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise
 *                          NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
 *         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
 * @ingroup issuing
 */
lacre_status lacre_issue_crl(const uint8_t *issuer,
                             size_t issuer_len,
                             const lacre_key *issuer_key,
                             uint64_t number,
                             int64_t this_update,
                             int64_t next_update,
                             lacre_random_callback random,
                             void *random_data,
                             lacre_buffer **crl_out,
                             lacre_error **error_out);

/**
 * Answers a request for a time-stamp (RFC 3161): a time-stamping unit of your own. A request that is not accepted is
 * answered too, with the reason.
 *
 * Thread safety: any number of threads, also with the same key.
 *
 * @param      unit          The certificate of the time-stamping unit (DER or PEM), borrowed for the call:
 *                           LACRE_PROFILE_TIMESTAMP_UNIT.
 * @param      unit_len      How many bytes it has.
 * @param      unit_key      Its key.
 * @param      request       The TimeStampReq, borrowed for the call.
 * @param      request_len   How many bytes it has.
 * @param      time          The time that is stamped: milliseconds since 1970-01-01T00:00:00Z.
 * @param      random        Where randomness comes from; NULL: the system.
 * @param      random_data   Handed to the callback.
 * @param[out] response_out  The TimeStampResp in DER. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                           Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE,
 *         LACRE_ERROR_SIGNING, LACRE_ERROR_ISSUANCE, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
 * @ingroup issuing
 */
lacre_status lacre_issue_timestamp(const uint8_t *unit,
                                   size_t unit_len,
                                   const lacre_key *unit_key,
                                   const uint8_t *request,
                                   size_t request_len,
                                   int64_t time,
                                   lacre_random_callback random,
                                   void *random_data,
                                   lacre_buffer **response_out,
                                   lacre_error **error_out);

/**
 * Frees an order. What was issued of it lives on.
 *
 * Thread safety: any thread, as long as no other uses the order.
 *
 * @param order  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup issuing
 */
lacre_status lacre_certificate_order_free(lacre_certificate_order *order);

/**
 * Reads a private key: PKCS #8 (RFC 5958), DER or PEM, encrypted or not; RSA of 2,048 bits or more, ECDSA on P-256,
 * P-384, P-521 and the brainpool curves of 256 and 384 bits, Ed25519, Ed448, ML-DSA.
 *
 * Thread safety: any thread.
 *
 * @param      key           Borrowed for the call.
 * @param      key_len       How many bytes it has.
 * @param      password      Opens an encrypted key, and is not looked at otherwise; borrowed for the call. NULL with a
 *                           length of 0: none.
 * @param      password_len  How many bytes it has.
 * @param[out] key_out       On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
 * @ingroup signing
 */
lacre_status lacre_key_from_pkcs8(const uint8_t *key,
                                  size_t key_len,
                                  const uint8_t *password,
                                  size_t password_len,
                                  lacre_key **key_out,
                                  lacre_error **error_out);

/**
 * Makes a new private key.
 *
 * Thread safety: any thread; the callback is called from this one.
 *
 * @param      kind         One of lacre_key_kind.
 * @param      random       Where randomness comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] key_out      On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_KEY or LACRE_ERROR_CALLBACK.
 * @ingroup signing
 */
lacre_status lacre_key_generate(int32_t kind,
                                lacre_random_callback random,
                                void *random_data,
                                lacre_key **key_out,
                                lacre_error **error_out);

/**
 * Makes a handle of a key that is kept somewhere else: a callback makes its signature values.
 *
 * Thread safety: any thread. The callback is called from whatever thread uses the key.
 *
 * @param      public_key      Its public half: a SubjectPublicKeyInfo (RFC 5280) or a certificate with the key, DER or
 *                             PEM, borrowed for the call.
 * @param      public_key_len  How many bytes it has.
 * @param      sign            Makes the values; may not be NULL.
 * @param      user_data       Handed to the callback; used until release is called.
 * @param      release         Called once, when the key is freed. May be NULL. When this function fails it is not
 *                             called.
 * @param[out] key_out         On LACRE_OK owned by the caller, freed with lacre_key_free(). Otherwise NULL.
 * @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
 * @ingroup signing
 */
lacre_status lacre_key_from_callback(const uint8_t *public_key,
                                     size_t public_key_len,
                                     lacre_sign_callback sign,
                                     void *user_data,
                                     lacre_release_callback release,
                                     lacre_key **key_out,
                                     lacre_error **error_out);

/**
 * Writes a private key down: PKCS #8 (RFC 5958), DER, not encrypted. The buffer is wiped when it is freed.
 *
 * Thread safety: any number of threads, also with the same key.
 *
 * @param      key         The key; not one behind a callback.
 * @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_KEY.
 * @ingroup signing
 */
lacre_status lacre_key_to_pkcs8(const lacre_key *key,
                                lacre_buffer **bytes_out,
                                lacre_error **error_out);

/**
 * Writes the public half of a key down: SubjectPublicKeyInfo (RFC 5280), DER.
 *
 * Thread safety: any number of threads, also with the same key.
 *
 * @param      key         The key.
 * @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup signing
 */
lacre_status lacre_key_public(const lacre_key *key,
                              lacre_buffer **bytes_out,
                              lacre_error **error_out);

/**
 * Makes the signature value over a digest, with nothing around it.
 *
 * Thread safety: any number of threads, also with the same key.
 *
 * @param      key          The key.
 * @param      scheme       One of lacre_scheme.
 * @param      digest       One of lacre_digest: the function that made the digest; left aside for EdDSA and ML-DSA.
 * @param      hash         The digest, or the message for EdDSA and ML-DSA; borrowed for the call.
 * @param      hash_len     How many bytes it has.
 * @param      random       Where randomness comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] value_out    On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNING or
 *         LACRE_ERROR_CALLBACK.
 * @ingroup signing
 */
lacre_status lacre_key_sign_hash(const lacre_key *key,
                                 int32_t scheme,
                                 int32_t digest,
                                 const uint8_t *hash,
                                 size_t hash_len,
                                 lacre_random_callback random,
                                 void *random_data,
                                 lacre_buffer **value_out,
                                 lacre_error **error_out);

/**
 * Frees a key. One in memory is wiped; of one behind a callback the release function is called.
 *
 * Thread safety: any thread, as long as no other uses the key.
 *
 * @param key  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup signing
 */
lacre_status lacre_key_free(lacre_key *key);

/**
 * Writes a report down. The same report gives the same bytes, on every machine.
 *
 * Thread safety: any number of threads, also with the same report.
 *
 * @param      report      The report.
 * @param      format      One of lacre_format.
 * @param      language    The language of its sentences: "en", "de", "fr", "es", "it", "pt", "et" or "fi",
 *                         NUL-terminated, borrowed for the call. NULL: English. Keys and codes are the same in all.
 * @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or
 *         LACRE_ERROR_REPORT.
 * @ingroup reports
 */
lacre_status lacre_report_write(const lacre_report *report,
                                int32_t format,
                                const char *language,
                                lacre_buffer **bytes_out,
                                lacre_error **error_out);

/**
 * Frees a report, and with it all that was borrowed from it.
 *
 * Thread safety: any thread, as long as no other uses the report.
 *
 * @param report  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup reports
 */
lacre_status lacre_report_free(lacre_report *report);

/**
 * Returns the verdict on the document: the worst over its signatures. One with time-stamps or evidence records only is
 * told by those; one with nothing has LACRE_INDICATION_NO_SIGNATURE_FOUND.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup reports
 */
lacre_indication lacre_report_indication(const lacre_report *report);

/**
 * Returns the moment that was judged for, in milliseconds since 1970-01-01T00:00:00Z.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup reports
 */
int64_t lacre_report_validation_time(const lacre_report *report);

/**
 * Returns the name of the policy that judged.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup reports
 */
lacre_str lacre_report_policy(const lacre_report *report);

/**
 * Returns the SHA-256 of the document, in lower-case hexadecimal; empty where stored facts do not state it.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup reports
 */
lacre_str lacre_report_document_sha256(const lacre_report *report);

/**
 * Returns how many signatures there are, counter-signatures too.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup reports
 */
size_t lacre_report_signature_count(const lacre_report *report);

/**
 * Returns how many of the signatures are TOTAL-PASSED.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup reports
 */
size_t lacre_report_passed_count(const lacre_report *report);

/**
 * Returns a signature, in the order of the document.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup reports
 */
const lacre_signature *lacre_report_signature(const lacre_report *report,
                                              size_t index);

/**
 * Returns how many time-stamps there are, of every kind.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup reports
 */
size_t lacre_report_timestamp_count(const lacre_report *report);

/**
 * Returns a time-stamp, in the order of the document.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup reports
 */
const lacre_timestamp *lacre_report_timestamp(const lacre_report *report,
                                              size_t index);

/**
 * Returns how many evidence records there are.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup reports
 */
size_t lacre_report_evidence_record_count(const lacre_report *report);

/**
 * Returns an evidence record, in the order of the document.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup reports
 */
const lacre_evidence_record *lacre_report_evidence_record(const lacre_report *report,
                                                          size_t index);

/**
 * Returns how many pieces of evidence could change the verdict.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: 0 comes back.
 * @ingroup wanted
 */
size_t lacre_report_wanted_count(const lacre_report *report);

/**
 * Returns a piece of evidence that could change the verdict: fetch it, lacre_validator_add_evidence(), validate again.
 *
 * Thread safety: any thread.
 *
 * @param report  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup wanted
 */
const lacre_wanted *lacre_report_wanted(const lacre_report *report,
                                        size_t index);

/**
 * Begins a signature.
 *
 * Thread safety: any thread.
 *
 * @param      certificate      The signer's certificate (DER or PEM), borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param      scheme           One of lacre_scheme.
 * @param      digest           One of lacre_digest: the function for content and signature; left aside for EdDSA and
 *                              ML-DSA.
 * @param      time             When it is signed, as the signer claims: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] signing_out      On LACRE_OK owned by the caller, freed with lacre_signing_free(). Otherwise NULL.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE, LACRE_ERROR_KEY or
 *         LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_signing_new(const uint8_t *certificate,
                               size_t certificate_len,
                               int32_t scheme,
                               int32_t digest,
                               int64_t time,
                               lacre_signing **signing_out,
                               lacre_error **error_out);

/**
 * Adds a certificate above the signer's, for those who validate without it.
 *
 * Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
 *
 * @param      signing          The signature.
 * @param      certificate      DER or PEM, borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
 * @ingroup signing
 */
lacre_status lacre_signing_add_certificate(lacre_signing *signing,
                                           const uint8_t *certificate,
                                           size_t certificate_len,
                                           lacre_error **error_out);

/**
 * Sets an option by its name. What is marked with + may be set several times, and each time adds one; of others the
 * last counts.
 *
 * In every format:
 * - `packaging`: "pdf", in the PDF that is signed; "enveloping", in a new file around the document (.p7m); "detached",
 *   in one beside it (.p7s); "parallel", beside the signatures of a CMS file; "counter", within one of them. Without
 *   it: "pdf" for a PDF, "detached" where content-digest is set, "counter" where signature is, otherwise "enveloping".
 * - `role` +: a role that the signer claims
 * - `signed-assertion` +: an assertion that somebody else signed
 * - `commitment` +: "origin", "receipt", "delivery", "sender", "approval", "creation", or an object identifier
 * - `country`: where it is signed: two capital letters of ISO 3166-1
 * - `locality`: the city
 * - `postal-address` +: a line of an address, six at most
 * - `policy`: the object identifier of the signature policy, or "implied"
 * - `policy-digest`: the digest of its document, as in "SHA256:0123..."
 * - `policy-uri`: where its document can be had
 * - `policy-user-notice`: what users are to be shown of it
 * - `policy-document-specification`: the syntax of its document, an object identifier or a URI
 * - `certificates`: which ones are embedded: "signer", "chain" (without a self-signed one), "chain-with-root". Without
 *   it: "chain".
 * - `certificate-digest`: the function by which the signing certificate is named. Without it: SHA256.
 * - `allow-weak-algorithms`: "true": also what TS 119 312 does not allow. Without it: "false".
 * - `timestamp-digest`: the function of the imprint that lacre_signing_sign_with_timestamp() has stamped. Without it:
 *   SHA256.
 * - `timestamp-policy`: the policy under which it is to be stamped, an object identifier
 * - `timestamp-nonce`: "false" for an authority that knows none. Without it: "true".
 *
 * CAdES alone:
 * - `signature`: the id, as in a report, of the signature that is counter-signed
 * - `mime-type`: the media type of the content. Without it and a description: application/octet-stream.
 * - `description`: a description of the content, instead of a media type
 *
 * PAdES alone:
 * - `field`: the name of the empty signature field that is signed. Without any of the next seven: a new field that is
 *   not seen.
 * - `only-empty-field`: "true": the only empty signature field that there is
 * - `new-field`: the name of a new field
 * - `tooltip`: what is read out of it to those who do not see
 * - `page`: its page, from 1 on; from -1 on counted from the last. Without it: 1.
 * - `box`: where it is seen, as the page is displayed: left,top,width,height, in points
 * - `rectangle`: the same in the coordinates of the page: left,bottom,right,top
 * - `allow-overlap`: "true": also on top of other fields and annotations
 * - `text`: what is seen, in lines; {name}, {time}, {reason} and {place} stand for what the signature states
 * - `font-size`: in points. Without it: the largest that fits, up to 16.
 * - `colour`: of text and border, as in "#1a73e8"
 * - `background`: the colour behind
 * - `border`: the width of a border, in points
 * - `padding`: the distance of everything from the edges, in points
 * - `arrangement`: where the picture is: "left", "right", "above" or "behind" the text
 * - `scaling`: how the picture fills its place: "fit" or "stretch"
 * - `alignment`: how lines stand: "left", "centre" or "right"
 * - `rotation`: "upright", "as-page", "quarter", "half" or "three-quarters", counter-clockwise
 * - `reason`: why it is signed; not beside a commitment or a policy
 * - `contact-info`: how the signer can be reached
 * - `signer-name`: the name that viewers show instead of the certificate's
 * - `application`: the application that signs
 * - `certify`: what is permitted afterwards: "1", nothing; "2", filling in and signing; "3", comments, too
 * - `lock`: which fields nobody may change afterwards: "all", "include" those of lock-field, "exclude" them
 * - `lock-field` +: the name of a field
 * - `obey-seed-values`: "false": what the field asks of its signer is left aside. Without it: "true".
 * - `reserved`: how many bytes are kept free for the signature. Without it: as many as it can need.
 * - `timestamp-room`: how many bytes a time-stamp in the signature may have. Without it:
 *   lacre_signing_sign_with_timestamp() has 32,768, lacre_signing_prepare() none.
 * - `utc-offset`: by how many minutes the time that is stated is ahead of universal time
 * - `allow-hybrid`: "false": not in files with cross-reference tables and streams side by side. Without it: "true".
 * - `extensions`: which extensions to PDF 1.7 are stated: "automatic", "none", "etsi" or "adobe"
 *
 * Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
 *
 * @param      signing    The signature.
 * @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
 * @param      value      NUL-terminated UTF-8, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
 *                        unknown name it lists those that are known.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup signing
 */
lacre_status lacre_signing_set(lacre_signing *signing,
                               const char *key,
                               const char *value,
                               lacre_error **error_out);

/**
 * Sets an option that is no text by its name. The bytes are copied.
 *
 * - `content-digest`: the digest of a content that is not at hand, by the function of lacre_signing_new(): for
 *   detached signatures, and parallel ones. CAdES alone.
 * - `content-timestamp` +: a time-stamp token over the content, made before signing: lacre_signing_content_digest()
 * - `policy-document`: the document of the signature policy, to be held by the signature
 * - `content-identifier`: by which other signatures may refer to this one. CAdES alone.
 * - `content-reference`: a CMS file with one signature, which has a content-identifier, and which this one is about. CAdES
 *   alone.
 * - `certified-attributes` +: an attribute certificate of the signer (RFC 5755; DER or PEM)
 * - `picture`: what is seen: PNG or JPEG. PAdES alone.
 * - `font`: the typeface of the text: TrueType. PAdES alone.
 *
 * Thread safety: one thread at a time may change a signature, and none may use it meanwhile.
 *
 * @param      signing    The signature.
 * @param      key        The name of the option: NUL-terminated UTF-8, borrowed for the call.
 * @param      value      Borrowed for the call; NULL only if value_len is 0.
 * @param      value_len  How many bytes it has.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free(). Of an
 *                        unknown name it lists those that are known.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup signing
 */
lacre_status lacre_signing_set_bytes(lacre_signing *signing,
                                     const char *key,
                                     const uint8_t *value,
                                     size_t value_len,
                                     lacre_error **error_out);

/**
 * Gives the digest of what the signature is over: the imprint of a content time-stamp. In a PDF the options have to be
 * set before, `reserved` among them, and may not change afterwards, but for `content-timestamp`.
 *
 * Thread safety: any number of threads, also with the same signature and document.
 *
 * @param      signing     The signature.
 * @param      document    The document.
 * @param      digest      One of lacre_digest.
 * @param[out] digest_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_signing_content_digest(const lacre_signing *signing,
                                          const lacre_document *document,
                                          int32_t digest,
                                          lacre_buffer **digest_out,
                                          lacre_error **error_out);

/**
 * Prepares the signature of a document: the same bytes each time. What earlier signatures in it forbid, what a form
 * asks of its signer, and what readers would read differently is refused with the reason.
 *
 * Thread safety: any number of threads, also with the same signature and document.
 *
 * @param      signing       The signature.
 * @param      document      The document; NULL where the option content-digest stands for it.
 * @param[out] prepared_out  On LACRE_OK owned by the caller, freed with lacre_prepared_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_signing_prepare(const lacre_signing *signing,
                                   const lacre_document *document,
                                   lacre_prepared **prepared_out,
                                   lacre_error **error_out);

/**
 * Signs a document with a key, in memory or behind a callback: level B.
 *
 * Thread safety: any number of threads, also with the same signature, document and key.
 *
 * @param      signing      The signature.
 * @param      document     The document; NULL where the option content-digest stands for it.
 * @param      key          The key of the signer's certificate.
 * @param      random       Where randomness comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] file_out     The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                          Otherwise NULL.
 * @param[out] kept_out     May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF
 *                          all of them, so that a copy of it needs no more than what follows.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_SIGNING, LACRE_ERROR_RANDOM or LACRE_ERROR_CALLBACK.
 * @ingroup signing
 */
lacre_status lacre_signing_sign(const lacre_signing *signing,
                                const lacre_document *document,
                                const lacre_key *key,
                                lacre_random_callback random,
                                void *random_data,
                                lacre_buffer **file_out,
                                size_t *kept_out,
                                lacre_error **error_out);

/**
 * Signs a document with a key, and has the value time-stamped at once: level T.
 *
 * The time-stamp has to be of within five minutes of the signing time. Its response is checked: imprint, nonce,
 * policy, the authority's certificate and signature; whether the authority is trusted, an extension or a validation
 * says.
 *
 * Thread safety: any number of threads, also with the same signature, document and key; the callback is called from
 * this one.
 *
 * @param      signing         The signature.
 * @param      document        The document; NULL where the option content-digest stands for it.
 * @param      key             The key of the signer's certificate.
 * @param      timestamp       Asks an authority; may not be NULL.
 * @param      timestamp_data  Handed to the callback.
 * @param      random          Where randomness comes from; NULL: the system.
 * @param      random_data     Handed to the callback.
 * @param[out] file_out        The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                             Otherwise NULL.
 * @param[out] kept_out        May be NULL. Otherwise with how many bytes of the document the new file begins.
 * @param[out] error_out       May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_SIGNING, LACRE_ERROR_TIMESTAMP, LACRE_ERROR_RANDOM or
 *         LACRE_ERROR_CALLBACK.
 * @ingroup signing
 */
lacre_status lacre_signing_sign_with_timestamp(const lacre_signing *signing,
                                               const lacre_document *document,
                                               const lacre_key *key,
                                               lacre_timestamp_callback timestamp,
                                               void *timestamp_data,
                                               lacre_random_callback random,
                                               void *random_data,
                                               lacre_buffer **file_out,
                                               size_t *kept_out,
                                               lacre_error **error_out);

/**
 * Frees a signature that was being made. What was made of it lives on.
 *
 * Thread safety: any thread, as long as no other uses it.
 *
 * @param signing  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup signing
 */
lacre_status lacre_signing_free(lacre_signing *signing);

/**
 * Gives what is to be signed: the signed attributes, for a key that digests what it gets.
 *
 * Thread safety: any number of threads, also with the same prepared signature.
 *
 * @param      prepared   The prepared signature.
 * @param[out] bytes_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup signing
 */
lacre_status lacre_prepared_to_be_signed(const lacre_prepared *prepared,
                                         lacre_buffer **bytes_out,
                                         lacre_error **error_out);

/**
 * Gives what a service gets that signs digests: the digest of what is to be signed; for EdDSA and ML-DSA that itself.
 *
 * Thread safety: any number of threads, also with the same prepared signature.
 *
 * @param      prepared   The prepared signature.
 * @param[out] hash_out   On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup signing
 */
lacre_status lacre_prepared_hash(const lacre_prepared *prepared,
                                 lacre_buffer **hash_out,
                                 lacre_error **error_out);

/**
 * Returns whether the key signs the message itself, and not a digest of it: EdDSA and ML-DSA.
 *
 * Thread safety: any thread.
 *
 * @param prepared  May be NULL: false comes back.
 * @ingroup signing
 */
bool lacre_prepared_needs_message(const lacre_prepared *prepared);

/**
 * Returns how the value is to be made.
 *
 * Thread safety: any thread.
 *
 * @param prepared  May be NULL: LACRE_SCHEME_USUAL comes back.
 * @ingroup signing
 */
lacre_scheme lacre_prepared_scheme(const lacre_prepared *prepared);

/**
 * Returns the digest function of the value.
 *
 * Thread safety: any thread.
 *
 * @param prepared  May be NULL: LACRE_DIGEST_NONE comes back, as for EdDSA and ML-DSA.
 * @ingroup signing
 */
lacre_digest lacre_prepared_digest(const lacre_prepared *prepared);

/**
 * Returns where the signature goes: "pdf", "enveloping" (.p7m), "detached" (.p7s), "parallel" or "counter".
 *
 * Thread safety: any thread.
 *
 * @param prepared  May be NULL: an empty text comes back.
 * @return Static, NUL-terminated.
 * @ingroup signing
 */
const char *lacre_prepared_packaging(const lacre_prepared *prepared);

/**
 * Writes it down as JSON, without the document: for another process, machine or day. It holds no secret; a change is
 * noticed, but not one by who calculates its digest anew.
 *
 * Thread safety: any number of threads, also with the same prepared signature.
 *
 * @param      prepared   The prepared signature.
 * @param[out] json_out   A text. On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup signing
 */
lacre_status lacre_prepared_to_json(const lacre_prepared *prepared,
                                    lacre_buffer **json_out,
                                    lacre_error **error_out);

/**
 * Reads what lacre_prepared_to_json() wrote.
 *
 * Thread safety: any thread.
 *
 * @param      json          Borrowed for the call.
 * @param      json_len      How many bytes it has.
 * @param[out] prepared_out  On LACRE_OK owned by the caller, freed with lacre_prepared_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_PREPARED.
 * @ingroup signing
 */
lacre_status lacre_prepared_from_json(const uint8_t *json,
                                      size_t json_len,
                                      lacre_prepared **prepared_out,
                                      lacre_error **error_out);

/**
 * Writes the signature with its value, once the value verifies with the signer's key and the document is the one that
 * was prepared. Values of ECDSA may be a SEQUENCE of two integers, or the two one after the other.
 *
 * Thread safety: any number of threads, also with the same prepared signature and document.
 *
 * @param      prepared   The prepared signature, which stays good for another value.
 * @param      document   The document that was prepared; NULL where only the digest of a content was.
 * @param      value      The value, borrowed for the call.
 * @param      value_len  How many bytes it has.
 * @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                        Otherwise NULL.
 * @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins: of a PDF all
 *                        of them, so that a copy of it needs no more than what follows.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNATURE_VALUE,
 *         LACRE_ERROR_PREPARED or LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_prepared_finish(const lacre_prepared *prepared,
                                   const lacre_document *document,
                                   const uint8_t *value,
                                   size_t value_len,
                                   lacre_buffer **file_out,
                                   size_t *kept_out,
                                   lacre_error **error_out);

/**
 * Gives what a time-stamp over this value stamps: the imprint for lacre_timestamp_request().
 *
 * Thread safety: any number of threads, also with the same prepared signature.
 *
 * @param      prepared     The prepared signature.
 * @param      value        The value, borrowed for the call.
 * @param      value_len    How many bytes it has.
 * @param      digest       One of lacre_digest.
 * @param[out] imprint_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_SIGNATURE_VALUE.
 * @ingroup signing
 */
lacre_status lacre_prepared_timestamp_imprint(const lacre_prepared *prepared,
                                              const uint8_t *value,
                                              size_t value_len,
                                              int32_t digest,
                                              lacre_buffer **imprint_out,
                                              lacre_error **error_out);

/**
 * Writes the signature with its value and a time-stamp over it: level T at once. In a PDF, room for the time-stamp was
 * set before: the option timestamp-room of lacre_signing_set().
 *
 * Thread safety: any number of threads, also with the same prepared signature and document.
 *
 * @param      prepared   The prepared signature.
 * @param      document   The document that was prepared; NULL where only the digest of a content was.
 * @param      value      The value, borrowed for the call.
 * @param      value_len  How many bytes it has.
 * @param      token      The time-stamp token, as lacre_timestamp_token() gives it; borrowed for the call.
 * @param      token_len  How many bytes it has.
 * @param[out] file_out   The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                        Otherwise NULL.
 * @param[out] kept_out   May be NULL. Otherwise with how many bytes of the document the new file begins.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_SIGNATURE_VALUE,
 *         LACRE_ERROR_TIMESTAMP, LACRE_ERROR_PREPARED or LACRE_ERROR_SIGNING.
 * @ingroup signing
 */
lacre_status lacre_prepared_finish_with_timestamp(const lacre_prepared *prepared,
                                                  const lacre_document *document,
                                                  const uint8_t *value,
                                                  size_t value_len,
                                                  const uint8_t *token,
                                                  size_t token_len,
                                                  lacre_buffer **file_out,
                                                  size_t *kept_out,
                                                  lacre_error **error_out);

/**
 * Makes the value with a key, in memory or behind a callback, and writes the signature: the last step where it was
 * prepared by somebody else.
 *
 * Thread safety: any number of threads, also with the same prepared signature, document and key.
 *
 * @param      prepared     The prepared signature.
 * @param      document     The document that was prepared; NULL where only the digest of a content was.
 * @param      key          The key of the signer's certificate.
 * @param      random       Where randomness comes from; NULL: the system.
 * @param      random_data  Handed to the callback.
 * @param[out] file_out     The whole new file. On LACRE_OK owned by the caller, freed with lacre_buffer_free().
 *                          Otherwise NULL.
 * @param[out] kept_out     May be NULL. Otherwise with how many bytes of the document the new file begins.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_PREPARED, LACRE_ERROR_SIGNING, LACRE_ERROR_RANDOM or
 *         LACRE_ERROR_CALLBACK.
 * @ingroup signing
 */
lacre_status lacre_prepared_sign(const lacre_prepared *prepared,
                                 const lacre_document *document,
                                 const lacre_key *key,
                                 lacre_random_callback random,
                                 void *random_data,
                                 lacre_buffer **file_out,
                                 size_t *kept_out,
                                 lacre_error **error_out);

/**
 * Frees a prepared signature.
 *
 * Thread safety: any thread, as long as no other uses it.
 *
 * @param prepared  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup signing
 */
lacre_status lacre_prepared_free(lacre_prepared *prepared);

/**
 * Returns the bytes of a buffer. A text has a NUL behind it; other bytes have not.
 *
 * Thread safety: any thread.
 *
 * @param buffer  May be NULL: NULL comes back.
 * @return Borrowed from the buffer.
 * @ingroup values
 */
const uint8_t *lacre_buffer_data(const lacre_buffer *buffer);

/**
 * Returns how many bytes a buffer has, without the NUL behind a text.
 *
 * Thread safety: any thread.
 *
 * @param buffer  May be NULL: 0 comes back.
 * @ingroup values
 */
size_t lacre_buffer_len(const lacre_buffer *buffer);

/**
 * Frees a buffer.
 *
 * Thread safety: any thread, as long as no other uses the buffer.
 *
 * @param buffer  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup values
 */
lacre_status lacre_buffer_free(lacre_buffer *buffer);

/**
 * Reads a date and time as in 2026-11-21T10:00:00Z (RFC 3339), or a bare date; without an offset it is UTC.
 *
 * Thread safety: any thread.
 *
 * @param      text       NUL-terminated UTF-8, borrowed for the call.
 * @param[out] time_out   On LACRE_OK milliseconds since 1970-01-01T00:00:00Z. Otherwise LACRE_NO_TIME.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup values
 */
lacre_status lacre_time_parse(const char *text,
                              int64_t *time_out,
                              lacre_error **error_out);

/**
 * Writes a moment as in 2026-11-21T10:00:00Z, NUL-terminated.
 *
 * Thread safety: any thread.
 *
 * @param      time       Milliseconds since 1970-01-01T00:00:00Z; of LACRE_NO_TIME the text is empty.
 * @param[out] text       Where to write; at least LACRE_TIME_TEXT_SIZE bytes.
 * @param      text_size  How many bytes there are.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT; then nothing is written.
 * @ingroup values
 */
lacre_status lacre_time_format(int64_t time,
                               char *text,
                               size_t text_size);

/**
 * Gives a callback's answer. The bytes are copied.
 *
 * Thread safety: the thread of the callback.
 *
 * @param answer        What the callback was given.
 * @param answer_bytes  Borrowed for the call.
 * @param answer_len    How many bytes it has.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_ARGUMENT.
 * @ingroup signing
 */
lacre_status lacre_answer_set(lacre_answer *answer,
                              const uint8_t *answer_bytes,
                              size_t answer_len);

/**
 * Says why a callback has no answer; it returns another number than 0 then.
 *
 * Thread safety: the thread of the callback.
 *
 * @param answer  What the callback was given.
 * @param reason  A sentence: NUL-terminated UTF-8, borrowed for the call.
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup signing
 */
lacre_status lacre_answer_fail(lacre_answer *answer,
                               const char *reason);

/**
 * Gives the request for a time-stamp over an imprint: a TimeStampReq (RFC 3161), which asks for the authority's
 * certificate.
 *
 * Thread safety: any thread.
 *
 * @param      digest       One of lacre_digest: the function that made the imprint.
 * @param      imprint      The digest that is to be stamped, borrowed for the call.
 * @param      imprint_len  How many bytes it has.
 * @param      nonce        8 to 16 random bytes, by which the response is known to be new; borrowed for the call. NULL
 *                          with a length of 0: none.
 * @param      nonce_len    How many bytes it has.
 * @param      policy       The policy to stamp under, an object identifier: NUL-terminated, borrowed for the call.
 *                          NULL: the authority's choice.
 * @param[out] request_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out    May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup signing
 */
lacre_status lacre_timestamp_request(int32_t digest,
                                     const uint8_t *imprint,
                                     size_t imprint_len,
                                     const uint8_t *nonce,
                                     size_t nonce_len,
                                     const char *policy,
                                     lacre_buffer **request_out,
                                     lacre_error **error_out);

/**
 * Checks that a response answers a request, and gives the time-stamp token that it holds: granted, over the imprint,
 * with the nonce and the policy that were asked for, of within five minutes, signed with the certificate inside, which
 * is for time-stamping alone. Whether the authority is trusted is not looked at.
 *
 * Thread safety: any thread.
 *
 * @param      request       The TimeStampReq, borrowed for the call.
 * @param      request_len   How many bytes it has.
 * @param      response      The TimeStampResp, borrowed for the call.
 * @param      response_len  How many bytes it has.
 * @param      time          When it was received: milliseconds since 1970-01-01T00:00:00Z.
 * @param[out] token_out     On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TIMESTAMP.
 * @ingroup signing
 */
lacre_status lacre_timestamp_token(const uint8_t *request,
                                   size_t request_len,
                                   const uint8_t *response,
                                   size_t response_len,
                                   int64_t time,
                                   lacre_buffer **token_out,
                                   lacre_error **error_out);

/**
 * Makes trusted lists, without any list yet. Without lacre_trusted_lists_add_signer() the list of lists has to be
 * signed by whom the Official Journal announces (C/2026/1944).
 *
 * Thread safety: any thread.
 *
 * @param[out] lists_out  On LACRE_OK owned by the caller, freed with lacre_trusted_lists_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_new(lacre_trusted_lists **lists_out,
                                     lacre_error **error_out);

/**
 * Reads, in milliseconds, the lists of a snapshot that lacre_trusted_lists_to_snapshot() or `lacre lists pack` wrote.
 * Whoever makes the snapshot says who is trusted, so take it from nobody but yourself. Nothing can be added.
 *
 * Thread safety: any thread.
 *
 * @param      snapshot      Its bytes, borrowed for the call.
 * @param      snapshot_len  How many there are.
 * @param[out] lists_out     On LACRE_OK owned by the caller, freed with lacre_trusted_lists_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_TRUSTED_LISTS.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_from_snapshot(const uint8_t *snapshot,
                                               size_t snapshot_len,
                                               lacre_trusted_lists **lists_out,
                                               lacre_error **error_out);

/**
 * Adds every file right inside a folder, loaded when it was last written. A file that is no list, or one that nobody
 * vouches for, makes nobody trusted, and is no failure: see lacre_trusted_lists_trusted_count().
 *
 * Thread safety: one thread at a time may change lists, and none may use them meanwhile.
 *
 * @param      lists      The lists.
 * @param      path       NUL-terminated, borrowed for the call; on Unix any bytes, elsewhere UTF-8.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_UTF8 or LACRE_ERROR_FILE.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_add_folder(lacre_trusted_lists *lists,
                                            const char *path,
                                            lacre_error **error_out);

/**
 * Adds a list in memory, as lacre_trusted_lists_add_folder() adds a file.
 *
 * Thread safety: one thread at a time may change lists, and none may use them meanwhile.
 *
 * @param      lists      The lists.
 * @param      name       Its file name, by which it is found: NUL-terminated UTF-8, borrowed for the call.
 * @param      list       Its bytes, borrowed for the call.
 * @param      list_len   How many bytes it has.
 * @param      loaded     When it was fetched: milliseconds since 1970-01-01T00:00:00Z, or LACRE_NO_TIME.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_INVALID_UTF8.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_add(lacre_trusted_lists *lists,
                                     const char *name,
                                     const uint8_t *list,
                                     size_t list_len,
                                     int64_t loaded,
                                     lacre_error **error_out);

/**
 * Adds a certificate that may sign the list of lists, in place of those of the Official Journal.
 *
 * Thread safety: one thread at a time may change lists, and none may use them meanwhile.
 *
 * @param      lists            The lists.
 * @param      certificate      DER or PEM, borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_add_signer(lacre_trusted_lists *lists,
                                            const uint8_t *certificate,
                                            size_t certificate_len,
                                            lacre_error **error_out);

/**
 * Fails unless the lists come from a snapshot that was signed with this certificate (`lacre lists pack --key`). Reading a
 * snapshot says only that whoever signed it did so: this says who may.
 *
 * Thread safety: any number of threads, also with the same lists.
 *
 * @param      lists            The lists.
 * @param      certificate      DER or PEM, borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_EVIDENCE or, where somebody else
 *         signed it or nobody, LACRE_ERROR_TRUSTED_LISTS.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_check_packer(const lacre_trusted_lists *lists,
                                              const uint8_t *certificate,
                                              size_t certificate_len,
                                              lacre_error **error_out);

/**
 * Returns how many of the lists make somebody trusted: those that a chain of signatures leads to. 0 means that the
 * list of lists is not there or not signed by whom it should be.
 *
 * Thread safety: any number of threads, also with the same lists.
 *
 * @param lists  May be NULL: 0 comes back.
 * @ingroup trusted_lists
 */
size_t lacre_trusted_lists_trusted_count(const lacre_trusted_lists *lists);

/**
 * Returns how many files were read as lists.
 *
 * Thread safety: any number of threads, also with the same lists.
 *
 * @param lists  May be NULL: 0 comes back.
 * @ingroup trusted_lists
 */
size_t lacre_trusted_lists_count(const lacre_trusted_lists *lists);

/**
 * Returns what came of a file: lists of lists first, then by country.
 *
 * Thread safety: any number of threads, also with the same lists.
 *
 * @param lists  May be NULL: NULL comes back.
 * @param index  From 0; past the last NULL comes back.
 * @return Borrowed from the lists, until something is added to them.
 * @ingroup trusted_lists
 */
const lacre_list_state *lacre_trusted_lists_state(const lacre_trusted_lists *lists,
                                                  size_t index);

/**
 * Writes what is trusted of the lists into one file, for lacre_trusted_lists_from_snapshot().
 *
 * Thread safety: any number of threads, also with the same lists.
 *
 * @param      lists         The lists.
 * @param[out] snapshot_out  Its bytes, the same for the same lists. On LACRE_OK owned by the caller, freed with
 *                           lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_to_snapshot(const lacre_trusted_lists *lists,
                                             lacre_buffer **snapshot_out,
                                             lacre_error **error_out);

/**
 * Trusts whom the lists name, beside the trust anchors, and judges qualification by them. In place of lists set before.
 *
 * Thread safety: one thread at a time may change a validator, and none may use it meanwhile; the lists may be used.
 *
 * @param      validator  The validator.
 * @param      lists      The lists, borrowed for the call.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK or LACRE_ERROR_NULL_ARGUMENT.
 * @ingroup trusted_lists
 */
lacre_status lacre_validator_set_trusted_lists(lacre_validator *validator,
                                               const lacre_trusted_lists *lists,
                                               lacre_error **error_out);

/**
 * Frees lists. Validators that were given them keep what they need.
 *
 * Thread safety: any thread, as long as no other uses the lists.
 *
 * @param lists  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup trusted_lists
 */
lacre_status lacre_trusted_lists_free(lacre_trusted_lists *lists);

/**
 * Makes a validator that trusts nobody yet.
 *
 * Thread safety: any thread.
 *
 * @param      policy         A validation policy, a DSS constraint file, or the name of a built-in one: "eidas", or
 *                            "dss" for the default policy of EU DSS 6.5. Borrowed for the call. NULL with a length of
 *                            0: "eidas", which is the stricter.
 * @param      policy_len     How many bytes it has.
 * @param      suite          Cryptographic suites to judge algorithms by (TS 119 322, XML or JSON), borrowed for the
 *                            call. NULL with a length of 0: the policy's.
 * @param      suite_len      How many bytes they have.
 * @param[out] validator_out  On LACRE_OK owned by the caller, freed with lacre_validator_free(). Otherwise NULL.
 * @param[out] error_out      May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_POLICY.
 * @ingroup validators
 */
lacre_status lacre_validator_new(const uint8_t *policy,
                                 size_t policy_len,
                                 const uint8_t *suite,
                                 size_t suite_len,
                                 lacre_validator **validator_out,
                                 lacre_error **error_out);

/**
 * Trusts a certificate (DER or PEM; of several in PEM the first). On failure the validator is as it was.
 *
 * Thread safety: one thread at a time may change a validator, and none may use it meanwhile.
 *
 * @param      validator        The validator.
 * @param      certificate      Borrowed for the call.
 * @param      certificate_len  How many bytes it has.
 * @param[out] error_out        May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
 * @ingroup validators
 */
lacre_status lacre_validator_add_trust_anchor(lacre_validator *validator,
                                              const uint8_t *certificate,
                                              size_t certificate_len,
                                              lacre_error **error_out);

/**
 * Hands in a certificate, CRL or OCSP response (DER or PEM) that documents may lack; which it is, its bytes tell.
 * On failure the validator is as it was.
 *
 * Thread safety: one thread at a time may change a validator, and none may use it meanwhile.
 *
 * @param      validator     The validator.
 * @param      evidence      Borrowed for the call.
 * @param      evidence_len  How many bytes it has.
 * @param[out] error_out     May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_EVIDENCE.
 * @ingroup validators
 */
lacre_status lacre_validator_add_evidence(lacre_validator *validator,
                                          const uint8_t *evidence,
                                          size_t evidence_len,
                                          lacre_error **error_out);

/**
 * Frees a validator. Reports that it made live on.
 *
 * Thread safety: any thread, as long as no other uses the validator.
 *
 * @param validator  May be NULL: nothing happens.
 * @return LACRE_OK, in debug builds also LACRE_ERROR_INVALID_HANDLE.
 * @ingroup validators
 */
lacre_status lacre_validator_free(lacre_validator *validator);

/**
 * Validates every signature of a document, as of one moment.
 *
 * The format is told from the bytes. Nothing is fetched from a network, and no clock is read. A document whose
 * signatures are bad is still LACRE_OK: the verdict is in the report.
 *
 * Thread safety: any number of threads, also with the same validator and the same document.
 *
 * @param      validator   The policy, and who is trusted.
 * @param      document    The document.
 * @param      time        Milliseconds since 1970-01-01T00:00:00Z; lacre_time_parse() reads a date.
 * @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_UNKNOWN_FORMAT or
 *         LACRE_ERROR_UNREADABLE.
 * @ingroup reports
 */
lacre_status lacre_validate(const lacre_validator *validator,
                            const lacre_document *document,
                            int64_t time,
                            lacre_report **report_out,
                            lacre_error **error_out);

/**
 * Judges stored facts again: those that lacre_inspect() wrote as JSON, or diagnostic data of EU DSS (XML).
 *
 * Only the policy of the validator counts; whom the facts trust is in the facts.
 *
 * Thread safety: any number of threads, also with the same validator.
 *
 * @param      validator   The policy.
 * @param      facts       Borrowed for the call.
 * @param      facts_len   How many bytes they have.
 * @param      time        Milliseconds since 1970-01-01T00:00:00Z, or LACRE_NO_TIME: the moment that the facts state.
 * @param[out] report_out  On LACRE_OK owned by the caller, freed with lacre_report_free(). Otherwise NULL.
 * @param[out] error_out   May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT or LACRE_ERROR_FACTS.
 * @ingroup reports
 */
lacre_status lacre_judge(const lacre_validator *validator,
                         const uint8_t *facts,
                         size_t facts_len,
                         int64_t time,
                         lacre_report **report_out,
                         lacre_error **error_out);

/**
 * Says what is inside a document, without a verdict.
 *
 * Thread safety: any number of threads, also with the same validator and the same document.
 *
 * @param      validator  Whom to trust and what else is known stand in the facts; the policy does not count.
 * @param      document   The document.
 * @param      time       The moment that the facts state: milliseconds since 1970-01-01T00:00:00Z.
 * @param      format     LACRE_FORMAT_TEXT: for people. LACRE_FORMAT_JSON: the facts, which lacre_judge() reads.
 * @param[out] facts_out  On LACRE_OK owned by the caller, freed with lacre_buffer_free(). Otherwise NULL.
 * @param[out] error_out  May be NULL. Otherwise, on failure, owned by the caller, freed with lacre_error_free().
 * @return LACRE_OK, LACRE_ERROR_NULL_ARGUMENT, LACRE_ERROR_INVALID_ARGUMENT, LACRE_ERROR_UNKNOWN_FORMAT or
 *         LACRE_ERROR_UNREADABLE.
 * @ingroup reports
 */
lacre_status lacre_inspect(const lacre_validator *validator,
                           const lacre_document *document,
                           int64_t time,
                           int32_t format,
                           lacre_buffer **facts_out,
                           lacre_error **error_out);

/**
 * Returns the version of the library, as "0.1.0".
 *
 * Thread safety: any thread.
 *
 * @return Static, NUL-terminated.
 * @ingroup version
 */
const char *lacre_version(void);

/**
 * Returns the version, and how the library was built, for reports of defects.
 *
 * Thread safety: any thread.
 *
 * @return Static, NUL-terminated.
 * @ingroup version
 */
const char *lacre_build_information(void);

/**
 * Returns the id by which reports name the certificate.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_id(const lacre_certificate *certificate);

/**
 * Returns the SHA-256 of its DER, in lower-case hexadecimal; empty where stored facts do not state it.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_sha256(const lacre_certificate *certificate);

/**
 * Returns whose it is: the whole name, after RFC 2253.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_subject(const lacre_certificate *certificate);

/**
 * Returns who issued it: the whole name, after RFC 2253.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_issuer(const lacre_certificate *certificate);

/**
 * Returns the common name of its subject; empty where it has none.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_common_name(const lacre_certificate *certificate);

/**
 * Returns its serial number, in decimal.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_serial(const lacre_certificate *certificate);

/**
 * Returns the first moment of its validity, in milliseconds since 1970.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup certificates
 */
int64_t lacre_certificate_not_before(const lacre_certificate *certificate);

/**
 * Returns the last moment of its validity, in milliseconds since 1970.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup certificates
 */
int64_t lacre_certificate_not_after(const lacre_certificate *certificate);

/**
 * Returns the name by which people call its subject: common name; else given name and surname, pseudonym,
 * organisation, or the whole distinguished name.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_name(const lacre_certificate *certificate);

/**
 * Returns what revocation data says of it: GOOD, REVOKED or UNKNOWN; empty where none speaks of it.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_revocation_status(const lacre_certificate *certificate);

/**
 * Returns the time of its revocation, in milliseconds since 1970; LACRE_NO_TIME where it is not revoked.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup certificates
 */
int64_t lacre_certificate_revocation_time(const lacre_certificate *certificate);

/**
 * Returns the reason of its revocation, as CRLReason of RFC 5280 names it; empty where none is stated.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_revocation_reason(const lacre_certificate *certificate);

/**
 * Returns the name of who states its revocation status; empty where the certificate of that signer was not found.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup certificates
 */
lacre_str lacre_certificate_revocation_producer(const lacre_certificate *certificate);

/**
 * Returns the `thisUpdate` of the statement on its revocation status, in milliseconds since 1970; LACRE_NO_TIME where
 * none is stated.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup certificates
 */
int64_t lacre_certificate_revocation_issued(const lacre_certificate *certificate);

/**
 * Returns whether it is a trust anchor.
 *
 * Thread safety: any thread.
 *
 * @param certificate  May be NULL: false comes back.
 * @ingroup certificates
 */
bool lacre_certificate_is_trusted(const lacre_certificate *certificate);

/**
 * Returns how much it weighs.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: LACRE_SEVERITY_NONE comes back.
 * @ingroup findings
 */
lacre_severity lacre_finding_severity(const lacre_finding *finding);

/**
 * Returns the stable key of the check, such as "BBB_XCV_CCCBB_ANS": the same as EU DSS's where there is one.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup findings
 */
lacre_str lacre_finding_check(const lacre_finding *finding);

/**
 * Returns what it is about, in English: a token by its number or name, a reference by what it refers to.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup findings
 */
lacre_str lacre_finding_subject(const lacre_finding *finding);

/**
 * Returns what was found, in words, in English. A report written in another language has it in that language.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup findings
 */
lacre_str lacre_finding_message(const lacre_finding *finding);

/**
 * Returns the values that were compared; empty where there are none.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup findings
 */
lacre_str lacre_finding_compared(const lacre_finding *finding);

/**
 * Returns the id of what the check looked at; empty where it is the signature or time-stamp itself.
 *
 * Thread safety: any thread.
 *
 * @param finding  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup findings
 */
lacre_str lacre_finding_token(const lacre_finding *finding);

/**
 * Returns the name under which the file was handed in.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_name(const lacre_list_state *state);

/**
 * Returns what it is for the others: "list-of-lists", "pivot", "trusted-list" or "unused".
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_role(const lacre_list_state *state);

/**
 * Returns the country that it is of; empty where it does not say.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_territory(const lacre_list_state *state);

/**
 * Returns where it is published, as the list that points at it says; empty where none does.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_url(const lacre_list_state *state);

/**
 * Returns who signed it, after RFC 2253; empty where its signature is not valid.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_signer(const lacre_list_state *state);

/**
 * Returns when the next issue is due at the latest, in milliseconds since 1970-01-01T00:00:00Z; LACRE_NO_TIME where it
 * does not say.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup trusted_lists
 */
int64_t lacre_list_state_next_update(const lacre_list_state *state);

/**
 * Returns whether it counts: it is signed by whom it should be, and is the newest of its kind.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: false comes back.
 * @ingroup trusted_lists
 */
bool lacre_list_state_is_trusted(const lacre_list_state *state);

/**
 * Returns how many things are wrong with it.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: 0 comes back.
 * @ingroup trusted_lists
 */
size_t lacre_list_state_problem_count(const lacre_list_state *state);

/**
 * Returns something that is wrong with it: a stable key, a colon, and what was found and expected, in English.
 *
 * Thread safety: any thread.
 *
 * @param state  May be NULL: an empty text.
 * @param index  From 0; past the last an empty text.
 * @return Borrowed from the lists.
 * @ingroup trusted_lists
 */
lacre_str lacre_list_state_problem(const lacre_list_state *state,
                                   size_t index);

/**
 * Returns the id by which reports name the signature.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_id(const lacre_signature *signature);

/**
 * Returns the id of the signature that this one counter-signs; empty where it counter-signs none.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_parent(const lacre_signature *signature);

/**
 * Returns the verdict: LACRE_INDICATION_TOTAL_PASSED, _TOTAL_FAILED or _INDETERMINATE.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup signatures
 */
lacre_indication lacre_signature_indication(const lacre_signature *signature);

/**
 * Returns why it is not TOTAL-PASSED.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
 * @ingroup signatures
 */
lacre_sub_indication lacre_signature_sub_indication(const lacre_signature *signature);

/**
 * Returns the profile that it fulfils, such as "PAdES-BASELINE-LT"; empty where that is not known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_level(const lacre_signature *signature);

/**
 * Returns what it is in the eyes of eIDAS, as a code: "QESIG", "ADESIG-QC", "INDETERMINATE-QESIG", "NA" and others.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_qualification(const lacre_signature *signature);

/**
 * Returns the same in words, in English.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_qualification_text(const lacre_signature *signature);

/**
 * Returns the name of the file that holds it, within a container.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_file(const lacre_signature *signature);

/**
 * Returns the name of the form field of a PDF file that holds it; empty in other formats.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_field(const lacre_signature *signature);

/**
 * Returns when the signer claims to have signed, in milliseconds since 1970; LACRE_NO_TIME where nothing is claimed.
 * Nothing proves it: see lacre_signature_best_time().
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup signatures
 */
int64_t lacre_signature_claimed_time(const lacre_signature *signature);

/**
 * Returns since when the signature is proven to exist, in milliseconds since 1970: the validation time where nothing
 * proves an earlier one.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup signatures
 */
int64_t lacre_signature_best_time(const lacre_signature *signature);

/**
 * Returns who signed, for people: the common name of the signing certificate, else its whole subject. Empty where
 * there is no certificate.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_signer(const lacre_signature *signature);

/**
 * Returns how many certificates its chain has, as far as it could be built.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
size_t lacre_signature_certificate_count(const lacre_signature *signature);

/**
 * Returns a certificate of its chain: at 0 the signing certificate, then its issuer, and so on.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
const lacre_certificate *lacre_signature_certificate(const lacre_signature *signature,
                                                     size_t index);

/**
 * Returns the digest function of its value, such as "SHA256"; empty where that is not known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_digest_algorithm(const lacre_signature *signature);

/**
 * Returns the kind of its key, such as "RSA" or "ECDSA"; empty where that is not known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_key_algorithm(const lacre_signature *signature);

/**
 * Returns the length of its key in bits; 0 where that is not known.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
uint32_t lacre_signature_key_bits(const lacre_signature *signature);

/**
 * Returns the SHA-256 of its value, in lower-case hexadecimal: the same signature has the same in every validator.
 * Empty where it has no value that can be read.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_value_sha256(const lacre_signature *signature);

/**
 * Returns how many things it signs.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
size_t lacre_signature_scope_count(const lacre_signature *signature);

/**
 * Returns the name of something that it signs, such as a file or a revision; empty where it has none.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @param index      From 0; past the last an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_scope_name(const lacre_signature *signature,
                                     size_t index);

/**
 * Returns how much of it is signed: "FULL", "PARTIAL", "DIGEST" and others.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @param index      From 0; past the last an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_scope_kind(const lacre_signature *signature,
                                     size_t index);

/**
 * Returns how many time-stamps belong to it.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
size_t lacre_signature_timestamp_count(const lacre_signature *signature);

/**
 * Returns the id of a time-stamp that belongs to it, as lacre_timestamp_id() gives it.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: an empty text.
 * @param index      From 0; past the last an empty text.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
lacre_str lacre_signature_timestamp_id(const lacre_signature *signature,
                                       size_t index);

/**
 * Returns how many findings there are: errors first, then warnings, then information.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
size_t lacre_signature_finding_count(const lacre_signature *signature);

/**
 * Returns a finding.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
const lacre_finding *lacre_signature_finding(const lacre_signature *signature,
                                             size_t index);

/**
 * Returns how many findings there are on its qualification (TS 119 615): errors first, then warnings, then
 * information. An error keeps it from being qualified, and says nothing against its validity.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: 0 comes back.
 * @ingroup signatures
 */
size_t lacre_signature_qualification_finding_count(const lacre_signature *signature);

/**
 * Returns a finding on its qualification. One on a trusted list has the id of the list as its token.
 *
 * Thread safety: any thread.
 *
 * @param signature  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup signatures
 */
const lacre_finding *lacre_signature_qualification_finding(const lacre_signature *signature,
                                                           size_t index);

/**
 * Returns the id by which reports name the time-stamp.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
lacre_str lacre_timestamp_id(const lacre_timestamp *timestamp);

/**
 * Returns what it is for: "signature-timestamp", "document-timestamp", "archive-timestamp" and others.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
lacre_str lacre_timestamp_type(const lacre_timestamp *timestamp);

/**
 * Returns the moment that it states, in milliseconds since 1970.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup timestamps
 */
int64_t lacre_timestamp_time(const lacre_timestamp *timestamp);

/**
 * Returns the verdict: LACRE_INDICATION_PASSED, _FAILED or _INDETERMINATE.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup timestamps
 */
lacre_indication lacre_timestamp_indication(const lacre_timestamp *timestamp);

/**
 * Returns why it is not PASSED.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
 * @ingroup timestamps
 */
lacre_sub_indication lacre_timestamp_sub_indication(const lacre_timestamp *timestamp);

/**
 * Returns whether it is a qualified one: "QTSA", "TSA" or "NA".
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
lacre_str lacre_timestamp_qualification(const lacre_timestamp *timestamp);

/**
 * Returns the same in words, in English.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
lacre_str lacre_timestamp_qualification_text(const lacre_timestamp *timestamp);

/**
 * Returns who issued it, for people, as lacre_signature_signer().
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
lacre_str lacre_timestamp_signer(const lacre_timestamp *timestamp);

/**
 * Returns how many certificates its chain has, as far as it could be built.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: 0 comes back.
 * @ingroup timestamps
 */
size_t lacre_timestamp_certificate_count(const lacre_timestamp *timestamp);

/**
 * Returns a certificate of its chain: at 0 the signing certificate, then its issuer, and so on.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
const lacre_certificate *lacre_timestamp_certificate(const lacre_timestamp *timestamp,
                                                     size_t index);

/**
 * Returns how many findings there are: errors first, then warnings, then information.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: 0 comes back.
 * @ingroup timestamps
 */
size_t lacre_timestamp_finding_count(const lacre_timestamp *timestamp);

/**
 * Returns a finding.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
const lacre_finding *lacre_timestamp_finding(const lacre_timestamp *timestamp,
                                             size_t index);

/**
 * Returns how many findings there are on its qualification (TS 119 615): errors first, then warnings, then
 * information. An error keeps it from being qualified, and says nothing against its validity.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: 0 comes back.
 * @ingroup timestamps
 */
size_t lacre_timestamp_qualification_finding_count(const lacre_timestamp *timestamp);

/**
 * Returns a finding on its qualification. One on a trusted list has the id of the list as its token.
 *
 * Thread safety: any thread.
 *
 * @param timestamp  May be NULL: NULL comes back.
 * @param index      From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup timestamps
 */
const lacre_finding *lacre_timestamp_qualification_finding(const lacre_timestamp *timestamp,
                                                           size_t index);

/**
 * Returns the id by which reports name the evidence record.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup evidence_records
 */
lacre_str lacre_evidence_record_id(const lacre_evidence_record *record);

/**
 * Returns its syntax: "ASN.1 Evidence Record" or "XML Evidence Record".
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup evidence_records
 */
lacre_str lacre_evidence_record_type(const lacre_evidence_record *record);

/**
 * Returns since when it proves that what it covers exists, in milliseconds since 1970.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: LACRE_NO_TIME comes back.
 * @ingroup evidence_records
 */
int64_t lacre_evidence_record_time(const lacre_evidence_record *record);

/**
 * Returns the verdict: LACRE_INDICATION_PASSED, _FAILED or _INDETERMINATE.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: LACRE_INDICATION_NONE comes back.
 * @ingroup evidence_records
 */
lacre_indication lacre_evidence_record_indication(const lacre_evidence_record *record);

/**
 * Returns why it is not PASSED.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: LACRE_SUB_INDICATION_NONE comes back.
 * @ingroup evidence_records
 */
lacre_sub_indication lacre_evidence_record_sub_indication(const lacre_evidence_record *record);

/**
 * Returns how many findings there are: errors first, then warnings, then information.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: 0 comes back.
 * @ingroup evidence_records
 */
size_t lacre_evidence_record_finding_count(const lacre_evidence_record *record);

/**
 * Returns a finding.
 *
 * Thread safety: any thread.
 *
 * @param record  May be NULL: NULL comes back.
 * @param index   From 0; past the last NULL comes back.
 * @return Borrowed from the report.
 * @ingroup evidence_records
 */
const lacre_finding *lacre_evidence_record_finding(const lacre_evidence_record *record,
                                                   size_t index);

/**
 * Returns what kind of evidence it is.
 *
 * Thread safety: any thread.
 *
 * @param wanted  May be NULL: LACRE_EVIDENCE_NONE comes back.
 * @ingroup wanted
 */
lacre_evidence_kind lacre_wanted_kind(const lacre_wanted *wanted);

/**
 * Returns the id of the token that it is about.
 *
 * Thread safety: any thread.
 *
 * @param wanted  May be NULL: an empty text.
 * @return Borrowed from the report.
 * @ingroup wanted
 */
lacre_str lacre_wanted_about(const lacre_wanted *wanted);

/**
 * Returns at how many places it may be had.
 *
 * Thread safety: any thread.
 *
 * @param wanted  May be NULL: 0 comes back.
 * @ingroup wanted
 */
size_t lacre_wanted_url_count(const lacre_wanted *wanted);

/**
 * Returns where it may be had, best first; of a content, its name.
 *
 * Thread safety: any thread.
 *
 * @param wanted  May be NULL: an empty text.
 * @param index   From 0; past the last an empty text.
 * @return Borrowed from the report.
 * @ingroup wanted
 */
lacre_str lacre_wanted_url(const lacre_wanted *wanted,
                           size_t index);

/**
 * Returns the word of an indication as ETSI writes it, such as "TOTAL-PASSED".
 *
 * Thread safety: any thread.
 *
 * @param indication  Any number; for one that is no indication the word is empty.
 * @return Static, NUL-terminated.
 * @ingroup reports
 */
const char *lacre_indication_name(int32_t indication);

/**
 * Returns the word of a sub-indication as ETSI writes it, such as "NO_CERTIFICATE_CHAIN_FOUND".
 *
 * Thread safety: any thread.
 *
 * @param sub_indication  Any number; for one that is no sub-indication the word is empty.
 * @return Static, NUL-terminated.
 * @ingroup reports
 */
const char *lacre_sub_indication_name(int32_t sub_indication);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* LACRE_H */
