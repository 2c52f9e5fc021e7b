// What the functions of the package promise, in Node.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { LacreError, init, inspect, judge, validate } from "../../../../pkg/node.js";
import { etsi, html, pdf, text } from "../../../../pkg/report.node.js";
import * as slim from "../../../../pkg/slim.node.js";
import * as glue from "../../../../pkg/lacre.js";
import { Instance } from "../../../../pkg/src/instance.js";
import { TIME, examples } from "./support.mjs";

const time = new Date(TIME);
const example = (name) => readFile(path.join(examples, name));
const contract = await example("contract.pdf");
const root = await example("root.der");
const encrypted = await example("encrypted.pdf");

test("a document, its verdict", async () => {
  for (const [name, indication] of [
    ["contract.pdf", "TOTAL-PASSED"],
    ["contract-tampered.pdf", "TOTAL-FAILED"],
    ["not-signed.pdf", "NO_SIGNATURE_FOUND"],
  ]) {
    const report = await validate(await example(name), { time, trustAnchors: [root], name });
    assert.equal(report.conclusion.indication, indication, name);
    assert.equal(report.document.name, name);
  }
});

test("a password opens a document", async () => {
  const report = await validate(encrypted, { time, password: "p\u00e4ss" });
  assert.equal(report.conclusion.indication, "NO_SIGNATURE_FOUND");
});

test("every kind of bytes is taken", async () => {
  const expected = await validate(contract, { time });
  const buffer = contract.buffer.slice(contract.byteOffset, contract.byteOffset + contract.length);
  for (const bytes of [buffer, new Blob([contract]), new DataView(buffer), new Uint8Array(contract)]) {
    assert.deepEqual(await validate(bytes, { time }), expected, bytes.constructor.name);
  }
  const file = new File([contract], "named.pdf");
  assert.equal((await validate(file, { time })).document.name, "named.pdf");
  assert.equal((await validate(file, { time, name: "other.pdf" })).document.name, "other.pdf");
});

test("without a time it is now", async () => {
  const before = Date.now();
  const report = await validate(contract);
  const judged = Date.parse(report.validation_time);
  assert.ok(before <= judged && judged <= Date.now(), report.validation_time);
});

test("detached contents are handed in under their names", async () => {
  const letter = await example("letter.txt.p7s");
  const alone = await validate(letter, { time });
  assert.ok(alone.wanted.some((wanted) => wanted.kind === "content"));
  const wrong = await validate(letter, { time, contents: [{ name: "letter.txt", bytes: new Uint8Array([1]) }] });
  assert.equal(wrong.signatures[0].sub_indication, "HASH_FAILURE");
});

test("facts, judged, give the report that validating gives", async () => {
  const options = { time, trustAnchors: [root], name: "contract.pdf" };
  const facts = await inspect(contract, options);
  assert.equal(facts.schema, "lacre-facts/1");
  const report = await validate(contract, options);
  for (const stored of [facts, JSON.stringify(facts)]) assert.deepEqual(await judge(stored), report);
  const later = await judge(facts, { time: new Date("2040-01-01") });
  assert.notEqual(later.conclusion.indication, "TOTAL-PASSED");
});

test("reports are the same from a document and from its facts", async () => {
  const options = { time, trustAnchors: [root], name: "contract.pdf", language: "pt" };
  const facts = await inspect(contract, options);
  for (const write of [etsi, text, html]) {
    assert.equal(await write(contract, options), await write(facts, { language: "pt" }));
  }
  const page = await pdf(contract, options);
  assert.deepEqual(page, await pdf(facts, { language: "pt" }));
  assert.equal(new TextDecoder().decode(page.subarray(0, 5)), "%PDF-");
});

test("other languages say other sentences and the same codes", async () => {
  const codes = (report) => report.signatures[0].findings.map((finding) => finding.check);
  const english = await validate(contract, { time });
  const german = await validate(contract, { time, language: "de" });
  assert.deepEqual(codes(german), codes(english));
  assert.notEqual(german.signatures[0].findings[0].message, english.signatures[0].findings[0].message);
});

test("failures are errors with a code", async () => {
  const bytes = (words) => new TextEncoder().encode(words);
  for (const [code, call] of [
    ["UNKNOWN_FORMAT", () => validate(bytes("a letter"))],
    ["UNKNOWN_FORMAT", () => validate(new Uint8Array())],
    ["UNSUPPORTED_FORMAT", () => validate(bytes("<a/>"))],
    ["UNREADABLE", () => validate(bytes("%PDF-1.7"))],
    ["PASSWORD", () => validate(encrypted)],
    ["PASSWORD", () => validate(encrypted, { password: "wrong" })],
    ["INVALID_EVIDENCE", () => validate(contract, { trustAnchors: [bytes("no certificate")] })],
    ["INVALID_EVIDENCE", () => validate(contract, { evidence: [contract] })],
    ["INVALID_TRUSTED_LISTS", () => validate(contract, { trustedLists: contract })],
    ["INVALID_POLICY", () => validate(contract, { policy: "<a/>" })],
    ["INVALID_SUITE", () => validate(contract, { suite: "{}" })],
    ["INVALID_FACTS", () => judge("{}")],
    ["INVALID_ARGUMENT", () => validate(contract, { trustAnchor: root })],
    ["INVALID_ARGUMENT", () => validate(contract, { time: "now" })],
    ["INVALID_ARGUMENT", () => validate(contract, { time: new Date(Number.NaN) })],
    ["INVALID_ARGUMENT", () => validate(contract, { language: "la" })],
    ["INVALID_ARGUMENT", () => validate("contract.pdf")],
    ["INVALID_ARGUMENT", () => validate(undefined)],
    ["TOO_LARGE", () => validate({ size: 2 ** 31, arrayBuffer() {} })],
    ["UNSUPPORTED_FORMAT", () => slim.validate(bytes("<a/>"))],
    ["UNSUPPORTED_FORMAT", () => slim.validate(bytes("{}"))],
    ["INVALID_TRUSTED_LISTS", () => slim.validate(contract, { trustedLists: bytes("lacre-trust/1\n") })],
  ]) {
    await assert.rejects(call, (error) => {
      assert.ok(error instanceof LacreError && error instanceof Error, String(error));
      assert.equal(error.code, code, `${call}: ${error.message}`);
      assert.ok(error.message.length > 0 && error.name === "LacreError");
      return true;
    });
  }
  const advised = await validate(bytes("a letter")).catch((error) => error);
  assert.match(advised.hint, /signed file/);
  const without = await slim.validate(contract, { trustedLists: bytes("lacre-trust/1\n") }).catch((error) => error);
  assert.match(without.message, /found trusted lists/);
  assert.match(without.hint, /full module/);
});

test("init loads once, from wherever it is told", async () => {
  assert.equal(init(), init());
  const fresh = await import("../../../../pkg/lacre.js?fresh");
  let loaded = 0;
  const instance = new Instance(fresh, () => (loaded += 1));
  const module = await WebAssembly.compile(await readFile(new URL("../../../../pkg/lacre_bg.wasm", import.meta.url)));
  assert.equal(instance.init(module), instance.init(module));
  await instance.init();
  assert.equal(loaded, 0);
});

test("the slim module says of PDF and CMS what the other says", async () => {
  for (const name of ["contract.pdf", "contract-tampered.pdf", "letter.txt.p7s"]) {
    const document = await example(name);
    const options = { time, trustAnchors: [root], name };
    assert.deepEqual(await slim.validate(document, options), await validate(document, options), name);
    assert.equal(await slim.etsi(document, options), await etsi(document, options), name);
  }
});

test("a module that is none is an error, and another try may do", async () => {
  const instance = new Instance(glue, () => new Uint8Array([1, 2, 3]));
  await assert.rejects(instance.init(Promise.reject(new Error("gone"))), (error) => error.code === "LOAD");
});

test("after a trap the next call works", async () => {
  const instance = new Instance(glue, () => undefined);
  // Deep in JavaScript there is no stack left for the module: the engine stops it somewhere inside.
  const settled = { trustAnchors: [], packedBy: [], evidence: [], contents: [], contentNames: [], language: "en", time: time.getTime() };
  let stopped = 0;
  const dive = () => {
    try {
      return dive();
    } catch {
      try {
        glue.validate(contract, settled);
      } catch (error) {
        stopped += 1;
        throw error;
      }
    }
  };
  try {
    dive();
  } catch {
    // As hoped for.
  }
  assert.ok(stopped > 0, "the module was never stopped");
  const throwing = { ...settled, get name() { throw new RangeError("stopped"); } };
  await assert.rejects(instance.call("validate", contract, throwing), (error) => error.code === "INTERNAL" && error.cause instanceof Error);
  assert.equal((await validate(contract, { time, trustAnchors: [root] })).conclusion.indication, "TOTAL-PASSED");
});

test("many calls at once do not disturb each other", async () => {
  const names = ["contract.pdf", "contract-tampered.pdf", "revoked.pdf", "not-signed.pdf"];
  const files = await Promise.all(names.map(example));
  const options = { time, trustAnchors: [root] };
  const alone = [];
  for (const file of files) alone.push(await validate(file, options));
  const together = await Promise.all([...files, ...files].map((file) => validate(file, options)));
  assert.deepEqual(together, [...alone, ...alone]);
});
