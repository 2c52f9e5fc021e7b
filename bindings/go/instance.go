package lacre

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

// An instance is the module with a memory of its own. One call at a time runs in it.
type instance struct {
	module api.Module
	limit  uint64
	// settled is how much memory the instance had when it was ready.
	settled uint32
}

// spared is by how much the memory of an instance may have grown for it to be used again: memory never shrinks.
const spared = 64 << 20

func (e *Engine) instantiate(ctx context.Context) (*instance, error) {
	// Without a name there may be any number of it.
	config := wazero.NewModuleConfig().WithName("").WithStartFunctions("_initialize")
	var message string
	module, err := e.runtime.InstantiateModule(context.WithValue(ctx, panicKey{}, &message), e.compiled, config)
	if err != nil {
		return nil, e.refused(ctx, err, message)
	}
	return &instance{module: module, limit: e.limit}, nil
}

func (e *Engine) refused(ctx context.Context, err error, message string) error {
	switch {
	case ctx.Err() != nil:
		return canceled(ctx)
	case strings.Contains(err.Error(), "memory"):
		return outOfMemory(e.limit, e.limit, err)
	}
	return trapped(ctx, err, message, 0, e.limit)
}

// reusable tells whether the instance has not grown out of proportion.
func (i *instance) reusable() bool {
	return i.module.Memory().Size() <= i.settled+spared
}

func (i *instance) close(ctx context.Context) {
	_ = i.module.Close(context.WithoutCancel(ctx))
}

// A refusal is an error that the module gave as an answer: the instance is as good as before.
type refusal struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// call runs an exported function. Whether the instance may be used again is told apart from the error.
func (i *instance) call(ctx context.Context, function string, request *request) (answer [][]byte, usable bool, err error) {
	pieces, total, err := request.frame()
	if err != nil {
		return nil, true, err
	}
	if total >= i.limit {
		return nil, true, outOfMemory(total, i.limit, nil)
	}
	var message string
	told := context.WithValue(ctx, panicKey{}, &message)
	run := func(name string, arguments ...uint64) (uint64, error) {
		results, err := i.module.ExportedFunction(name).Call(told, arguments...)
		if err != nil {
			return 0, trapped(ctx, err, message, uint64(i.module.Memory().Size()), i.limit)
		}
		return results[0], nil
	}
	place, err := run("lacre_request", total)
	if err != nil {
		return nil, false, err
	}
	if place == 0 {
		return nil, false, outOfMemory(uint64(i.module.Memory().Size())+total, i.limit, nil)
	}
	at := uint32(place)
	for _, piece := range pieces {
		if !i.module.Memory().Write(at, piece) {
			return nil, false, broken("a place at %d outside of the memory", at)
		}
		at += uint32(len(piece))
	}
	result, err := run(function)
	if err != nil {
		return nil, false, err
	}
	framed, ok := i.module.Memory().Read(uint32(result>>32), uint32(result))
	if !ok {
		return nil, false, broken("a place at %d outside of the memory", result>>32)
	}
	answer, err = parts(framed)
	if err != nil {
		return nil, false, err
	}
	if len(answer) == 0 {
		return nil, false, broken("no part")
	}
	if len(answer[0]) > 0 {
		var refused refusal
		if err := json.Unmarshal(answer[0], &refused); err != nil {
			return nil, false, broken("an error that cannot be read: %v", err)
		}
		return nil, true, &Error{Code: refused.Code, Message: refused.Message, Hint: refused.Hint}
	}
	return answer[1:], true, nil
}
