import { readFile } from "node:fs/promises";
import * as glue from "./lacre_report.js";
import { inspect } from "./node.js";
import { Instance } from "./src/instance.js";
import { rendering } from "./src/render.js";

const instance = new Instance(glue, () => readFile(new URL("lacre_report_bg.wasm", import.meta.url)));

export const { init, judge, etsi, text, html, pdf } = rendering(instance, inspect);
