import type { Source } from "lacre";

// The same functions, which load nothing by themselves: for libraries, workers and hosts that bring their own modules.

export * from "lacre";
export { etsi, html, pdf, text } from "lacre/report";

/** Says where `lacre_report_bg.wasm` is, which `judge`, languages other than English and the reports need. */
export function initReport(source: Source | Promise<Source>): Promise<void>;
