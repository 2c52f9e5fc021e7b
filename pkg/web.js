import * as glue from "./lacre.js";
import { Instance } from "./src/instance.js";
import { validating } from "./src/validate.js";

const instance = new Instance(glue, () => new URL("lacre_bg.wasm", import.meta.url));

export const { init, validate, inspect, judge } = validating(instance, () => import("./report.web.js"));
export { LacreError } from "./src/error.js";
