// A worker of its own for large files: what waits for it stays free to do other things.
//
//   node worker.js FILE
import { readFile } from "node:fs/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { validate } from "lacre";

if (isMainThread) {
  const octets = await readFile(process.argv[2]);
  const file = octets.buffer.slice(octets.byteOffset, octets.byteOffset + octets.length);
  // The buffer is handed over, not copied.
  const worker = new Worker(new URL(import.meta.url), { workerData: file, transferList: [file] });
  const ticking = setInterval(() => process.stderr.write("."), 10);
  worker.once("message", (report) => console.log(`\n${report.conclusion.indication}`));
  worker.once("exit", () => clearInterval(ticking));
} else {
  parentPort.postMessage(await validate(workerData));
}
