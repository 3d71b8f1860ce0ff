import type { Finding } from "../kind";
import type { Run } from "../run";

/** What `cloudinfra:preflight` says of a change that can never work. */
export function severityOf({ settings: { preflight } }: Run): Finding["severity"] {
  return preflight === "warn" ? "warning" : "failure";
}

/** What to do about it. */
export function advice(run: Run): string {
  return severityOf(run) === "warning"
    ? "The update would fail too."
    : "Correct it. Or set cloudinfra:preflight to warn, to let the preview pass.";
}
