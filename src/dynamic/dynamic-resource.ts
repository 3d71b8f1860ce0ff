import * as pulumi from "../engine/pulumi-sdk";
import type { Definition } from "../definition/types";
import { inputsOf, optionsOf, refuseUnusable, resourceClass, urnOf, type Register } from "../program/resource";
import type { ResourceClass } from "../program/resource-types";
import { isMocked, checkConfiguration } from "../program/running-program";
import { loaderOf, PACKAGE } from "../state/loader";
import { dynamicToken, nativeToken } from "../engine/urn";
import type { PropertyPath } from "../engine/program-facts";
import { isPlain } from "../engine/values";
import { createRequire } from "node:module";
import { join } from "node:path";

/** The constructor's arguments for a dynamic resource whose provider is loaded, not serialized. */
export const registerDynamic: Register = (kind, name, args, options = {}) => {
  const { type } = kind;
  const token = dynamicToken(type);
  refuseUnusableOptions(token, name, "path" in kind, options);
  if (!isMocked()) requireLoadable();
  checkConfiguration();
  refuseUnusable(kind, name, args, options);
  const urn = urnOf(token, name, options.parent);
  const props = {
    ...inputsOf(kind, args, options, { urn, secretPaths: secretArguments(args) }),
    __provider: loaderOf(type),
  };
  return { sent: [token, name, props, optionsOf(options, nativeToken(type))], urn };
};

/**
 * The paths of the secrets among the arguments, because the engine sends their values to a dynamic provider unmarked. A
 * list with a secret counts as secret. Undefined if there are no secrets.
 */
async function secretArguments(args: object): Promise<readonly PropertyPath[] | undefined> {
  const paths = await secretsIn(args, []);
  return paths.length > 0 ? paths : undefined;
}

async function secretsIn(value: unknown, path: PropertyPath): Promise<readonly PropertyPath[]> {
  if (isPlain(value)) return [];
  if (Object.getPrototypeOf(value) !== Object.prototype) {
    // True also for a value that fails, which ends the program anyway.
    const isSecret = await pulumi.isSecret(pulumi.output(value)).catch(() => true);
    return isSecret ? [path] : [];
  }
  const inside = Object.entries(value as object).map(([key, member]) => secretsIn(member, [...path, key]));
  return (await Promise.all(inside)).flat();
}

const byClass = new WeakMap<object, Definition>();

/** Makes the class of a resource for programs. */
export function resource<Instance, Args>(definition: Definition): ResourceClass<Instance, Args> {
  const made = resourceClass<Instance, Args>(definition, registerDynamic);
  byClass.set(made, definition);
  return made;
}

/** The definition from which `resource` has made a class. */
export function definitionOf(made: object): Definition {
  const definition = byClass.get(made);
  if (!definition) throw new Error("no definition has made this class");
  return definition;
}

/** The folders from which the package can be loaded. */
const loadableFolders = new Set<string>();

/**
 * Checks that the engine's plugin will find the package. The plugin looks in the folder of the program, not beside the
 * file that imports the package. So it does not find a package on which only a library of the program depends. Throws
 * pulumi.RunError, which ends the program with one sentence.
 */
function requireLoadable(): void {
  const folders = [process.cwd(), pulumi.getRootDirectory()];
  if (folders.some(isLoadableFrom)) return;
  throw new pulumi.RunError(
    `Pulumi does not find ${PACKAGE} in the folder ${folders[0] ?? ""}. The project itself must depend on it, ` +
      `even if only a library of the project uses it. ` +
      `Run "npm install ${PACKAGE}" (or "pnpm add ${PACKAGE}") in that folder.`,
  );
}

function isLoadableFrom(folder: string): boolean {
  if (loadableFolders.has(folder)) return true;
  try {
    createRequire(join(folder, "index.js")).resolve(`${PACKAGE}/package.json`);
    loadableFolders.add(folder);
    return true;
  } catch {
    return false; // any error means that it cannot be loaded from there
  }
}

/**
 * Refuses options that cannot work for a dynamic resource, before the engine fails with a stack trace. Throws
 * pulumi.RunError, which ends the program with one sentence.
 */
function refuseUnusableOptions(
  token: string,
  name: string,
  isAdoptable: boolean,
  { import: importId, provider, parent }: pulumi.CustomResourceOptions = {},
): void {
  const label = `${token.slice(token.lastIndexOf(":") + 1)} "${name}"`;
  if (importId !== undefined) {
    const id = typeof importId === "string" ? JSON.stringify(importId) : "<id>";
    const reason = isAdoptable
      ? `the option "import" needs the first-class provider, pulumi-cloudinfra/native. Use that, or give the id as an argument instead: { adopt: ${id}, … }`
      : 'it has no object at the API. Remove the option "import"';
    throw new pulumi.RunError(`${label} cannot be imported: ${reason}.`);
  }
  if ((provider ?? parent?.getProvider(token)) !== undefined) {
    throw new pulumi.RunError(
      `${label} has an explicit provider. Resources of this package take none, because it would not receive the stack's ` +
        `configuration. Remove the option "provider". For another account or API, make another stack with its own ` +
        `cloudinfra:apiKey and cloudinfra:baseUrl.`,
    );
  }
}
