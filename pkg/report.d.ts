import type { Facts, JudgeOptions, Bytes, Options, Report, Source } from "lacre";

// Each function takes a document, or the facts that `inspect` gave: those are judged and written down without reading
// the document again, and say the same byte for byte. A string is stored facts: their JSON, or EU DSS's diagnostic
// data.

/** The report as an object. */
export function judge(facts: Facts | string, options?: JudgeOptions): Promise<Report>;
export function judge(file: Bytes, options?: Options): Promise<Report>;

/** The report as ETSI TS 119 102-2 XML. */
export function etsi(facts: Facts | string, options?: JudgeOptions): Promise<string>;
export function etsi(file: Bytes, options?: Options): Promise<string>;

/** The report as plain text. */
export function text(facts: Facts | string, options?: JudgeOptions): Promise<string>;
export function text(file: Bytes, options?: Options): Promise<string>;

/** The report as one page of HTML that loads nothing and runs nothing. */
export function html(facts: Facts | string, options?: JudgeOptions): Promise<string>;
export function html(file: Bytes, options?: Options): Promise<string>;

/** The report as PDF (PDF/A-3a and PDF/UA-1), with the JSON and the ETSI report attached. */
export function pdf(facts: Facts | string, options?: JudgeOptions): Promise<Uint8Array<ArrayBuffer>>;
export function pdf(file: Bytes, options?: Options): Promise<Uint8Array<ArrayBuffer>>;

/** Loads the module `lacre_report_bg.wasm`, once. */
export function init(source?: Source | Promise<Source>): Promise<void>;
