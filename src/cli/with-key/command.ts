import { InvalidArgumentError, Option, type Command } from "commander";
import ms from "ms";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import type * as ApiKeyPermissions from "../../resources/api-key-permission";
import { durationMs } from "../../settings/duration";
import { addCommonFlags, another, stackOption, type Run } from "../command";
import type * as WithKey from "./with-key";

const LONGEST = "24h";

export function addWithKeyCommand(program: Command, run: Run): void {
  const withKey = program
    .command("with-key")
    .usage("[options] -- <command> [arguments...]")
    .description("Run a command with an API key of its own, and delete the key when the command has ended.")
    .argument("<command...>")
    .addOption(
      new Option(
        "--permissions <list>",
        "Give the key these permissions, such as vm:read,volume:edit. Repeat the flag, or separate them by commas.",
      )
        .argParser(permissions)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--for <duration>", `Let the key end by itself after this time, such as 15m: at most ${LONGEST}.`)
        .argParser(lifetimeMs)
        .makeOptionMandatory(),
    )
    .addOption(
      new Option("--project <id>", "Let the key reach this project. Repeat the flag for several.")
        .argParser(another)
        .default([], "cloudinfra:projectId"),
    )
    .addOption(stackOption("Make the key with the settings of this stack. (default: the selected one)"));
  addCommonFlags(withKey).action((command: readonly string[], options: WithKey.WithKeyOptions) =>
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- see Run
    run(options, (io) => (require("./with-key") as typeof WithKey).runWithKey(command, options, io)),
  );
}

function permissions(text: string, before: readonly ApiKeyPermission[] = []): readonly ApiKeyPermission[] {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- see Run
  const api = require("../../resources/api-key-permission") as typeof ApiKeyPermissions;
  const read = text.split(",").map((each): ApiKeyPermission => {
    const [type, level, ...rest] = each.trim().split(":");
    const resourceType = api.API_KEY_RESOURCE_TYPE.values.find((value) => value === type);
    const permission = api.API_KEY_PERMISSION_LEVEL.values.find((value) => value === level);
    if (resourceType && permission && rest.length === 0) return { resourceType, permission };
    throw new InvalidArgumentError(
      `"${each.trim()}" is none. Write <type>:read or <type>:edit, with one of the types ${api.API_KEY_RESOURCE_TYPE.values.join(", ")}.`,
    );
  });
  return [...before, ...read];
}

function lifetimeMs(text: string): number {
  const lifetime = durationMs(text) ?? 0;
  if (lifetime >= 1_000 && lifetime <= ms(LONGEST)) return lifetime;
  throw new InvalidArgumentError(`It must be a duration such as "15m" or "1h", and at most ${LONGEST}.`);
}
