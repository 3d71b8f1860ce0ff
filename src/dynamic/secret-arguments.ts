import * as pulumi from "@pulumi/pulumi";
import type { Path } from "../engine/hidden-inputs";
import { isPlain } from "../program/plain-values";

/**
 * The paths of the secrets among the arguments, because the engine sends their values to a dynamic provider unmarked. A list with a
 * secret counts as secret. Undefined if there are no secrets.
 */
export async function secretArguments(args: object): Promise<readonly Path[] | undefined> {
  const paths = await secretsIn(args, []);
  return paths.length > 0 ? paths : undefined;
}

async function secretsIn(value: unknown, path: Path): Promise<readonly Path[]> {
  if (isPlain(value)) return [];
  if (Object.getPrototypeOf(value) !== Object.prototype) return (await isSecretArgument(value)) ? [path] : [];
  const inside = Object.entries(value as object).map(([key, member]) => secretsIn(member, [...path, key]));
  return (await Promise.all(inside)).flat();
}

/** False for a value that fails, which ends the program anyway. */
function isSecretArgument(value: unknown): Promise<boolean> {
  return pulumi.isSecret(pulumi.output(value)).catch(() => true);
}
