/** Why a call of lacre failed; `code` is stable, `message` is for people. */
export class LacreError extends Error {
  constructor(code, message, { hint, cause, wanted } = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "LacreError";
    this.code = code;
    if (hint !== undefined) this.hint = hint;
    if (wanted !== undefined) this.wanted = wanted;
  }
}
