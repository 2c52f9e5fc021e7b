package lacre_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"time"

	"lacre"
)

func Example() {
	ctx := context.Background()
	root, err := os.ReadFile("../../examples/documents/root.der")
	if err != nil {
		log.Fatal(err)
	}
	document, err := os.ReadFile("../../examples/documents/contract.pdf")
	if err != nil {
		log.Fatal(err)
	}

	engine, err := lacre.New(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer engine.Close(ctx)
	validator, err := engine.NewValidator(ctx, lacre.TrustAnchor(root))
	if err != nil {
		log.Fatal(err)
	}
	report, err := validator.Validate(ctx, document, lacre.Named("contract.pdf"),
		lacre.At(time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(report.Indication())
	for _, signature := range report.Signatures() {
		fmt.Println(signature.Signer.Name, signature.Level, signature.BestSignatureTime.Format(time.DateOnly))
	}
	// Output:
	// TOTAL-PASSED
	// Inês Silva PAdES-BASELINE-LT 2026-11-21
}

func ExampleError() {
	ctx := context.Background()
	validator, err := engine().NewValidator(ctx)
	if err != nil {
		log.Fatal(err)
	}
	_, err = validator.Validate(ctx, []byte("no document"))
	var refused *lacre.Error
	if errors.As(err, &refused) {
		fmt.Println(refused.Code)
	}
	// Output: UNKNOWN_FORMAT
}
