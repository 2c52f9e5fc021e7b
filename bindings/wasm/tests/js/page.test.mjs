// examples/web in Chromium: files dropped, verdicts read, nothing sent anywhere, nothing that axe objects to.
//
// Pictures of the six states, at desktop and phone width, are left in target/wasm/pictures to be looked at.
import assert from "node:assert/strict";
import { mkdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { after, test } from "node:test";
import { serve } from "../../../../examples/web/serve.mjs";
import { languages } from "../../../../examples/web/strings.js";
import * as pages from "./pages.mjs";
import { browser, examples, root } from "./support.mjs";

const { drop, example, focused, verdict } = pages;
const server = await serve();
const origin = `http://127.0.0.1:${server.address().port}`;
const open = (options) => pages.open(origin, options);
const pictures = path.join(root, "target/wasm/pictures");
mkdirSync(pictures, { recursive: true });

after(async () => {
  await (await browser()).close();
  server.close();
});

const trust = async (page) => {
  await page.click(".settings > summary");
  await page.setInputFiles("#anchors", path.join(examples, "root.der"));
};

const states = {
  passed: { file: "contract.pdf", trusted: true, says: "The signature is valid", card: "TOTAL-PASSED" },
  failed: { file: "contract-tampered.pdf", trusted: true, says: "The signature is not valid", card: "TOTAL-FAILED" },
  indeterminate: { file: "contract.pdf", says: "The validity of the signature could not be determined", card: "INDETERMINATE" },
  none: { file: "not-signed.pdf", says: "There is no signature in this file" },
  unreadable: { name: "letter.docx", bytes: Buffer.from("no signature stands in here"), says: "This file cannot be read" },
  large: { name: "film.pdf", bytes: Buffer.alloc(10_000_000), times: 51, says: "This file is too large" },
};

for (const [state, { file, name = file, bytes = example(file), times, trusted, says, card }] of Object.entries(states)) {
  test(`the state ${state}`, async () => {
    for (const width of [1200, 380]) {
      const { page, asked, complaints, close } = await open({ width });
      if (trusted) await trust(page);
      await drop(page, { [name]: bytes }, times);
      assert.equal(await verdict(page), says);
      assert.equal(await focused(page), "verdict", "the focus is on the verdict");
      assert.equal(await page.locator("article").count(), card ? 1 : 0);
      if (card) assert.equal(await page.locator("article").getAttribute("data-indication"), card);
      if (trusted) await page.click(".settings > summary");
      await page.screenshot({ path: path.join(pictures, `${state}-${width}.png`), fullPage: true });
      for (const summary of await page.locator("summary").all()) await summary.click();
      await pages.assertAccessible(page);
      await pages.assertNarrow(page, "nothing is wider than the window");
      assert.deepEqual(asked.filter((url) => !url.startsWith(origin)), [], "no request left the origin");
      assert.ok(!asked.some((url) => /lacre_(rest|report).*\.wasm/.test(url)), "only the first module was loaded");
      assert.deepEqual(complaints, []);
      await close();
    }
  });
}

test("reports are saved: PDF, JSON, XML", async () => {
  const { page, asked, complaints, close } = await open();
  await trust(page);
  await drop(page, { "contract.pdf": example("contract.pdf") });
  await verdict(page);
  for (const [button, name, begins] of [
    ["Save report as PDF", "contract.pdf.report.pdf", "%PDF-"],
    ["JSON", "contract.pdf.json", '{"schema":"lacre-report/2"'],
    ["ETSI XML", "contract.pdf.xml", "<?xml"],
  ]) {
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: button, exact: true }).click()]);
    assert.equal(download.suggestedFilename(), name);
    const bytes = readFileSync(await download.path());
    assert.equal(bytes.subarray(0, begins.length).toString(), begins);
  }
  assert.deepEqual(asked.filter((url) => !url.startsWith(origin) && !url.startsWith("blob:")), []);
  assert.deepEqual(complaints, []);
  await close();
});

test("everything is reached and done with the keyboard", async () => {
  const { page, close } = await open();
  const reached = [];
  for (let step = 0; step < 3; step += 1) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate(() => document.activeElement.id || document.activeElement.localName));
  }
  assert.deepEqual(reached, ["language", "file", "summary"]);
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.focus("#file").then(() => page.keyboard.press("Enter"))]);
  await chooser.setFiles(path.join(examples, "contract.pdf"));
  await verdict(page);
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "Save report as PDF");
  await page.getByRole("button", { name: "Clear" }).press("Enter");
  assert.equal(await focused(page), "file");
  assert.equal(await page.locator("#verdict").count(), 0);
  await close();
});

test("eight languages, each its own words", async () => {
  const heard = new Set();
  for (const code of Object.keys(languages)) {
    const { page, complaints, close } = await open({ locale: code });
    assert.equal(await page.getAttribute("html", "lang"), code);
    await drop(page, { "contract.pdf": example("contract.pdf") });
    heard.add(`${await verdict(page)} ${await page.locator(".findings li").first().textContent()}`);
    assert.ok(!(await page.textContent("main")).includes("undefined"), code);
    assert.deepEqual(complaints, []);
    await close();
  }
  assert.equal(heard.size, 8);
});

test("a narrow window, in every language", async () => {
  for (const locale of Object.keys(languages)) {
    const { page, complaints, close } = await open({ width: 375, locale });
    await pages.assertNarrowStates(page, locale, { encrypted: true });
    assert.deepEqual(complaints, []);
    await close();
  }
});

test("in the dark, too, everything can be read", async () => {
  for (const width of [1200, 375]) {
    const { page, close } = await open({ width, colorScheme: "dark" });
    await trust(page);
    await drop(page, { "contract.pdf": example("contract.pdf"), "contract-tampered.pdf": example("contract-tampered.pdf"), "revoked.pdf": example("revoked.pdf"), "not-signed.pdf": example("not-signed.pdf") });
    await verdict(page);
    await page.screenshot({ path: path.join(pictures, `dark-${width}.png`), fullPage: true });
    await pages.assertNarrow(page, "dark");
    await pages.assertAccessible(page);
    await close();
  }
});

test("an encrypted PDF asks for its password, at the field", async () => {
  const { page, close } = await open();
  await drop(page, { "encrypted.pdf": example("encrypted.pdf") });
  assert.equal(await verdict(page), "This PDF is encrypted");
  assert.equal(await focused(page), "password");
  assert.equal(await page.getByRole("button", { name: "Save report as PDF" }).count(), 0, "there is no report to save");
  await page.keyboard.type("wrong");
  await page.keyboard.press("Enter");
  await page.getByText("The password that was entered does not open it.").waitFor();
  assert.equal(await focused(page), "password");
  await page.fill("#password", "p\u00e4ss");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "There is no signature in this file" }).waitFor();
  await close();
});

test("several files; a content lies beside its signature", async () => {
  const { page, close } = await open();
  await drop(page, { "letter.txt": example("letter.txt"), "letter.txt.p7s": example("letter.txt.p7s"), "contract.pdf": example("contract.pdf") });
  await verdict(page);
  const files = await page.locator(".verdict .file").allTextContents();
  assert.deepEqual(files.map((text) => text.split(" · ")[0]), ["letter.txt.p7s", "contract.pdf"]);
  assert.equal(await page.getByRole("button", { name: "Clear" }).count(), 1);
  assert.ok(!(await page.textContent("#result")).includes("SIGNED_DATA_NOT_FOUND"));
  await close();
});

test("a PDF of fifty megabytes does not freeze the page", async () => {
  const { page, close } = await open();
  await page.evaluate(() => {
    let last = performance.now();
    globalThis.longest = 0;
    setInterval(() => {
      const now = performance.now();
      globalThis.longest = Math.max(globalThis.longest, now - last);
      last = now;
    }, 10);
  });
  // Fifty megabytes before the document: a reader of PDF finds the end of the file first.
  const bytes = Buffer.concat([example("not-signed.pdf"), Buffer.alloc(1_000_000, " ")]);
  await drop(page, { "large.pdf": bytes }, 50);
  const before = await page.evaluate(() => globalThis.longest);
  await verdict(page);
  const longest = await page.evaluate(() => globalThis.longest);
  assert.ok(longest <= Math.max(before, 500), `the page stood still for ${longest} ms`);
  await close();
});
