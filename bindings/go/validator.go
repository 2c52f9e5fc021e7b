package lacre

import (
	"context"
	"sync"
	"time"
)

// Validator judges documents and certificates under one policy, with one idea of whom to trust. It is safe for concurrent
// use, and meant to be kept: each of its instances reads the policy, the lists and the evidence once, and keeps what
// documents of the same authorities have in common.
type Validator struct {
	engine *Engine
	setup  request

	mutex  sync.Mutex
	idle   []*instance
	closed bool
}

// ValidatorOption says whom a [Validator] trusts, what it knows, and by which rules it judges.
type ValidatorOption func(*request)

// TrustAnchor trusts a certificate (DER or PEM; of several in PEM the first).
func TrustAnchor(certificate []byte) ValidatorOption {
	return func(r *request) { r.add("trust-anchor", certificate) }
}

// Evidence hands in a certificate, CRL or OCSP response (DER or PEM) that documents may lack.
func Evidence(evidence []byte) ValidatorOption {
	return func(r *request) { r.add("evidence", evidence) }
}

// Trusting trusts the services of trusted lists.
func Trusting(lists *TrustedLists) ValidatorOption {
	return func(r *request) { r.add("snapshot", lists.snapshot) }
}

// Policy judges by a validation policy: a DSS constraint file, or the name of a built-in policy, "eidas" or "dss". By
// default "eidas", which is the stricter.
func Policy(policy []byte) ValidatorOption {
	return func(r *request) { r.add("policy", policy) }
}

// Suite judges algorithms by cryptographic suites (TS 119 322, XML or JSON) in place of the policy's.
func Suite(suite []byte) ValidatorOption {
	return func(r *request) { r.add("suite", suite) }
}

// NewValidator makes a validator. Without an option it trusts nobody. What the options hold must not change afterwards.
func (e *Engine) NewValidator(ctx context.Context, options ...ValidatorOption) (*Validator, error) {
	validator := &Validator{engine: e}
	for _, option := range options {
		option(&validator.setup)
	}
	for _, role := range []string{"snapshot", "policy", "suite"} {
		if validator.setup.count(role) > 1 {
			return nil, argument("found more than one %s, expected one at most", role)
		}
	}
	// The first instance says whether the options are what they should be.
	if _, err := validator.call(ctx, "lacre_version", &request{}); err != nil {
		return nil, err
	}
	return validator, nil
}

func (r *request) count(role string) int {
	count := 0
	for _, part := range r.Parts {
		if part.Role == role {
			count++
		}
	}
	return count
}

// Close frees the instances of the validator. Calls that are running end as if it were open.
func (v *Validator) Close(ctx context.Context) error {
	v.mutex.Lock()
	idle := v.idle
	v.idle, v.closed = nil, true
	v.mutex.Unlock()
	for _, instance := range idle {
		instance.close(ctx)
	}
	return nil
}

// take gives an idle instance, or a new one that has been set up.
func (v *Validator) take(ctx context.Context) (*instance, error) {
	v.mutex.Lock()
	if v.closed {
		v.mutex.Unlock()
		return nil, closed("validator")
	}
	if last := len(v.idle) - 1; last >= 0 {
		instance := v.idle[last]
		v.idle = v.idle[:last]
		v.mutex.Unlock()
		return instance, nil
	}
	v.mutex.Unlock()
	instance, err := v.engine.instantiate(ctx)
	if err != nil {
		return nil, err
	}
	if len(v.setup.Parts) > 0 {
		if _, _, err := instance.call(ctx, "lacre_configure", &v.setup); err != nil {
			instance.close(ctx)
			return nil, err
		}
	}
	instance.settled = instance.module.Memory().Size()
	return instance, nil
}

func (v *Validator) give(ctx context.Context, instance *instance, usable bool) {
	v.mutex.Lock()
	if usable && !v.closed && len(v.idle) < cap(v.engine.slots) && instance.reusable() {
		v.idle = append(v.idle, instance)
		v.mutex.Unlock()
		return
	}
	v.mutex.Unlock()
	instance.close(ctx)
}

// call runs a function of the module in an instance of this validator, once there is a place to run.
func (v *Validator) call(ctx context.Context, function string, request *request) ([][]byte, error) {
	ctx, leave, err := v.engine.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	instance, err := v.take(ctx)
	if err != nil {
		return nil, err
	}
	usable := false
	defer func() { v.give(ctx, instance, usable) }()
	answer, usable, err := instance.call(ctx, function, request)
	return answer, err
}

// DocumentOption says something about one document.
type DocumentOption func(*request)

// At sets the time to judge for. By default it is that of the call.
func At(moment time.Time) DocumentOption {
	return func(r *request) {
		millis := moment.UnixMilli()
		r.Time = &millis
	}
}

// Named gives the document's file name, for the report; some formats find their detached content by it.
func Named(name string) DocumentOption {
	return func(r *request) { r.Name = &name }
}

// WithPassword gives the password of an encrypted document.
func WithPassword(password string) DocumentOption {
	return func(r *request) { r.Password = &password }
}

// WithContent hands in a detached content, under its file name.
func WithContent(name string, content []byte) DocumentOption {
	return func(r *request) { r.Parts = append(r.Parts, part{Role: "content", Name: &name, bytes: content}) }
}

func about(role string, bytes []byte, options []DocumentOption) *request {
	now := time.Now().UnixMilli()
	request := &request{Time: &now}
	request.add(role, bytes)
	for _, option := range options {
		option(request)
	}
	return request
}

// Validate judges every signature of a document. Its format is told from the bytes, which must not change during the
// call. Bad signatures are no error: the verdict is in the report.
func (v *Validator) Validate(ctx context.Context, document []byte, options ...DocumentOption) (*Report, error) {
	answer, err := v.call(ctx, "lacre_validate", about("document", document, options))
	if err != nil {
		return nil, err
	}
	if len(answer) != 2 {
		return nil, broken("%d parts, expected 2", len(answer))
	}
	return newReport(v, answer[0], answer[1], nil)
}

// Inspect says what is inside a document, without a verdict: the facts (lacre-facts/1), which [Validator.Judge] reads.
func (v *Validator) Inspect(ctx context.Context, document []byte, options ...DocumentOption) ([]byte, error) {
	answer, err := v.call(ctx, "lacre_inspect", about("document", document, options))
	if err != nil {
		return nil, err
	}
	return answer[0], nil
}

// Judge judges stored facts, those of [Report.Facts] and [Validator.Inspect] or diagnostic data of EU DSS, by this
// validator's policy. Whom they trust is in the facts. A zero time is the one that the facts state.
func (v *Validator) Judge(ctx context.Context, facts []byte, moment time.Time) (*Report, error) {
	asked := &request{}
	asked.add("facts", facts)
	if !moment.IsZero() {
		At(moment)(asked)
	}
	answer, err := v.call(ctx, "lacre_judge", asked)
	if err != nil {
		return nil, err
	}
	return newReport(v, answer[0], facts, asked.Time)
}
