import { InvalidArgumentError, Option, type Command } from "commander";
import ms from "ms";
import type { ApiKeyPermission } from "../../resources/api-key-permission";
import type * as ApiKeyPermissions from "../../resources/api-key-permission";
import { nameMeant } from "../../text/closest";
import { durationMs } from "../../time/duration";
import { addCommonFlags, addExamples, collectFlag, stackOption, type RunCommand } from "../command-flags";
import type * as WithKey from "./with-key";

const LONGEST = "24h";

export function addWithKeyCommand(program: Command, run: RunCommand): void {
  const withKey = program
    .command("with-key")
    .usage("[options] -- <command> [arguments...]")
    .description("Run a command with its own API key, and delete the key when the command has ended.")
    .argument("<command...>")
    .requiredOption(
      "--permissions <list>",
      "Give the key these permissions, such as vm:read,volume:edit. Repeat the flag, or separate them by commas.",
      permissions,
    )
    .requiredOption(
      "--for <duration>",
      `Let the key expire after this time, such as 15m: at most ${LONGEST}.`,
      lifetimeMs,
    )
    .addOption(
      new Option("--project <id>", "Let the key reach this project. Repeat the flag for several.")
        .argParser(collectFlag)
        .default([], "cloudinfra:projectId"),
    )
    .addOption(stackOption("Make the key with the settings of this stack. (default: the selected one)"));
  withKey.addHelpText(
    "after",
    "\nExit code: that of the command, or 1 if the key cannot be made or deleted, or 2 for wrong usage.",
  );
  addExamples(withKey, "cloudinfra with-key --permissions vpc:read,vm:edit --for 15m -- ./deploy.sh");
  addCommonFlags(withKey).action((command: readonly string[], options: WithKey.WithKeyOptions) =>
    run(options, (io) => (require("./with-key") as typeof WithKey).runWithKey(command, options, io)),
  );
}

function permissions(text: string, before: readonly ApiKeyPermission[] = []): readonly ApiKeyPermission[] {
  return [...before, ...text.split(",").map((each) => permissionIn(each.trim()))];
}

function permissionIn(text: string): ApiKeyPermission {
  const api = require("../../resources/api-key-permission") as typeof ApiKeyPermissions;
  const [types, levels] = [api.API_KEY_RESOURCE_TYPE.values, api.API_KEY_PERMISSION_LEVEL.values];
  const [type = "", level = ""] = text.split(":", 2);
  const resourceType = nameMeant(type, types);
  const permission = nameMeant(level, levels);
  if (resourceType && permission && text === `${resourceType}:${permission}`) return { resourceType, permission };
  const known = levels.map((each) => `${resourceType ?? "<type>"}:${each}`).join(" or ");
  const advice =
    resourceType && permission
      ? `did you mean ${resourceType}:${permission}?`
      : `write ${known}${resourceType ? "." : `, with one of the types ${types.join(", ")}.`}`;
  throw new InvalidArgumentError(`${JSON.stringify(text)} is no permission: ${advice}`);
}

function lifetimeMs(text: string): number {
  const lifetime = durationMs(text) ?? 0;
  if (lifetime >= 1_000 && lifetime <= ms(LONGEST)) return lifetime;
  throw new InvalidArgumentError(`It must be a duration such as "15m" or "1h", and at most ${LONGEST}.`);
}
