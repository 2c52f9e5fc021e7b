// How long validation takes in Node, and beside it the floor: the digests and signature checks of the same validation,
// done again alone in the same module. Needs a module built with the feature `bench`:
//
//   bindings/wasm/build.sh --bench && node bindings/wasm/tests/js/bench.mjs
import { readFileSync } from "node:fs";
import path from "node:path";
import { corpus, root } from "./support.mjs";

const build = path.join(root, "target/wasm/bench");
const glue = await import(path.join(build, "lacre.js"));
glue.initSync({ module: readFileSync(path.join(build, "lacre_bg.wasm")) });

const settled = { trustAnchors: [], packedBy: [], evidence: [], contents: [], contentNames: [], language: "en", time: Date.parse("2026-06-01T00:00:00Z") };
const LARGE = 100_000;
const BOUND = 1.5;

/** The median of enough runs to fill a third of a second, at least five. */
function median(work) {
  work();
  const times = [];
  const begun = performance.now();
  while (times.length < 5 || (performance.now() - begun < 300 && times.length < 1000)) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[times.length >> 1];
}

const lines = readFileSync(path.join(root, "../shared/oracle/timings.tsv"), "utf8").split("\n");
const rows = lines.filter((line) => line && !line.startsWith("#") && !line.startsWith("file\t")).map((line) => line.split("\t"));
let over = 0;
console.log("    bytes   ours ms  floor ms   /floor  file");
for (const [name, bytes] of rows.filter(([, bytes]) => Number(bytes) > LARGE)) {
  const document = readFileSync(path.join(corpus, name));
  let floor;
  try {
    floor = glue.floor(document, settled);
  } catch (error) {
    console.log(`${bytes.padStart(9)}  not read: ${error.message}  ${name}`);
    continue;
  }
  const ours = median(() => glue.validate(document, settled));
  const alone = median(() => floor.replay());
  floor.free();
  if (ours / alone > BOUND) over += 1;
  console.log(`${bytes.padStart(9)} ${ours.toFixed(2).padStart(9)} ${alone.toFixed(2).padStart(9)} ${(ours / alone).toFixed(2).padStart(8)}  ${path.basename(name)}`);
}
console.log(`${over} over ${BOUND} times the floor`);
process.exitCode = over > 0 ? 1 : 0;
