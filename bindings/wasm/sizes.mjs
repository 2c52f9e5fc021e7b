// Prints the sizes of the npm package, in bytes, and holds them to what is recorded in sizes.tsv.
//
//   node sizes.mjs [--record]
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const root = new URL("../../", import.meta.url);
const recorded = new URL("sizes.tsv", import.meta.url);
const GROWTH = 1.05;

// What the package should never exceed.
const bounds = {
  "lacre_bg.wasm": 2_400_000,
  "lacre_bg.wasm, brotli": 800_000,
  "lacre_slim_bg.wasm": 1_500_000,
  "lacre_slim_bg.wasm, brotli": 520_000,
  "lacre_report_bg.wasm, brotli": 1_000_000,
  "lacre_sign_bg.wasm": 1_900_000,
  "lacre_sign_bg.wasm, brotli": 670_000,
  "package, unpacked": 9_000_000,
};

const sizes = new Map();
for (const name of ["lacre_bg.wasm", "lacre_slim_bg.wasm", "lacre_report_bg.wasm", "lacre_sign_bg.wasm"]) {
  const bytes = readFileSync(new URL(`pkg/${name}`, root));
  sizes.set(name, bytes.length);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  sizes.set(`${name}, brotli`, brotliCompressSync(bytes, { params }).length);
}
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: new URL("pkg/", root) }));
sizes.set("package, unpacked", packed.unpackedSize);

const lines = existsSync(recorded) ? readFileSync(recorded, "utf8").trim().split("\n").slice(1) : [];
const before = new Map(lines.map((line) => line.split("\t")).map(([name, size]) => [name, Number(size)]));
for (const [name, size] of sizes) {
  const held = before.get(name) ?? Infinity;
  const grown = size > held * GROWTH;
  const over = size > (bounds[name] ?? Infinity);
  console.log(`${grown || over ? "TOO LARGE" : "ok       "} ${name}: ${size}, recorded ${held}, bound ${bounds[name] ?? "none"}`);
  if (grown || over) process.exitCode = 1;
}
if (process.argv.includes("--record")) {
  const rows = [["file", "bytes"], ...sizes];
  writeFileSync(recorded, rows.map((row) => `${row.join("\t")}\n`).join(""));
}
