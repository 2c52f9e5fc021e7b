// Prints the sizes of the npm package, in octets, and holds them to what is recorded in sizes.tsv, a column a toolchain.
//
//   node sizes.mjs rustup|system [--record]
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { brotliCompressSync, constants } from "node:zlib";

const root = new URL("../../", import.meta.url);
const recorded = new URL("sizes.tsv", import.meta.url);
const GROWTH = 1.05;

// What the package should never exceed.
const bounds = {
  "lacre_bg.wasm": 1_500_000,
  "lacre_bg.wasm, brotli": 500_000,
  "lacre_report_bg.wasm, brotli": 1_000_000,
  "package, unpacked": 6_000_000,
};

const sizes = new Map();
for (const name of ["lacre_bg.wasm", "lacre_rest.wasm", "lacre_report_bg.wasm"]) {
  const octets = readFileSync(new URL(`pkg/${name}`, root));
  sizes.set(name, octets.length);
  const params = { [constants.BROTLI_PARAM_SIZE_HINT]: octets.length };
  sizes.set(`${name}, brotli`, brotliCompressSync(octets, { params }).length);
}
const [packed] = JSON.parse(execFileSync("npm", ["pack", "--dry-run", "--json"], { cwd: new URL("pkg/", root) }));
sizes.set("package, unpacked", packed.unpackedSize);

const toolchains = ["rustup", "system"];
const column = toolchains.indexOf(process.argv[2]);
const lines = existsSync(recorded) ? readFileSync(recorded, "utf8").trim().split("\n").slice(1) : [];
const before = new Map(lines.map((line) => line.split("\t")).map(([name, ...columns]) => [name, columns]));
for (const [name, size] of sizes) {
  const columns = before.get(name) ?? ["-", "-"];
  const held = Number(columns[column]);
  const grown = size > held * GROWTH;
  const over = size > (bounds[name] ?? Infinity);
  console.log(`${grown ? "GROWN" : "ok   "} ${name}: ${size}, recorded ${columns[column]}${over ? `, OVER ITS BOUND of ${bounds[name]}` : ""}`);
  if (grown) process.exitCode = 1;
  before.set(name, columns.with(column, String(size)));
}
if (process.argv.includes("--record")) {
  const rows = [["octets", ...toolchains], ...[...before].map(([name, columns]) => [name, ...columns])];
  writeFileSync(recorded, rows.map((row) => `${row.join("\t")}\n`).join(""));
  process.exitCode = 0;
}
