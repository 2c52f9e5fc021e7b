package lacre_test

import (
	"errors"
	"testing"

	"lacre"
)

// FuzzValidate: any bytes end in a report or in an error that is no defect.
func FuzzValidate(f *testing.F) {
	for _, name := range []string{"contract.pdf", "letter.txt.p7s", "root.der", "not-signed.pdf"} {
		f.Add(example(f, name))
	}
	f.Add([]byte(`<ds:Signature xmlns:ds="http://www.w3.org/2000/09/xmldsig#"/>`))
	f.Add([]byte("e30.e30.e30"))
	validator := trusting(f, engine())
	f.Fuzz(func(t *testing.T, document []byte) {
		report, err := validator.Validate(t.Context(), document, lacre.At(day))
		var ours *lacre.Error
		switch {
		case err == nil && report.Indication() == "":
			t.Error("found a report without a verdict")
		case err != nil && !errors.As(err, &ours):
			t.Errorf("found %v, expected an error of ours", err)
		case err != nil && (ours.Code == lacre.CodeInternal || ours.Code == lacre.CodeOutOfMemory):
			t.Error(err)
		}
	})
}
