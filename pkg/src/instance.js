import { LacreError } from "./error.js";

/** An instance's memory only grows. One that has seen more bytes than this is dropped, to give it back. */
const KEPT = 32 * 1024 * 1024;

/**
 * A WebAssembly module and its one instance: loaded when first needed, made anew after a trap.
 *
 * `glue` is what wasm-bindgen wrote, `load` says where the module is when `init` was not given it.
 */
export class Instance {
  #glue;
  #load;
  #ready;

  constructor(glue, load) {
    this.#glue = glue;
    this.#load = load;
  }

  /** Loads the module once; every call gives the same promise, until one fails. */
  init(source) {
    this.#ready ??= this.#start(source).catch((cause) => {
      this.#ready = undefined;
      throw cause instanceof LacreError ? cause : new LacreError("LOAD", `the module cannot be loaded: ${cause.message}`, { cause });
    });
    return this.#ready;
  }

  async #start(source) {
    const module_or_path = await (source ?? this.#load());
    await this.#glue.default({ module_or_path });
  }

  /** Calls a function of the module with bytes and more. */
  async call(name, bytes, ...rest) {
    await this.init();
    this.#glue.initSync();
    let whole = false;
    try {
      const answer = this.#glue[name](bytes, ...rest);
      whole = bytes.length <= KEPT;
      return answer;
    } catch (error) {
      if (typeof error?.code === "string") {
        whole = bytes.length <= KEPT;
        throw new LacreError(error.code, error.message, { hint: error.hint });
      }
      // A trap, or what the engine throws when memory or stack are used up.
      throw new LacreError("INTERNAL", `lacre stopped: ${error?.message ?? error}`, { cause: error });
    } finally {
      if (!whole) this.#glue.__wbg_reset_state();
    }
  }
}
