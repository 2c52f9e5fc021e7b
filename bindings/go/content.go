package lacre

import "time"

// Indication is a verdict (EN 319 102-1 §5.1.3).
type Indication string

// The verdicts on documents and signatures, then those on time-stamps, evidence records and certificates.
const (
	TotalPassed      Indication = "TOTAL-PASSED"
	TotalFailed      Indication = "TOTAL-FAILED"
	Indeterminate    Indication = "INDETERMINATE"
	NoSignatureFound Indication = "NO_SIGNATURE_FOUND"
	Passed           Indication = "PASSED"
	Failed           Indication = "FAILED"
)

// SubIndication says why a verdict is no better (EN 319 102-1, tables 5 and 6), such as "REVOKED"; empty where there is
// nothing to say.
type SubIndication string

// Qualification is what something is under eIDAS (TS 119 615), such as "QESIG"; "NA" where no trusted list tells.
type Qualification string

// Outcome is the end of a process or a building block.
type Outcome struct {
	Indication    Indication    `json:"indication"`
	SubIndication SubIndication `json:"sub_indication"`
}

type reportContent struct {
	ValidationTime time.Time    `json:"validation_time"`
	Document       DocumentInfo `json:"document"`
	Conclusion     struct {
		Indication Indication `json:"indication"`
	} `json:"conclusion"`
	Signatures      []Signature        `json:"signatures"`
	Timestamps      []Timestamp        `json:"timestamps"`
	EvidenceRecords []EvidenceRecord   `json:"evidence_records"`
	Certificates    []KnownCertificate `json:"certificates"`
	Revocations     []Revocation       `json:"revocations"`
	Wanted          []Wanted           `json:"wanted"`
}

// DocumentInfo is the document that was judged. Texts are empty where they are not known.
type DocumentInfo struct {
	Name string `json:"name"`
	Size int64  `json:"size"`
	// SHA256 is in lower-case hexadecimal.
	SHA256 string `json:"sha256"`
	// Format is PAdES, XAdES, CAdES, JAdES, timestamp, evidence-record or unknown.
	Format string `json:"format"`
	// Container is ASiC-S, ASiC-E or ODF; empty where there is none.
	Container string `json:"container"`
	// Irregularities is what is irregular where nothing in the document was judged, so that no finding says so.
	Irregularities []Irregularity `json:"irregularities,omitempty"`
}

// Irregularity is an irregularity of a document that holds nothing to judge.
type Irregularity struct {
	// Check is the stable key of the check that would have failed, such as BBB_FC_UNREADABLE_SIGNATURE_ANS.
	Check string `json:"check"`
	// Message is a sentence in the language of the report.
	Message string `json:"message"`
	// Subject is the file, field or object concerned; empty where that is the whole document.
	Subject string `json:"subject,omitempty"`
}

// Signature is one signature, and what was concluded about it.
type Signature struct {
	// ID names the signature within the report.
	ID string `json:"id"`
	// ValueSHA256 names it across validators.
	ValueSHA256 string `json:"value_sha256"`
	// Parent is the ID of the signature that this one counter-signs.
	Parent string `json:"parent"`
	Format string `json:"format"`
	// Level is as EU DSS prints it, such as PAdES-BASELINE-LT.
	Level string `json:"level"`
	// File is the file, or entry of a container, in which it stands.
	File string `json:"file"`
	// Field is the PDF signature field.
	Field string `json:"field"`
	// Signer is nil where the signing certificate was not found.
	Signer        *Person       `json:"signer"`
	Indication    Indication    `json:"indication"`
	SubIndication SubIndication `json:"sub_indication"`
	Basic         Outcome       `json:"basic"`
	LongTerm      Outcome       `json:"long_term"`
	Archival      Outcome       `json:"archival"`
	// ClaimedSigningTime is what the signer says.
	ClaimedSigningTime *time.Time `json:"claimed_signing_time"`
	// BestSignatureTime is the earliest time at which the signature is proved to have existed.
	BestSignatureTime time.Time `json:"best_signature_time"`
	// Reason, Location and Commitments are claimed by the signer.
	Reason      string   `json:"reason"`
	Location    string   `json:"location"`
	Roles       []Role   `json:"roles"`
	Commitments []string `json:"commitments"`
	// Changes is what later revisions of a PDF changed; nil where nothing was compared.
	Changes            *Changes     `json:"changes_since_signing"`
	SigningCertificate *Certificate `json:"signing_certificate"`
	// Chain names the certificates from the signer's upwards, by SHA-256.
	Chain             []string      `json:"chain"`
	Algorithm         Algorithm     `json:"algorithm"`
	Scope             []Scope       `json:"scope"`
	Qualification     Qualification `json:"qualification"`
	QualificationText string        `json:"qualification_text"`
	// TrustService is nil where no trusted list was reached.
	TrustService *TrustService `json:"trust_service"`
	// Timestamps are the IDs of those of this signature.
	Timestamps []string `json:"timestamps"`
	// Blocks are the building blocks that ran, by their abbreviation, such as "XCV".
	Blocks                map[string]Outcome `json:"blocks"`
	Findings              []Finding          `json:"findings"`
	QualificationFindings []Finding          `json:"qualification_findings"`
}

// Role is a role of the signer.
type Role struct {
	Role string `json:"role"`
	// Certified tells whether the role stands in an attribute certificate, whose signature and holder are not verified; otherwise
	// the signer claims it.
	Certified bool `json:"certified"`
}

// Person is the subject of a certificate. Texts are empty where the certificate does not have them.
type Person struct {
	Name                   string      `json:"name"`
	GivenName              string      `json:"given_name"`
	Surname                string      `json:"surname"`
	Pseudonym              string      `json:"pseudonym"`
	Organisation           string      `json:"organisation"`
	OrganisationIdentifier *Identifier `json:"organisation_identifier"`
	SerialNumber           *Identifier `json:"serial_number"`
	Country                string      `json:"country"`
}

// Identifier is an identifier of a person or organisation (EN 319 412-1 §5.1.3, §5.1.4).
type Identifier struct {
	Value string `json:"value"`
	// Type is PAS, IDC, PNO, TAX, TIN, VAT, NTR, PSD or LEI; empty where the identifier does not follow the standard.
	Type    string `json:"type"`
	Country string `json:"country"`
}

// Changes counts the objects that later revisions of a PDF changed, by class.
type Changes struct {
	Extension           int  `json:"extension"`
	FormFill            int  `json:"form_fill"`
	Annotation          int  `json:"annotation"`
	Undefined           int  `json:"undefined"`
	PagesAddedOrRemoved bool `json:"pages_added_or_removed"`
	PagesLookDifferent  bool `json:"pages_look_different"`
}

// Certificate is what a certificate says of itself.
type Certificate struct {
	// SHA256 is in lower-case hexadecimal.
	SHA256 string `json:"sha256"`
	// Name is the name by which people call the subject.
	Name string `json:"name"`
	// Subject and Issuer are in the syntax of RFC 2253.
	Subject string `json:"subject"`
	Issuer  string `json:"issuer"`
	// Serial is decimal.
	Serial    string    `json:"serial"`
	NotBefore time.Time `json:"not_before"`
	NotAfter  time.Time `json:"not_after"`
}

// Algorithm is how a signature was made. Texts are empty, and the length 0, where that is not known.
type Algorithm struct {
	Signature string `json:"signature"`
	Digest    string `json:"digest"`
	// KeyBits is the length of the key.
	KeyBits int `json:"key"`
}

// Scope is something that is signed.
type Scope struct {
	Name string `json:"name"`
	// Kind is FULL, PARTIAL, DIGEST, ARCHIVED, COUNTER_SIGNATURE and others.
	Kind string `json:"kind"`
	// Data is the ID of the signed data.
	Data string `json:"data"`
}

// TrustService is the entry of the trusted list under which a signing certificate was issued.
type TrustService struct {
	Country    string     `json:"country"`
	List       string     `json:"list"`
	ListNumber *int64     `json:"list_number"`
	ListIssued *time.Time `json:"list_issued"`
	Service    string     `json:"service"`
	Status     string     `json:"status"`
	Since      *time.Time `json:"since"`
}

// Timestamp is one time-stamp, and what was concluded about it.
type Timestamp struct {
	ID                    string             `json:"id"`
	Type                  string             `json:"type"`
	Time                  time.Time          `json:"time"`
	Indication            Indication         `json:"indication"`
	SubIndication         SubIndication      `json:"sub_indication"`
	Qualification         Qualification      `json:"qualification"`
	QualificationText     string             `json:"qualification_text"`
	SigningCertificate    *Certificate       `json:"signing_certificate"`
	Blocks                map[string]Outcome `json:"blocks"`
	Findings              []Finding          `json:"findings"`
	QualificationFindings []Finding          `json:"qualification_findings"`
	// Covers are the IDs of what it covers.
	Covers []string `json:"covers"`
}

// EvidenceRecord is one evidence record (RFC 4998, RFC 6283).
type EvidenceRecord struct {
	ID            string        `json:"id"`
	Type          string        `json:"type"`
	Indication    Indication    `json:"indication"`
	SubIndication SubIndication `json:"sub_indication"`
	// Time is since when it proves existence.
	Time     time.Time `json:"time"`
	Findings []Finding `json:"findings"`
	Covers   []string  `json:"covers"`
}

// KnownCertificate is a certificate that plays a part in a report.
type KnownCertificate struct {
	ID      string `json:"id"`
	SHA256  string `json:"sha256"`
	Name    string `json:"name"`
	Subject string `json:"subject"`
	Trusted bool   `json:"trusted"`
}

// Revocation is what a CRL or OCSP response says of a certificate.
type Revocation struct {
	ID string `json:"id"`
	// Type is crl or ocsp.
	Type       string     `json:"type"`
	SHA256     string     `json:"sha256"`
	Producer   string     `json:"producer"`
	ThisUpdate *time.Time `json:"this_update"`
	NextUpdate *time.Time `json:"next_update"`
	// Certificate is the ID of the certificate.
	Certificate string `json:"certificate"`
	// Status is GOOD, REVOKED or UNKNOWN.
	Status         string     `json:"status"`
	RevocationTime *time.Time `json:"revocation_time"`
	// InvalidityTime says, where it is stated, since when the certificate is not to be relied on.
	InvalidityTime *time.Time `json:"invalidity_time"`
	Reason         string     `json:"reason"`
}

// Severity is how much a finding weighs.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// Finding is what a check noticed.
type Finding struct {
	Severity Severity `json:"severity"`
	// Check is a stable key, EU DSS's where it has the check.
	Check string `json:"check"`
	// Subject says what it is about; Message says it in a sentence.
	Subject string `json:"subject"`
	Message string `json:"message"`
	// Compared are the values that the check compared.
	Compared string `json:"compared"`
	// Token is the ID of what the check looked at.
	Token string `json:"token"`
}

// Wanted is a piece of evidence that could change a verdict.
type Wanted struct {
	// Kind is ocsp, crl, issuer, trusted-list or content.
	Kind string `json:"kind"`
	// URLs are where it may be had, best first; for a content its name.
	URLs []string `json:"urls"`
	// For is the ID of what it is for.
	For string `json:"for"`
	// Territory is whose trusted list it is.
	Territory string `json:"territory"`
}
