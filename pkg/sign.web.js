import * as glue from "./lacre_sign.js";
import { Instance } from "./src/instance.js";
import { signing } from "./src/sign.js";

const instance = new Instance(glue, () => new URL("lacre_sign_bg.wasm", import.meta.url));

export const { init, prepare, finish, extend } = signing(instance);
export { LacreError } from "./src/error.js";
