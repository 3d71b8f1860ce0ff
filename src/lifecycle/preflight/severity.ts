import type { Finding } from "../kind/kind";
import type { Settings } from "../../settings/config";

/** What `cloudinfra:preflight` says of a change that can never work. */
export function severityOf({
  settings: { preflight },
}: {
  readonly settings: Pick<Settings, "preflight">;
}): Finding["severity"] {
  return preflight === "warn" ? "warning" : "failure";
}

/** No way around it: another `cloudinfra:preflight` would only let the update fail. */
export const ADVICE = "Correct it: the update would fail too";
