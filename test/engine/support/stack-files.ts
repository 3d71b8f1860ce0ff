import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ConfigValue, Stack, StateResource } from "../../../tools/pulumi/stack.cjs";
import type { KeyService } from "./key-service";

const PROJECT = "test";

/** The engine's state file of a session's stack. */
export function stateFileOf({ folder, name }: Stack): string {
  return join(folder, "state", ".pulumi", "stacks", PROJECT, `${name}.json`);
}

/** A resource in the state file. */
export interface KeptResource extends StateResource {
  readonly delete?: boolean;
  readonly external?: boolean;
}

/** All resources in the state file, with secrets as ciphertext. */
export function resourcesIn(stack: Stack): readonly KeptResource[] {
  const { checkpoint } = JSON.parse(readFileSync(stateFileOf(stack), "utf8")) as {
    readonly checkpoint: { readonly latest?: { readonly resources?: readonly KeptResource[] } };
  };
  return checkpoint.latest?.resources ?? [];
}

/** The configuration of a stack. JSON is YAML. */
function configFileOf({ folder, name }: Stack): string {
  return join(folder, `Pulumi.${name}.yaml`);
}

/**
 * Makes a stack as `pulumi stack init` and `pulumi config set` do, without the second of processor time that each
 * takes.
 */
export function makeStack(stack: Stack, keys: KeyService, config: Readonly<Record<string, ConfigValue>> = {}): void {
  const { folder, name } = stack;
  const file = stateFileOf(stack);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(join(folder, "state", ".pulumi", "meta.yaml"), "version: 1\n");
  const checkpoint = { stack: `organization/${PROJECT}/${name}`, latest: null };
  writeFileSync(file, JSON.stringify({ version: 3, checkpoint }));
  writeFileSync(configFileOf(stack), JSON.stringify({ ...keys.settings, config }));
  Object.assign(stack.env, keys.env, { PULUMI_STACK: name });
}

/** Sets a value in the configuration that {@link makeStack} has written, without the CLI. */
export function setConfig(stack: Stack, key: string, value: string): void {
  const file = configFileOf(stack);
  const settings = JSON.parse(readFileSync(file, "utf8")) as { readonly config: Readonly<Record<string, ConfigValue>> };
  writeFileSync(file, JSON.stringify({ ...settings, config: { ...settings.config, [key]: value } }));
}

/** Unlocks a stack as `pulumi cancel` does, without the CLI. */
export function unlock({ folder }: Stack): void {
  rmSync(join(folder, "state", ".pulumi", "locks"), { recursive: true });
}
