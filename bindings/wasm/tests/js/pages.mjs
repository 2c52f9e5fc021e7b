// What the tests of both pages share: a page in Chromium, files dropped on it, what axe and the window's edge say.
import AxeBuilder from "@axe-core/playwright";
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import path from "node:path";
import { browser, examples } from "./support.mjs";

export const example = (name) => readFileSync(path.join(examples, name));

/** The page at an origin in a window of its own, with everything that it asks for and complains about. */
export async function open(origin, { width = 1200, locale = "en-GB", colorScheme = "light" } = {}) {
  const context = await (await browser()).newContext({ viewport: { width, height: 900 }, locale, colorScheme, acceptDownloads: true });
  const page = await context.newPage();
  const asked = [];
  const complaints = [];
  context.on("request", (request) => asked.push(request.url()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  await page.goto(`${origin}/`);
  await page.waitForFunction(() => document.title !== "" && document.querySelector("#language").options.length > 0);
  return { page, asked, complaints, close: () => context.close() };
}

/** Drops files on the page, as a hand does; `times` repeats the bytes of each. */
export async function drop(page, files, times = 1) {
  const transfer = await page.evaluateHandle(
    ([files, times]) => {
      const transfer = new DataTransfer();
      for (const [name, base64] of files) {
        const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
        transfer.items.add(new File([new Blob(Array(times).fill(new Blob([bytes])))], name));
      }
      return transfer;
    },
    [Object.entries(files).map(([name, bytes]) => [name, Buffer.from(bytes).toString("base64")]), times],
  );
  await page.dispatchEvent("body", "drop", { dataTransfer: transfer });
}

/** The first verdict, once there is one for every file. */
export async function verdict(page) {
  await page.waitForFunction(() => !document.body.classList.contains("busy") && document.querySelector("#verdict"), undefined, { timeout: 60_000 });
  return page.textContent("#verdict");
}

export const focused = (page) => page.evaluate(() => document.activeElement.id);

/** Nothing is wider than the window, with everything unfolded. */
export async function assertNarrow(page, situation) {
  await page.evaluate(() => document.querySelectorAll("details").forEach((details) => (details.open = true)));
  const wide = await page.evaluate(() => {
    const edge = document.documentElement.clientWidth;
    // What scrolls within itself may be wide inside.
    const beyond = [...document.body.querySelectorAll("*")].filter((element) => !element.closest(".scroll") && element.getBoundingClientRect().right > edge + 0.5);
    return [document.documentElement.scrollWidth - edge, ...beyond.map((element) => `${element.localName}.${element.className}: ${element.textContent.slice(0, 60)}`)];
  });
  assert.deepEqual(wide, [0], situation);
}

export async function assertAccessible(page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  assert.deepEqual(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]), []);
}

/** Everything that the page can show, without overflow in a window of 375 pixels. */
export async function assertNarrowStates(page, code, { encrypted } = {}) {
  await assertNarrow(page, `${code}: nothing dropped yet`);
  await drop(page, { "a-very-long-name-without-any-place-to-break-it-in-two-or-three.pdf": example("contract.pdf"), "contract-tampered.pdf": example("contract-tampered.pdf"), "revoked.pdf": example("revoked.pdf"), "not-signed.pdf": example("not-signed.pdf"), "letter.docx": Buffer.from("no signature stands in here") });
  await verdict(page);
  assert.equal(await page.locator(".document").count(), 5, code);
  await assertNarrow(page, `${code}: five files`);
  if (!encrypted) return;
  await drop(page, { "encrypted.pdf": example("encrypted.pdf") });
  await verdict(page);
  await assertNarrow(page, `${code}: a password is asked for`);
}
