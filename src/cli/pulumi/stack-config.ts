import type { ConfigReader } from "../../config";
import type { ConfigEntry } from "../../config-faults";
import { askPulumi, isNoneSelected, type PulumiPlace } from "./command";

/** The configuration of a stack, or why there is none to be had. */
export type StackConfig =
  | {
      readonly status: "read";
      readonly stack: string | undefined;
      readonly config: ConfigReader;
      /** All of the stack's configuration, that of others too. */
      readonly entries: readonly ConfigEntry[];
    }
  /** There is nothing to read here: the environment alone counts. */
  | { readonly status: "absent"; readonly reason: string }
  /** There is, and it cannot be read. */
  | { readonly status: "unreadable"; readonly reason: string };

/** Reads the stack's configuration through Pulumi itself, secrets decrypted. Never rejects. */
export async function readStackConfig(place: PulumiPlace): Promise<StackConfig> {
  const [config, name] = await Promise.all([
    askPulumi(["config", "--show-secrets", "--json"], place),
    askPulumi(["stack", "--show-name"], place),
  ]);
  switch (config.status) {
    case "no project":
      return { status: "absent", reason: "there is no Pulumi project here" };
    case "no pulumi":
      return { status: "absent", reason: "pulumi is not on PATH" };
    case "failed":
      return { status: isNoneSelected(place, config.reason) ? "absent" : "unreadable", reason: config.reason };
  }
  const values = valuesOf(config.stdout);
  if (!values) return { status: "unreadable", reason: "pulumi config did not answer in JSON" };
  return {
    status: "read",
    stack: place.stack ?? (name.status === "done" ? name.stdout.trim() : undefined),
    config: (key) => values[`cloudinfra:${key}`]?.value,
    entries: Object.entries(values).map(([key, { secret }]) => ({ key, isSecret: secret !== false })),
  };
}

/** What Pulumi shows of an entry. */
interface ShownEntry {
  readonly value?: string;
  readonly secret?: boolean;
}

function valuesOf(json: string): Readonly<Record<string, ShownEntry>> | undefined {
  try {
    return JSON.parse(json) as Readonly<Record<string, ShownEntry>>;
  } catch {
    return undefined;
  }
}
