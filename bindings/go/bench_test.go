package lacre_test

import (
	"context"
	"testing"

	"lacre"
)

func BenchmarkValidate(b *testing.B) {
	validator := trusting(b, engine())
	document := example(b, "contract.pdf")
	for b.Loop() {
		if _, err := validator.Validate(b.Context(), document, lacre.At(day)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPDF(b *testing.B) {
	report, err := trusting(b, engine()).Validate(b.Context(), example(b, "contract.pdf"), lacre.At(day))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := report.PDF(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		engine, err := lacre.New(context.Background())
		if err != nil {
			b.Fatal(err)
		}
		_ = engine.Close(context.Background())
	}
}
