// The same in TypeScript: what a report says, with its types.
import { readFile } from "node:fs/promises";
import { LacreError, validate, type Report, type Signature, type SubIndication } from "lacre";
import { etsi, pdf } from "lacre/report";

function told(signature: Signature): string {
  const reason: SubIndication | null = signature.sub_indication;
  switch (signature.indication) {
    case "TOTAL-PASSED":
      return `valid since ${signature.best_signature_time} (${signature.qualification})`;
    case "TOTAL-FAILED":
      return `not valid: ${reason}`;
    case "INDETERMINATE":
      return `undecided: ${reason}`;
  }
}

export async function check(path: string, root: string): Promise<Report> {
  const time = new Date("2027-01-01T00:00:00Z");
  const options = { time, trustAnchors: [await readFile(root)], language: "pt" } as const;
  const document = await readFile(path);
  try {
    const report = await validate(document, options);
    console.log(report.signatures.map(told).join("\n"));
    const xml: string = await etsi(document, options);
    const page: Uint8Array = await pdf(document, options);
    console.log(xml.length, page.length);
    return report;
  } catch (error) {
    if (error instanceof LacreError && error.code === "UNREADABLE") console.error(error.hint);
    throw error;
  }
}
