// What the page shows of a report: one sentence, then a card a signature, then depth behind disclosures.

/** An element with attributes, listeners and children; what is null is left out. */
function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return element;
}

/** How each indication looks and is called: a tint, a sign, a word. */
const tones = {
  "TOTAL-PASSED": ["passed", "✓", "valid"],
  PASSED: ["passed", "✓", "valid"],
  "TOTAL-FAILED": ["failed", "✕", "invalid"],
  FAILED: ["failed", "✕", "invalid"],
  INDETERMINATE: ["open", "?", "unknown"],
  NO_SIGNATURE_FOUND: ["note", "–", "none"],
};

const severities = { error: "failed", warning: "open", info: "note" };

/** The line above the answers for several files. */
export function all(entries, say, actions) {
  const passed = entries.filter(({ report }) => report?.conclusion.indication === "TOTAL-PASSED").length;
  return make(
    "ul",
    { class: "actions all" },
    make("li", {}, make("strong", {}, say("files", { n: entries.length, passed }))),
    make("li", { class: "end" }, make("button", { type: "button", class: "plain", onclick: actions.clear }, say("clear"))),
  );
}

/** The whole answer for a report; `id` is the verdict's. */
export function verdict(report, file, id, say, actions) {
  const indication = report.conclusion.indication;
  const [tone, sign] = tones[indication];
  const count = report.conclusion.signatures;
  return [
    banner(id, tone, sign, headline(report, say), explanation(report, say), facts(file, report, say)),
    controls(report, say, actions),
    ...report.signatures.map((signature, at) => signatureCard(signature, at, count, report, say)),
    ...standalone(report).map((stamp) => tokenCard(stamp, say("timestamp"), report, say)),
    ...report.evidence_records.map((record) => tokenCard(record, say("evidenceRecord"), report, say)),
    wanted(report, say),
    about(report, say),
  ].filter((part) => part !== null);
}

/** What the page says of an error: a heading and a text. */
const failures = {
  TOO_LARGE: ["tooLarge", "tooLargeText"],
  PASSWORD: ["locked", "lockedText"],
  TOKEN: ["closed", "closedText"],
  LOAD: ["unavailable", "unavailableText"],
  INTERNAL: ["unavailable", "unavailableText"],
};

/** The whole answer for a file that could not be judged; there is no report to save. */
export function failure({ code, message, hint }, { file, options }, id, say, actions) {
  const [title, text] = failures[code] ?? ["unreadable", "unreadableText"];
  const wrong = code === "PASSWORD" && options?.password !== undefined;
  const told = code !== "PASSWORD" && code !== "TOKEN" && message;
  const detail = told && make("details", { class: "more" }, make("summary", {}, say("details")), make("p", { lang: "en" }, [message, hint].filter(Boolean).join(". ")));
  return [
    banner(id, "note", "!", say(title), say(wrong ? "wrongText" : text), file.name),
    actions.clear ? make("ul", { class: "actions" }, cleared(say, actions)) : null,
    detail || null,
  ].filter((part) => part !== null);
}

const cleared = (say, actions) => actions.clear && make("li", { class: "end" }, make("button", { type: "button", class: "plain", onclick: actions.clear }, say("clear")));

function banner(id, tone, sign, title, text, detail) {
  return make(
    "div",
    { class: `verdict ${tone}` },
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("h2", { id, tabindex: "-1" }, title),
    make("p", {}, text),
    make("p", { class: "file" }, detail),
  );
}

function headline(report, say) {
  const { indication, signatures, passed } = report.conclusion;
  if (indication === "NO_SIGNATURE_FOUND") return say("none");
  if (signatures === 0) return say(`stamp-${tones[indication][2]}`);
  const word = tones[indication][2];
  if (signatures === 1) return say(`one-${word}`);
  return say(`many-${word}`, { n: signatures, passed });
}

function explanation(report, say) {
  const { indication, signatures } = report.conclusion;
  const qualified = report.signatures.every((signature) => /^QES(IG|EAL)$/.test(signature.qualification));
  if (indication === "TOTAL-PASSED" && signatures > 0) return say(qualified ? "qualifiedText" : "validText");
  if (indication === "INDETERMINATE" && !report.certificates.some((certificate) => certificate.trusted)) return say("untrustedText");
  return say(`${tones[indication][2]}Text`);
}

function facts(file, report, say) {
  const size = new Intl.NumberFormat(say.locale, { style: "unit", unit: "kilobyte", maximumFractionDigits: 0 });
  return `${file.name} · ${size.format(Math.max(1, file.size / 1000))} · ${say("judgedAt", { time: moment(report.validation_time, say) })}`;
}

function controls(report, say, actions) {
  const save = (form, label) =>
    make("li", {}, make("button", { type: "button", class: form === "pdf" ? "" : "plain", onclick: (event) => actions.download(form, event.currentTarget) }, label));
  return make(
    "ul",
    { class: "actions", "aria-label": say("downloads") },
    save("pdf", say("savePdf")),
    save("json", "JSON"),
    save("xml", "ETSI XML"),
    cleared(say, actions) || null,
  );
}

function signatureCard(signature, at, count, report, say) {
  const [tone, sign, word] = tones[signature.indication];
  const signer = signature.signing_certificate;
  const kicker = count === 1 ? say("signature") : say("signatureOf", { at: at + 1, n: count });
  // Where nothing proves a time, the best one known is that of the judgement itself.
  const proven = signature.best_signature_time !== report.validation_time;
  return make(
    "article",
    { class: `card ${tone}`, "data-indication": signature.indication },
    head(sign, kicker, signature.signer?.name ?? signer?.name ?? say("unknownSigner"), say(word), signature.sub_indication),
    make("p", { class: "legal" }, signature.qualification_text),
    rows([
      [say("organisation"), organisation(signature.signer)],
      [say("claimed"), signature.claimed_signing_time && moment(signature.claimed_signing_time, say)],
      [say("proven"), proven && moment(signature.best_signature_time, say)],
      [say("covers"), signature.scope.map((scope) => scopeText(scope, signature, say)).join(", ") || null],
      [say("issuer"), signer && commonName(signer.issuer)],
      [say("certificateDates"), signer && `${day(signer.not_before, say)} – ${day(signer.not_after, say)}`],
      [say("revocation"), revocation(signer, report, say)],
      [say("level"), signature.level],
      [say("trustService"), signature.trust_service && [signature.trust_service.service, signature.trust_service.country].filter(Boolean).join(" · ")],
    ]),
    findings(signature.findings, say),
    depth(signature, report, say),
  );
}

function tokenCard(token, kicker, report, say) {
  const [tone, sign, word] = tones[token.indication];
  const signer = token.signing_certificate;
  return make(
    "article",
    { class: `card ${tone}`, "data-indication": token.indication },
    head(sign, kicker, signer?.name ?? token.type ?? kicker, say(word), token.sub_indication),
    rows([[say("proven"), moment(token.time, say)], [say("issuer"), signer && commonName(signer.issuer)]]),
    findings(token.findings, say),
  );
}

/** Time-stamps that belong to no signature. */
function standalone(report) {
  const owned = new Set(report.signatures.flatMap((signature) => signature.timestamps));
  return report.signatures.length > 0 ? report.timestamps.filter((stamp) => !owned.has(stamp.id)) : report.timestamps;
}

function head(sign, kicker, title, word, code) {
  return make(
    "header",
    {},
    make("span", { class: "sign", "aria-hidden": "true" }, sign),
    make("div", {}, make("p", { class: "kicker" }, kicker), make("h3", {}, title), make("p", { class: "word" }, word, code && make("span", { class: "code" }, ` ${code}`))),
  );
}

function rows(pairs) {
  return make("dl", {}, pairs.filter(([, value]) => value).flatMap(([term, value]) => [make("dt", {}, term), make("dd", {}, value)]));
}

function findings(list, say) {
  const same = (one, other) => one.check === other.check && one.message === other.message && one.subject === other.subject;
  const told = list.filter((finding, at) => list.findIndex((other) => same(finding, other)) === at);
  if (told.length === 0) return null;
  return make(
    "ul",
    { class: "findings", "aria-label": say("findings") },
    told.map((finding) => make("li", { class: severities[finding.severity] }, make("strong", { class: "about" }, finding.subject), finding.message, make("span", { class: "code" }, [finding.check, finding.compared].filter(Boolean).join(" · ")))),
  );
}

/** Of an organisation: its name, where it is not the signer's own, and its identifier. */
function organisation(signer) {
  if (!signer?.organisation || signer.organisation === signer.name) return signer?.organisation_identifier?.value;
  const identifier = signer.organisation_identifier?.value;
  return identifier ? `${signer.organisation} (${identifier})` : signer.organisation;
}

/** What is known of the revocation of a certificate: the last word of who may say so. */
function revocation(certificate, report, say) {
  const id = certificate && report.certificates.find(({ sha256 }) => sha256 === certificate.sha256)?.id;
  const stated = report.revocations.filter((entry) => id && entry.certificate === id && entry.status !== null);
  const last = stated.find(({ status }) => status === "REVOKED") ?? stated.sort((one, other) => (other.this_update ?? "").localeCompare(one.this_update ?? ""))[0];
  return last && `${status(last, say)} (${statedBy(last, say)})`;
}

function status({ status, revocation_time, reason }, say) {
  const text = say(`revocation-${status}`, { time: revocation_time ? moment(revocation_time, say) : "?" });
  return status === "REVOKED" && reason ? `${text} (${reason})` : text;
}

function statedBy({ type, producer, this_update }, say) {
  return say("statedBy", { kind: type.toUpperCase(), producer: producer ?? "?", time: this_update ? moment(this_update, say) : "?" });
}

/** What CRLs and OCSP responses say of the certificates in a signature's chain. */
function revocations(signature, report, say) {
  const names = new Map(report.certificates.filter(({ sha256 }) => signature.chain.includes(sha256)).map(({ id, name }) => [id, name]));
  const stated = report.revocations.filter(({ certificate, status }) => names.has(certificate) && status !== null);
  return stated.map((entry) => [names.get(entry.certificate), status(entry, say), statedBy(entry, say)]);
}

/** For experts: building blocks, chain, time-stamps, algorithm. */
function depth(signature, report, say) {
  const blocks = Object.entries(signature.blocks).map(([block, outcome]) => [block, outcome.indication, outcome.sub_indication ?? ""]);
  const subjects = new Map(report.certificates.map((certificate) => [certificate.sha256, certificate]));
  const chain = signature.chain.map((sha256) => [subjects.get(sha256)?.name ?? "?", subjects.get(sha256)?.trusted ? say("trusted") : "", sha256 ?? ""]);
  const stamps = report.timestamps
    .filter((stamp) => signature.timestamps.includes(stamp.id))
    .map((stamp) => [stamp.type, moment(stamp.time, say), [stamp.indication, stamp.sub_indication].filter(Boolean).join(" ")]);
  const { signature: name, digest, key } = signature.algorithm;
  return make(
    "details",
    {},
    make("summary", {}, say("details")),
    rows([
      [say("algorithm"), [name, digest, key && `${key} bit`].filter(Boolean).join(" · ")],
      [say("subject"), signature.signing_certificate?.subject],
      [say("serial"), signature.signing_certificate?.serial],
    ]),
    table(say("chain"), [say("certificate"), say("trust"), "SHA-256"], chain),
    table(say("revocations"), [say("certificate"), say("outcome"), say("producer")], revocations(signature, report, say)),
    table(say("timestamps"), [say("kind"), say("time"), say("outcome")], stamps),
    table(say("blocks"), [say("block"), say("outcome"), say("reason")], blocks),
  );
}

function table(title, heads, lines) {
  if (lines.length === 0) return null;
  return make(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": title },
    make(
      "table",
      {},
      make("caption", {}, title),
      make("thead", {}, make("tr", {}, heads.map((text) => make("th", { scope: "col" }, text)))),
      make("tbody", {}, lines.map((line) => make("tr", {}, line.map((cell, at) => (at === 0 ? make("th", { scope: "row" }, cell) : make("td", {}, cell)))))),
    ),
  );
}

function wanted(report, say) {
  if (report.wanted.length === 0) return null;
  const places = new Map(report.wanted.map((want) => [`${want.kind} ${want.urls.join(" ")}`, want]));
  return make(
    "details",
    { class: "more" },
    make("summary", {}, say("wanted")),
    make("p", {}, say("wantedText")),
    make("ul", {}, [...places.values()].map((want) => make("li", {}, make("strong", {}, say(`wanted-${want.kind}`)), want.urls.length > 0 ? `: ${want.urls.join(", ")}` : ""))),
  );
}

function about(report, say) {
  const { policy, generator, document } = report;
  return make(
    "details",
    { class: "more" },
    make("summary", {}, say("about")),
    rows([
      [say("policy"), policy.name],
      [say("software"), `${generator.name} ${generator.version}`],
      [say("digest"), document.sha256],
    ]),
  );
}

function scopeText({ name, kind }, { format }, say) {
  // What was appended to a PDF after a signature is outside of it, and told by what was found.
  if (format === "PAdES" && kind === "PARTIAL") return say("scope-REVISION");
  const how = say(kind === "FULL" ? "scope-FULL" : "scope-PARTIAL");
  return name ? `${name} (${how})` : how;
}

/** The common name in a name of RFC 2253, else the whole name. */
function commonName(name) {
  const found = /(?:^|,\s*)CN=((?:\\.|[^,\\])*)/i.exec(name);
  return found ? found[1].replace(/\\(.)/g, "$1") : name;
}

const moment = (time, say) => new Intl.DateTimeFormat(say.locale, { dateStyle: "long", timeStyle: "medium", timeZone: "UTC" }).format(new Date(time)) + " UTC";
const day = (time, say) => new Intl.DateTimeFormat(say.locale, { dateStyle: "medium", timeZone: "UTC" }).format(new Date(time));
