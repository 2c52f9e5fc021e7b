// Judges a signed file and writes the report beside it as PDF.
//
//   node validate.js FILE [TRUSTED-CERTIFICATE…]
import { readFile, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { inspect, judge, LacreError } from "lacre";
import { pdf } from "lacre/report";

const [path, ...anchors] = process.argv.slice(2);
if (path === undefined) {
  console.error("usage: node validate.js FILE [TRUSTED-CERTIFICATE…]");
  process.exit(2);
}

try {
  const trustAnchors = await Promise.all(anchors.map((anchor) => readFile(anchor)));
  // `validate` does both at once; here the facts are kept, so that the PDF does not read the file again.
  const facts = await inspect(await readFile(path), { name: basename(path), trustAnchors });
  const report = await judge(facts);

  console.log(report.conclusion.indication);
  for (const signature of report.signatures) {
    console.log(`  ${signature.signing_certificate?.subject ?? "unknown signer"}`);
    console.log(`  ${signature.indication} ${signature.sub_indication ?? ""}`);
    for (const finding of signature.findings) console.log(`    ${finding.severity}: ${finding.message}`);
  }
  for (const { kind, urls } of report.wanted) console.log(`  wanted: ${kind} ${urls.join(" ")}`);

  await writeFile(`${path}.report.pdf`, await pdf(facts));
} catch (error) {
  if (!(error instanceof LacreError)) throw error;
  console.error(`lacre: error: ${error.message}`);
  if (error.hint) console.error(`lacre: hint: ${error.hint}`);
  process.exitCode = 5;
}
