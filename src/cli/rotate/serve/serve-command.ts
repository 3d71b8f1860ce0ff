import { InvalidArgumentError, type Command } from "commander";
import { isLoopback } from "../../../process/loopback";
import { addCommonFlags, stackOption, wholeNumber, type RunCommand } from "../../command-flags";
import type * as Server from "./rotation-server";

/** Adds `cloudinfra rotate serve`. */
export function addServeCommand(rotate: Command, run: RunCommand): void {
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
  addCommonFlags(serve).action((options: Server.ServeOptions) => {
    const { cert, key, host } = options;
    if ((cert === undefined) !== (key === undefined)) serve.error("error: give --cert and --key together");
    if (cert === undefined && !isLoopback(host))
      serve.error("error: give --cert and --key: without them, secrets would leave this machine unencrypted");
    return run(options, (io) => (require("./rotation-server") as typeof Server).runServe(options, io));
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
