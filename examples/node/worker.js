// A worker of its own for large files: what waits for it stays free to do other things.
//
//   node worker.js FILE
import { readFile } from "node:fs/promises";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import { validate } from "lacre";

if (isMainThread) {
  const bytes = await readFile(process.argv[2]);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
  // The buffer is handed over, not copied.
  const worker = new Worker(new URL(import.meta.url), { workerData: file, transferList: [file] });
  const ticking = setInterval(() => process.stderr.write("."), 10);
  worker.once("message", (report) => console.log(`\n${report.conclusion.indication}`));
  worker.once("exit", () => clearInterval(ticking));
} else {
  parentPort.postMessage(await validate(workerData));
}
