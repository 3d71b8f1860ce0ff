import * as pulumi from "@pulumi/pulumi";

/**
 * Refuses options that cannot work for a dynamic resource, before the engine fails with a stack trace. Throws pulumi.RunError,
 * which ends the program with one sentence.
 */
export function refuseUnusableOptions(
  token: string,
  name: string,
  isAdoptable: boolean,
  { import: importId, provider, parent }: pulumi.CustomResourceOptions = {},
): void {
  const what = `${token.slice(token.lastIndexOf(":") + 1)} "${name}"`;
  if (importId !== undefined) {
    const instead = isAdoptable
      ? `Remove it, and give the id as an argument: { adopt: ${quoted(importId)}, … }`
      : "Remove it: this resource has no object at the API";
    throw new pulumi.RunError(
      `${what} cannot be imported: the option "import" does not work for resources of this package. ${instead}.`,
    );
  }
  if ((provider ?? parent?.getProvider(token)) !== undefined) {
    throw new pulumi.RunError(
      `${what} has an explicit provider. Resources of this package take none, because it would not receive the stack's ` +
        `configuration. Remove the option "provider". For another account or API, make another stack with its own ` +
        `cloudinfra:apiKey and cloudinfra:baseUrl.`,
    );
  }
}

function quoted(id: unknown): string {
  return typeof id === "string" ? JSON.stringify(id) : "<id>";
}
