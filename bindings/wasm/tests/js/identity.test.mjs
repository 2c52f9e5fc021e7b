// The package says what the command says, byte for byte: JSON, ETSI XML and PDF; with trusted lists too.
//
//   IDENTITY=200 node --test identity.test.mjs     how many files of the corpus; default 40
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { spawnSync } from "node:child_process";
import { inspect, validate } from "../../../../pkg/node.js";
import { etsi, pdf } from "../../../../pkg/report.node.js";
import * as slim from "../../../../pkg/slim.node.js";
import { command, corpus, examples, folder, manifest, root, run } from "./support.mjs";

const TIME = "2026-11-21T10:00:00Z";
const wanted = Number(process.env.IDENTITY ?? 40);

/** Every kind in turn, in the order of their digests: the same sample each time. */
function sample() {
  const kinds = new Map();
  const rows = manifest().toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1));
  const ranked = rows.map((row) => {
    const kind = row.kind.split(/[+(]/)[0];
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    return [kinds.get(kind), row];
  });
  return ranked.toSorted(([a], [b]) => a - b).map(([, row]) => row);
}

const anchor = path.join(examples, "root.der");

function said(file, contents, format, time = TIME, trust = ["--trust-anchor", anchor]) {
  const args = ["validate", file, "--at", time, ...trust, "--format", format];
  for (const content of contents) args.push("--content", content);
  const { status, stdout } = spawnSync(command, args, { maxBuffer: 1 << 28 });
  return status === 5 ? null : stdout;
}

test("JSON, ETSI XML and PDF are the command's", { skip: command ? false : "needs the command: cargo build --package lacre-cli" }, async (t) => {
  const files = [
    ...["contract.pdf", "contract-tampered.pdf", "letter.txt.p7s"].map((name) => ({ file: path.join(examples, name), contents: [] })),
    ...sample().map((row) => ({ file: path.join(corpus, row.name), contents: row.contents.map((name) => path.join(corpus, name)) })),
  ];
  let compared = 0;
  let refused = 0;
  let alike = 0;
  for (const { file, contents } of files) {
    if (compared === wanted) break;
    const present = contents.filter(existsSync);
    const json = said(file, present, "json");
    const options = {
      name: path.basename(file),
      time: new Date(TIME),
      trustAnchors: [readFileSync(anchor)],
      contents: present.map((content) => ({ name: path.basename(content), bytes: readFileSync(content) })),
    };
    const document = readFileSync(file);
    if (json === null) {
      await assert.rejects(validate(document, options), (error) => error.code !== "INTERNAL", file);
      refused += 1;
      continue;
    }
    const report = await validate(document, options);
    assert.equal(`${JSON.stringify(report)}\n`, json.toString(), file);
    // The slim module says the same, or that it lacks what it takes.
    const other = await slim.validate(document, options).catch((error) => error.code);
    if (typeof other === "object") alike += 1;
    if (typeof other === "object") assert.equal(JSON.stringify(other), JSON.stringify(report), `slim: ${file}`);
    else assert.match(other, /^UNSUPPORTED_(FORMAT|ALGORITHM)$/, `slim: ${file}`);
    const facts = await inspect(document, options);
    assert.equal(await etsi(facts), said(file, present, "etsi").toString(), file);
    assert.ok(Buffer.from(await pdf(facts)).equals(said(file, present, "pdf")), `PDF of ${file}`);
    compared += 1;
  }
  t.diagnostic(`${compared} files compared in three forms, ${refused} refused by both; ${alike} read by the slim module, too`);
  assert.ok(compared > 2 && alike > 2);
});

/** The trusted lists of October 2023, and who was announced to sign their list. */
const lists = path.join(corpus, "dss/dss-cookbook/src/test/resources/signature-pool/cache");
const announced = path.join(root, "../shared/oracle/lotl-signers.zip");
const there = command && existsSync(lists) && existsSync(announced);

test("a snapshot of trusted lists says who is qualified", { skip: there ? false : "needs target/corpus, ../shared and the command" }, async () => {
  const at = folder("lists");
  run("unzip", ["-q", announced, "-d", at]);
  const signers = readdirSync(at).flatMap((name) => ["--lotl-signer", path.join(at, name)]);
  const snapshot = path.join(at, "trust.lacre");
  run(command, ["lists", "pack", lists, "-o", snapshot, ...signers]);
  const time = "2023-10-28T00:00:00Z";
  const options = { time: new Date(time), trustedLists: readFileSync(snapshot) };
  const qualified = new Set();
  for (const kind of ["pades", "xades", "cades", "asic"]) {
    const rows = manifest().filter((row) => row.kind.startsWith(kind) && row.bytes < 200_000);
    for (const row of rows.toSorted((a, b) => (a.sha256 < b.sha256 ? -1 : 1)).slice(0, 10)) {
      const file = path.join(corpus, row.name);
      const json = said(file, [], "json", time, ["--trusted-lists", snapshot]);
      if (json === null) continue;
      const report = await validate(readFileSync(file), { ...options, name: path.basename(file) });
      assert.equal(`${JSON.stringify(report)}\n`, json.toString(), file);
      for (const signature of report.signatures) if (signature.trust_service) qualified.add(file);
    }
  }
  assert.ok(qualified.size > 0, "no signature was found in a list");
});
