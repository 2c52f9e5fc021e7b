// Prints the sizes of the npm package, in octets, and holds them to what is recorded in sizes.tsv and to the bounds.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const root = new URL("../../", import.meta.url);
const recorded = new URL("sizes.tsv", import.meta.url);
const GROWTH = 1.05;

// What the package must never exceed, whatever is recorded.
const bounds = {
  "lacre_bg.wasm": 1_500_000,
  "lacre_bg.wasm, brotli": 500_000,
  "lacre_report_bg.wasm, brotli": 1_000_000,
  "package, unpacked": 6_000_000,
};

const sizes = new Map();
for (const name of ["lacre_bg.wasm", "lacre_report_bg.wasm"]) {
  const octets = readFileSync(new URL(`pkg/${name}`, root));
  sizes.set(name, octets.length);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: octets.length };
  sizes.set(`${name}, brotli`, brotliCompressSync(octets, { params }).length);
}
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: new URL("pkg/", root) }));
sizes.set("package, unpacked", packed.unpackedSize);

if (process.argv.includes("--record")) {
  writeFileSync(recorded, [...sizes].map(([name, size]) => `${name}\t${size}\n`).join(""));
}
const before = new Map(readFileSync(recorded, "utf8").trim().split("\n").map((line) => line.split("\t")));
for (const [name, size] of sizes) {
  const limit = Math.min(Number(before.get(name)) * GROWTH, bounds[name] ?? Infinity);
  const fits = size <= limit;
  console.log(`${fits ? "ok  " : "FAIL"} ${name}: ${size} (recorded ${before.get(name)}, bound ${bounds[name] ?? "none"})`);
  if (!fits) process.exitCode = 1;
}
