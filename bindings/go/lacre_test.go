package lacre_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"lacre"
)

// engine is shared: to compile the module takes seconds.
var engine = sync.OnceValue(func() *lacre.Engine {
	engine, err := lacre.New(context.Background(), compiled())
	if err != nil {
		panic(err)
	}
	return engine
})

func compiled() lacre.EngineOption { return lacre.WithCompilationCache(os.Getenv("LACRE_COMPILED")) }

var day = time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC)

func example(t testing.TB, name string) []byte {
	t.Helper()
	read, err := os.ReadFile(filepath.Join("..", "..", "examples", "documents", name))
	if err != nil {
		t.Fatal(err)
	}
	return read
}

func trusting(t testing.TB, engine *lacre.Engine, options ...lacre.ValidatorOption) *lacre.Validator {
	t.Helper()
	options = append(options, lacre.TrustAnchor(example(t, "root.der")))
	validator, err := engine.NewValidator(t.Context(), options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = validator.Close(context.Background()) })
	return validator
}

// wants fails unless the error is one of ours with that code.
func wants(t testing.TB, err error, code lacre.Code) *lacre.Error {
	t.Helper()
	var ours *lacre.Error
	if !errors.As(err, &ours) {
		t.Fatalf("found the error %v, expected %s", err, code)
	}
	if ours.Code != code || ours.Message == "" {
		t.Fatalf("found %s (%s), expected %s", ours.Code, ours.Message, code)
	}
	return ours
}

func TestVerdicts(t *testing.T) {
	validator := trusting(t, engine())
	for _, row := range []struct {
		file       string
		indication lacre.Indication
		sub        lacre.SubIndication
	}{
		{"contract.pdf", lacre.TotalPassed, ""},
		{"contract-tampered.pdf", lacre.TotalFailed, "HASH_FAILURE"},
		{"revoked.pdf", lacre.Indeterminate, "REVOKED_NO_POE"},
		{"not-signed.pdf", lacre.NoSignatureFound, ""},
	} {
		report, err := validator.Validate(t.Context(), example(t, row.file), lacre.Named(row.file), lacre.At(day))
		if err != nil {
			t.Errorf("%s: %v", row.file, err)
			continue
		}
		if report.Indication() != row.indication {
			t.Errorf("%s: found %s, expected %s", row.file, report.Indication(), row.indication)
		}
		for _, signature := range report.Signatures() {
			if signature.SubIndication != row.sub {
				t.Errorf("%s: found %s, expected %s", row.file, signature.SubIndication, row.sub)
			}
		}
	}
}

func TestAReportIsTyped(t *testing.T) {
	report, err := trusting(t, engine()).Validate(t.Context(), example(t, "contract.pdf"), lacre.Named("contract.pdf"), lacre.At(day))
	if err != nil {
		t.Fatal(err)
	}
	signature := report.Signatures()[0]
	stamp := time.Date(2026, 11, 21, 14, 15, 31, 0, time.UTC)
	if signature.Signer.Name != "Inês Silva" || signature.Level != "PAdES-BASELINE-LT" || !signature.BestSignatureTime.Equal(stamp) {
		t.Errorf("found the signature %+v", signature)
	}
	if signature.Blocks["XCV"].Indication != lacre.Passed || signature.Qualification != "NA" || signature.TrustService != nil {
		t.Errorf("found the signature %+v", signature)
	}
	if stamps := report.Timestamps(); len(stamps) != 1 || stamps[0].ID != signature.Timestamps[0] || !stamps[0].Time.Equal(stamp) {
		t.Errorf("found the time-stamps %+v", stamps)
	}
	if !report.ValidationTime().Equal(day) || report.Document().Name != "contract.pdf" || report.Document().Size != 20178 {
		t.Errorf("found the document %+v at %s", report.Document(), report.ValidationTime())
	}
	if len(report.Certificates()) != 3 || len(report.Revocations()) != 2 || len(report.EvidenceRecords()) != 0 {
		t.Error("found other certificates or revocation data")
	}
	// What a caller does to a copy does not reach the report.
	report.JSON()[0] = 'x'
	report.Signatures()[0].ID = "x"
	if report.JSON()[0] != '{' || report.Signatures()[0].ID == "x" {
		t.Error("a report was changed")
	}
}

func TestDetachedContentAndPassword(t *testing.T) {
	validator := trusting(t, engine())
	report, err := validator.Validate(t.Context(), example(t, "letter.txt.p7s"), lacre.At(day),
		lacre.WithContent("letter.txt", example(t, "letter.txt")))
	if err != nil || report.Signatures()[0].SubIndication != "CERTIFICATE_CHAIN_GENERAL_FAILURE" {
		t.Errorf("found %v, %v", report, err)
	}
	if len(report.Wanted()) == 0 {
		t.Error("found nothing wanted, expected revocation data")
	}
	encrypted := example(t, "encrypted.pdf")
	_, err = validator.Validate(t.Context(), encrypted, lacre.At(day))
	if refused := wants(t, err, lacre.CodePassword); refused.Hint == "" {
		t.Error("found no hint")
	}
	report, err = validator.Validate(t.Context(), encrypted, lacre.At(day), lacre.WithPassword("päss"))
	if err != nil || report.Indication() != lacre.NoSignatureFound {
		t.Errorf("found %v, %v", report, err)
	}
}

func TestTheTimeIsThatOfTheCall(t *testing.T) {
	before := time.Now().Truncate(time.Second)
	report, err := trusting(t, engine()).Validate(t.Context(), example(t, "contract.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	if at := report.ValidationTime(); at.Before(before) || at.After(time.Now()) {
		t.Errorf("found %s, expected the time of the call", at)
	}
}

func TestBrokenFiles(t *testing.T) {
	validator := trusting(t, engine())
	contract := example(t, "contract.pdf")
	for name, row := range map[string]struct {
		document []byte
		code     lacre.Code
	}{
		"nothing":   {nil, lacre.CodeUnknownFormat},
		"text":      {[]byte("no document"), lacre.CodeUnknownFormat},
		"PDF alone": {[]byte("%PDF-1.7\n"), lacre.CodeUnreadable},
	} {
		_, err := validator.Validate(t.Context(), row.document, lacre.At(day))
		t.Run(name, func(t *testing.T) { wants(t, err, row.code) })
	}
	for _, at := range []int{1, 100, len(contract) / 2, len(contract) - 10} {
		report, err := validator.Validate(t.Context(), contract[:at], lacre.At(day))
		if err == nil && report.Indication() == lacre.TotalPassed {
			t.Errorf("the first %d bytes passed", at)
		}
	}
	if report, err := validator.Validate(t.Context(), contract, lacre.At(day)); err != nil || report.Indication() != lacre.TotalPassed {
		t.Errorf("after broken files: found %v, %v", report, err)
	}
}

func TestFormsAndLanguages(t *testing.T) {
	report, err := trusting(t, engine()).Validate(t.Context(), example(t, "contract.pdf"), lacre.Named("contract.pdf"), lacre.At(day))
	if err != nil {
		t.Fatal(err)
	}
	for form, begins := range map[lacre.Form]string{
		lacre.FormETSI: "<", lacre.FormHTML: "<!", lacre.FormPDF: "%PDF-", lacre.FormJSON: "{", lacre.FormText: "", lacre.FormTrace: "",
	} {
		german, err := report.Write(t.Context(), form, "de")
		if err != nil || !bytes.HasPrefix(german, []byte(begins)) || len(german) == 0 {
			t.Errorf("%s: found %.20q, %v", form, german, err)
		}
	}
	english, _ := report.Text(t.Context())
	portuguese, err := report.Write(t.Context(), lacre.FormText, "pt")
	if err != nil || bytes.Equal(english, portuguese) {
		t.Errorf("found the same text in two languages, %v", err)
	}
	_, err = report.Write(t.Context(), lacre.FormText, "xx")
	wants(t, err, lacre.CodeInvalidArgument)
	_, err = report.Write(t.Context(), "doc", "")
	wants(t, err, lacre.CodeInvalidArgument)
}

func TestFactsAreJudgedAgain(t *testing.T) {
	validator := trusting(t, engine())
	report, err := validator.Validate(t.Context(), example(t, "contract.pdf"), lacre.Named("contract.pdf"), lacre.At(day))
	if err != nil {
		t.Fatal(err)
	}
	again, err := validator.Judge(t.Context(), report.Facts(), time.Time{})
	if err != nil || !bytes.Equal(again.JSON(), report.JSON()) {
		t.Errorf("found another report, %v", err)
	}
	facts, err := validator.Inspect(t.Context(), example(t, "contract.pdf"), lacre.Named("contract.pdf"), lacre.At(day))
	if err != nil || !bytes.Equal(facts, report.Facts()) {
		t.Errorf("found other facts, %v", err)
	}
	later, err := validator.Judge(t.Context(), facts, day.AddDate(40, 0, 0))
	if err != nil || !later.ValidationTime().Equal(day.AddDate(40, 0, 0)) {
		t.Fatalf("found %v, %v", later, err)
	}
	written, err := later.Write(t.Context(), lacre.FormJSON, "de")
	if err != nil || !bytes.Contains(written, []byte("2067-01-01")) {
		t.Errorf("written for another time: %.80s, %v", written, err)
	}
	_, err = validator.Judge(t.Context(), []byte("{}x"), day)
	wants(t, err, lacre.CodeInvalidFacts)
}

func TestCertificates(t *testing.T) {
	root := example(t, "root.der")
	parsed, err := engine().ParseCertificate(t.Context(), root)
	if err != nil || parsed.Name != "Lacre Example Root" || parsed.Serial != "4096" || !bytes.Equal(parsed.DER, root) {
		t.Errorf("found %+v, %v", parsed, err)
	}
	_, err = engine().ParseCertificate(t.Context(), root[:50])
	wants(t, err, lacre.CodeInvalidEvidence)
	report, err := trusting(t, engine()).ValidateCertificate(t.Context(), root, lacre.Named("root.der"), lacre.At(day))
	if err != nil || report.Indication() != lacre.Passed || len(report.Chain()) != 1 || report.QualificationAtTime() != "NA" {
		t.Fatalf("found %+v, %v", report, err)
	}
	if text, err := report.Text(t.Context(), "de"); err != nil || !strings.Contains(string(text), "Lacre Example Root") {
		t.Errorf("found %s, %v", text, err)
	}
}

func TestTrustedLists(t *testing.T) {
	lists, err := engine().ReadLists(t.Context(), []lacre.ListFile{
		{Name: "pt.xml", Bytes: []byte("<TrustServiceStatusList xmlns='http://uri.etsi.org/02231/v2#'/>"), Loaded: day},
		{Name: "other.xml", Bytes: []byte("no list")},
	})
	if err != nil {
		t.Fatal(err)
	}
	states := lists.States()
	if lists.Trusted() != 0 || len(states) != 2 || states[0].Problems[0].Key != "signature" || states[1].Problems[0].Key != "unreadable" {
		t.Errorf("found %+v", states)
	}
	if !states[0].Loaded.Equal(day) || states[1].Loaded != nil {
		t.Errorf("found other times: %+v", states)
	}
	again, err := engine().ReadSnapshot(t.Context(), lists.Snapshot())
	if err != nil || len(again.States()) != 2 || !bytes.Equal(again.Snapshot(), lists.Snapshot()) {
		t.Errorf("found %+v, %v", again, err)
	}
	_, err = engine().ReadSnapshot(t.Context(), lists.Snapshot(), example(t, "root.der"))
	wants(t, err, lacre.CodeInvalidTrustedLists)
	_, err = engine().ReadSnapshot(t.Context(), []byte("no snapshot"))
	wants(t, err, lacre.CodeInvalidTrustedLists)
	report, err := trusting(t, engine(), lacre.Trusting(lists)).Validate(t.Context(), example(t, "contract.pdf"), lacre.At(day))
	if err != nil || report.Indication() != lacre.TotalPassed || !bytes.Contains(report.JSON(), []byte(`"unusable":2`)) {
		t.Errorf("found %v, %v", report, err)
	}
}

func TestOptionsThatCannotBeRead(t *testing.T) {
	for code, option := range map[lacre.Code]lacre.ValidatorOption{
		lacre.CodeInvalidEvidence: lacre.TrustAnchor([]byte("no certificate")),
		lacre.CodeInvalidPolicy:   lacre.Policy([]byte("no policy")),
		lacre.CodeInvalidSuite:    lacre.Suite([]byte("no suite")),
	} {
		_, err := engine().NewValidator(t.Context(), option)
		wants(t, err, code)
	}
	_, err := engine().NewValidator(t.Context(), lacre.Policy([]byte("dss")), lacre.Policy([]byte("dss")))
	wants(t, err, lacre.CodeInvalidArgument)
	if _, err := engine().NewValidator(t.Context(), lacre.Policy([]byte("dss"))); err != nil {
		t.Error(err)
	}
	_, err = lacre.New(t.Context(), lacre.WithMemoryLimit(5<<30))
	wants(t, err, lacre.CodeInvalidArgument)
	_, err = lacre.New(t.Context(), lacre.WithMaxInstances(0))
	wants(t, err, lacre.CodeInvalidArgument)
}

func TestConcurrency(t *testing.T) {
	validator := trusting(t, engine())
	files := []string{"contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf"}
	alone := map[string][]byte{}
	for _, file := range files {
		report, err := validator.Validate(t.Context(), example(t, file), lacre.Named(file), lacre.At(day))
		if err != nil {
			t.Fatal(err)
		}
		alone[file] = report.JSON()
	}
	var group sync.WaitGroup
	for worker := range 4 * runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for turn := range 8 {
				file := files[(worker+turn)%len(files)]
				report, err := validator.Validate(t.Context(), example(t, file), lacre.Named(file), lacre.At(day))
				if err != nil || !bytes.Equal(report.JSON(), alone[file]) {
					t.Errorf("%s: found another report, %v", file, err)
				}
			}
		})
	}
	group.Wait()
}

func TestCancellation(t *testing.T) {
	validator := trusting(t, engine())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := validator.Validate(ctx, example(t, "contract.pdf"), lacre.At(day))
	if wants(t, err, lacre.CodeCanceled); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, expected context.Canceled", err)
	}
	// More work than the time allows.
	slow := bytes.Repeat([]byte("1 0 obj <</Type /Sig /Contents <00>>> endobj\n"), 1<<20)
	slow = append([]byte("%PDF-1.7\n"), slow...)
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer stop()
	begin := time.Now()
	_, err = validator.Validate(ctx, slow, lacre.At(day))
	if wants(t, err, lacre.CodeCanceled); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("found %v, expected context.DeadlineExceeded", err)
	}
	t.Logf("ended after %s", time.Since(begin))
	reason := errors.New("the user went away")
	ctx, why := context.WithCancelCause(t.Context())
	why(reason)
	if _, err = validator.Validate(ctx, nil); !errors.Is(err, reason) || !errors.Is(err, context.Canceled) {
		t.Errorf("found %v, expected the reason", err)
	}
	if report, err := validator.Validate(t.Context(), example(t, "contract.pdf"), lacre.At(day)); err != nil || report.Indication() != lacre.TotalPassed {
		t.Errorf("after cancellation: found %v, %v", report, err)
	}
}

func TestAWaitingCallIsCanceled(t *testing.T) {
	one, err := lacre.New(t.Context(), compiled(), lacre.WithMaxInstances(1))
	if err != nil {
		t.Fatal(err)
	}
	validator := trusting(t, one)
	var group sync.WaitGroup
	ctx, cancel := context.WithCancel(t.Context())
	for range 8 {
		group.Go(func() {
			for ctx.Err() == nil {
				if _, err := validator.Validate(ctx, example(t, "contract.pdf"), lacre.At(day)); err != nil {
					wants(t, err, lacre.CodeCanceled)
				}
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	cancel()
	group.Wait()
	// Closing ends what runs, and what comes after is refused.
	for range 4 {
		group.Go(func() {
			for {
				if _, err := validator.Validate(t.Context(), example(t, "contract.pdf"), lacre.At(day)); err != nil {
					wants(t, err, lacre.CodeClosed)
					return
				}
			}
		})
	}
	time.Sleep(50 * time.Millisecond)
	if err := one.Close(t.Context()); err != nil {
		t.Error(err)
	}
	group.Wait()
	if err := one.Close(t.Context()); err != nil {
		t.Errorf("closed twice: %v", err)
	}
	_, err = one.ParseCertificate(t.Context(), example(t, "root.der"))
	wants(t, err, lacre.CodeClosed)
}

func TestMemoryLimit(t *testing.T) {
	small, err := lacre.New(t.Context(), compiled(), lacre.WithMemoryLimit(48<<20))
	if err != nil {
		t.Fatal(err)
	}
	defer small.Close(context.Background())
	validator := trusting(t, small)
	// Larger than the memory; within it, but not with what it takes to read it.
	for _, size := range []int{64 << 20, 47 << 20, 30 << 20} {
		huge := append([]byte("%PDF-1.7\n"), bytes.Repeat([]byte("1 0 obj <<>> endobj\n"), size/20)...)
		_, err := validator.Validate(t.Context(), huge, lacre.At(day))
		var ours *lacre.Error
		if !errors.As(err, &ours) || (ours.Code != lacre.CodeOutOfMemory && ours.Code != lacre.CodeUnreadable) {
			t.Errorf("%d bytes: found %v, expected %s", size, err, lacre.CodeOutOfMemory)
		}
		if size > 48<<20 {
			wants(t, err, lacre.CodeOutOfMemory)
		}
		t.Logf("%d bytes: %v", size, err)
		report, err := validator.Validate(t.Context(), example(t, "contract.pdf"), lacre.At(day))
		if err != nil || report.Indication() != lacre.TotalPassed {
			t.Errorf("after %d bytes: found %v, %v", size, report, err)
		}
	}
}

func TestAClosedValidator(t *testing.T) {
	validator := trusting(t, engine())
	if err := validator.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err := validator.Validate(t.Context(), nil)
	wants(t, err, lacre.CodeClosed)
}
