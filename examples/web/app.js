// The page: takes files, asks the engine, shows the answers. The page's own engine judges here, the server's asks it.
import { most, validate, write } from "./engine.js";
import { languages, saying } from "./strings.js";
import { all, failure, verdict } from "./view.js";

const element = (id) => document.getElementById(id);
const result = element("result");

/** The settings that this page has, by the names of their inputs. */
const given = ["anchors", "lists", "evidence", "contents", "password", "token"].map(element).filter((input) => input !== null);

/** Where it says what an error asks for. */
const fields = { PASSWORD: "password", TOKEN: "token" };

let language = preferred();
let checked = []; // { file, contents, options, report } or { file, contents, error }: what the page shows.

const spoken = () => saying(language, document.body.dataset.place);
const say = (key, values) => spoken()(key, values);

/** What the settings say; judged for the same moment however often it is asked again. */
function settings(contents) {
  const options = { time: new Date(), language };
  for (const { id, type, files, multiple, value } of given) {
    if (type !== "file") Object.assign(options, value !== "" && { [id]: value });
    else if (multiple) options[{ anchors: "trustAnchors" }[id] ?? id] = [...files];
    else if (files[0]) options.trustedLists = files[0];
  }
  options.contents = [...(options.contents ?? []), ...contents];
  return options;
}

/** Which files are judged, and which lie beside one that signs them: `letter.txt` beside `letter.txt.p7s`. */
function paired(files) {
  const signs = (file, content) => file.name.startsWith(`${content.name}.`) && /\.(p7s|p7m|sig|asice?|tst|tsr|ers|xml|jws|json)$/i.test(file.name.slice(content.name.length));
  const isContent = (content) => files.some((file) => signs(file, content));
  return files.filter((file) => !isContent(file)).map((file) => ({ file, contents: files.filter((content) => signs(file, content)) }));
}

/** Checks files one after the other; what was asked before is forgotten. */
async function check(entries) {
  const asked = (checked = entries);
  document.body.classList.add("busy");
  show();
  for (const entry of entries) {
    element("status").textContent = say("checking", { name: entry.file.name });
    await judge(entry);
    if (checked !== asked) return; // Other files came, or these were cleared.
    show();
  }
  document.body.classList.remove("busy");
  element("status").textContent = "";
  point();
}

async function judge(entry) {
  delete entry.error;
  delete entry.report;
  try {
    if (entry.file.size > most) throw { code: "TOO_LARGE" };
    entry.options = settings(entry.contents);
    entry.report = await validate(entry.file, entry.options);
  } catch (error) {
    entry.error = error;
  }
}

/** The focus goes to the field that is asked for, else to the verdict. */
function point() {
  const field = element(fields[checked.find(({ error }) => error?.code in fields)?.error.code]);
  if (!field) return element("verdict")?.focus();
  field.closest("details").open = true;
  field.closest(".setting").hidden = false;
  field.focus();
}

function show() {
  document.body.classList.toggle("has-result", checked.length > 0);
  const done = checked.filter(({ report, error }) => report || error);
  result.hidden = done.length === 0;
  const say = spoken();
  const documents = done.map((entry, at) => {
    const id = at === 0 ? "verdict" : `verdict-${at + 1}`;
    const actions = { clear: checked.length === 1 && clear, download: (form, button) => download(entry, form, button) };
    const parts = entry.error ? failure(entry.error, entry, id, say, actions) : verdict(entry.report, entry.file, id, say, actions);
    const section = document.createElement("section");
    section.className = "document";
    section.setAttribute("aria-labelledby", id);
    section.append(...parts);
    return section;
  });
  result.replaceChildren(...(checked.length > 1 ? [all(checked, say, { clear })] : []), ...documents);
}

function clear() {
  checked = [];
  document.body.classList.remove("busy");
  element("status").textContent = "";
  for (const input of [element("file"), ...given]) input.value = "";
  show();
  element("file").focus();
}

async function download({ file, options, report }, form, button) {
  button.disabled = true;
  try {
    const bytes = form === "json" ? `${JSON.stringify(report)}\n` : await write(form, file, options);
    const type = { json: "application/json", xml: "application/xml", pdf: "application/pdf" }[form];
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([bytes], { type }));
    link.download = `${file.name}.${form === "pdf" ? "report.pdf" : form}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
    element("status").textContent = say("downloaded", { name: link.download });
  } catch (error) {
    element("status").textContent = [say("unavailable"), error.message].filter(Boolean).join(": ");
  } finally {
    button.disabled = false;
  }
}

function speak() {
  document.documentElement.lang = language;
  document.title = say("title");
  for (const text of document.querySelectorAll("[data-say]")) text.textContent = say(text.dataset.say);
}

function preferred() {
  const known = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find((code) => code in languages);
  return known ?? "en";
}

const select = element("language");
select.append(...Object.entries(languages).map(([code, { name }]) => new Option(name, code, false, code === language)));
for (const option of select.options) option.lang = option.value;
const again = () => checked.length > 0 && check(checked.map(({ file, contents }) => ({ file, contents })));
select.addEventListener("change", () => {
  language = select.value;
  speak();
  again();
});

const take = (files) => files.length > 0 && check(paired([...files]));
const file = element("file");
file.addEventListener("change", () => take(file.files));
for (const input of given) input.addEventListener("change", again);

// Files may be dropped anywhere on the page.
const over = (is) => element("drop").classList.toggle("over", is);
addEventListener("dragover", (event) => { event.preventDefault(); over(true); });
addEventListener("dragleave", (event) => { if (event.relatedTarget === null) over(false); });
addEventListener("drop", (event) => {
  event.preventDefault();
  over(false);
  take(event.dataTransfer.files);
});

speak();
