// `npm pack`, installed as users install it: Node with import and with require, a Vite build, a plain script in a page.
import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import path from "node:path";
import { after, test } from "node:test";
import { TIME, browser, corpus, examples, folder, manifest, root, run, tools } from "./support.mjs";

const packed = folder("packed");
const [{ filename, files }] = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", packed], { cwd: path.join(root, "pkg") }));
const archive = path.join(packed, filename);

/** A PDF and a CMS of our own; an XML file of the corpus, where it is there. */
const documents = [path.join(examples, "contract.pdf"), path.join(examples, "letter.txt.p7s")];
const xml = manifest().find((row) => row.kind.startsWith("xades") && row.bytes < 50_000);
if (xml) documents.push(path.join(corpus, xml.name));

/** What each project has to answer: as many signatures as the package itself finds. */
const lacre = await import(path.join(root, "pkg/node.js"));
const expected = {};
for (const document of documents) {
  const report = await lacre.validate(readFileSync(document), { time: new Date(TIME) });
  assert.ok(report.signatures.length > 0, document);
  expected[path.basename(document)] = report.signatures.map((signature) => signature.indication).join(" ");
}

/** A new project that has the package, and the documents beside it. */
function project(name) {
  const at = folder(name);
  writeFileSync(path.join(at, "package.json"), JSON.stringify({ name, private: true, type: "commonjs" }));
  run("npm", ["install", "--no-audit", "--no-fund", "--offline", archive], { cwd: at });
  mkdirSync(path.join(at, "public"));
  for (const document of documents) cpSync(document, path.join(at, "public", path.basename(document)));
  return at;
}

test("the package holds what it says, each module once", () => {
  const names = files.map((file) => file.path).sort();
  assert.equal(names.filter((name) => name.endsWith(".wasm")).length, 4);
  for (const name of ["README.md", "index.d.ts", "report.d.ts", "slim.d.ts", "sign.d.ts", "sign.node.js", "sign.web.js", "lacre_sign.js", "node.js", "web.js", "slim.node.js", "slim.web.js", "lacre.js", "lacre_slim.js", "lacre_report.js"]) {
    assert.ok(names.includes(name), name);
  }
  assert.ok(!names.some((name) => /test|\.tgz|node_modules/.test(name)), names.join(" "));
  const literals = ["web.js", "lacre.js", ...readdirSync(path.join(root, "pkg/src")).map((name) => `src/${name}`)]
    .map((name) => readFileSync(path.join(root, "pkg", name), "utf8").match(/new URL\("[^"]*\.wasm"/g) ?? [])
    .flat();
  assert.deepEqual(literals, ['new URL("lacre_bg.wasm"']);
});

const inNode = (load) => `
const { readFileSync } = require("node:fs");
(async () => {
  const { validate, LacreError } = ${load("lacre")};
  const { pdf } = ${load("lacre/report")};
  const answer = {};
  for (const name of ${JSON.stringify(Object.keys(expected))}) {
    const report = await validate(readFileSync("public/" + name), { time: new Date("${TIME}") });
    answer[name] = report.signatures.map((signature) => signature.indication).join(" ");
  }
  const page = await pdf(readFileSync("public/contract.pdf"));
  if (String.fromCharCode(...page.subarray(0, 5)) !== "%PDF-") throw new Error("no PDF");
  console.log(JSON.stringify(answer));
})();`;

test("Node, import", () => {
  const at = project("node-import");
  writeFileSync(path.join(at, "main.js"), inNode((name) => `await import("${name}")`));
  assert.deepEqual(JSON.parse(run("node", ["main.js"], { cwd: at })), expected);
});

test("Node, require", () => {
  const at = project("node-require");
  writeFileSync(path.join(at, "main.js"), inNode((name) => `require("${name}")`));
  assert.deepEqual(JSON.parse(run("node", ["--no-warnings", "main.js"], { cwd: at })), expected);
});

const inPage = (from) => `
import { validate } from "${from}";
const answer = {};
for (const name of ${JSON.stringify(Object.keys(expected))}) {
  const file = await (await fetch(name)).blob();
  const report = await validate(file, { time: new Date("${TIME}") });
  answer[name] = report.signatures.map((signature) => signature.indication).join(" ");
}
document.body.textContent = JSON.stringify(answer);`;

/** What a page in Chromium ends up saying, with everything that it asked for. */
async function page(at) {
  const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };
  const server = createServer((request, response) => {
    const file = path.join(at, new URL(request.url, "http://localhost").pathname.replace(/\/$/, "/index.html"));
    if (!existsSync(file)) return response.writeHead(404).end();
    response.writeHead(200, { "Content-Type": types[path.extname(file)] ?? "application/octet-stream" });
    response.end(readFileSync(file));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  const opened = await (await browser()).newPage();
  const asked = [];
  opened.on("request", (request) => asked.push(new URL(request.url()).pathname));
  opened.on("pageerror", (error) => console.error(error));
  await opened.goto(`http://127.0.0.1:${server.address().port}/`);
  await opened.waitForFunction(() => document.body.textContent.startsWith("{"));
  const answer = JSON.parse(await opened.textContent("body"));
  await opened.close();
  server.close();
  return { answer, asked };
}

test("a Vite build, in Chromium", async () => {
  const at = project("vite");
  writeFileSync(path.join(at, "index.html"), '<!doctype html><body><script type="module" src="/main.js"></script>');
  writeFileSync(path.join(at, "main.js"), inPage("lacre"));
  run("node", [path.join(tools, "node_modules/vite/bin/vite.js"), "build", "--target", "es2022"], { cwd: at });
  const assets = readdirSync(path.join(at, "dist/assets"));
  assert.equal(assets.filter((name) => /^lacre_bg.*\.wasm$/.test(name)).length, 1, assets.join(" "));
  const { answer, asked } = await page(path.join(at, "dist"));
  assert.deepEqual(answer, expected);
  assert.ok(!asked.some((name) => /lacre_report.*wasm/.test(name)), "the second module was loaded without need");
});

test("a plain module script, in Chromium", async () => {
  const at = project("plain");
  writeFileSync(path.join(at, "public/index.html"), '<!doctype html><body><script type="module" src="main.js"></script>');
  writeFileSync(path.join(at, "public/main.js"), inPage("./lacre/web.js"));
  cpSync(path.join(at, "node_modules/lacre"), path.join(at, "public/lacre"), { recursive: true });
  const { answer } = await page(path.join(at, "public"));
  assert.deepEqual(answer, expected);
});

test("TypeScript accepts the typed example, strictly, and refuses what is wrong", () => {
  const at = project("typed");
  for (const name of ["typed.ts", "tsconfig.json"]) cpSync(path.join(root, "examples/node", name), path.join(at, name));
  mkdirSync(path.join(at, "node_modules/@types"));
  cpSync(path.join(tools, "node_modules/@types/node"), path.join(at, "node_modules/@types/node"), { recursive: true });
  cpSync(path.join(tools, "node_modules/undici-types"), path.join(at, "node_modules/undici-types"), { recursive: true });
  const tsc = () => run(path.join(tools, "node_modules/.bin/tsc"), ["--project", at]);
  try {
    tsc();
  } catch (error) {
    assert.fail(error.stdout);
  }
  for (const wrong of [
    'import { validate } from "lacre"; await validate(new Uint8Array(), { trustAnchor: [] });',
    'import { validate } from "lacre"; await validate(new Uint8Array(), { language: "la" });',
    'import { validate } from "lacre"; (await validate(new Uint8Array())).conclusion.indication === "PASSED-TOTAL";',
    'import { validate } from "lacre"; (await validate(new Uint8Array())).signatures[0].indication;',
  ]) {
    writeFileSync(path.join(at, "typed.ts"), wrong);
    assert.throws(tsc, wrong);
  }
});

test("the examples for Node do what they say", () => {
  const at = project("examples");
  for (const name of ["validate.js", "worker.js"]) cpSync(path.join(root, "examples/node", name), path.join(at, name));
  writeFileSync(path.join(at, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const said = run("node", ["validate.js", "public/contract.pdf", path.join(examples, "root.der")], { cwd: at });
  assert.match(said, /^(TOTAL-PASSED|INDETERMINATE|TOTAL-FAILED)\n/);
  assert.ok(existsSync(path.join(at, "public/contract.pdf.report.pdf")));
  assert.match(run("node", ["worker.js", "public/contract.pdf"], { cwd: at }), /INDETERMINATE|TOTAL-FAILED/);
});

after(async () => (await browser()).close());
