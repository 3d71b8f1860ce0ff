import { InvalidArgumentError, Option, type Command } from "commander";
import {
  addCommonFlags,
  addExamples,
  addExitCodes,
  addOutputFlag,
  stackOption,
  type RunCommand,
} from "../command-flags";
import type * as DeleteObject from "./delete-object";
import type * as Doctor from "./doctor";

export function addDoctorCommand(program: Command, run: RunCommand): void {
  const doctor = program
    .command("doctor")
    .description("Show which API key and base URL are in use, where they are set, and what the key may do.")
    .addOption(stackOption("Read the configuration of this stack. (default: the selected one)"))
    .addOption(
      new Option("--format <format>", "Print the report in this format.").choices(["text", "json"]).default("text"),
    )
    .addOption(
      new Option("--all", "List the objects of the journal for all projects on this machine.").conflicts([
        "forget",
        "delete",
      ]),
    )
    .addOption(
      new Option(
        "--forget <entry...>",
        "Only remove these entries from the journal, after you have dealt with their objects.",
      ).conflicts("stack"),
    )
    .addOption(
      new Option("--delete <id>", "Show this object of an interrupted run, ask, and delete it.")
        .conflicts(["forget", "stack", "format", "output"])
        .argParser((id, former?: string) => {
          if (former === undefined) return id;
          throw new InvalidArgumentError("It takes one id.");
        }),
    )
    .option("--yes", "With --delete: delete without asking.")
    .addOption(new Option("--force", "With --delete: ask even if a stack may have the object.").conflicts("yes"));
  addExitCodes(doctor);
  addExamples(
    doctor,
    "cloudinfra doctor --stack prod --format json",
    "cloudinfra doctor --delete 5f0e9f6e-0d6b-4f4e-9f0e-4a7f2a3b9c11",
  );
  addCommonFlags(addOutputFlag(doctor)).action(
    (options: Doctor.DoctorOptions & Partial<DeleteObject.DeleteOptions>) => {
      const { delete: id, yes, force } = options;
      if ((yes ?? force) && id === undefined) doctor.error(`error: --${yes ? "yes" : "force"} is for --delete`);
      return run(options, (io) =>
        id === undefined
          ? (require("./doctor") as typeof Doctor).runDoctor(options, io)
          : (require("./delete-object") as typeof DeleteObject).runDelete({ delete: id, yes, force }, io),
      );
    },
  );
}
