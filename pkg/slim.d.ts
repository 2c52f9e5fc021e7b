import type { Source } from "lacre";

// The same functions over a smaller module, which reads PDF, CMS, time-stamps and evidence records. A document of another
// format is refused: `UNSUPPORTED_FORMAT`.

export * from "lacre";
export { etsi, html, pdf, text } from "lacre/report";

/** Loads the module `lacre_report_bg.wasm`, once, which `judge`, other policies and languages, and the reports need. */
export function initReport(source?: Source | Promise<Source>): Promise<void>;
