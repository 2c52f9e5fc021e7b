import * as glue from "./lacre_slim.js";
import { Instance } from "./src/instance.js";
import { slim } from "./src/slim.js";

const instance = new Instance(glue, () => new URL("lacre_slim_bg.wasm", import.meta.url));

export const { init, initReport, validate, inspect, judge, etsi, text, html, pdf } = slim(instance, () => new URL("lacre_report_bg.wasm", import.meta.url));
export { LacreError } from "./src/error.js";
