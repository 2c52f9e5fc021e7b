package lacre_test

import (
	"os"
	"testing"
)

// TestMain compiles the module once: engines of tests, and the processes of fuzzing, share a cache.
func TestMain(m *testing.M) {
	os.Exit(func() int {
		if os.Getenv("LACRE_COMPILED") == "" {
			folder, err := os.MkdirTemp("", "lacre-go-")
			if err != nil {
				panic(err)
			}
			defer os.RemoveAll(folder)
			os.Setenv("LACRE_COMPILED", folder)
		}
		return m.Run()
	}())
}
