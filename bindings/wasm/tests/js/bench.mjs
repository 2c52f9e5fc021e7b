// How long validation takes in Node, and beside it two floors: the digests and signature checks of the same validation,
// done again alone in the same module, each digest by itself, and with what digests have in common only once. The bound is
// on the first. Needs a module built with the feature `bench`:
//
//   bindings/wasm/build.sh --bench && node bindings/wasm/tests/js/bench.mjs
import { openSync, readFileSync, readSync } from "node:fs";
import path from "node:path";
import { corpus, root } from "./support.mjs";

const build = path.join(root, "target/wasm/bench");
const glue = await import(path.join(build, "lacre.js"));
glue.initSync({ module: readFileSync(path.join(build, "lacre_bg.wasm")) });

const settled = { trustAnchors: [], packedBy: [], evidence: [], contents: [], contentNames: [], language: "en", time: Date.parse("2026-06-01T00:00:00Z") };
const LARGE = 100_000;
const BOUND = 1.5;

/** Milliseconds that this thread had a processor, so that what else the machine does is not counted; elsewhere the clock. */
const processor = process.platform === "linux" ? openSync("/proc/self/schedstat") : undefined;
const line = Buffer.alloc(64);
function now() {
  if (processor === undefined) return performance.now();
  return Number.parseInt(line.toString("latin1", 0, readSync(processor, line, 0, line.length, 0)), 10) / 1e6;
}

/** The mean times of pieces of work, done by turns of 60 ms: the system counts in steps of 4 ms. */
function means(...work) {
  const measured = work.map((once) => ({ once, time: 0, count: 0 }));
  // At first the engine compiles, quickly, then well what was called often.
  for (const once of work) {
    const begun = performance.now();
    do once();
    while (performance.now() - begun < 1000);
  }
  for (let turn = 0; turn < 12; turn += 1) {
    for (const piece of measured) {
      const [begun, start] = [performance.now(), now()];
      do {
        piece.once();
        piece.count += 1;
      } while (performance.now() - begun < 60);
      piece.time += now() - start;
    }
  }
  return measured.map(({ time, count }) => time / count);
}

const lines = readFileSync(path.join(root, "../shared/oracle/timings.tsv"), "utf8").split("\n");
const rows = lines.filter((line) => line && !line.startsWith("#") && !line.startsWith("file\t")).map((line) => line.split("\t"));
let over = 0;
console.log("    bytes   ours ms  floor ms   /floor  shared ms  /shared  file");
for (const [name, bytes] of rows.filter(([, bytes]) => Number(bytes) > LARGE)) {
  const document = readFileSync(path.join(corpus, name));
  let floor;
  try {
    floor = glue.floor(document, settled);
  } catch (error) {
    console.log(`${bytes.padStart(9)}  not read: ${error.message}  ${name}`);
    continue;
  }
  const [ours, alone, shared] = means(
    () => glue.validate(document, settled),
    () => floor.replay(),
    () => floor.replayShared(),
  );
  floor.free();
  if (ours / alone > BOUND) over += 1;
  console.log(`${bytes.padStart(9)} ${ours.toFixed(2).padStart(9)} ${alone.toFixed(2).padStart(9)} ${(ours / alone).toFixed(2).padStart(8)} ${shared.toFixed(2).padStart(10)} ${(ours / shared).toFixed(2).padStart(8)}  ${path.basename(name)}`);
}
console.log(`${over} over ${BOUND} times the floor`);
process.exitCode = over > 0 ? 1 : 0;
