import * as glue from "./lacre.js";
import * as reportGlue from "./lacre_report.js";
import { LacreError } from "./src/error.js";
import { Instance } from "./src/instance.js";
import { rendering } from "./src/render.js";
import { validating } from "./src/validate.js";

const told = (name) => () => {
  throw new LacreError("LOAD", `lacre/slim loads nothing by itself: call ${name}(source) first`);
};
const reports = rendering(new Instance(reportGlue, told("initReport")), (...document) => inspect(...document));

const instance = new Instance(glue, told("init"), told("initRest"));

export const { init, initRest, validate, inspect, judge } = validating(instance, () => reports);
export const { init: initReport, etsi, text, html, pdf } = reports;
export { LacreError };
