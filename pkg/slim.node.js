import { readFile } from "node:fs/promises";
import * as glue from "./lacre_slim.js";
import { Instance } from "./src/instance.js";
import { slim } from "./src/slim.js";

const module = (name) => readFile(new URL(name, import.meta.url));

const instance = new Instance(glue, () => module("lacre_slim_bg.wasm"));

export const { init, initReport, validate, inspect, judge, etsi, text, html, pdf } = slim(instance, () => module("lacre_report_bg.wasm"));
export { LacreError } from "./src/error.js";
