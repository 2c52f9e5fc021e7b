package lacre

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// A request is JSON, then bytes, each with its role (bindings/go/module/src/request.rs).
type request struct {
	Time     *int64  `json:"time,omitempty"`
	Name     *string `json:"name,omitempty"`
	Password *string `json:"password,omitempty"`
	Form     Form    `json:"form,omitempty"`
	Language string  `json:"language,omitempty"`
	Parts    []part  `json:"parts,omitempty"`
}

type part struct {
	Role   string  `json:"role"`
	Name   *string `json:"name,omitempty"`
	Loaded *int64  `json:"loaded,omitempty"`
	bytes  []byte
}

func (r *request) add(role string, bytes []byte) {
	r.Parts = append(r.Parts, part{Role: role, bytes: bytes})
}

// frame gives the pieces of the request as they follow each other in memory, and how long they are together.
func (r *request) frame() ([][]byte, uint64, error) {
	head, err := json.Marshal(r)
	if err != nil {
		return nil, 0, &Error{Code: CodeInvalidArgument, Message: err.Error(), cause: err}
	}
	pieces := make([][]byte, 0, 2*len(r.Parts)+2)
	total := uint64(0)
	put := func(bytes []byte) {
		pieces = append(pieces, binary.LittleEndian.AppendUint32(nil, uint32(len(bytes))), bytes)
		total += 4 + uint64(len(bytes))
	}
	put(head)
	for _, part := range r.Parts {
		if uint64(len(part.bytes)) >= mostMemory {
			return nil, 0, outOfMemory(uint64(len(part.bytes)), mostMemory, nil)
		}
		put(part.bytes)
	}
	return pieces, total, nil
}

// parts reads the frame of an answer. The parts are copies: the memory of an instance is used again.
func parts(frame []byte) ([][]byte, error) {
	var parts [][]byte
	for len(frame) > 0 {
		if len(frame) < 4 {
			return nil, broken("a length of %d bytes", len(frame))
		}
		length := uint64(binary.LittleEndian.Uint32(frame))
		frame = frame[4:]
		if length > uint64(len(frame)) {
			return nil, broken("a part of %d bytes in %d", length, len(frame))
		}
		parts = append(parts, append([]byte(nil), frame[:length]...))
		frame = frame[length:]
	}
	return parts, nil
}

func broken(format string, values ...any) *Error {
	return &Error{Code: CodeInternal, Message: "the module's answer has " + fmt.Sprintf(format, values...)}
}

func argument(format string, values ...any) *Error {
	return &Error{Code: CodeInvalidArgument, Message: fmt.Sprintf(format, values...)}
}
