package lacre

import (
	"context"
	"fmt"
	"strings"
)

// Code says in a word why a call failed. A code that was given out once never means anything else.
type Code string

const (
	// CodeUnknownFormat: the document is of no format that can hold a signature.
	CodeUnknownFormat Code = "UNKNOWN_FORMAT"
	// CodeUnsupportedFormat: the document is of a known format that is not read.
	CodeUnsupportedFormat Code = "UNSUPPORTED_FORMAT"
	// CodeUnreadable: the document is of a known format, and damaged, or asks for more work than is done.
	CodeUnreadable Code = "UNREADABLE"
	// CodePassword: the document is encrypted, and the password that was given, or none, does not open it.
	CodePassword Code = "PASSWORD"
	// CodeUnsupportedAlgorithm: the document rests on an algorithm that is not computed.
	CodeUnsupportedAlgorithm Code = "UNSUPPORTED_ALGORITHM"
	// CodeInvalidEvidence: a certificate, CRL or OCSP response is not what it should be.
	CodeInvalidEvidence Code = "INVALID_EVIDENCE"
	// CodeInvalidTrustedLists: a snapshot of trusted lists was changed, cannot be read, or is signed by nobody who may.
	CodeInvalidTrustedLists Code = "INVALID_TRUSTED_LISTS"
	// CodeInvalidPolicy: a validation policy cannot be read.
	CodeInvalidPolicy Code = "INVALID_POLICY"
	// CodeInvalidSuite: cryptographic suites cannot be read.
	CodeInvalidSuite Code = "INVALID_SUITE"
	// CodeInvalidFacts: stored facts cannot be read.
	CodeInvalidFacts Code = "INVALID_FACTS"
	// CodeInvalidArgument: an argument is not one of those allowed.
	CodeInvalidArgument Code = "INVALID_ARGUMENT"
	// CodeReport: the report could not be written in that form.
	CodeReport Code = "REPORT"
	// CodeOutOfMemory: the document, with what it unfolds to, does not fit into the memory that an instance may have.
	CodeOutOfMemory Code = "OUT_OF_MEMORY"
	// CodeCanceled: the context ended first. [errors.Is] tells [context.Canceled] from [context.DeadlineExceeded].
	CodeCanceled Code = "CANCELED"
	// CodeClosed: the engine or the validator was closed.
	CodeClosed Code = "CLOSED"
	// CodeInternal: a defect of lacre. Please report it.
	CodeInternal Code = "INTERNAL"
)

// Error says why a call failed. Every error of this package is one, or wraps one.
type Error struct {
	// Code says it in a word.
	Code Code
	// Message says what was found and what was expected.
	Message string
	// Hint says what could be done about it; empty where nothing is known.
	Hint string

	cause error
}

// Error gives the message after the code.
func (e *Error) Error() string {
	return fmt.Sprintf("lacre: %s: %s", e.Code, e.Message)
}

// Unwrap gives the cause, such as the error of a context; nil where there is none.
func (e *Error) Unwrap() error {
	return e.cause
}

func closed(what string) *Error {
	return &Error{Code: CodeClosed, Message: "found the " + what + " closed, expected an open one"}
}

// canceled says why a context ended: by its own, or because the engine was closed.
func canceled(ctx context.Context) *Error {
	cause := context.Cause(ctx)
	if ours, ok := cause.(*Error); ok {
		return ours
	}
	return &Error{
		Code:    CodeCanceled,
		Message: "the context ended before the call did: " + cause.Error(),
		cause:   ended{ctx.Err(), cause},
	}
}

// ended is the end of a context: its error, and the cause that whoever canceled it gave.
type ended struct{ err, cause error }

func (e ended) Error() string   { return e.cause.Error() }
func (e ended) Unwrap() []error { return []error{e.err, e.cause} }

// trapped says why an instance gave no answer.
func trapped(ctx context.Context, err error, panicked string, memory, limit uint64) *Error {
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	// A module that gets no memory traps without a word. What it asks for is about what it has, so that it has a good
	// part of the limit then; any other trap without a word is a defect.
	case panicked == "" && memory >= limit/4 && strings.HasPrefix(err.Error(), "wasm error: unreachable"):
		return outOfMemory(memory, limit, err)
	case panicked == "":
		panicked = err.Error()
	}
	return &Error{
		Code:    CodeInternal,
		Message: panicked,
		Hint:    "this is a defect of lacre; please report it, with the document where it may be shown",
		cause:   err,
	}
}

func outOfMemory(asked, limit uint64, cause error) *Error {
	return &Error{
		Code:    CodeOutOfMemory,
		Message: fmt.Sprintf("found need of more than %d bytes of memory, expected at most %d", asked, limit),
		Hint:    "WithMemoryLimit sets how much an instance may have, up to 4 GiB",
		cause:   cause,
	}
}
