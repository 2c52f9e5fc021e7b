package lacre

import (
	"context"
	"runtime"
	"sync"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
)

const (
	pageSize = 64 << 10
	// leastMemory holds the module itself, and small documents.
	leastMemory = 16 << 20
	// mostMemory is what 32 bits can address.
	mostMemory = 4 << 30
	// usualMemory is enough for documents of some 300 MB.
	usualMemory = 1 << 30
)

// Engine is the compiled module. One is enough for a program; it is safe for concurrent use.
type Engine struct {
	runtime  wazero.Runtime
	compiled wazero.CompiledModule
	cache    wazero.CompilationCache
	limit    uint64
	// slots has a place for each instance that may run at the same time.
	slots chan struct{}
	// plain is a validator that trusts nobody, for what needs none.
	plain *Validator

	// open ends when the engine is closed.
	open  context.Context
	close context.CancelFunc
	freed sync.Once
}

// EngineOption sets how an [Engine] runs.
type EngineOption func(*engineSettings)

type engineSettings struct {
	memory    uint64
	instances int
	cache     string
}

// WithMemoryLimit bounds the memory of each instance, in bytes: 16 MiB to 4 GiB, by default 1 GiB. A call needs the document's
// size and what the document unfolds to; a call that needs more fails with [CodeOutOfMemory].
func WithMemoryLimit(bytes uint64) EngineOption {
	return func(s *engineSettings) { s.memory = bytes }
}

// WithMaxInstances bounds how many instances run at the same time, by default [runtime.GOMAXPROCS]. Further calls wait.
func WithMaxInstances(instances int) EngineOption {
	return func(s *engineSettings) { s.instances = instances }
}

// WithCompilationCache keeps the compiled module in a folder, so that the next process starts sooner. Whoever may write
// there decides what the process runs. By default nothing is written.
func WithCompilationCache(folder string) EngineOption {
	return func(s *engineSettings) { s.cache = folder }
}

// New compiles the module, which takes a moment. The context bounds that alone.
func New(ctx context.Context, options ...EngineOption) (*Engine, error) {
	settings := engineSettings{memory: usualMemory, instances: runtime.GOMAXPROCS(0)}
	for _, option := range options {
		option(&settings)
	}
	if settings.memory < leastMemory || settings.memory > mostMemory {
		return nil, argument("found a memory limit of %d bytes, expected 16 MiB to 4 GiB", settings.memory)
	}
	if settings.instances < 1 {
		return nil, argument("found %d instances at most, expected at least 1", settings.instances)
	}
	config := wazero.NewRuntimeConfig().
		WithMemoryLimitPages(uint32(settings.memory / pageSize)).
		WithCloseOnContextDone(true)
	engine := &Engine{
		limit: settings.memory / pageSize * pageSize,
		slots: make(chan struct{}, settings.instances),
	}
	if settings.cache != "" {
		cache, err := wazero.NewCompilationCacheWithDir(settings.cache)
		if err != nil {
			return nil, &Error{Code: CodeInvalidArgument, Message: "the folder of compiled modules: " + err.Error(), cause: err}
		}
		engine.cache = cache
		config = config.WithCompilationCache(cache)
	}
	engine.runtime = wazero.NewRuntimeWithConfig(ctx, config)
	if err := engine.compile(ctx); err != nil {
		_ = engine.release(context.WithoutCancel(ctx))
		if ctx.Err() != nil {
			return nil, canceled(ctx)
		}
		return nil, &Error{Code: CodeInternal, Message: "the module does not compile: " + err.Error(), cause: err}
	}
	engine.open, engine.close = context.WithCancel(context.Background())
	engine.plain = &Validator{engine: engine}
	return engine, nil
}

func (e *Engine) compile(ctx context.Context) error {
	host := e.runtime.NewHostModuleBuilder("lacre")
	host.NewFunctionBuilder().WithFunc(panicked).Export("panicked")
	if _, err := host.Instantiate(ctx); err != nil {
		return err
	}
	compiled, err := e.runtime.CompileModule(ctx, wasm)
	e.compiled = compiled
	return err
}

type panicKey struct{}

// panicked is what the module tells when it panics, just before it traps.
func panicked(ctx context.Context, module api.Module, message, length uint32) {
	if place, ok := ctx.Value(panicKey{}).(*string); ok {
		if text, ok := module.Memory().Read(message, length); ok {
			*place = string(text)
		}
	}
}

// Version is the version of the library in the module.
func (e *Engine) Version(ctx context.Context) (string, error) {
	answer, err := e.plain.call(ctx, "lacre_version", &request{})
	if err != nil {
		return "", err
	}
	return string(answer[0]), nil
}

// Close frees the engine, its validators and their instances. Calls that are running end with [CodeClosed] before it
// returns.
func (e *Engine) Close(ctx context.Context) error {
	e.close()
	var err error
	e.freed.Do(func() {
		// Machine code may not go while it runs.
		for range cap(e.slots) {
			e.slots <- struct{}{}
		}
		err = e.release(context.WithoutCancel(ctx))
	})
	return err
}

func (e *Engine) release(ctx context.Context) error {
	err := e.runtime.Close(ctx)
	if e.cache != nil {
		if of := e.cache.Close(ctx); err == nil {
			err = of
		}
	}
	return err
}

func (e *Engine) isClosed() bool {
	return e.open.Err() != nil
}

// enter waits for a place to run. The context that it gives ends with the caller's and with the engine; leave gives the
// place back.
func (e *Engine) enter(ctx context.Context) (running context.Context, leave func(), err error) {
	if e.isClosed() {
		return nil, nil, closed("engine")
	}
	if ctx.Err() != nil {
		return nil, nil, canceled(ctx)
	}
	select {
	case e.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, nil, canceled(ctx)
	case <-e.open.Done():
		return nil, nil, closed("engine")
	}
	running, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(e.open, func() { cancel(closed("engine")) })
	return running, func() {
		stop()
		cancel(nil)
		<-e.slots
	}, nil
}
