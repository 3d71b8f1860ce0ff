import * as pulumi from "@pulumi/pulumi";

/**
 * Refuses the options that cannot work for a dynamic resource, before the engine fails with a stack trace of its own. Throws
 * pulumi.RunError, which ends the program with the sentence alone.
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
      ? `Take the option out, and give the id as an argument: { adopt: ${quoted(importId)}, … }`
      : "It has no object at the API to import. Take the option out";
    throw new pulumi.RunError(
      `${what} cannot be imported: the option "import" does not work for resources of this package. ${instead}.`,
    );
  }
  if ((provider ?? parent?.getProvider(token)) !== undefined) {
    throw new pulumi.RunError(
      `${what} has an explicit provider, which resources of this package do not take: it would see none of the stack's ` +
        `configuration. Leave the option "provider" out. For another account or another API, use a stack of its own, ` +
        `with its own cloudinfra:apiKey and cloudinfra:baseUrl.`,
    );
  }
}

function quoted(id: unknown): string {
  return typeof id === "string" ? JSON.stringify(id) : "<id>";
}
