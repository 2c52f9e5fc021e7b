import type { SigningErrorCode, Wanted as SigningWanted } from "lacre/sign";

/** Bytes, from wherever JavaScript holds them. */
export type Bytes = Blob | Uint8Array | ArrayBuffer;

/** A language in which reports are written. */
export type Language = "en" | "de" | "fr" | "es" | "it" | "pt" | "et" | "fi";

/** What judging depends on. */
export interface JudgeOptions {
  /** The moment as of which to judge. Default: now; for stored facts, the time that they state. */
  time?: Date;
  /**
   * A validation policy: a DSS constraint file, or the name of a built-in one: `eidas`, the default, or `dss`, the default
   * policy of EU DSS 6.5, which is less strict.
   */
  policy?: Bytes | string;
  /** Cryptographic suites in place of the policy's: TS 119 322, XML or JSON. */
  suite?: Bytes | string;
  /** The language of the report. Keys and codes are the same in all. Default: "en". */
  language?: Language;
}

/** What validating depends on. An option of another name is an error, lest a misspelt one be passed over. */
export interface Options extends JudgeOptions {
  /** The document's file name. Default: that of the `File`. */
  name?: string;
  /** Certificates to trust, DER or PEM. */
  trustAnchors?: readonly (Bytes | string)[];
  /** A snapshot of the trusted lists of the European Union, as `lacre lists pack` writes it. */
  trustedLists?: Bytes;
  /** Certificates, DER or PEM, one of which has to have signed that snapshot. */
  packedBy?: readonly (Bytes | string)[];
  /** Certificates, CRLs and OCSP responses that the document may lack, DER or PEM. See `Report.wanted`. */
  evidence?: readonly (Bytes | string)[];
  /** Detached contents: files, or bytes with a name. */
  contents?: readonly (File | { readonly name: string; readonly bytes: Bytes })[];
  /** The password of an encrypted PDF. */
  password?: string;
}

/**
 * Validates every signature of a document.
 *
 * A document whose signatures are bad is no error: the verdict is in the report. Nothing is fetched from anywhere;
 * evidence that is missing is named in `wanted`, and handed in with `evidence`.
 *
 * @throws {LacreError} when the document cannot be read, or an option is not what it should be.
 */
export function validate(file: Bytes, options?: Options): Promise<Report>;

/** Says what is inside a document, and concludes nothing. What it gives, `judge` and `lacre/report` take. */
export function inspect(file: Bytes, options?: Options): Promise<Facts>;

/**
 * Judges stored facts: those that `inspect` gave, their JSON, or the diagnostic data of EU DSS (XML).
 * Loads the module that writes reports, `lacre_report_bg.wasm`.
 */
export function judge(facts: Facts | string, options?: JudgeOptions): Promise<Report>;

/** Where the WebAssembly module is, or the module itself. */
export type Source = WebAssembly.Module | BufferSource | Response | URL | string;

/**
 * Loads the WebAssembly module, once; every further call gives the same promise. The other functions call it
 * themselves: this one is for choosing when, and from where.
 */
export function init(source?: Source | Promise<Source>): Promise<void>;

/** Why a call failed. */
export type ErrorCode =
  | "UNKNOWN_FORMAT"
  | "UNSUPPORTED_FORMAT"
  | "UNSUPPORTED_ALGORITHM"
  | "UNREADABLE"
  /** The PDF is encrypted, and the password, or that there is none, does not open it. */
  | "PASSWORD"
  | "INVALID_EVIDENCE"
  | "INVALID_TRUSTED_LISTS"
  | "INVALID_POLICY"
  | "INVALID_SUITE"
  | "INVALID_FACTS"
  | "INVALID_ARGUMENT"
  | "REPORT"
  | "TOO_LARGE"
  | "LOAD"
  | "INTERNAL";

/** Every failure of lacre. After an `INTERNAL` one the next call begins with a new instance, and works. */
export class LacreError extends Error {
  constructor(code: ErrorCode | SigningErrorCode, message: string, more?: { hint?: string; cause?: unknown; wanted?: readonly SigningWanted[] });
  readonly name: "LacreError";
  /** Those of `lacre/sign` are codes of the library, which the command and the server have as well. */
  readonly code: ErrorCode | SigningErrorCode;
  /** What could be done about it. */
  readonly hint?: string;
  /** Of `evidence-missing`: what is wanted. */
  readonly wanted?: readonly SigningWanted[];
}

/** What is inside a document: an immutable record, `lacre-facts/1`. Its fields are lacre's own. */
export interface Facts {
  readonly schema: "lacre-facts/1";
  readonly facts: object;
}

/** A moment: RFC 3339, UTC. */
export type Time = string;
/** A SHA-256, lower-case hexadecimal. */
export type Sha256 = string;
/** The id of a token, stable within a report. */
export type Id = string;

/** The verdict on a signature. */
export type SignatureIndication = "TOTAL-PASSED" | "TOTAL-FAILED" | "INDETERMINATE";
/** The verdict on anything else. */
export type TokenIndication = "PASSED" | "FAILED" | "INDETERMINATE";
/** The verdict on a document: the worst over all signatures. */
export type DocumentIndication = SignatureIndication | "NO_SIGNATURE_FOUND";
/** Every indication that occurs. */
export type Indication = SignatureIndication | TokenIndication | "NO_SIGNATURE_FOUND";

/** Why a verdict is what it is: EN 319 102-1, tables 5 and 6. */
export type SubIndication =
  | "FORMAT_FAILURE"
  | "HASH_FAILURE"
  | "SIG_CRYPTO_FAILURE"
  | "REVOKED"
  | "EXPIRED"
  | "NOT_YET_VALID"
  | "SIG_CONSTRAINTS_FAILURE"
  | "CHAIN_CONSTRAINTS_FAILURE"
  | "CERTIFICATE_CHAIN_GENERAL_FAILURE"
  | "CRYPTO_CONSTRAINTS_FAILURE"
  | "CRYPTO_CONSTRAINTS_FAILURE_NO_POE"
  | "POLICY_PROCESSING_ERROR"
  | "SIGNATURE_POLICY_NOT_AVAILABLE"
  | "TIMESTAMP_ORDER_FAILURE"
  | "NO_SIGNING_CERTIFICATE_FOUND"
  | "NO_CERTIFICATE_CHAIN_FOUND"
  | "NO_CERTIFICATE_CHAIN_FOUND_NO_POE"
  | "REVOKED_NO_POE"
  | "REVOKED_CA_NO_POE"
  | "OUT_OF_BOUNDS_NOT_REVOKED"
  | "OUT_OF_BOUNDS_NO_POE"
  | "REVOCATION_OUT_OF_BOUNDS_NO_POE"
  | "NO_POE"
  | "TRY_LATER"
  | "SIGNED_DATA_NOT_FOUND";

/** What a signature is before the law: TS 119 615, eIDAS. */
export type SignatureQualification =
  | "QESIG"
  | "QESEAL"
  | "UNKNOWN-QC-QSCD"
  | "ADESIG-QC"
  | "ADESEAL-QC"
  | "UNKNOWN-QC"
  | "ADESIG"
  | "ADESEAL"
  | "UNKNOWN"
  | "INDETERMINATE-QESIG"
  | "INDETERMINATE-QESEAL"
  | "INDETERMINATE-UNKNOWN-QC-QSCD"
  | "INDETERMINATE-ADESIG-QC"
  | "INDETERMINATE-ADESEAL-QC"
  | "INDETERMINATE-UNKNOWN-QC"
  | "INDETERMINATE-ADESIG"
  | "INDETERMINATE-ADESEAL"
  | "INDETERMINATE-UNKNOWN"
  | "NOT-ADES-QC-QSCD"
  | "NOT-ADES-QC"
  | "NOT-ADES"
  | "NA";

/** What a time-stamp is before the law. */
export type TimestampQualification = "QTSA" | "TSA" | "NA";

/** What a time-stamp is there for. */
export type TimestampType =
  | "content-timestamp"
  | "all-data-objects-timestamp"
  | "individual-data-objects-timestamp"
  | "signature-timestamp"
  | "validation-data-refsonly-timestamp"
  | "validation-data-timestamp"
  | "archive-timestamp"
  | "container-timestamp"
  | "document-timestamp"
  | "vri-timestamp"
  | "evidence-record-timestamp";

/** How much of a file is signed. */
export type ScopeKind =
  | "FULL"
  | "PARTIAL"
  | "DIGEST"
  | "ARCHIVED"
  | "COUNTER_SIGNATURE"
  | "ATTESTATION_SIGNATURE"
  | "KEY_BINDING_SIGNATURE"
  | "SIGNATURE";

/** A kind of evidence that could change the verdict. */
export type WantedKind = "ocsp" | "crl" | "issuer" | "trusted-list" | "content";
/** Who could be trusted: nobody, certificates handed in, trusted lists and in what state those are. */
export type TrustState = "nobody" | "anchors" | "no-usable-list" | "stale-lists" | "lists";

/** A building block of EN 319 102-1. */
export type Block = "FC" | "ISC" | "VCI" | "XCV" | "CV" | "SAV" | "PSV" | "PCV" | "VTS";

/** The report, `lacre-report/2`: the same object that the command, the server and the C library give. */
export interface Report {
  readonly schema: "lacre-report/2";
  readonly generator: { readonly name: "lacre"; readonly version: string };
  readonly validation_time: Time;
  readonly policy: { readonly name: string; readonly sha256: Sha256 };
  readonly document: {
    readonly name: string | null;
    readonly size: number | null;
    readonly sha256: Sha256 | null;
    readonly format: "PAdES" | "XAdES" | "CAdES" | "JAdES" | "timestamp" | "evidence-record" | "unknown" | null;
    readonly container: "ASiC-S" | "ASiC-E" | "ODF" | null;
    /** What is irregular, where nothing in the document was judged and no finding says so. */
    readonly irregularities?: readonly { readonly check: string; readonly message: string; readonly subject?: string }[];
  };
  readonly conclusion: {
    readonly indication: DocumentIndication;
    readonly signatures: number;
    readonly passed: number;
  };
  readonly signatures: readonly Signature[];
  readonly timestamps: readonly Timestamp[];
  readonly evidence_records: readonly EvidenceRecord[];
  readonly certificates: readonly {
    readonly id: Id;
    readonly sha256: Sha256 | null;
    readonly name: string;
    readonly subject: string;
    readonly trusted: boolean;
  }[];
  /** One entry for each certificate that a CRL or OCSP response speaks of; one where it speaks of none of the report. */
  readonly revocations: readonly {
    readonly id: Id;
    readonly type: "crl" | "ocsp";
    readonly sha256: Sha256 | null;
    /** The name of who signed it; null where that certificate was not found. */
    readonly producer: string | null;
    readonly this_update: Time | null;
    readonly next_update: Time | null;
    readonly certificate: Id | null;
    readonly status: "GOOD" | "REVOKED" | "UNKNOWN" | null;
    readonly revocation_time: Time | null;
    /** Where it is stated: since when the certificate is not to be relied on. */
    readonly invalidity_time?: Time;
    /** CRLReason of RFC 5280. */
    readonly reason: string | null;
  }[];
  readonly trusted_lists: readonly {
    readonly id: Id;
    readonly url: string;
    readonly country: string | null;
    readonly sequence_number: number | null;
    readonly issue_date: Time | null;
    readonly next_update: Time | null;
    readonly list_of_lists: boolean;
  }[];
  /** Who could be trusted at all; null where that is not known (stored facts of others). */
  readonly trust: {
    readonly state: TrustState;
    readonly anchors: number;
    readonly lists: {
      readonly sequence_number: number | null;
      readonly issue_date: Time | null;
      readonly trusted: number;
      readonly current: number;
      readonly unusable: number;
      readonly missing: number;
      /** How many of the lists are closed; absent where none is. */
      readonly closed?: number;
      /** The lists that are pointed to and absent; absent where none is. */
      readonly missing_lists?: readonly { readonly territory: string | null; readonly url: string }[];
      /** The files that are no lists, or cannot be relied on, each with the reason; absent where none is. */
      readonly unusable_lists?: readonly { readonly name: string; readonly territory: string | null; readonly reason: string }[];
      /** Who signed the snapshot that the lists come from; absent where nobody did. */
      readonly packed_by?: { readonly subject: string; readonly sha256: string };
    } | null;
  } | null;
  /** Evidence that could change the verdict: what it is, where it may be had, for which token. */
  readonly wanted: readonly {
    readonly kind: WantedKind;
    readonly urls: readonly string[];
    readonly for: Id;
    /** Whose trusted list it is; absent where that is not known. */
    readonly territory?: string;
    /** Where it was looked for in vain; absent where nobody looked. */
    readonly tried?: readonly { readonly url: string; readonly reason: string }[];
  }[];
}

/** What a process or a building block concluded. */
export interface Outcome {
  readonly indication: Indication;
  readonly sub_indication: SubIndication | null;
}

/** A signature and the verdict on it. */
export interface Signature {
  readonly id: Id;
  /** Of the signature value's bytes: names a signature across validators. */
  readonly value_sha256: Sha256 | null;
  /** The signature that this one counter-signs. */
  readonly parent: Id | null;
  readonly format: "PAdES" | "XAdES" | "CAdES" | "JAdES" | "unknown";
  /** As EU DSS prints it: PAdES-BASELINE-LT, PDF-NOT-ETSI, … */
  readonly level: string | null;
  /** The file, or entry of a container, in which it stands. */
  readonly file: string;
  /** The PDF signature field. */
  readonly field: string | null;
  /** The subject of the signing certificate; null where that was not found. */
  readonly signer: Person | null;
  readonly indication: SignatureIndication;
  readonly sub_indication: SubIndication | null;
  readonly basic: Outcome;
  readonly long_term: Outcome;
  readonly archival: Outcome;
  readonly claimed_signing_time: Time | null;
  /** The earliest moment at which the signature is proven to have existed. */
  readonly best_signature_time: Time;
  /** Claimed by the signer. */
  readonly reason: string | null;
  /** Claimed by the signer. */
  readonly location: string | null;
  /** The roles of the signer, and whether they stand in an attribute certificate, whose signature and holder are not verified. */
  readonly roles: readonly { readonly role: string; readonly certified: boolean }[];
  /** The commitment types that the signer claims. */
  readonly commitments: readonly string[];
  /** What later revisions of a PDF changed; absent where nothing was compared. */
  readonly changes_since_signing?: {
    readonly extension: number;
    readonly form_fill: number;
    readonly annotation: number;
    readonly undefined: number;
    readonly pages_added_or_removed: boolean;
    readonly pages_look_different: boolean;
  };
  readonly signing_certificate: Certificate | null;
  /** From the signing certificate upwards. */
  readonly chain: readonly (Sha256 | null)[];
  readonly algorithm: { readonly signature: string | null; readonly digest: string | null; readonly key: number | null };
  readonly scope: readonly { readonly name: string | null; readonly kind: ScopeKind; readonly data: Id }[];
  readonly qualification: SignatureQualification;
  readonly qualification_text: string;
  /** The entry of the trusted list under which the signing certificate was issued, where a list was reached. */
  readonly trust_service?: {
    readonly country: string | null;
    readonly list: string;
    readonly list_number: number | null;
    readonly list_issued: Time | null;
    readonly service: string | null;
    readonly status: string | null;
    readonly since: Time | null;
    /** The agreement by which a service of a country outside the Union counts as one of the Union's. */
    readonly mutual_recognition?: {
      readonly agreement: string;
      readonly enacted: boolean;
      readonly since: Time | null;
      readonly until: Time | null;
      readonly status: string | null;
    };
  };
  readonly timestamps: readonly Id[];
  readonly blocks: Blocks;
  readonly findings: readonly Finding[];
  /** What the checks of the qualification noticed: an error keeps it from being qualified, and says nothing against its
   * validity. A finding on a trusted list names the list as its token. */
  readonly qualification_findings: readonly Finding[];
}

/** The subject of a certificate. */
export interface Person {
  /** The name by which people call the subject. */
  readonly name: string;
  readonly given_name: string | null;
  readonly surname: string | null;
  readonly pseudonym: string | null;
  readonly organisation: string | null;
  readonly organisation_identifier: Identifier | null;
  readonly serial_number: Identifier | null;
  readonly country: string | null;
}

/** An identifier of a person or organisation: EN 319 412-1. */
export interface Identifier {
  readonly value: string;
  /** null where the identifier does not follow the standard. */
  readonly type: "PAS" | "IDC" | "PNO" | "TAX" | "TIN" | "VAT" | "NTR" | "PSD" | "LEI" | null;
  readonly country: string | null;
}

/** A time-stamp and the verdict on it. */
export interface Timestamp {
  readonly id: Id;
  readonly type: TimestampType;
  readonly time: Time;
  readonly indication: TokenIndication;
  readonly sub_indication: SubIndication | null;
  readonly qualification: TimestampQualification;
  readonly qualification_text: string;
  readonly signing_certificate: Certificate | null;
  readonly blocks: Blocks;
  readonly findings: readonly Finding[];
  /** What the checks of the qualification noticed: an error keeps it from being qualified, and says nothing against its
   * validity. A finding on a trusted list names the list as its token. */
  readonly qualification_findings: readonly Finding[];
  readonly covers: readonly Id[];
}

/** An evidence record and the verdict on it. */
export interface EvidenceRecord {
  readonly id: Id;
  readonly type: "XML Evidence Record" | "ASN.1 Evidence Record";
  readonly indication: TokenIndication;
  readonly sub_indication: SubIndication | null;
  /** Since when it proves existence. */
  readonly time: Time;
  readonly findings: readonly Finding[];
  readonly covers: readonly Id[];
}

/**
 * A certificate; distinguished names as RFC 2253 writes them, with attribute types by name and strings as text; the
 * serial number decimal.
 */
export interface Certificate {
  readonly sha256: Sha256 | null;
  /** The name by which people call the subject. */
  readonly name: string;
  readonly subject: string;
  readonly issuer: string;
  readonly serial: string;
  readonly not_before: Time;
  readonly not_after: Time;
}

/** The building blocks that ran. */
export type Blocks = Readonly<Partial<Record<Block, Outcome>>>;

/** What a check found. */
export interface Finding {
  readonly severity: "error" | "warning" | "info";
  /** A stable key; EU DSS's where it has the check. */
  readonly check: string;
  /** What it is about, in the report's language: a token by its number or name, a reference by what it refers to. */
  readonly subject: string;
  /** The same in a sentence, in the report's language. */
  readonly message: string;
  /** The values that the check compared. */
  readonly compared?: string;
  /** The token that the check looked at. */
  readonly token: Id;
}
