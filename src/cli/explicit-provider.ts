import { isRecord } from "../definition/record";
import type { ConfigReader } from "../settings/config";
import { urnParts } from "../engine/urn";
import { CommandFailure } from "./command-failure";
import type { StateResource } from "./pulumi/stack-state";

/**
 * The settings of the explicit provider with this URN, as the last update left them in the state. Throws CommandFailure if the
 * state does not have them, or has them encrypted.
 */
export function configOfProvider(resources: readonly StateResource[], urn: string): ConfigReader {
  const { name } = urnParts(urn);
  const found = resources.filter((resource) => resource.urn === urn);
  const provider = found.find((resource) => resource.delete !== true) ?? found[0];
  if (provider === undefined)
    throw new CommandFailure(`The state does not have the provider "${name}" of its resources.`);
  return (key) => {
    const value = provider.inputs?.[key];
    if (typeof value === "string") return value;
    if (!isRecord(value)) return value === undefined || value === null ? undefined : JSON.stringify(value);
    if (typeof value["plaintext"] === "string") return String(JSON.parse(value["plaintext"]));
    throw new CommandFailure(
      `The state has the ${key} of the provider "${name}" encrypted. Print it with \`pulumi stack export --show-secrets\`, ` +
        `or name the stack with --stack instead of --state.`,
    );
  };
}
