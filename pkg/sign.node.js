import { readFile } from "node:fs/promises";
import * as glue from "./lacre_sign.js";
import { Instance } from "./src/instance.js";
import { signing } from "./src/sign.js";

const instance = new Instance(glue, () => readFile(new URL("lacre_sign_bg.wasm", import.meta.url)));

export const { init, prepare, finish, extend } = signing(instance);
export { LacreError } from "./src/error.js";
