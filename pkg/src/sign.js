import { LacreError } from "./error.js";
import { bytes, normal } from "./options.js";

/** How often is judged again. An extension to LTA takes two time-stamps, and responders' own chains some more. */
const ROUNDS = 24;

/** What is asked first about a certificate: a responder needs to know its issuer, and the list is for where it knows nothing. */
const ORDER = ["issuer", "ocsp", "crl"];

const refuse = (message) => new LacreError("INVALID_ARGUMENT", message);

/** `prepare`, `finish` and `extend` over an instance. */
export function signing(instance) {
  /** Prepares a signature. */
  async function prepare(file, request, options) {
    if (request === null || typeof request !== "object") throw refuse("found no request, expected an object with a certificate");
    const { password, contents, time } = known(options, ["password", "contents", "time"]);
    const [document, settled] = await Promise.all([bytes(file, "the document"), normal({ password, contents, time: second(time) })]);
    const asked = await plain({ ...request, certificate: encoded(request.certificate), chain: request.chain?.map(encoded) });
    return prepared(await instance.call("prepare", document, settled, JSON.stringify(asked)));
  }

  /** Finishes a signature with its value. */
  async function finish(file, { state }, value, options) {
    const { password, contents, time, level = "B", fetch, digestAlgorithm = "SHA-256" } = known(options, [
      "password", "contents", "time", "level", "fetch", "digestAlgorithm",
    ]);
    if (level !== "B" && level !== "T") throw refuse(`found the level ${level}, expected B or T; extend reaches those above`);
    const [document, settled] = await Promise.all([bytes(file, "the document"), normal({ password, contents, time })]);
    const stored = new TextEncoder().encode(JSON.stringify(state));
    const signature = await made(value, prepared(await instance.call("describe", stored)));
    // First without a time-stamp: whether value and document are good is known before one is asked for.
    const signed = await instance.call("finish", document, settled, stored, signature);
    if (level === "B") return signed;
    const wanted = told(JSON.parse(await instance.call("wantedTimestamp", stored, signature, digestAlgorithm)));
    return instance.call("finish", document, settled, stored, signature, await timestamp(fetch, wanted));
  }

  /** Extends a document. */
  async function extend(file, options) {
    const { password, contents, time, trustAnchors, evidence = [], fetch, ...request } = known(options, [
      "password", "contents", "time", "trustAnchors", "evidence", "fetch",
      "level", "signatures", "freshness", "overlook", "digestAlgorithm", "noRenewal",
    ]);
    const document = await bytes(file, "the document");
    const [timestamps, attempts, asked] = [[], [], new Set()];
    const all = [...evidence];
    for (let round = 0; round < ROUNDS; round += 1) {
      const settled = await normal({ password, contents, trustAnchors, evidence: all, time: second(time) });
      const json = [JSON.stringify(request), timestamps, JSON.stringify(attempts)];
      const [wants, result, extended] = await instance.call("extend", document, settled, ...json);
      if (wants === undefined) return { bytes: extended, ...JSON.parse(result) };
      const wanted = JSON.parse(wants).map(told);
      if (fetch === undefined) throw missing(wanted);
      for (const want of wanted.filter(({ kind }) => kind === "timestamp")) timestamps.push(await timestamp(fetch, want));
      const now = next(wanted, asked, attempts);
      const found = await Promise.all(now.map((want) => fetch(want)));
      for (const [place, answer] of found.entries()) {
        if (answer === undefined) attempts.push(...vain(now[place], "it gave nothing"));
        else all.push(await bytes(answer, "what fetch gave"));
      }
    }
    throw new LacreError("INTERNAL", `found more wanted after ${ROUNDS} rounds, expected an end`);
  }

  return { init: (source) => instance.init(source), prepare, finish, extend };
}

/** Options without one of another name. */
function known(options = {}, names) {
  if (options === null || typeof options !== "object") throw refuse(`found ${typeof options} as options, expected an object`);
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined) throw refuse(`found the option \`${unknown}\`, expected ${names.join(", ")}`);
  return options;
}

/** Moments are stated in seconds: those of the same second are the same. */
function second(time) {
  return time ?? new Date(Math.floor(Date.now() / 1000) * 1000);
}

/** Evidence to ask for now: of each certificate what helps most. What is wanted again was of no use. */
function next(wanted, asked, attempts) {
  const [now, about] = [[], new Set()];
  const evidence = wanted.filter(({ kind }) => ORDER.includes(kind));
  for (const want of evidence.toSorted((a, b) => ORDER.indexOf(a.kind) - ORDER.indexOf(b.kind))) {
    const key = `${want.kind} ${want.about}`;
    if (asked.has(key)) attempts.push(...vain(want, "what it answers is not accepted, or not recent enough"));
    else if (!about.has(want.about)) {
      about.add(want.about);
      asked.add(key);
      now.push(want);
    }
  }
  return now;
}

const vain = ({ kind, about, urls }, reason) => urls.map((url) => ({ kind, about, url, reason }));

function missing(wanted) {
  const kinds = [...new Set(wanted.map(({ kind }) => kind))].join(", ");
  const hint = "give fetch, which asks for it, or evidence";
  return new LacreError("evidence-missing", `found nothing that is as wanted, expected: ${kinds}`, { hint, wanted });
}

async function timestamp(fetch, wanted) {
  if (fetch === undefined) throw missing([wanted]);
  const answer = await fetch(wanted);
  if (answer !== undefined) return bytes(answer, "the time-stamp that fetch gave");
  throw new LacreError("tsa-unreachable", "found no time-stamp, expected one of fetch", { hint: "ask another authority, or finish at level B" });
}

/** A signature value: as it is, by a key of WebCrypto, or by a function. */
async function made(value, prepared) {
  if (typeof value === "function") return bytes(await value(prepared), "the signature value");
  if (Object.prototype.toString.call(value) !== "[object CryptoKey]") return bytes(value, "the signature value");
  const { name } = value.algorithm;
  const length = Number(prepared.digestAlgorithm?.replace(/^SHA-?/, ""));
  const algorithm = {
    ECDSA: { name, hash: `SHA-${length}` },
    "RSASSA-PKCS1-v1_5": { name },
    // RFC 4055 §3.1 as CAdES and PAdES have it: the salt is as long as the digest.
    "RSA-PSS": { name, saltLength: length / 8 },
    Ed25519: { name },
  }[name];
  if (algorithm === undefined) throw refuse(`found a key for ${name}, expected one that signs`);
  return new Uint8Array(await crypto.subtle.sign(algorithm, value, prepared.toBeSigned));
}

function prepared(json) {
  const read = JSON.parse(json);
  return { ...read, digest: decoded(read.digest), toBeSigned: decoded(read.toBeSigned) };
}

function told(want) {
  const { request, imprint } = want;
  return { ...want, ...(request && { request: decoded(request) }), ...(imprint && { imprint: decoded(imprint) }) };
}

/** A value as JSON has it: bytes in Base64, moments as text. */
async function plain(value) {
  if (value === null || typeof value !== "object") return value;
  if (value instanceof Date) {
    if (Number.isNaN(value.getTime())) throw refuse("found an invalid Date, expected a moment");
    return value.toISOString();
  }
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (ArrayBuffer.isView(value) || value instanceof ArrayBuffer || typeof value.arrayBuffer === "function") {
    return base64(await bytes(value, "bytes of the request"));
  }
  const members = Object.entries(value).map(async ([name, member]) => [name, await plain(member)]);
  return Object.fromEntries(await Promise.all(members));
}

/** A certificate in PEM as bytes. */
const encoded = (certificate) => (typeof certificate === "string" ? new TextEncoder().encode(certificate) : certificate);

const decoded = (text) => Uint8Array.from(atob(text), (character) => character.charCodeAt(0));

function base64(whole) {
  let text = "";
  for (let at = 0; at < whole.length; at += 8192) text += String.fromCharCode(...whole.subarray(at, at + 8192));
  return btoa(text);
}
