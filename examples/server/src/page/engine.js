// Asks this server to judge, at its validating operation: a form with the file and what was said about it.

/** How long files may be is the server's to say. */
export const most = Infinity;

/** The codes of problems (RFC 9457) and statuses that the page has a text of its own for. */
const codes = { password: "PASSWORD", "too-large": "TOO_LARGE", "unknown-format": "UNKNOWN_FORMAT" };

async function send(file, { time, language, contents, password, token }, accept) {
  const form = new FormData();
  form.append("document", file, file.name);
  if (time !== undefined) form.append("time", time.toISOString());
  if (password !== undefined) form.append("password", password);
  for (const content of contents) form.append("contents", content, content.name);
  const headers = { Accept: accept, "Accept-Language": language, ...(token !== undefined && { "X-AUTH-TOKEN": token }) };
  const path = `/api/Document/Validate/Pdf/page-${crypto.getRandomValues(new Uint32Array(2)).join("-")}`;
  const response = await fetch(path, { method: "POST", headers, body: form }).catch((error) => {
    throw { code: "LOAD", message: error.message };
  });
  if (!response.ok) throw await failure(response);
  return response;
}

async function failure(response) {
  if (response.status === 401) return { code: "TOKEN" };
  const { type = "", title, detail, message } = await response.json().catch(() => ({}));
  return { code: codes[type.split("/").pop()] ?? "INTERNAL", message: [title ?? message, detail].filter(Boolean).join(": ") };
}

/** The report in JSON. It is the server's clock that counts; the other forms of the report are for the same moment. */
export async function validate(file, options) {
  const report = await (await send(file, { ...options, time: undefined }, "application/json")).json();
  options.time = new Date(report.validation_time);
  return report;
}

/** The report in another form: `pdf` or `xml`. */
export const write = async (form, file, options) => (await send(file, options, `application/${form}`)).arrayBuffer();
