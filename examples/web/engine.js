// Judges in this page: a worker with the library in it. Nothing is sent anywhere.

/** More than this is not read into a page's memory. */
export const most = 500_000_000;

const worker = new Worker("worker.js", { type: "module" });
const waiting = new Map();
worker.addEventListener("message", ({ data: { id, answer, error } }) => {
  const { resolve, reject } = waiting.get(id);
  waiting.delete(id);
  if (error) reject(error);
  else resolve(answer);
});
worker.addEventListener("error", (event) => {
  for (const { reject } of waiting.values()) reject({ code: "LOAD", message: event.message ?? "the worker cannot be loaded" });
  waiting.clear();
});

let calls = 0;
function ask(job, input, options) {
  const id = ++calls;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    worker.postMessage({ id, job, input, options });
  });
}

/** The report in JSON. */
export const validate = (file, options) => ask("validate", file, options);

/** The report in another form: `pdf` or `xml`. */
export const write = (form, file, options) => ask(form === "xml" ? "etsi" : "pdf", file, options);
