import * as reportGlue from "../lacre_report.js";
import { Instance } from "./instance.js";
import { rendering } from "./render.js";
import { validating } from "./validate.js";

/** The functions of `lacre` and `lacre/report` over the module that reads PDF and CMS only. */
export function slim(instance, loadReport) {
  const validator = validating(instance, () => reports);
  const reports = rendering(new Instance(reportGlue, loadReport), validator.inspect);
  const { init: initReport, etsi, text, html, pdf } = reports;
  return { ...validator, initReport, etsi, text, html, pdf };
}
