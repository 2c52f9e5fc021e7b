package lacre_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"lacre"
)

// TestReportsAreThoseOfTheCommand needs the command's path in LACRE. With a folder in LACRE_FILES it also compares files of
// that folder, spread over it, as many as LACRE_COUNT says (20).
func TestReportsAreThoseOfTheCommand(t *testing.T) {
	command := os.Getenv("LACRE")
	if command == "" {
		t.Skip("needs the command: LACRE is its path")
	}
	examples := filepath.Join("..", "..", "examples", "documents")
	var files []string
	for _, name := range []string{"contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf"} {
		files = append(files, filepath.Join(examples, name))
	}
	files = append(files, spread(t, os.Getenv("LACRE_FILES"))...)
	validator := trusting(t, engine())
	root := filepath.Join(examples, "root.der")
	judged := 0
	for _, file := range files {
		document, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		report, err := validator.Validate(t.Context(), document, lacre.Named(filepath.Base(file)), lacre.At(day))
		for _, form := range []lacre.Form{lacre.FormJSON, lacre.FormETSI, lacre.FormHTML, lacre.FormPDF, lacre.FormText} {
			theirs := output(t, command, "validate", file, "--trust-anchor", root, "--no-trusted-lists", "--at", "2027-01-01T00:00:00Z", "--format", string(form))
			if err != nil {
				if form == lacre.FormJSON && bytes.Contains(theirs, []byte(`"signatures"`)) {
					t.Errorf("%s: found %v, expected the command's report", file, err)
				}
				continue
			}
			ours, err := report.Write(t.Context(), form, "")
			if err != nil {
				t.Errorf("%s as %s: %v", file, form, err)
			} else if !bytes.Equal(bytes.TrimSuffix(ours, []byte("\n")), bytes.TrimSuffix(theirs, []byte("\n"))) {
				t.Errorf("%s as %s: found %d other bytes, expected the command's %d", file, form, len(ours), len(theirs))
			}
		}
		if err == nil {
			judged++
		}
	}
	t.Logf("%d files, %d of them judged", len(files), judged)
}

// output is what the command prints, whatever its verdict.
func output(t *testing.T, command string, arguments ...string) []byte {
	t.Helper()
	run := exec.Command(command, arguments...)
	run.Env = append(os.Environ(), "NO_COLOR=1")
	out, err := run.Output()
	if _, judged := err.(*exec.ExitError); err != nil && !judged {
		t.Fatal(err)
	}
	return out
}

// spread gives files of a folder, small ones, at equal distances.
func spread(t *testing.T, folder string) []string {
	t.Helper()
	if folder == "" {
		return nil
	}
	count, err := strconv.Atoi(os.Getenv("LACRE_COUNT"))
	if err != nil {
		count = 20
	}
	var all, some []string
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		switch filepath.Ext(path) {
		case ".pdf", ".xml", ".p7m", ".p7s", ".asice", ".asics", ".json":
			if info, err := entry.Info(); err == nil && info.Size() < 2<<20 {
				all = append(all, path)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i := range min(count, len(all)) {
		some = append(some, all[i*len(all)/count])
	}
	return some
}
