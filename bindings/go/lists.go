package lacre

import (
	"context"
	"encoding/json"
	"time"
)

// TrustedLists are the trusted lists of one day (TS 119 612), judged. They do not change.
type TrustedLists struct {
	snapshot []byte
	content  listsContent
}

type listsContent struct {
	Trusted int           `json:"trusted"`
	States  []ListState   `json:"states"`
	Missing []MissingList `json:"missing"`
}

// ListRole says what a file is among lists.
type ListRole string

const (
	// RoleListOfLists is a list of trusted lists.
	RoleListOfLists ListRole = "list-of-lists"
	// RolePivot is an earlier list of trusted lists, which names new certificates that may sign.
	RolePivot ListRole = "pivot"
	// RoleTrustedList is a national list that a list of trusted lists points at.
	RoleTrustedList ListRole = "trusted-list"
	// RoleUnused is none of these.
	RoleUnused ListRole = "unused"
)

// ListState is a file that was read as a list, and what came of it.
type ListState struct {
	Name           string        `json:"name"`
	Size           int           `json:"size"`
	SHA256         string        `json:"sha256"`
	Loaded         *time.Time    `json:"loaded"`
	Role           ListRole      `json:"role"`
	URL            string        `json:"url"`
	Territory      string        `json:"territory"`
	SequenceNumber *int64        `json:"sequence_number"`
	IssueDate      *time.Time    `json:"issue_date"`
	NextUpdate     *time.Time    `json:"next_update"`
	Signer         string        `json:"signer"`
	Services       int           `json:"services"`
	Trusted        bool          `json:"trusted"`
	Problems       []ListProblem `json:"problems"`
	Structure      []string      `json:"structure"`
}

// ListProblem is what is wrong with a list: a stable key, and a sentence.
type ListProblem struct {
	Key     string `json:"key"`
	Message string `json:"message"`
}

// MissingList is a list that is pointed at and absent.
type MissingList struct {
	Territory string `json:"territory"`
	URL       string `json:"url"`
}

// ListFile is a file of a folder of trusted lists, as `lacre lists update` writes it.
type ListFile struct {
	// Name is the file's name, by which lists find each other.
	Name string
	// Bytes are the XML.
	Bytes []byte
	// Loaded is when it was fetched; zero where that is not known.
	Loaded time.Time
}

// ReadSnapshot reads the trusted lists of a snapshot (`lacre lists pack`). Where packers are given, one of them must have
// signed it.
func (e *Engine) ReadSnapshot(ctx context.Context, snapshot []byte, packers ...[]byte) (*TrustedLists, error) {
	asked := &request{}
	asked.add("snapshot", snapshot)
	for _, packer := range packers {
		asked.add("packer", packer)
	}
	return e.lists(ctx, asked)
}

// ReadLists reads trusted lists from their files and judges their signatures. Signers are the certificates (DER or PEM)
// that may sign the list of lists; without any, those announced in the Official Journal of the EU. A list that cannot be
// relied on is no error: its state says so, and nobody is trusted by it.
func (e *Engine) ReadLists(ctx context.Context, files []ListFile, signers ...[]byte) (*TrustedLists, error) {
	asked := &request{}
	for _, file := range files {
		list := part{Role: "list", Name: &file.Name, bytes: file.Bytes}
		if !file.Loaded.IsZero() {
			loaded := file.Loaded.UnixMilli()
			list.Loaded = &loaded
		}
		asked.Parts = append(asked.Parts, list)
	}
	for _, signer := range signers {
		asked.add("list-signer", signer)
	}
	return e.lists(ctx, asked)
}

func (e *Engine) lists(ctx context.Context, asked *request) (*TrustedLists, error) {
	answer, err := e.plain.call(ctx, "lacre_lists", asked)
	if err != nil {
		return nil, err
	}
	if len(answer) != 2 {
		return nil, broken("%d parts, expected 2", len(answer))
	}
	lists := &TrustedLists{snapshot: answer[1]}
	if err := json.Unmarshal(answer[0], &lists.content); err != nil {
		return nil, broken("lists that cannot be read: %v", err)
	}
	return lists, nil
}

// Trusted is how many lists can be relied on.
func (l *TrustedLists) Trusted() int { return l.content.Trusted }

// States is what came of each file.
func (l *TrustedLists) States() []ListState { return clone(l.content.States) }

// Missing are the lists that are pointed at and absent.
func (l *TrustedLists) Missing() []MissingList { return clone(l.content.Missing) }

// Snapshot is what is trusted of the lists, as one file that [Engine.ReadSnapshot] reads in a moment.
func (l *TrustedLists) Snapshot() []byte { return clone(l.snapshot) }
