import { readFile } from "node:fs/promises";
import * as glue from "./lacre.js";
import { Instance } from "./src/instance.js";
import { validating } from "./src/validate.js";

const instance = new Instance(glue, () => readFile(new URL("lacre_bg.wasm", import.meta.url)));

export const { init, validate, inspect, judge } = validating(instance, () => import("./report.node.js"));
export { LacreError } from "./src/error.js";
