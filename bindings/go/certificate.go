package lacre

import (
	"context"
	"encoding/json"
	"time"
)

// CertificateReport is what was found about one certificate, and what was concluded. It does not change.
type CertificateReport struct {
	validator *Validator
	asked     request
	json      []byte
	der       []byte
	content   certificateContent
}

type certificateContent struct {
	ValidationTime              time.Time          `json:"validation_time"`
	Certificate                 Certificate        `json:"certificate"`
	Indication                  Indication         `json:"indication"`
	SubIndication               SubIndication      `json:"sub_indication"`
	QualificationAtIssuance     Qualification      `json:"qualification_at_issuance"`
	QualificationAtIssuanceText string             `json:"qualification_at_issuance_text"`
	QualificationAtTime         Qualification      `json:"qualification_at_time"`
	QualificationAtTimeText     string             `json:"qualification_at_time_text"`
	Chain                       []string           `json:"chain"`
	Certificates                []KnownCertificate `json:"certificates"`
	Revocations                 []Revocation       `json:"revocations"`
	Findings                    []Finding          `json:"findings"`
	QualificationFindings       []Finding          `json:"qualification_findings"`
	Wanted                      []Wanted           `json:"wanted"`
}

// ValidateCertificate judges a certificate (DER or PEM) by itself: its path, its revocation, and what it is under eIDAS,
// when it was issued and at the time to judge for. One that is not good is no error.
func (v *Validator) ValidateCertificate(ctx context.Context, certificate []byte, options ...DocumentOption) (*CertificateReport, error) {
	asked := about("certificate", certificate, options)
	answer, err := v.call(ctx, "lacre_certificate", asked)
	if err != nil {
		return nil, err
	}
	if len(answer) != 2 {
		return nil, broken("%d parts, expected 2", len(answer))
	}
	report := &CertificateReport{validator: v, json: answer[0], der: answer[1], asked: *asked}
	// Its own bytes, so that the report does not rest on the caller's.
	report.asked.Parts = []part{{Role: "certificate", bytes: report.der}}
	if err := json.Unmarshal(report.json, &report.content); err != nil {
		return nil, broken("a report that cannot be read: %v", err)
	}
	return report, nil
}

// JSON is the report after the schema lacre-certificate/2: one object on one line.
func (r *CertificateReport) JSON() []byte { return clone(r.json) }

// Text writes the report for people, in a language such as "de"; "" is English. The certificate is judged again for it.
func (r *CertificateReport) Text(ctx context.Context, language string) ([]byte, error) {
	asked := r.asked
	asked.Form, asked.Language = FormText, language
	answer, err := r.validator.call(ctx, "lacre_certificate", &asked)
	if err != nil {
		return nil, err
	}
	return answer[0], nil
}

// Certificate is the certificate that was judged.
func (r *CertificateReport) Certificate() Certificate { return r.content.Certificate }

// DER is the certificate as bytes.
func (r *CertificateReport) DER() []byte { return clone(r.der) }

// ValidationTime is the time that the certificate was judged for.
func (r *CertificateReport) ValidationTime() time.Time { return r.content.ValidationTime }

// Indication is the verdict: [Passed], [Failed] or [Indeterminate].
func (r *CertificateReport) Indication() Indication { return r.content.Indication }

// SubIndication says why the verdict is not [Passed]; empty where it is.
func (r *CertificateReport) SubIndication() SubIndication { return r.content.SubIndication }

// QualificationAtIssuance is what the certificate was when it was issued, such as "QCERT-FOR-ESIG-QSCD".
func (r *CertificateReport) QualificationAtIssuance() Qualification {
	return r.content.QualificationAtIssuance
}

// QualificationAtTime is what the certificate is at the time judged for.
func (r *CertificateReport) QualificationAtTime() Qualification { return r.content.QualificationAtTime }

// Chain names the certificates from this one upwards, by SHA-256 in lower-case hexadecimal.
func (r *CertificateReport) Chain() []string { return clone(r.content.Chain) }

// Findings are what the checks noticed: errors first.
func (r *CertificateReport) Findings() []Finding { return clone(r.content.Findings) }

// Wanted is the evidence that could change the verdict: fetch it, make a validator with [Evidence], validate again.
func (r *CertificateReport) Wanted() []Wanted { return clone(r.content.Wanted) }

// ParsedCertificate is a certificate with its bytes.
type ParsedCertificate struct {
	Certificate
	// DER holds the bytes.
	DER []byte
}

// ParseCertificate reads a certificate (DER or PEM; of several in PEM the first), and judges nothing.
func (e *Engine) ParseCertificate(ctx context.Context, certificate []byte) (*ParsedCertificate, error) {
	report, err := e.plain.ValidateCertificate(ctx, certificate, At(time.Unix(0, 0)))
	if err != nil {
		return nil, err
	}
	return &ParsedCertificate{Certificate: report.content.Certificate, DER: report.der}, nil
}
