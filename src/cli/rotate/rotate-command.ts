import { InvalidArgumentError, Option, type Command } from "commander";
import type { Temporal } from "temporal-polyfill";
import type * as Calendar from "../../time/calendar";
import {
  addCommonFlags,
  addExamples,
  addExitCodes,
  addOutputFlag,
  stackOption,
  wholeNumber,
  type RunCommand,
} from "../command-flags";
import type * as Rotate from "./rotate";
import { isLoopback } from "../../process/loopback";
import type * as Server from "./serve/rotation-server";

const MAX_DAYS = 3_660;

export function addRotateCommand(program: Command, run: RunCommand): void {
  const rotate = program
    .command("rotate")
    .enablePositionalOptions()
    .description("List the API keys of a stack that are due for rotation, or the clients that use replaced keys.");
  addOutputFlag(rotate)
    .addOption(new Option("--check", "List the keys, and say which are due.").conflicts("audit"))
    .addOption(new Option("--audit", "List the clients that have used replaced keys.").conflicts("within"))
    .addOption(stackOption("Read this stack. (default: the selected one)"))
    .addOption(
      new Option(
        "--state <file>",
        "Read the output of `pulumi stack export` instead of a stack; - is standard input.",
      ).conflicts("stack"),
    )
    .option(
      "--within <duration>",
      "With --check: count a key as due if it expires within this time, such as 14d.",
      parseDurationFlag,
    )
    .addOption(
      new Option(
        "--wait-quiet <duration>",
        "With --check: wait up to this time, such as 1h, until no replaced key waits for its clients.",
      )
        .conflicts("audit")
        .argParser(parseDurationFlag),
    )
    .option(
      "--days <n>",
      "Read the audit log of the last n days. (default: 7 for --audit, the key's life for --check)",
      wholeNumber(1, MAX_DAYS),
    )
    .addOption(
      new Option("--format <format>", "Print the report in this format.").choices(["table", "json"]).default("table"),
    );
  addExitCodes(
    rotate,
    "7 with --check: some keys are due or expired, or a replaced key can be deleted",
    "9 with --check: the time of --wait-quiet is over and some replaced keys still wait",
  ).addHelpText("after", "\nWith --state, the settings come from the environment only.");
  addExamples(
    rotate,
    "cloudinfra rotate --check --stack prod --within 30d",
    "cloudinfra rotate --audit --days 7",
    "pulumi stack export --stack prod | cloudinfra rotate --check --state -",
  );
  addCommonFlags(rotate).action((options: Rotate.RotateOptions) => {
    if (!options.check && !options.audit) rotate.error("error: give --check or --audit");
    return run(options, (io) => (require("./rotate") as typeof Rotate).runRotate(options, io));
  });
  addServeCommand(rotate, run);
}

function parseDurationFlag(text: string): Temporal.Duration {
  const duration = (require("../../time/calendar") as typeof Calendar).parseDuration(text);
  if (!duration) throw new InvalidArgumentError('It must be a duration such as "14d" or "P14D".');
  return duration;
}

function addServeCommand(rotate: Command, run: RunCommand): void {
  const serve = rotate
    .command("serve")
    .description("Rotate API keys for Pulumi ESC: serve its external rotator (fn::rotate::external).")
    .requiredOption("--audience <url>", "Serve this URL. Use the same one in fn::rotate::external.", httpsUrl)
    .requiredOption(
      "--environment <org/name>",
      "Rotate for this environment of ESC. Repeat the flag for several.",
      escEnvironments,
    )
    .option("--host <address>", "Listen at this address.", "127.0.0.1")
    .option("--port <port>", "Listen at this port; 0 means a free one.", wholeNumber(0, 65_535), 8443)
    .option("--cert <file>", "Serve HTTPS with this certificate (PEM).")
    .option("--key <file>", "The private key of the certificate (PEM).")
    .option("--issuer <url>", "Accept the tokens of this Pulumi Cloud.", issuer, "https://api.pulumi.com")
    .addOption(stackOption("Make the keys with the settings of this stack. (default: the selected one)"))
    .addHelpText(
      "after",
      "\nWithout --cert and --key, it serves HTTP on this machine only, for a proxy that serves HTTPS.",
    );
  addExitCodes(serve);
  addExamples(serve, "cloudinfra rotate serve --audience https://keys.acme.com --environment acme/ci");
  addCommonFlags(serve).action((options: Server.ServeOptions) => {
    const { cert, key, host } = options;
    if ((cert === undefined) !== (key === undefined)) serve.error("error: give --cert and --key together");
    if (cert === undefined && !isLoopback(host))
      serve.error("error: give --cert and --key: without them, secrets would leave this machine unencrypted");
    return run(options, (io) => (require("./serve/rotation-server") as typeof Server).runServe(options, io));
  });
}

function httpsUrl(text: string): string {
  if (URL.canParse(text) && new URL(text).protocol === "https:") return text;
  throw new InvalidArgumentError("It must be a URL that begins with https://.");
}

/** Parses the issuer's URL. Its keys decide which caller gets a secret, so http:// is allowed for this machine only. */
function issuer(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal = url?.protocol === "http:" && isLoopback(url.hostname);
  return (isLocal ? text : httpsUrl(text)).replace(/\/+$/, "");
}

function escEnvironments(text: string, before: readonly string[] = []): readonly string[] {
  if (/^[^/\s]+(\/[^/\s]+){1,2}$/.test(text)) return [...before, text];
  throw new InvalidArgumentError("It must be the whole name, such as acme/prod or acme/project/prod.");
}
