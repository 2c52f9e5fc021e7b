import { judging } from "./validate.js";
import { normal, textual } from "./options.js";

/** The functions of the second module; `inspect` is the first one's, for a document instead of its facts. */
export function rendering(instance, inspect) {
  async function write(form, input, options) {
    let stored = input;
    let settled = options;
    if (isDocument(input)) {
      const time = options?.time ?? new Date();
      stored = await inspect(input, { ...options, time });
      settled = { ...judging(options), time };
    }
    const facts = await textual(typeof stored === "string" ? stored : JSON.stringify(stored));
    return instance.call("judge", facts, await normal(settled, { stated: true }), form);
  }

  const text = (form) => async (input, options) => new TextDecoder().decode(await write(form, input, options));

  return {
    init: (source) => instance.init(source),
    /** The report on facts. */
    judge: async (facts, options) => JSON.parse(await text("json")(facts, options)),
    /** The report as ETSI TS 119 102-2 XML. */
    etsi: text("etsi"),
    /** The report for a terminal. */
    text: text("text"),
    /** The report as one page of HTML. */
    html: text("html"),
    /** The report as PDF/A-3a and PDF/UA-1. */
    pdf: async (input, options) => write("pdf", input, options),
  };
}

/** Facts are a text or a plain object; everything else that is taken holds a document's bytes. */
function isDocument(input) {
  return typeof input !== "string" && input?.schema === undefined;
}
