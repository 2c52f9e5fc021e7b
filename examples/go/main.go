// Checks signed files, several at a time, and writes a report as PDF beside each.
//
//	go run . [-trust root.der] [-lists lists.snapshot] [-at 2027-01-01T00:00:00Z] [-reports] FILE…
//
// Exit status: 0 every file TOTAL-PASSED, 1 another verdict, 2 something could not be done.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"time"

	"lacre"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	trust := flag.String("trust", "", "a certificate to trust (DER or PEM)")
	lists := flag.String("lists", "", "a snapshot of trusted lists (lacre lists pack)")
	at := flag.String("at", "", "the time to judge for (RFC 3339); by default now")
	reports := flag.Bool("reports", false, "write FILE.report.pdf beside each file")
	flag.Parse()
	status, err := run(ctx, *trust, *lists, *at, *reports, flag.Args())
	if err != nil {
		fmt.Fprintln(os.Stderr, explain(err))
		status = 2
	}
	os.Exit(status)
}

func run(ctx context.Context, trust, lists, at string, reports bool, files []string) (int, error) {
	moment := time.Now()
	if at != "" {
		var err error
		if moment, err = time.Parse(time.RFC3339, at); err != nil {
			return 2, err
		}
	}
	engine, err := lacre.New(ctx)
	if err != nil {
		return 2, err
	}
	defer engine.Close(context.WithoutCancel(ctx))
	validator, err := trusting(ctx, engine, trust, lists)
	if err != nil {
		return 2, err
	}

	lines := make([]string, len(files))
	statuses := make([]int, len(files))
	var group sync.WaitGroup
	for i, file := range files {
		// The engine runs as many at a time as there are processors.
		group.Go(func() { lines[i], statuses[i] = check(ctx, validator, file, moment, reports) })
	}
	group.Wait()
	worst := 0
	for i, line := range lines {
		fmt.Print(line)
		worst = max(worst, statuses[i])
	}
	return worst, nil
}

func trusting(ctx context.Context, engine *lacre.Engine, trust, lists string) (*lacre.Validator, error) {
	var options []lacre.ValidatorOption
	if trust != "" {
		certificate, err := os.ReadFile(trust)
		if err != nil {
			return nil, err
		}
		options = append(options, lacre.TrustAnchor(certificate))
	}
	if lists != "" {
		snapshot, err := os.ReadFile(lists)
		if err != nil {
			return nil, err
		}
		trusted, err := engine.ReadSnapshot(ctx, snapshot)
		if err != nil {
			return nil, err
		}
		options = append(options, lacre.Trusting(trusted))
	}
	return engine.NewValidator(ctx, options...)
}

func check(ctx context.Context, validator *lacre.Validator, file string, moment time.Time, reports bool) (string, int) {
	document, err := os.ReadFile(file)
	if err != nil {
		return err.Error() + "\n", 2
	}
	report, err := validator.Validate(ctx, document, lacre.Named(filepath.Base(file)), lacre.At(moment))
	if err != nil {
		return fmt.Sprintf("%s: %s\n", file, explain(err)), 2
	}
	line := fmt.Sprintf("%s: %s\n", file, report.Indication())
	for _, signature := range report.Signatures() {
		signer := "unknown"
		if signature.Signer != nil {
			signer = signature.Signer.Name
		}
		verdict := string(signature.Indication)
		if signature.SubIndication != "" {
			verdict += " " + string(signature.SubIndication)
		}
		line += fmt.Sprintf("  %s, %s, %s\n", verdict, signature.Level, signer)
	}
	if reports {
		pdf, err := report.PDF(ctx)
		if err == nil {
			err = os.WriteFile(file+".report.pdf", pdf, 0o666)
		}
		if err != nil {
			return line + explain(err) + "\n", 2
		}
	}
	if report.Indication() != lacre.TotalPassed {
		return line, 1
	}
	return line, 0
}

func explain(err error) string {
	var ours *lacre.Error
	if errors.As(err, &ours) && ours.Hint != "" {
		return fmt.Sprintf("%s (%s)", ours.Message, ours.Hint)
	}
	return err.Error()
}
