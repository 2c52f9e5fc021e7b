import { normal, bytes } from "./options.js";

/** `validate`, `inspect` and `judge` over an instance; `reports` gives the functions of the second module. */
export function validating(instance, reports) {
  async function read(name, file, options) {
    const [document, settled] = await Promise.all([bytes(file, "the document"), normal(options, { file })]);
    return JSON.parse(await instance.call(name, document, settled));
  }

  /** Validates every signature of a document. */
  async function validate(file, options) {
    // The first module has the built-in policy and says everything in English; the second reads policies, and has the
    // other languages.
    const { policy, suite, language = "en" } = options ?? {};
    if (policy === undefined && suite === undefined && language === "en") return read("validate", file, options);
    const time = options.time ?? new Date();
    return (await reports()).judge(await inspect(file, { ...options, time }), { ...judging(options), time });
  }

  /** Says what is inside a document, and concludes nothing. */
  async function inspect(file, options) {
    return read("inspect", file, options);
  }

  /** Judges facts that `inspect` gave, or EU DSS's diagnostic data. */
  async function judge(facts, options) {
    return (await reports()).judge(facts, options);
  }

  return { init: (source) => instance.init(source), validate, inspect, judge };
}

/** The options that judging knows: the others are about reading. */
export function judging({ time, policy, suite, language } = {}) {
  return { time, policy, suite, language };
}
