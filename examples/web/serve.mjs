// Serves the page as it should be served: files from here, the package under /lacre/, a strict policy, nothing else.
//
//   node examples/web/serve.mjs [PORT]
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import path from "node:path";
import { fileURLToPath } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const lacre = fileURLToPath(new URL("../../pkg/", import.meta.url));

const types = { ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm" };

const headers = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** The server, listening; port 0 takes any that is free. */
export async function serve(port = 0) {
  const server = createServer(async (request, response) => {
    const asked = path.posix.normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    const [folder, name] = asked.startsWith("/lacre/") ? [lacre, asked.slice(7)] : [here, asked === "/" ? "index.html" : asked.slice(1)];
    const file = path.join(folder, name);
    const type = types[path.extname(file)];
    const found = type && file.startsWith(folder) && (await stat(file).catch(() => null));
    if (!found?.isFile()) return response.writeHead(404, headers).end();
    response.writeHead(200, { ...headers, "Content-Type": type, "Content-Length": found.size });
    createReadStream(file).pipe(response);
  });
  await new Promise((listening) => server.listen(port, "127.0.0.1", listening));
  return server;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const server = await serve(Number(process.argv[2] ?? 8080));
  console.log(`http://127.0.0.1:${server.address().port}/`);
}
