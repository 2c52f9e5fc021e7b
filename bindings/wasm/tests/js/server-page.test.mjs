// The page of examples/server in Chromium, from a real server. `cargo build -p lacre-server` makes it.
//
// Pictures, light and dark, at desktop and phone width, are left in target/wasm/pictures to be looked at.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { languages } from "../../../../examples/web/strings.js";
import * as pages from "./pages.mjs";
import { browser, root } from "./support.mjs";

const { drop, example, focused, verdict } = pages;
const program = ["release", "debug"].map((kind) => path.join(root, "target", kind, "lacre-server")).find(existsSync);
const skip = program ? false : "lacre-server is not built";
const pictures = path.join(root, "target/wasm/pictures");
mkdirSync(pictures, { recursive: true });

const started = [];

/** A demonstration with these arguments, once it is ready. */
async function start(...more) {
  const server = spawn(program, ["--demo", "--listen", "127.0.0.1:0", "--log", "error", ...more], { stdio: ["ignore", "pipe", "inherit"] });
  started.push(server);
  const line = await new Promise((resolve) => server.stdout.once("data", (bytes) => resolve(String(bytes))));
  const [, origin, token] = /SERVER=(\S+) TOKEN=(\S+)/.exec(line);
  for (let tries = 0; (await fetch(`${origin}/readyz`)).status !== 200; tries += 1) {
    assert.ok(tries < 300, "it gets ready");
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return { origin, token };
}

const { origin } = skip ? {} : await start();
const open = (options) => pages.open(origin, options);

after(async () => {
  await (await browser()).close();
  for (const server of started) server.kill();
});

test("verdicts, names, and a report that has the file's own name", { skip }, async () => {
  for (const [width, colorScheme] of [[1200, "light"], [1200, "dark"], [375, "light"], [375, "dark"]]) {
    const { page, asked, complaints, close } = await open({ width, colorScheme });
    await page.screenshot({ path: path.join(pictures, `server-start-${colorScheme}-${width}.png`), fullPage: true });
    await drop(page, { "Vertrag Grün.pdf": example("contract.pdf") });
    assert.equal(await verdict(page), "The signature is valid");
    assert.equal(await focused(page), "verdict");
    const report = JSON.parse(await saved(page, "JSON", "Vertrag Grün.pdf.json"));
    assert.equal(report.document.name, "Vertrag Grün.pdf");
    assert.equal(await page.textContent(".card h3"), report.signatures[0].signer.name);
    assert.ok((await saved(page, "Save report as PDF", "Vertrag Grün.pdf.report.pdf")).startsWith("%PDF-"));
    assert.ok((await saved(page, "ETSI XML", "Vertrag Grün.pdf.xml")).startsWith("<?xml"));
    await page.screenshot({ path: path.join(pictures, `server-passed-${colorScheme}-${width}.png`), fullPage: true });
    await drop(page, { "tampered.pdf": example("contract-tampered.pdf"), "revoked.pdf": example("revoked.pdf"), "not-signed.pdf": example("not-signed.pdf") });
    await verdict(page);
    await page.screenshot({ path: path.join(pictures, `server-several-${colorScheme}-${width}.png`), fullPage: true });
    await pages.assertNarrow(page, `${width} ${colorScheme}`);
    await pages.assertAccessible(page);
    assert.deepEqual(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("blob:")), [], "nothing else is asked");
    assert.deepEqual(complaints, []);
    await close();
  }
});

async function saved(page, button, name) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
  assert.equal(download.suggestedFilename(), name);
  return readFileSync(await download.path(), "utf8");
}

test("an encrypted PDF asks for its password, at the field", { skip }, async () => {
  const { page, close } = await open();
  await drop(page, { "encrypted.pdf": example("encrypted.pdf") });
  assert.equal(await verdict(page), "This PDF is encrypted");
  assert.equal(await focused(page), "password");
  assert.equal(await page.getByRole("button", { name: /PDF|JSON|XML/ }).count(), 0, "there is no report to save");
  await page.screenshot({ path: path.join(pictures, "server-password.png"), fullPage: true });
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("The password that was entered does not open it.").waitFor();
  assert.equal(await focused(page), "password");
  await page.fill("#password", "p\u00e4ss");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "There is no signature in this file" }).waitFor();
  await close();
});

test("several files; a content lies beside its signature", { skip }, async () => {
  const { page, close } = await open();
  await drop(page, { "letter.txt": example("letter.txt"), "letter.txt.p7s": example("letter.txt.p7s"), "contract.pdf": example("contract.pdf") });
  await verdict(page);
  const files = await page.locator(".verdict .file").allTextContents();
  assert.deepEqual(files.map((text) => text.split(" · ")[0]), ["letter.txt.p7s", "contract.pdf"]);
  assert.equal(await page.getByRole("button", { name: "Clear" }).count(), 1);
  assert.ok(!(await page.textContent("#result")).includes("SIGNED_DATA_NOT_FOUND"));
  await close();
});

test("eight languages, each its own words, in a narrow window", { skip }, async () => {
  const heard = new Set();
  for (const locale of Object.keys(languages)) {
    const { page, close } = await open({ width: 375, locale });
    assert.equal(await page.getAttribute("html", "lang"), locale);
    await pages.assertNarrowStates(page, locale, { encrypted: true });
    const text = await page.textContent("main");
    assert.ok(!text.includes("undefined") && !text.includes("null"), locale);
    heard.add(await page.textContent("main"));
    await page.screenshot({ path: path.join(pictures, `server-${locale}-375.png`), fullPage: true });
    await close();
  }
  assert.equal(heard.size, 8);
});

test("where validating needs a token, the page asks for one", { skip }, async () => {
  const closed = await start("--validation-token", "required");
  const { page, close } = await pages.open(closed.origin);
  assert.equal(await page.locator("#token").isVisible(), false);
  await drop(page, { "contract.pdf": example("contract.pdf") });
  assert.equal(await verdict(page), "This server asks for an access token");
  assert.equal(await focused(page), "token");
  await page.keyboard.type(closed.token);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "The signature is valid" }).waitFor();
  await close();
});
