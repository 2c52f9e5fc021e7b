// Reads and judges away from the page's thread: a file of fifty megabytes does not freeze the page.
//
// A message is { id, job, input, options }; the answer { id, answer } or { id, error: { code, message, hint } }.
import { validate } from "./lacre/web.js";
import { etsi, pdf } from "./lacre/report.web.js";

const jobs = { validate, etsi, pdf };

addEventListener("message", async ({ data: { id, job, input, options } }) => {
  try {
    const answer = await jobs[job](input, options);
    postMessage({ id, answer }, answer instanceof Uint8Array ? [answer.buffer] : []);
  } catch (error) {
    postMessage({ id, error: { code: error.code ?? "INTERNAL", message: error.message, hint: error.hint } });
  }
});
