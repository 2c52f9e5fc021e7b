// The page: takes files, asks the worker, shows the answer. Nothing here sends anything anywhere.
import { languages, saying } from "./strings.js";
import { failure, verdict } from "./view.js";

const element = (id) => document.getElementById(id);
const result = element("result");

/** More than this is not read into a page's memory. */
const MOST = 500_000_000;

/** The settings, by the names of their inputs. */
const given = ["anchors", "lists", "evidence", "contents", "password"];

let language = preferred();
let checked; // { file, options, report } or { file, error }: what the page shows.

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

/** What the settings say; judged for the same moment however often it is asked again. */
function settings(time) {
  const chosen = (id) => [...element(id).files];
  const [trustedLists] = chosen("lists");
  const password = element("password").value;
  const options = { time, language, trustAnchors: chosen("anchors"), evidence: chosen("evidence"), contents: chosen("contents") };
  return { ...options, ...(trustedLists && { trustedLists }), ...(password !== "" && { password }) };
}

async function check(file) {
  const say = saying(language);
  const asked = (checked = { file });
  document.body.classList.add("busy");
  result.hidden = true;
  element("status").textContent = say("checking", { name: file.name });
  try {
    if (file.size > MOST) throw { code: "TOO_LARGE" };
    asked.options = settings(new Date());
    asked.report = await ask("validate", file, asked.options);
  } catch (error) {
    asked.error = error;
  }
  if (checked !== asked) return; // Another file came, or this one was cleared.
  document.body.classList.remove("busy");
  element("status").textContent = "";
  show();
  element("verdict").focus();
}

function show() {
  const say = saying(language);
  document.body.classList.toggle("has-result", checked !== undefined);
  result.hidden = checked === undefined || (checked.report ?? checked.error) === undefined;
  if (result.hidden) return result.replaceChildren();
  const { file, report, error } = checked;
  const actions = { clear, download, again: () => check(file) };
  result.replaceChildren(...(error ? failure(error, file, say, actions) : verdict(report, file, say, actions)));
}

function clear() {
  checked = undefined;
  for (const id of ["file", ...given]) element(id).value = "";
  show();
  element("file").focus();
}

async function download(form, button) {
  const { file, options, report } = checked;
  const say = saying(language);
  button.disabled = true;
  try {
    const octets = form === "json" ? `${JSON.stringify(report)}\n` : await ask(form === "xml" ? "etsi" : "pdf", file, options);
    const type = { json: "application/json", xml: "application/xml", pdf: "application/pdf" }[form];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([octets], { type }));
    link.download = `${file.name}.${form === "pdf" ? "report.pdf" : form}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    element("status").textContent = say("downloaded", { name: link.download });
  } catch (error) {
    element("status").textContent = error.message;
  } finally {
    button.disabled = false;
  }
}

function speak() {
  const say = saying(language);
  document.documentElement.lang = language;
  document.title = say("title");
  for (const spoken of document.querySelectorAll("[data-say]")) spoken.textContent = say(spoken.dataset.say);
}

function preferred() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => code in languages);
  return known ?? "en";
}

const select = element("language");
select.append(...Object.entries(languages).map(([code, { name }]) => new Option(name, code, false, code === language)));
for (const option of select.options) option.lang = option.value;
select.addEventListener("change", () => {
  language = select.value;
  speak();
  if (checked?.error) show();
  else if (checked) check(checked.file);
});

const file = element("file");
file.addEventListener("change", () => file.files[0] && check(file.files[0]));
for (const id of given) {
  element(id).addEventListener("change", () => checked && check(checked.file));
}

// A file may be dropped anywhere on the page.
const over = (is) => element("drop").classList.toggle("over", is);
addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
addEventListener("dragleave", (event) => { if (event.relatedTarget === null) over(false); });
addEventListener("drop", (event) => {
  event.preventDefault();
  over(false);
  const [dropped] = event.dataTransfer.files;
  if (dropped) check(dropped);
});

speak();
