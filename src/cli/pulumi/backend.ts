import { addressOf, pulumiBackend } from "../../journal/address";
import type { PulumiIo } from "./run-pulumi";

/** The backend in use in this folder, as the journal spells it. Empty if it cannot be found. */
export function backendInUse({ cwd, environment }: PulumiIo): string {
  const { url, folder } = pulumiBackend(environment, cwd);
  return addressOf({ backend: url, baseUrl: "", project: "", stack: "" }, folder).backend;
}
