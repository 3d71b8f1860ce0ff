import * as pulumi from "@pulumi/pulumi";
import { runFile, type Announcement, type RunFile } from "../process/run-file";

let file: RunFile<Announcement> | undefined;

/**
 * Announces a resource to the plugin as soon as its arguments are known, so that the plugin can ask the API about it while the engine
 * is busy with others. It leaves out resources with secrets, and those of explicit providers, whose plugins may not read the file.
 */
export async function announce(
  token: string,
  urn: string | Promise<string>,
  args: object,
  options: pulumi.CustomResourceOptions = {},
): Promise<void> {
  const engine = process.env["PULUMI_NODEJS_ENGINE"];
  const provider = options.provider ?? options.parent?.getProvider(token);
  if (!engine || provider !== undefined || options.import !== undefined) return;
  file ??= runFile(engine, "announced");
  const given = pulumi.output(args);
  // A failed argument ends the program anyway.
  if (await pulumi.isSecret(given).catch(() => true)) return;
  given.apply(async (inputs) => file?.append({ urn: await urn, inputs: inputs as Announcement["inputs"] }));
}
