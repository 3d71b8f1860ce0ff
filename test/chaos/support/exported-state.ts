import { typeOfToken } from "../../../src/engine/urn";
import type { Stack, StateResource } from "../../../tools/pulumi/stack.cjs";
import type { KeptResource } from "../../support/mini-state";

/** The state of a stack with its secrets decrypted. */
export async function exportedState(stack: Stack): Promise<readonly KeptResource[]> {
  const { stdout } = await stack.pulumi(["stack", "export", "--show-secrets"]);
  const { deployment } = JSON.parse(stdout) as { readonly deployment: { readonly resources?: readonly Exported[] } };
  return (deployment.resources ?? []).filter(isOurs).map(keptOf);
}

/** True for a resource of this package. */
export function isOurs({ type }: StateResource): boolean {
  return typeOfToken(type) !== undefined;
}

type Exported = StateResource & { readonly delete?: boolean };

function keptOf({ urn, type, id = "", inputs = {}, outputs = {}, initErrors = [], ...others }: Exported): KeptResource {
  return {
    type: type.split(":").at(-1) ?? "",
    name: urn.split("::").at(-1) ?? "",
    id,
    inputs,
    outs: Object.fromEntries(Object.entries(outputs).map(([field, value]) => [field, shown(value)])),
    isReplaced: others.delete === true,
    hasInitError: initErrors.length > 0,
  };
}

/** A value of the state, decrypted if it is secret. */
function shown(value: unknown): unknown {
  const isSecret = typeof value === "object" && value !== null && "plaintext" in value;
  return isSecret ? (JSON.parse(String(value.plaintext)) as unknown) : value;
}
