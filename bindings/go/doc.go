// Package lacre validates European electronic signatures (CAdES, XAdES, PAdES, JAdES, ASiC) and their time-stamps.
//
// It is lacre, a library in Rust, as WebAssembly: no cgo, and no file, socket or clock that the package would touch.
// Bytes go in, a report comes out, and the time to judge for is an argument.
//
//	engine, err := lacre.New(ctx)
//	…
//	defer engine.Close(ctx)
//	validator, err := engine.NewValidator(ctx, lacre.TrustAnchor(root))
//	…
//	report, err := validator.Validate(ctx, document, lacre.Named("contract.pdf"))
//	…
//	fmt.Println(report.Indication())
//
// An [Engine] compiles the module once. A [Validator] keeps what it trusts, and a pool of instances of the module; both
// are safe for concurrent use. A document whose signatures are bad is no error: the verdict is in its [Report]. Errors
// are of type [*Error], with a code and, often, a hint.
//
// What a document makes the module do stays in the module's memory, which has a bound ([WithMemoryLimit]). A call ends
// when its context does. An instance that fails is dropped, and no other notices.
package lacre

//go:generate ./build.sh
