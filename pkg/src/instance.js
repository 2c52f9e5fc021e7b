import { LacreError } from "./error.js";

/** An instance's memory only grows. One that has seen more octets than this is dropped, to give it back. */
const KEPT = 32 * 1024 * 1024;

/** The exports of the instances that have their rest. */
const complete = new WeakSet();

/**
 * A WebAssembly module and its one instance: loaded when first needed, made anew after a trap.
 *
 * `glue` is what wasm-bindgen wrote, `load` says where the module is when nobody said so to `init`. `loadRest` says it of
 * the functions that most documents do not need (bindings/wasm/split.mjs), for a module that was split. To call one of
 * them that is not there is a trap: then the rest is loaded, and the call made again. Every later instance has it from the
 * start.
 */
export class Instance {
  #glue;
  #load;
  #loadRest;
  #ready;
  #resting;
  #rest;

  constructor(glue, load, loadRest) {
    this.#glue = glue;
    this.#load = load;
    this.#loadRest = loadRest;
  }

  /** Loads the module once; every call gives the same promise, until one fails. */
  init(source) {
    this.#ready ??= this.#start(source).catch((cause) => {
      this.#ready = undefined;
      throw failed(cause);
    });
    return this.#ready;
  }

  async #start(source) {
    const module_or_path = await (source ?? this.#load());
    await this.#glue.default({ module_or_path });
  }

  /** Loads the rest once, likewise. */
  initRest(source) {
    this.#resting ??= this.#startRest(source).catch((cause) => {
      this.#resting = undefined;
      throw failed(cause);
    });
    return this.#resting;
  }

  async #startRest(source) {
    this.#rest = await compiled(await (source ?? this.#loadRest()));
  }

  /** Calls a function of the module with octets and more. */
  async call(name, octets, ...rest) {
    await this.init();
    try {
      return this.#once(name, octets, rest);
    } catch (error) {
      if (!(error instanceof Missed)) throw error;
    }
    await this.initRest();
    return this.#once(name, octets, rest);
  }

  #once(name, octets, rest) {
    const exports = this.#glue.initSync();
    if (this.#rest && !complete.has(exports)) {
      // Fills the slots of the table through which the rest is called.
      new WebAssembly.Instance(this.#rest, { lacre: exports });
      complete.add(exports);
    }
    let whole = false;
    try {
      const answer = this.#glue[name](octets, ...rest);
      whole = octets.length <= KEPT;
      return answer;
    } catch (error) {
      if (typeof error?.code === "string") {
        whole = octets.length <= KEPT;
        throw new LacreError(error.code, error.message, { hint: error.hint });
      }
      if (error instanceof WebAssembly.RuntimeError && this.#loadRest && !complete.has(exports)) throw new Missed();
      // A trap, or what the engine throws when memory or stack are used up.
      throw new LacreError("INTERNAL", `lacre stopped: ${error?.message ?? error}`, { cause: error });
    } finally {
      if (!whole) this.#glue.__wbg_reset_state();
    }
  }
}

/** The call may have missed the rest. */
class Missed extends Error {}

function failed(cause) {
  return cause instanceof LacreError ? cause : new LacreError("LOAD", `the module cannot be loaded: ${cause.message}`, { cause });
}

/** The module that a source is or holds. */
async function compiled(source) {
  if (source instanceof WebAssembly.Module) return source;
  const found = source instanceof URL || typeof source === "string" ? await fetch(source) : source;
  if (!(found instanceof Response)) return WebAssembly.compile(found);
  if (!found.ok) throw new Error(`${found.url} answers ${found.status}`);
  return WebAssembly.compile(await found.arrayBuffer());
}
