package lacre

import (
	"context"
	"errors"
	"os"
	"testing"
	"time"
)

func contract(t testing.TB) (*Engine, *Validator, []byte) {
	t.Helper()
	engine, err := New(t.Context(), WithCompilationCache(os.Getenv("LACRE_COMPILED")))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = engine.Close(context.Background()) })
	root, err := os.ReadFile("../../examples/documents/root.der")
	if err != nil {
		t.Fatal(err)
	}
	document, err := os.ReadFile("../../examples/documents/contract.pdf")
	if err != nil {
		t.Fatal(err)
	}
	validator, err := engine.NewValidator(t.Context(), TrustAnchor(root))
	if err != nil {
		t.Fatal(err)
	}
	return engine, validator, document
}

func TestATrappedInstanceIsDropped(t *testing.T) {
	_, validator, document := contract(t)
	at := At(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC))
	validator.mutex.Lock()
	if len(validator.idle) != 1 {
		t.Fatalf("found %d idle instances, expected 1", len(validator.idle))
	}
	// Its memory is overwritten: what it does then is wrong, and ends in a trap.
	damaged := validator.idle[0]
	memory, _ := damaged.module.Memory().Read(0, damaged.module.Memory().Size())
	for i := range memory {
		memory[i] = 0xff
	}
	validator.mutex.Unlock()
	_, err := validator.Validate(t.Context(), document, at)
	var ours *Error
	if !errors.As(err, &ours) || ours.Code != CodeInternal || ours.Hint == "" {
		t.Fatalf("found %v, expected %s", err, CodeInternal)
	}
	t.Log(err)
	if len(validator.idle) != 0 || !damaged.module.IsClosed() {
		t.Error("the instance was not dropped")
	}
	report, err := validator.Validate(t.Context(), document, at)
	if err != nil || report.Indication() != TotalPassed {
		t.Errorf("found %v, %v", report, err)
	}
}

func TestAnInstanceIsUsedAgain(t *testing.T) {
	_, validator, document := contract(t)
	first := validator.idle[0]
	for range 3 {
		if _, err := validator.Validate(t.Context(), document); err != nil {
			t.Fatal(err)
		}
	}
	// An error that is an answer does not cost the instance.
	if _, err := validator.Validate(t.Context(), []byte("no document")); err == nil {
		t.Error("found no error")
	}
	if len(validator.idle) != 1 || validator.idle[0] != first {
		t.Error("found another instance")
	}
	t.Logf("%d bytes of memory, %d when it was ready", first.module.Memory().Size(), first.settled)
}

func TestAnInstanceThatGrewIsNotKept(t *testing.T) {
	_, validator, _ := contract(t)
	large := make([]byte, spared+1)
	_, _ = validator.Validate(t.Context(), large)
	if len(validator.idle) != 0 {
		t.Errorf("found an instance with %d bytes kept", validator.idle[0].module.Memory().Size())
	}
}

func TestRequestsOfTheModule(t *testing.T) {
	_, validator, _ := contract(t)
	for name, asked := range map[string]*request{
		"no document":  {},
		"unknown role": {Parts: []part{{Role: "other"}}},
		"no time":      {Parts: []part{{Role: "document"}}},
	} {
		_, err := validator.call(t.Context(), "lacre_validate", asked)
		var ours *Error
		if !errors.As(err, &ours) || ours.Code != CodeInvalidArgument {
			t.Errorf("%s: found %v, expected %s", name, err, CodeInvalidArgument)
		}
	}
}

func TestFramesThatAreCut(t *testing.T) {
	for _, frame := range [][]byte{{1}, {1, 0, 0, 0}, {255, 255, 255, 255, 0}} {
		if _, err := parts(frame); err == nil {
			t.Errorf("%v was read", frame)
		}
	}
}
