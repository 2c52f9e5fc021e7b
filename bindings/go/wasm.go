package lacre

import _ "embed"

// The module, made by build.sh.
//
//go:embed lacre.wasm
var wasm []byte
