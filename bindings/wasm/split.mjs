// Splits a WebAssembly module in two: what every document needs stays, the rest becomes a module of its own that shares
// the first one's memory, table and functions. pkg/src/instance.js loads it when it is missed.
//
//   node split.mjs MODULE REST     splits MODULE, which still has its names, in place; writes the other half to REST
//
// A function that goes leaves a short one behind, which calls through a slot of the table. The second module fills the
// slots when it is instantiated; before that, the call traps. So any cut is a correct one: where it goes only decides who
// downloads what.
import { execFileSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/**
 * What goes: functions of these modules and types, and whatever is then called from nowhere else.
 *
 * NOTE: only the beginning of a name is looked at. Functions that are the same in machine code are one, under the name of
 * any of them, so that what many types share may be named after one that goes. For the same reason short ones stay.
 */
const REST = [
  // XML, containers, JSON signatures, evidence records, and what they alone read with.
  /^lacre::formats::(xml|xades|asic|jose)::/,
  /^lacre::formats::ers::(record|tree|verify|xml)::/,
  /^(base64_simd|quick_xml|rawzip|vsimd)::/,
  // Trusted lists and their snapshots.
  /^lacre::trust::/,
  /^serde_json::(de|read)::/,
  // Keys and digests that are rare; encrypted PDFs.
  /^lacre::crypto::(dsa|edwards|mersenne|ml_dsa)::/,
  // Curves over more than 384 bits.
  /^lacre::crypto::(ecdsa|montgomery|weierstrass)::.*<[789]usize\b/,
  /^(crypto_bigint|curve25519_dalek|ed25519_dalek|md2|ml_dsa|module_lattice|ripemd|rsa|whirlpool)::/,
  /^lacre::formats::pdf::crypt::/,
  /^(aes|cbc)::/,
  // What only reports in other languages and forms ask for.
  /^inspect\b/,
];

/** How long the text of a function is that is not worth moving. */
const SHORT = 500;

const [module, rest] = process.argv.slice(2);
const tools = fileURLToPath(new URL("../../target/tools/npm/node_modules/binaryen/bin/", import.meta.url));
const features = ["bulk-memory", "nontrapping-float-to-int", "sign-ext", "mutable-globals", "multivalue", "reference-types", "simd"];
const tool = (name, ...args) =>
  execFileSync("node", [`${tools}${name}`, ...args, ...features.map((feature) => `--enable-${feature}`)], { stdio: "inherit" });

const NAME = String.raw`\$(?:"(?:[^"\\]|\\.)*"|[^\s()]+)`;

/** Where a function is at home: its name without the digests of crates, and without what stands before a type. */
const home = (name) => name.replace(/^\$"?/, "").replaceAll(/(\[|\\5b)[0-9a-f]{10,16}(\]|\\5d)/g, "").replace(/^([<&[(]|mut |dyn )*/, "");

/** The module's fields: wasm-dis writes each on lines of its own, one blank in. */
function fields(text) {
  const found = { type: [], import: [], memory: [], data: [], global: [], table: [], elem: [], export: [], func: [], start: [], tag: [] };
  for (const field of text.slice(text.indexOf("\n (") + 1, text.lastIndexOf("\n)")).split(/\n(?= \()/)) {
    found[/^ \(([a-z]+)/.exec(field)[1]].push(field);
  }
  return found;
}

function described(field) {
  const [, name, head] = new RegExp(`^ \\(func (${NAME})((?: \\((?:param|result)[^()]*\\))*)`).exec(field);
  const used = new Set();
  for (const [, callee] of field.matchAll(new RegExp(`\\((?:call|return_call|ref\\.func) (${NAME})`, "g"))) used.add(callee);
  const globals = new Set();
  for (const [, global] of field.matchAll(new RegExp(`\\(global\\.[gs]et (${NAME})`, "g"))) globals.add(global);
  return { name, head, field, used, globals };
}

tool("wasm-dis", module, "-o", `${module}.wat`);
const parts = fields(readFileSync(`${module}.wat`, "utf8"));
const functions = new Map(parts.func.map(described).map((found) => [found.name, found]));
const inTable = new Set(parts.elem.join("").match(new RegExp(NAME, "g")));
const exported = parts.export.flatMap((field) => new RegExp(`\\(func (${NAME})\\)`).exec(field)?.[1] ?? []);
const goes = (name) => functions.get(name)?.field.length > SHORT && REST.some((pattern) => pattern.test(home(name)));

// What stays: everything that is reached without one of those that go.
const stays = new Set();
const entries = [...exported, ...inTable];
const ahead = entries.filter((name) => !goes(name));
while (ahead.length > 0) {
  const name = ahead.pop();
  if (stays.has(name) || !functions.has(name)) continue;
  stays.add(name);
  ahead.push(...[...functions.get(name).used].filter((callee) => !goes(callee)));
}
const gone = [...functions.values()].filter(({ name }) => !stays.has(name));
const missed = new Set([...entries, ...[...stays].flatMap((name) => [...functions.get(name).used])].filter((name) => functions.has(name) && !stays.has(name)));
const slots = [...missed];

// The first module: the table grows by the slots.
const [, table, size] = new RegExp(`^ \\(table (${NAME}) (\\d+) \\d+ funcref\\)`, "m").exec(parts.table.join("\n"));
const grown = `${Number(size) + slots.length} ${Number(size) + slots.length} funcref)`;
const tables = parts.table.map((field) => (field.startsWith(` (table ${table} `) ? ` (table ${table} ${grown}` : field));
const unnamed = (head) => head.replace(new RegExp(`\\(param ${NAME} `, "g"), "(param ");
const left = slots.map((name, slot) => {
  const { head } = functions.get(name);
  const params = [...head.matchAll(new RegExp(`\\(param (${NAME})`, "g"))].map(([, param]) => ` (local.get ${param})`);
  return ` (func ${name}${head} (call_indirect ${table}${unnamed(head)}${params.join("")} (i32.const ${Number(size) + slot})))`;
});

// The second module takes from the first what its functions use.
const needed = new Set(gone.flatMap(({ used }) => [...used]).filter((name) => stays.has(name) || !functions.has(name)));
const globals = new Set(gone.flatMap((found) => [...found.globals]));
const given = [];
const taken = [];
const pass = (kind, name, described) => {
  const short = `${kind[0]}${given.length.toString(36)}`;
  given.push(` (export "${short}" (${kind} ${name}))`);
  taken.push(` (import "lacre" "${short}" (${kind} ${name} ${described}))`);
};
const imported = new Map(parts.import.flatMap((field) => {
  const found = new RegExp(`\\(func (${NAME})(.*)\\)\\)$`).exec(field);
  return found ? [[found[1], found[2]]] : [];
}));
for (const name of needed) pass("func", name, functions.has(name) ? unnamed(functions.get(name).head) : imported.get(name));
const declared = (kind, most) => new RegExp(`^ \\(${kind} (${NAME}) (${most})`, "m");
for (const field of parts.global) {
  const [, name, type] = declared("global", String.raw`\(mut \w+\)|\w+`).exec(field);
  if (globals.has(name)) pass("global", name, type);
}
for (const field of tables) pass("table", ...declared("table", String.raw`.*(?=\))`).exec(field).slice(1));
pass("memory", ...declared("memory", String.raw`.*(?=\))`).exec(parts.memory[0]).slice(1));

const bodies = (names) => names.map(({ field }) => field);
const first = [
  ...parts.type, ...parts.import, ...parts.memory, ...parts.data, ...parts.global,
  ...tables, ...parts.elem, ...parts.export, ...given, ...parts.start, ...bodies([...functions.values()].filter(({ name }) => stays.has(name))), ...left,
];
const second = [
  ...parts.type, ...taken,
  ` (elem (table ${table}) (i32.const ${size}) func ${slots.join(" ")})`,
  ...bodies(gone),
];
for (const [file, text] of [[module, first], [rest, second]]) {
  writeFileSync(`${file}.wat`, `(module\n${text.join("\n")}\n)\n`);
  tool("wasm-as", `${file}.wat`, "-o", file);
  rmSync(`${file}.wat`);
}
console.log(`split: ${stays.size} functions stay, ${gone.length} go, ${slots.length} of them called from what stays`);
