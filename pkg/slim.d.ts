import type { Source } from "lacre";

// The same functions over a smaller module, which reads PDF, CMS, time-stamps and evidence records. Refused are documents of
// another format (`UNSUPPORTED_FORMAT`), the option `trustedLists` (`INVALID_TRUSTED_LISTS`): it trusts certificates only, and
// documents that rest on MD2, RIPEMD-160, Whirlpool, DSA or ML-DSA (`UNSUPPORTED_ALGORITHM`).

export * from "lacre";
export { etsi, html, pdf, text } from "lacre/report";

/** Loads the module `lacre_report_bg.wasm`, once, which `judge`, other policies and languages, and the reports need. */
export function initReport(source?: Source | Promise<Source>): Promise<void>;
