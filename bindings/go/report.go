package lacre

import (
	"context"
	"encoding/json"
	"slices"
	"time"
)

// Form is a form in which a report is written.
type Form string

const (
	// FormJSON is for programs: lacre-report/2, one object on one line.
	FormJSON Form = "json"
	// FormETSI is for programs: XML after ETSI TS 119 102-2.
	FormETSI Form = "etsi"
	// FormText is for people: plain text in UTF-8.
	FormText Form = "text"
	// FormTrace is for experts: every check, what it compared, and its clause.
	FormTrace Form = "trace"
	// FormHTML is for people: one page, which loads nothing.
	FormHTML Form = "html"
	// FormPDF is for people and for the file: PDF/A-3a and PDF/UA-1, with JSON and XML attached.
	FormPDF Form = "pdf"
)

// Report is what was found in a document, and what was concluded. It does not change, and is safe for concurrent use.
type Report struct {
	validator *Validator
	json      []byte
	facts     []byte
	// time is what the facts were judged for, where that is not what they state.
	time    *int64
	content reportContent
}

func newReport(validator *Validator, bytes, facts []byte, moment *int64) (*Report, error) {
	report := &Report{validator: validator, json: bytes, facts: clone(facts), time: moment}
	if err := json.Unmarshal(bytes, &report.content); err != nil {
		return nil, broken("a report that cannot be read: %v", err)
	}
	return report, nil
}

func clone[T any](values []T) []T { return slices.Clone(values) }

// JSON is the report after the schema lacre-report/2, in English.
func (r *Report) JSON() []byte { return clone(r.json) }

// Facts are what the report rests on (lacre-facts/1), for [Validator.Judge], years later.
func (r *Report) Facts() []byte { return clone(r.facts) }

// Write writes the report in a form and a language such as "de"; "" is English. The same report gives the same bytes. The
// validator that made the report must be open.
func (r *Report) Write(ctx context.Context, form Form, language string) ([]byte, error) {
	if form == FormJSON && (language == "" || language == "en") {
		return r.JSON(), nil
	}
	asked := &request{Form: form, Language: language, Time: r.time}
	asked.add("facts", r.facts)
	answer, err := r.validator.call(ctx, "lacre_judge", asked)
	if err != nil {
		return nil, err
	}
	return answer[0], nil
}

// ETSI writes the report as XML after ETSI TS 119 102-2.
func (r *Report) ETSI(ctx context.Context) ([]byte, error) { return r.Write(ctx, FormETSI, "") }

// Text writes the report for a terminal, in English.
func (r *Report) Text(ctx context.Context) ([]byte, error) { return r.Write(ctx, FormText, "") }

// HTML writes the report as one page for a browser, in English.
func (r *Report) HTML(ctx context.Context) ([]byte, error) { return r.Write(ctx, FormHTML, "") }

// PDF writes the report as PDF/A-3a and PDF/UA-1, in English.
func (r *Report) PDF(ctx context.Context) ([]byte, error) { return r.Write(ctx, FormPDF, "") }

// Indication is the worst over all signatures; over time-stamps and evidence records where there is no signature.
func (r *Report) Indication() Indication { return r.content.Conclusion.Indication }

// ValidationTime is the time that the document was judged for.
func (r *Report) ValidationTime() time.Time { return r.content.ValidationTime }

// Document is the document that was judged.
func (r *Report) Document() DocumentInfo { return r.content.Document }

// Signatures are all signatures of the document, and their counter-signatures.
func (r *Report) Signatures() []Signature { return clone(r.content.Signatures) }

// Timestamps are all time-stamps, also those inside evidence records and those standing alone.
func (r *Report) Timestamps() []Timestamp { return clone(r.content.Timestamps) }

// EvidenceRecords are all evidence records.
func (r *Report) EvidenceRecords() []EvidenceRecord { return clone(r.content.EvidenceRecords) }

// Certificates are all certificates that play a part.
func (r *Report) Certificates() []KnownCertificate { return clone(r.content.Certificates) }

// Revocations have an entry for each certificate that a CRL or OCSP response speaks of.
func (r *Report) Revocations() []Revocation { return clone(r.content.Revocations) }

// Wanted is the evidence that could change the verdict: fetch it, make a validator with [Evidence], validate again.
func (r *Report) Wanted() []Wanted { return clone(r.content.Wanted) }
