// How long validation takes in Node, and beside it its lower bound: the digests and signature checks of the same validation, done
// again alone in the same module. Digests are of what signatures and references cover, each by itself, and of the
// certificates, CRLs and OCSP responses that a report states by their SHA-256. Beside it two stricter bounds: with what
// digests have in common only once, and without the digests that tokens are stated by. The bound is on the first. Needs a
// module built with the feature `bench`:
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

/** The middle of some numbers. */
const median = (numbers) => numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)];

/** How many milliseconds pieces of work take, by short turns. A list for each, turn by turn. */
function turns(...pieces) {
  // At first the engine compiles, quickly, then well what was called often.
  for (const once of pieces) {
    const begun = performance.now();
    do once();
    while (performance.now() - begun < 1000);
  }
  const times = pieces.map(() => []);
  for (let turn = 0; turn < 25; turn += 1) {
    for (const [piece, once] of pieces.entries()) {
      const begun = performance.now();
      let count = 0;
      do {
        once();
        count += 1;
      } while (performance.now() - begun < 30);
      times[piece].push((performance.now() - begun) / count);
    }
  }
  return times;
}

/** How many times as long as the other one: turn by turn, because a machine changes its speed, and does other things. */
const ratio = (ours, other) => median(ours.map((time, turn) => time / other[turn]));

const lines = readFileSync(path.join(root, "../shared/oracle/timings.tsv"), "utf8").split("\n");
const rows = lines.filter((line) => line && !line.startsWith("#") && !line.startsWith("file\t")).map((line) => line.split("\t"));
let over = 0;
console.log("    bytes   ours ms  bound ms   /bound  /shared /unnamed  file");
for (const [name, bytes] of rows.filter(([, bytes]) => Number(bytes) > LARGE)) {
  const document = readFileSync(path.join(corpus, name));
  let work;
  try {
    work = glue.lowerBound(document, settled);
  } catch (error) {
    console.log(`${bytes.padStart(9)}  not read: ${error.message}  ${name}`);
    continue;
  }
  const [ours, alone, ...stricter] = turns(
    () => glue.validate(document, settled),
    () => work.replay(),
    () => work.replayShared(),
    () => work.replayUnnamed(),
  );
  work.free();
  if (ratio(ours, alone) > BOUND) over += 1;
  const ratios = [alone, ...stricter].map((other) => ratio(ours, other).toFixed(2).padStart(8));
  console.log(`${bytes.padStart(9)} ${median(ours).toFixed(2).padStart(9)} ${median(alone).toFixed(2).padStart(9)} ${ratios.join(" ")}  ${path.basename(name)}`);
}
console.log(`${over} over ${BOUND} times the lower bound`);
process.exitCode = over > 0 ? 1 : 0;
