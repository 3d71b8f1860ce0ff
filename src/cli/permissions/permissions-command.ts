import { Option, type Command } from "commander";
import {
  addCommonFlags,
  addExamples,
  addExitCodes,
  addOutputFlag,
  stackOption,
  type RunCommand,
} from "../command-flags";
import type * as Permissions from "./permissions";

export function addPermissionsCommand(program: Command, run: RunCommand): void {
  const permissions = program
    .command("permissions")
    .description("List the least permissions that an API key needs for the program of a stack.")
    .addOption(stackOption("Preview this stack. (default: the selected one)"))
    .option("--check", "Say whether the configured API key has them, and reaches the projects.")
    .addOption(
      new Option("--format <format>", "Print a table, or JSON for the argument `permissions` of an ApiKey.")
        .choices(["table", "json"])
        .default("table"),
    );
  addExitCodes(
    permissions,
    "8 with --check: the key lacks a permission or a project",
    "or Pulumi's own if the preview fails",
  );
  addExamples(permissions, "cloudinfra permissions --stack prod --format json", "cloudinfra permissions --check");
  addCommonFlags(addOutputFlag(permissions)).action((options: Permissions.PermissionsOptions) =>
    run(options, (io) => (require("./permissions") as typeof Permissions).runPermissions(options, io)),
  );
}
