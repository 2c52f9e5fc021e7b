// Sends a file to this server and shows what it says.

const VERDICTS = {
  "TOTAL-PASSED": ["passed", "✔", "Every signature is valid"],
  "TOTAL-FAILED": ["failed", "✘", "A signature is not valid"],
  INDETERMINATE: ["indeterminate", "?", "The validity of a signature could not be determined"],
  NO_SIGNATURE_FOUND: ["indeterminate", "–", "The file contains no electronic signature"],
};

const element = (id) => document.getElementById(id);
const path = () => `/api/Document/Validate/Pdf/page-${Date.now()}`;
let chosen = null;

function send(file, accept) {
  const headers = { Accept: accept, "Content-Type": "application/octet-stream", "Accept-Language": navigator.language };
  return fetch(path(), { method: "POST", headers, body: file });
}

function say([kind, sign, words], summary) {
  element("verdict").className = kind;
  element("verdict").textContent = `${sign} ${words}`;
  element("summary").textContent = summary;
  element("result").hidden = false;
  element("result").focus();
}

function add(parent, name, text) {
  const child = parent.appendChild(document.createElement(name));
  child.textContent = text;
  return child;
}

function card(signature, index, all) {
  const article = add(element("signatures"), "article", "");
  const [, sign, ] = VERDICTS[signature.indication];
  add(article, "h3", `${sign} Signature ${index + 1} of ${all.length}`);
  const list = add(article, "dl", "");
  const rows = [
    ["Verdict", [signature.indication, signature.sub_indication].filter(Boolean).join(" – ")],
    ["Signed by", signature.signing_certificate?.subject],
    ["Signed at (claimed)", signature.claimed_signing_time],
    ["Proven to exist since", signature.best_signature_time],
    ["Format", signature.level],
    ["Legal level", signature.qualification?.code ?? signature.qualification],
  ];
  for (const [name, value] of rows.filter(([, value]) => typeof value === "string")) {
    add(list, "dt", name);
    add(list, "dd", value);
  }
  const findings = (signature.findings ?? []).filter((finding) => finding.severity !== "info");
  if (findings.length) {
    add(article, "h4", "Why");
    const items = add(article, "ul", "");
    for (const finding of findings) add(items, "li", finding.message);
  }
}

async function judge(file) {
  chosen = file;
  element("signatures").replaceChildren();
  say(["", "…", "Checking"], file.name);
  try {
    const response = await send(file, "application/json");
    const answer = await response.json();
    if (!response.ok) {
      say(["failed", "✘", answer.title ?? "The server could not check the file"], answer.detail ?? "");
      return;
    }
    say(VERDICTS[answer.conclusion.indication], `${file.name}, judged for ${answer.validation_time}`);
    answer.signatures.forEach(card);
  } catch {
    say(["failed", "✘", "The server cannot be reached"], "");
  }
}

async function download(accept, ending) {
  const response = await send(chosen, accept);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await response.blob());
  link.download = `${chosen.name}.report.${ending}`;
  link.click();
  URL.revokeObjectURL(link.href);
}

element("file").addEventListener("change", (event) => event.target.files[0] && judge(event.target.files[0]));
element("as-pdf").addEventListener("click", () => download("application/pdf", "pdf"));
element("as-xml").addEventListener("click", () => download("application/xml", "xml"));
element("clear").addEventListener("click", () => {
  element("result").hidden = true;
  element("file").value = "";
  element("file").focus();
});
document.addEventListener("dragover", (event) => {
  event.preventDefault();
  element("drop").classList.add("over");
});
document.addEventListener("dragleave", () => element("drop").classList.remove("over"));
document.addEventListener("drop", (event) => {
  event.preventDefault();
  element("drop").classList.remove("over");
  if (event.dataTransfer.files[0]) judge(event.dataTransfer.files[0]);
});
