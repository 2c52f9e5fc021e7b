import * as glue from "./lacre_report.js";
import { inspect } from "./web.js";
import { Instance } from "./src/instance.js";
import { rendering } from "./src/render.js";

const instance = new Instance(glue, () => new URL("lacre_report_bg.wasm", import.meta.url));

export const { init, judge, etsi, text, html, pdf } = rendering(instance, inspect);
