// Signing and extending in Node: keys in WebCrypto, time-stamps and OCSP responses by the command.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { before, test } from "node:test";
import { validate } from "../../../../pkg/node.js";
import { LacreError, extend, finish, init, prepare } from "../../../../pkg/sign.node.js";
import { command, examples, folder, run } from "./support.mjs";

const skip = command ? false : "needs the command: cargo build --package lacre-cli";
const at = folder("sign");
const file = (name) => readFileSync(path.join(at, name));
const issue = (line) => run(command, ["issue", ...line.split(" ")], { cwd: at });
const letter = readFileSync(path.join(examples, "letter.txt"));
const form = readFileSync(path.join(examples, "not-signed.pdf"));

const COMPANY = "--country EE --organization Example --organization-identifier NTREE-12345678";
const BY = "--issuer root.der --issuer-key root.key";
const PERSON = "--country PT --given-name Ana --surname Silva --serial-number PASPT-1";
const OCSP = "http://ocsp.example/";

before(() => {
  if (skip) return;
  issue(`root ${COMPANY} --common-name Root --key root.key --new-key ecdsa-p384 -o root.der`);
  for (const kind of ["ecdsa-p256", "rsa-3072"]) issue(`user ${BY} ${PERSON} --key ${kind}.key --new-key ${kind} -o ${kind}.der`);
  issue(`user ${BY} ${PERSON} --ocsp-url ${OCSP} --key asked.key --new-key ecdsa-p256 -o asked.der`);
  issue(`user ${BY} ${COMPANY} --profile timestamp-unit --common-name Stamps --key tsu.key --new-key ecdsa-p256 -o tsu.der`);
  list();
});

/** The root's list as of now. */
function list() {
  issue(`crl ${BY} --number 1 -o root.crl`);
  return file("root.crl");
}

/** What an authority answers. */
function stamped(request) {
  writeFileSync(path.join(at, "request"), request);
  issue("timestamp --issuer tsu.der --issuer-key tsu.key --request request -o response");
  return file("response");
}

/** Asks for what is wanted, and notes it. */
const asking = (asked, more = {}) => async (wanted) => {
  asked.push(wanted.kind);
  if (wanted.kind === "timestamp") return (more.timestamp ?? stamped)(wanted.request);
  assert.deepEqual([wanted.kind, wanted.urls, wanted.contentType], ["ocsp", [OCSP], "application/ocsp-request"]);
  writeFileSync(path.join(at, "request"), wanted.request);
  issue(`ocsp --authority root.der ${BY} --request request -o response`);
  return file("response");
};

const request = (name, more) => ({ certificate: file(`${name}.der`), chain: [file("root.der")], ...more });
const imported = (name, algorithm) => crypto.subtle.importKey("pkcs8", file(`${name}.key`), algorithm, false, ["sign"]);
const ecdsa = () => imported("ecdsa-p256", { name: "ECDSA", namedCurve: "P-256" });

async function assertSigned(bytes, level, { contents } = {}) {
  const options = { trustAnchors: [file("root.der")], evidence: [file("root.crl")], contents };
  const report = await validate(bytes, options);
  assert.equal(report.conclusion.indication, "TOTAL-PASSED", JSON.stringify(report.signatures[0].findings));
  assert.deepEqual(report.signatures.map((signature) => signature.level), [level]);
}

const code = (expected) => (error) => {
  assert.ok(error instanceof LacreError);
  assert.equal(error.code, expected, error.message);
  return true;
};

test("keys of WebCrypto", { skip }, async () => {
  await init();
  for (const [name, algorithm, more, stated] of [
    ["ecdsa-p256", { name: "ECDSA", namedCurve: "P-256" }, {}, "SHA256withECDSA"],
    ["rsa-3072", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" }, {}, "SHA256withRSA"],
    ["rsa-3072", { name: "RSA-PSS", hash: "SHA-512" }, { signatureAlgorithm: "PS512" }, "SHA512withRSASSA-PSS"],
  ]) {
    const key = await imported(name, algorithm);
    for (const [document, format] of [[form, "PAdES"], [letter, "CAdES"]]) {
      const prepared = await prepare(document, request(name, { level: "T", ...more }));
      assert.deepEqual([prepared.algorithm, prepared.needsMessage], [stated, false]);
      const function_ = prepared.digestAlgorithm.replace("SHA", "SHA-");
      assert.deepEqual(prepared.digest, new Uint8Array(await crypto.subtle.digest(function_, prepared.toBeSigned)));
      await assertSigned(await finish(document, prepared, key), `${format}-BASELINE-B`);
      const asked = [];
      const signed = await finish(document, prepared, key, { level: "T", fetch: asking(asked) });
      assert.deepEqual(asked, ["timestamp"]);
      await assertSigned(signed, `${format}-BASELINE-T`);
    }
  }
});

test("a state travels, a function signs", { skip }, async () => {
  const key = await ecdsa();
  const parameters = { claimedRoles: ["Procurador"], country: "PT", signingTime: new Date() };
  const asked = request("ecdsa-p256", { parameters, options: { packaging: "detached" } });
  const time = new Date();
  const { state } = await prepare(new Blob([letter]), asked, { time });
  assert.deepEqual((await prepare(letter, asked, { time })).state, state, "the same for the same");
  const stored = JSON.parse(JSON.stringify({ state }));
  const sign = async ({ toBeSigned }) => crypto.subtle.sign({ name: "ECDSA", hash: "SHA-256" }, key, toBeSigned);
  const signed = await finish(letter, stored, sign);
  await assertSigned(signed, "CAdES-BASELINE-B", { contents: [{ name: "letter.txt", bytes: letter }] });
});

test("extended to LTA, with evidence at hand", { skip }, async () => {
  const key = await ecdsa();
  for (const [document, format] of [[form, "PAdES"], [letter, "CAdES"]]) {
    const prepared = await prepare(document, request("ecdsa-p256", { level: "LTA" }));
    const asked = [];
    const signed = await finish(document, prepared, key, { level: "T", fetch: asking(asked) });
    const evidence = [list()];
    const trustAnchors = [file("root.der")];
    const lt = await extend(signed, { level: "LT", trustAnchors, evidence });
    assert.equal(lt.level, `${format}-BASELINE-LT`, "nothing is wanted: fetch is not needed");
    const lta = await extend(lt.bytes, { trustAnchors, fetch: asking(asked) });
    assert.deepEqual([lta.level, asked.length], [`${format}-BASELINE-LTA`, 2], "one time-stamp each");
    const [{ before: was, after, error }] = lta.signatures;
    assert.deepEqual([was, after, error], [`${format}-BASELINE-LT`, `${format}-BASELINE-LTA`, undefined]);
    await assertSigned(lta.bytes, `${format}-BASELINE-LTA`);
    await assert.rejects(extend(lta.bytes, { level: "LT", trustAnchors }), code("already-at-level"));
  }
});

test("extended from B, with evidence that is asked for", { skip }, async () => {
  const key = await imported("asked", { name: "ECDSA", namedCurve: "P-256" });
  const signed = await finish(form, await prepare(form, request("asked", {})), key);
  const trustAnchors = [file("root.der")];
  const options = { trustAnchors, evidence: [list()], freshness: "accept-older" };
  const asked = [];
  const fresh = { ...options, freshness: "strict", evidence: [] };
  // The unit's list has to be of after its time-stamp for LT, and of its time for LTA.
  const timestamp = (request) => {
    const response = stamped(request);
    fresh.evidence.push(list());
    return response;
  };
  const { bytes, level } = await extend(signed, { ...options, fetch: asking(asked, { timestamp }) });
  assert.equal(level, "PAdES-BASELINE-LTA");
  assert.equal(asked.filter((kind) => kind === "timestamp").length, 2, asked.join(" "));
  await assertSigned(bytes, "PAdES-BASELINE-LTA");
  await assert.rejects(extend(signed, { trustAnchors }), (error) => {
    assert.deepEqual(error.wanted.map(({ kind }) => kind), ["timestamp"]);
    assert.ok(error.hint && error.wanted[0].request instanceof Uint8Array && error.wanted[0].imprint.length === 32);
    return code("evidence-missing")(error);
  });
});

test("what is refused", { skip }, async () => {
  const key = await ecdsa();
  const prepared = await prepare(form, request("ecdsa-p256", {}));
  const changed = structuredClone(prepared.state);
  changed.document.length = 1;
  await assert.rejects(finish(form, { state: changed }, key), code("state-tampered"));
  await assert.rejects(finish(form, { state: {} }, key), code("state-unreadable"));
  await assert.rejects(finish(letter, prepared, key), code("content-differs"));
  await assert.rejects(finish(form, prepared, new Uint8Array(64).fill(1)), code("value-does-not-verify"));
  await assert.rejects(finish(form, prepared, new Uint8Array(3)), code("value-form"));
  const other = await imported("rsa-3072", { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" });
  await assert.rejects(finish(form, prepared, other), (error) => /^value-/.test(error.code));
  await assert.rejects(finish(form, prepared, "value"), code("INVALID_ARGUMENT"));
  await assert.rejects(finish(form, prepared, key, { level: "LT" }), code("INVALID_ARGUMENT"));
  await assert.rejects(finish(form, prepared, key, { tsa: OCSP }), code("INVALID_ARGUMENT"));
  await assert.rejects(finish(form, prepared, key, { level: "T" }), code("evidence-missing"));

  const roomy = await prepare(form, request("ecdsa-p256", { level: "T" }));
  let asked = 0;
  for (const [answer, expected] of [
    [async () => new TextEncoder().encode("<!DOCTYPE html><html></html>"), "tsa-reply-unreadable"],
    [async () => undefined, "tsa-unreachable"],
    [async () => file("previous"), "tsa-imprint"],
  ]) {
    if (expected === "tsa-imprint") {
      const first = await finish(letter, await prepare(letter, request("ecdsa-p256", {})), key, { level: "T", fetch: asking([]) });
      assert.ok(first.length > 0);
      writeFileSync(path.join(at, "previous"), file("response"));
    }
    await assert.rejects(finish(form, roomy, key, { level: "T", fetch: answer }), code(expected));
  }
  const fetch = async () => { asked += 1; };
  await assert.rejects(finish(letter, roomy, key, { level: "T", fetch }), code("content-differs"));
  assert.equal(asked, 0, "a time-stamp costs money: not for what cannot be finished");
  const thrown = new Error("the network is down");
  await assert.rejects(finish(form, roomy, key, { level: "T", fetch: async () => { throw thrown; } }), thrown);

  const broken = new TextEncoder().encode(`%PDF-1.7\n${"x".repeat(500)}`);
  await assert.rejects(prepare(broken, request("ecdsa-p256", {})), code("document-unreadable"));
  await assert.rejects(prepare(form, { keyId: "7" }), code("INVALID_ARGUMENT"));
  await assert.rejects(prepare(form, request("ecdsa-p256", { tsa: OCSP })), code("INVALID_ARGUMENT"));
  await assert.rejects(prepare(form, null), code("INVALID_ARGUMENT"));
  await assert.rejects(prepare(form, { certificate: letter }), code("parameter-invalid"));
  for (const [more, expected] of [
    [{ signatureAlgorithm: "RS256" }, "algorithm-key-mismatch"],
    [{ format: "CAdES", options: { reason: "agreed" } }, "parameter-not-in-format"],
    [{ options: { field: "none" } }, "field-not-found"],
    [{ parameters: { signingTime: new Date("2020-01-01") } }, "certificate-outside-validity"],
  ]) {
    await assert.rejects(prepare(form, request("ecdsa-p256", more)), code(expected));
  }
  await assert.rejects(extend(form, {}), code("no-signature"));
  await assert.rejects(extend(form, { level: "B" }), code("parameter-invalid"));
  await assert.rejects(extend(form, { levels: "T" }), code("INVALID_ARGUMENT"));
});
