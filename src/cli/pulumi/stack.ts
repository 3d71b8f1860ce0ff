import { z } from "zod";
import { CommandFailure } from "../command-failure";
import { documentIn, type Input } from "../io";
import { askPulumi, isNoneSelected, stackNameOf, type PulumiIo } from "./run-pulumi";
import type { ConfigReader } from "../../settings/config";
import type { ConfigEntry } from "../../settings/config-faults";
import { isRecord } from "../../definition/compare-values";
import { containsSecret, isSecret } from "../../engine/values";
import { parseJson } from "../../text/json";

const values = z
  .record(z.string(), z.unknown())
  .transform((props) => decrypted(props) as typeof props)
  .readonly();

/**
 * A value without the marks of its decrypted secrets, at any depth. An encrypted secret keeps its mark, because it is
 * not known, and must not count as absent. With a wrong passphrase, Pulumi prints each secret as null.
 */
function decrypted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(decrypted);
  if (!isRecord(value)) return value;
  const { plaintext } = value;
  if (isSecret(value) && typeof plaintext === "string" && plaintext !== "null") return decrypted(parseJson(plaintext));
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, decrypted(inner)]));
}

const stateResource = z.object({
  urn: z.string(),
  type: z.string(),
  id: z.string().optional(),
  inputs: values.optional(),
  outputs: values.optional(),
  /** The URN of the component that it is part of. */
  parent: z.string().optional(),
  /** The provider, as `<urn>::<id>`. */
  provider: z.string().optional(),
  /** True if it was replaced and waits for its deletion. */
  delete: z.boolean().optional(),
  /** True if it is only read, and not managed. */
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  ignoreChanges: z.array(z.string()).readonly().optional(),
});

/**
 * A resource in the output of `pulumi stack export`. Values of the program or the API may have any type, including
 * secrets.
 */
export type StateResource = Readonly<z.infer<typeof stateResource>>;

/**
 * The resources of the given or the selected stack, from Pulumi. Secrets stay encrypted without `--show-secrets`.
 * Rejects with CommandFailure.
 */
export async function exportStack(
  stack: string | undefined,
  io: PulumiIo,
  flags: readonly "--show-secrets"[] = [],
): Promise<readonly StateResource[]> {
  const exported = await askPulumi(["stack", "export", ...flags], stack, io);
  switch (exported.status) {
    case "done":
      return resourcesIn({ text: exported.stdout, source: "The output of pulumi stack export" });
    case "no project":
      throw new CommandFailure(noProjectText(io.cwd, "give a state with --state"));
    case "no pulumi":
      throw new CommandFailure("pulumi is not on PATH. Install it, or give a state with --state.");
    case "failed":
      throw new CommandFailure(
        isNoneSelected(stack, exported.reason)
          ? "No stack is selected. Name one with --stack, or select one with `pulumi stack select`."
          : `The state of ${stackWords(stack)} cannot be read: ${exported.reason}.`,
      );
  }
}

/** Makes a function that reads the state with its secrets, at most once. It rejects with CommandFailure. */
export function stateWithSecrets(stack: string | undefined, io: PulumiIo): () => Promise<readonly StateResource[]> {
  let read: Promise<readonly StateResource[]> | undefined;
  return () => (read ??= exportStack(stack, io, ["--show-secrets"]));
}

/**
 * The state, with its secrets if one of them is needed. `secrets` reads the state with them. Rejects with
 * CommandFailure, also if a needed secret is still encrypted.
 */
export async function stateShowing(
  needed: (resource: StateResource) => unknown,
  state: readonly StateResource[],
  secrets: () => Promise<readonly StateResource[]>,
): Promise<readonly StateResource[]> {
  const isHidden = (resource: StateResource): boolean => containsSecret(needed(resource));
  const complete = state.some(isHidden) ? await secrets() : state;
  const hidden = complete.find(isHidden);
  if (hidden !== undefined) throw encryptedFailure(`a secret of ${hidden.urn}`);
  return complete;
}

export function encryptedFailure(secret: string): CommandFailure {
  return new CommandFailure(
    `The state has ${secret} encrypted. Check the passphrase of the stack. For --state, give the output of ` +
      "`pulumi stack export --show-secrets`, or name the stack with --stack instead.",
  );
}

export function noProjectText(folder: string, otherwise: string): string {
  return `There is no Pulumi project in ${folder} or above it. Run this in the project's folder, or ${otherwise}.`;
}

/** The given or the selected stack, in words. */
export function stackWords(stack: string | undefined): string {
  return stack === undefined ? "the selected stack" : `the stack ${stack}`;
}

/** `deployment` is null if no run has updated the stack. `resources` is null if there are none. */
const state = z.object({
  deployment: z.object({ resources: z.array(stateResource).nullish() }).nullable(),
});

/** The resources in the output of `pulumi stack export`. Throws CommandFailure. */
export function resourcesIn(input: Input): readonly StateResource[] {
  return documentIn(input, state, "state", "pulumi stack export").deployment?.resources ?? [];
}

export type StackConfig =
  | {
      readonly status: "read";
      readonly stack: string | undefined;
      readonly config: ConfigReader;
      /** The whole configuration, also of other packages. */
      readonly entries: readonly ConfigEntry[];
    }
  /** There is no configuration: only the environment counts. */
  | { readonly status: "absent"; readonly reason: string }
  | { readonly status: "unreadable"; readonly reason: string };

/** Reads the configuration of the given or the selected stack with Pulumi, with secrets decrypted. Never rejects. */
export async function readStackConfig(stack: string | undefined, io: PulumiIo): Promise<StackConfig> {
  const [config, name] = await Promise.all([
    askPulumi(["config", "--show-secrets", "--json"], stack, io),
    stackNameOf(stack, io),
  ]);
  switch (config.status) {
    case "no project":
      return { status: "absent", reason: "there is no Pulumi project here" };
    case "no pulumi":
      return { status: "absent", reason: "pulumi is not on PATH" };
    case "failed":
      return { status: isNoneSelected(stack, config.reason) ? "absent" : "unreadable", reason: config.reason };
  }
  const values = parseJson(config.stdout) as
    Readonly<Record<string, { readonly value?: string; readonly secret?: boolean }>> | undefined;
  if (!values) return { status: "unreadable", reason: "pulumi config did not answer in JSON" };
  return {
    status: "read",
    stack: name,
    config: (key) => values[`cloudinfra:${key}`]?.value,
    entries: Object.entries(values).map(([key, { secret }]) => ({ key, isSecret: secret !== false })),
  };
}
