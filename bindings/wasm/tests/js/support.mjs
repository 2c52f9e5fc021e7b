// What the tests of the npm package share.
import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../../../../", import.meta.url));
export const corpus = path.join(root, "target/corpus");
export const examples = path.join(root, "examples/documents");

/** The moment as of which the examples are judged. */
export const TIME = "2027-01-01T00:00:00Z";

/** Where the tools of these tests are installed. */
export const tools = fileURLToPath(new URL(".", import.meta.url));

let launched;

/** The system's Chromium, started once. */
export function browser() {
  launched ??= import("playwright-core").then(({ chromium }) =>
    chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] }),
  );
  return launched;
}

/** A new folder that the system throws away some day. */
export const folder = (name) => mkdtempSync(path.join(tmpdir(), `lacre-${name}-`));

export const run = (command, args, options) =>
  execFileSync(command, args, { stdio: ["ignore", "pipe", "pipe"], encoding: "utf8", maxBuffer: 1 << 28, ...options });

/**
 * The command: what every answer of the package is compared with. One that was built without all of its parts, as the
 * README's is, compresses PDF reports otherwise.
 */
export const command = ["debug", "release"].map((kind) => path.join(root, "target", kind, "lacre")).find(existsSync);

/** The rows of the corpus's manifest; none where it is missing, so that tests have the examples alone. */
export function manifest() {
  const file = path.join(corpus, "manifest.tsv");
  if (!existsSync(file)) return [];
  const rows = readFileSync(file, "utf8").trim().split("\n").slice(1);
  return rows.map((row) => {
    const [name, kind, bytes, sha256, contents] = row.split("\t");
    return { name, kind, bytes: Number(bytes), sha256, contents: contents ? contents.split(";") : [] };
  });
}
