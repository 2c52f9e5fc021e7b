import { LacreError } from "./error.js";

/** The most bytes that one call takes: a third of the memory that a 32-bit module can have. */
const MOST = 1024 * 1024 * 1024;

const KNOWN = ["name", "time", "trustAnchors", "trustedLists", "packedBy", "evidence", "contents", "policy", "suite", "password", "language"];

const refuse = (message) => new LacreError("INVALID_ARGUMENT", message);

/** The bytes of whatever holds bytes: a `File` or other `Blob`, a view, a buffer. */
export async function bytes(source, what) {
  const size = source?.size ?? source?.byteLength;
  if (size > MOST) throw new LacreError("TOO_LARGE", `${what} has ${size} bytes, and at most ${MOST} are taken`);
  if (source instanceof Uint8Array) return source;
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength);
  if (source instanceof ArrayBuffer || Object.prototype.toString.call(source) === "[object ArrayBuffer]") return new Uint8Array(source);
  if (typeof source?.arrayBuffer === "function") return new Uint8Array(await source.arrayBuffer());
  throw refuse(`found ${kind(source)} as ${what}, expected a File, Blob, Uint8Array or ArrayBuffer`);
}

/** The same, or the bytes of a text: PEM, XML, JSON. */
export async function textual(source, what) {
  return typeof source === "string" ? new TextEncoder().encode(source) : bytes(source, what);
}

/** Every option with the type that the module reads; `time` is now where nobody said, unless `stated` may say. */
export async function normal(options = {}, { file, stated = false } = {}) {
  if (options === null || typeof options !== "object") throw refuse(`found ${kind(options)} as options, expected an object`);
  const unknown = Object.keys(options).find((key) => !KNOWN.includes(key));
  if (unknown !== undefined) throw refuse(`found the option \`${unknown}\`, expected ${KNOWN.join(", ")}`);
  const contents = list(options.contents, "contents");
  return {
    name: text(options.name ?? file?.name, "name"),
    time: time(options.time, stated),
    trustAnchors: await all(options.trustAnchors, "trustAnchors"),
    trustedLists: options.trustedLists === undefined ? undefined : await bytes(options.trustedLists, "trustedLists"),
    packedBy: await all(options.packedBy, "packedBy"),
    evidence: await all(options.evidence, "evidence"),
    contents: await Promise.all(contents.map((content) => bytes(content?.bytes ?? content, "a content"))),
    contentNames: contents.map((content) => text(content?.name, "the name of a content") ?? ""),
    policy: options.policy === undefined ? undefined : await textual(options.policy, "policy"),
    suite: options.suite === undefined ? undefined : await textual(options.suite, "suite"),
    password: text(options.password, "password"),
    language: text(options.language, "language") ?? "en",
  };
}

function time(value, stated) {
  if (value === undefined) return stated ? undefined : Date.now();
  if (value instanceof Date && !Number.isNaN(value.getTime())) return value.getTime();
  throw refuse(`found ${kind(value)} as time, expected a valid Date`);
}

function text(value, what) {
  if (value === undefined || typeof value === "string") return value;
  throw refuse(`found ${kind(value)} as ${what}, expected a string`);
}

function list(value, what) {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  throw refuse(`found ${kind(value)} as ${what}, expected an array`);
}

function all(values, what) {
  return Promise.all(list(values, what).map((value) => textual(value, `one of ${what}`)));
}

function kind(value) {
  if (value === null) return "null";
  if (value instanceof Date) return "an invalid Date";
  return typeof value === "object" ? (value.constructor?.name ?? "an object") : typeof value;
}
