import type { Bytes, Id, Source, Time } from "lacre";

// A module of its own, which signs PDF and CMS (PAdES, CAdES) and extends their signatures. Keys are elsewhere: in WebCrypto, in a
// token, with a service. Nothing is fetched by itself.

/** A format in which signatures are made. */
export type Format = "PAdES" | "CAdES";

/** What is to be signed, and how: the `request` of the server has the same members. A member of another name is an error. */
export interface SigningRequest {
  /** The signing certificate, DER or PEM. */
  certificate: Bytes | string;
  /** The certificates above it. */
  chain?: readonly (Bytes | string)[];
  /** Default: PAdES for a PDF, else CAdES. */
  format?: Format;
  /** The level that will be reached, for which a PDF has to have room. Default: "B". */
  level?: "B" | "T" | "LT" | "LTA";
  /** Default: SHA-384 for P-384, SHA-512 for P-521 and for RSA of more than 3072 bits, else SHA-256. */
  digestAlgorithm?: "SHA-256" | "SHA-384" | "SHA-512";
  /** `SHA256withECDSA`, `SHA256withRSA`, `SHA256withRSASSA-PSS` and the like, or a name in JOSE. Default: the key's own. */
  signatureAlgorithm?: string;
  /** What the signer states. */
  parameters?: Parameters;
  /** What the format has besides. */
  options?: FormatOptions;
}

/** What the signer states, whatever the format. */
export interface Parameters {
  /** The claimed time. Default: now. */
  signingTime?: Date | Time;
  /** Two letters of ISO 3166-1. */
  country?: string;
  locality?: string;
  /** Up to six lines. */
  postalAddress?: readonly string[];
  claimedRoles?: readonly string[];
  /** CAdES: attribute certificates of the signer, DER. */
  certifiedAttributes?: readonly Bytes[];
  /** CAdES: assertions that others signed. */
  signedAssertions?: readonly string[];
  /** What the signer commits to: one of these, or an object identifier. */
  commitments?: readonly ("origin" | "receipt" | "delivery" | "sender" | "approval" | "creation" | (string & {}))[];
  /** CAdES: what the signer commits to, with qualifiers: an object identifier, and a value in DER. */
  qualifiedCommitments?: readonly { oid: string; qualifiers: readonly { oid: string; value?: Bytes }[] }[];
  policy?: "implied" | { explicit: PolicyDocument };
  /** Time-stamp tokens over the content, made before. */
  contentTimestamps?: readonly Bytes[];
  /** Which certificates are embedded. Default: "chain", without a self-signed one. */
  embedded?: "signer" | "chain" | "chain-with-root";
  /** Sign although TS 119 312 does not allow the algorithm, or no longer. */
  allowWeakAlgorithms?: boolean;
}

/** A signature policy with an identifier and the digest of its document. */
export interface PolicyDocument {
  oid: string;
  digestAlgorithm: string;
  digest: Bytes;
  uri?: string;
  userNotice?: string;
  /** CAdES: the document, to be held by the signature. It needs `documentSpecification`. */
  document?: Bytes;
  /** The specification of the document's syntax: an object identifier or a URI. */
  documentSpecification?: string;
}

/** What one format has, and the other has not. */
export interface FormatOptions {
  /** CAdES: where the signature goes. Default: "enveloping". */
  packaging?: "enveloping" | "detached" | "parallel" | "counter";
  /** CAdES: the signature that is counter-signed. */
  signature?: Id;
  /** CAdES: the media type of the content. */
  mimeType?: string;
  /** CAdES: a description of the content, instead of a media type. */
  description?: string;
  /** CAdES: an identifier of the content, for references from other signatures. */
  identifier?: Bytes;
  /** CAdES: the signature that this one is about: a CMS file of one signature, whose content has an identifier. */
  about?: Bytes;
  /** PAdES: the empty field that is signed. */
  field?: string;
  /** PAdES: a new field, which is not seen: what is seen of a signature, this module does not draw. */
  newField?: { name?: string; tooltip?: string; page?: number };
  /** PAdES: why it is signed. Not beside a commitment or a policy. */
  reason?: string;
  contactInfo?: string;
  signerName?: string;
  /** PAdES: certifies, as the first signature: 1 permits nothing afterwards, 2 filling in and signing, 3 comments, too. */
  certify?: 1 | 2 | 3;
  /** PAdES: fields that nobody may change afterwards. */
  lock?: { action: "ALL" | "INCLUDE" | "EXCLUDE"; fields?: readonly string[] };
  /** PAdES: by how many minutes the signer's clock is ahead of universal time. */
  utcOffset?: number;
}

/** How the document is read. */
export interface ReadingOptions {
  /** The password of an encrypted PDF. */
  password?: string;
  /** Detached contents: files, or bytes with a name. */
  contents?: readonly (File | { readonly name: string; readonly bytes: Bytes })[];
  /** The moment. Default: now. */
  time?: Date;
}

/** A signature that lacks only its value. It may be stored and sent: `finish` takes its `state` alone as well. */
export interface Prepared {
  /** What `finish` needs: JSON. It holds no secret, and states which document it is of. */
  readonly state: object;
  /** What a key signs that signs digests. */
  readonly digest: Uint8Array<ArrayBuffer>;
  /** The digest function; not there where the algorithm has none. */
  readonly digestAlgorithm?: string;
  /** `SHA256withECDSA` and the like. */
  readonly algorithm: string;
  /** What a key signs that digests by itself, as those of WebCrypto. */
  readonly toBeSigned: Uint8Array<ArrayBuffer>;
  /** Whether the key has to sign `toBeSigned` itself: EdDSA. */
  readonly needsMessage: boolean;
  /** Where the signature goes. */
  readonly packaging: "pdf" | "enveloping" | "detached" | "parallel" | "counter";
}

/** Prepares a signature: says what is to be signed. The same request, document and time give the same. */
export function prepare(file: Bytes, request: SigningRequest, options?: ReadingOptions): Promise<Prepared>;

/** A signature value, or what makes one: a private key of WebCrypto, or a function. Values of ECDSA may have either form. */
export type Value = Bytes | CryptoKey | ((prepared: Prepared) => Bytes | Promise<Bytes>);

/** Something that is wanted: a time-stamp, or evidence. */
export interface Wanted {
  readonly kind: "timestamp" | "ocsp" | "crl" | "issuer";
  /** Where it may be had; none for a time-stamp, which any authority makes. */
  readonly urls: readonly string[];
  /** What is posted to ask for it, with its media type; nothing where the address itself is asked. */
  readonly request?: Uint8Array<ArrayBuffer>;
  readonly contentType?: "application/timestamp-query" | "application/ocsp-request";
  /** What it is about: a signature, or a certificate. */
  readonly about?: Id;
  /** The name of that certificate. */
  readonly name?: string;
  /** Of a time-stamp: the digest function and the imprint. */
  readonly digestAlgorithm?: string;
  readonly imprint?: Uint8Array<ArrayBuffer>;
  /** Revocation data issued before does not help. */
  readonly notBefore?: Time;
  /** When its issuer will have issued the next. */
  readonly retryAt?: Time;
  readonly tried?: readonly { readonly url: string; readonly reason: string }[];
}

/**
 * Gets what is wanted: of a time-stamp the response of an authority or the token, of evidence the OCSP response, the CRL or the
 * certificate. `undefined`: it cannot be had. What it throws ends the call.
 */
export type Fetch = (wanted: Wanted) => Promise<Bytes | undefined>;

/** How a signature is finished. */
export interface FinishOptions extends ReadingOptions {
  /** Default: "B". For "T" a time-stamp is asked for, once value and document are known to be good. */
  level?: "B" | "T";
  fetch?: Fetch;
  /** The digest function of the time-stamp. Default: "SHA-256". */
  digestAlgorithm?: "SHA-256" | "SHA-384" | "SHA-512";
}

/**
 * Finishes a signature: the signed document, or of a detached signature the signature alone. The value is verified with the
 * certificate's key, and the document is the one that was prepared, before anything is written.
 */
export function finish(
  file: Bytes,
  prepared: Prepared | { readonly state: object },
  value: Value,
  options?: FinishOptions,
): Promise<Uint8Array<ArrayBuffer>>;

/** What an extension is to reach, and how. */
export interface ExtendOptions extends ReadingOptions {
  /** Default: "LTA". */
  level?: "T" | "LT" | "LTA";
  /** Some signatures only, by their ids in a report. Default: all. */
  signatures?: readonly Id[];
  /** How recent revocation data has to be: issued after the time-stamp, or current when it was made. Default: "strict". */
  freshness?: "strict" | "accept-older";
  /** What is overlooked. The level may then be lower. */
  overlook?: readonly ("broken-timestamp" | "expired-certificate" | "untrusted-chain" | "missing-revocation")[];
  /** The digest function of time-stamps. Default: "SHA-256". */
  digestAlgorithm?: "SHA-256" | "SHA-384" | "SHA-512";
  /** Leave signatures of level LTA as they are. */
  noRenewal?: boolean;
  /** Certificates to trust, DER or PEM. */
  trustAnchors?: readonly (Bytes | string)[];
  /** Certificates, CRLs and OCSP responses that are at hand, DER or PEM. */
  evidence?: readonly (Bytes | string)[];
  /** Gets what is missing. Without it the error has what is wanted. */
  fetch?: Fetch;
}

/** An extended document. */
export interface Extended {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** The level, that of the lowest of the signatures that were chosen: `PAdES-BASELINE-LTA` and the like. */
  readonly level: string;
  readonly signatures: readonly ExtendedSignature[];
}

/** What became of a signature. */
export interface ExtendedSignature {
  /** Its id in the document as it was given. */
  readonly id: Id;
  /** Its id in the document that was written. */
  readonly newId: Id;
  readonly before?: string;
  readonly after?: string;
  /** Why it was not extended. */
  readonly error?: { readonly code: SigningErrorCode; readonly message: string; readonly hint?: string };
}

/** Extends the signatures of a document to a level. What is written was judged before it is returned. */
export function extend(file: Bytes, options?: ExtendOptions): Promise<Extended>;

/** Loads the module `lacre_sign_bg.wasm`, once. */
export function init(source?: Source | Promise<Source>): Promise<void>;

/** Why a signature was not prepared, finished or extended, besides the other codes of `LacreError`. */
export type SigningErrorCode =
  | "parameter-not-in-format"
  | "parameter-invalid"
  | "parameters-conflict"
  | "algorithm-not-allowed"
  | "algorithm-key-mismatch"
  | "certificate-key-mismatch"
  | "certificate-not-for-signing"
  | "certificate-outside-validity"
  | "digest-length"
  | "content-needed"
  | "content-differs"
  | "value-form"
  | "value-does-not-verify"
  | "key-refused"
  | "state-unreadable"
  | "state-of-other-version"
  | "state-tampered"
  | "document-unreadable"
  | "pdf-needs-repair"
  | "pdf-trailing-data"
  | "pdf-leading-bytes"
  | "pdf-encryption"
  | "password-needed"
  | "password-wrong"
  | "permission-denied"
  | "xfa-dynamic"
  | "field-not-found"
  | "field-signed"
  | "field-not-signature"
  | "field-name-invalid"
  | "field-outside-page"
  | "field-overlaps"
  | "certified-no-changes"
  | "locked-by-field"
  | "certification-not-first"
  | "seed-value-unmet"
  | "contents-too-small"
  | "font-missing-glyph"
  | "picture-unreadable"
  | "already-signed"
  | "packaging-differs"
  | "covered-by-archive-timestamp"
  | "evidence-record-inside"
  | "no-signature"
  | "signature-not-found"
  | "not-extendable"
  | "already-at-level"
  | "signature-invalid"
  | "timestamp-invalid"
  | "certificate-expired"
  | "certificate-revoked"
  | "too-late"
  | "chain-not-trusted"
  | "revocation-missing"
  | "tsa-unreachable"
  | "tsa-quota"
  | "revocation-too-old"
  | "evidence-unreadable"
  | "tsa-reply-unreadable"
  | "tsa-rejected"
  | "tsa-imprint"
  | "tsa-nonce"
  | "tsa-policy"
  | "tsa-certificate"
  | "tsa-time"
  | "extension-made-it-worse"
  /** Something is wanted, and `fetch` was not given. `LacreError.wanted` lists it. */
  | "evidence-missing";
