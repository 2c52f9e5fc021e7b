// The package says what the command says, octet for octet: JSON, ETSI XML and PDF.
//
//   IDENTITY=200 node --test identity.test.mjs     how many files of the corpus; default 40
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { test } from "node:test";
import { spawnSync } from "node:child_process";
import { inspect, validate } from "../../../../pkg/node.js";
import { etsi, pdf } from "../../../../pkg/report.node.js";
import { command, corpus, examples, manifest } from "./support.mjs";

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

function said(file, contents, format) {
  const args = ["validate", file, "--at", TIME, "--trust-anchor", anchor, "--format", format];
  for (const content of contents) args.push("--content", content);
  const { status, stdout } = spawnSync(command, args, { maxBuffer: 1 << 28 });
  return status === 5 ? null : stdout;
}

test("JSON, ETSI XML and PDF are the command's", { skip: command ? false : "SKIPPED: the command is not built" }, async (t) => {
  const files = [
    ...["contract.pdf", "contract-tampered.pdf", "letter.txt.p7s"].map((name) => ({ file: path.join(examples, name), contents: [] })),
    ...sample().map((row) => ({ file: path.join(corpus, row.name), contents: row.contents.map((name) => path.join(corpus, name)) })),
  ];
  let compared = 0;
  let refused = 0;
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
    const facts = await inspect(document, options);
    assert.equal(await etsi(facts), said(file, present, "etsi").toString(), file);
    assert.ok(Buffer.from(await pdf(facts)).equals(said(file, present, "pdf")), `PDF of ${file}`);
    compared += 1;
  }
  t.diagnostic(`${compared} files compared in three forms, ${refused} refused by both`);
  assert.ok(compared > 2 || manifest().length === 0);
});
