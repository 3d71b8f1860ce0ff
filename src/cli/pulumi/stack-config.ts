import type { ConfigReader } from "../../settings/config";
import type { ConfigEntry } from "../../settings/config-faults";
import { parseJson } from "../../text/json";
import { askPulumi, isNoneSelected, stackNameOf, type PulumiIo } from "./run-pulumi";

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
  const values = parseJson(config.stdout) as Readonly<Record<string, ShownEntry>> | undefined;
  if (!values) return { status: "unreadable", reason: "pulumi config did not answer in JSON" };
  return {
    status: "read",
    stack: name,
    config: (key) => values[`cloudinfra:${key}`]?.value,
    entries: Object.entries(values).map(([key, { secret }]) => ({ key, isSecret: secret !== false })),
  };
}

interface ShownEntry {
  readonly value?: string;
  readonly secret?: boolean;
}
