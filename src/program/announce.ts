import * as pulumi from "../engine/pulumi-sdk";
import { runFile, type Announcement, type RunFile } from "../process/run-file";
import { isPlain } from "../engine/values";

let file: RunFile<Announcement> | undefined;

/**
 * Announces a resource to the plugin as soon as its arguments are known, so that the plugin can ask the API about it
 * while the engine is busy with others. It leaves out resources with secrets, and those of explicit providers, whose
 * plugins may not read the file.
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
  const entries = Object.entries({ ...args });
  const plain = Object.fromEntries(entries.filter(([, value]) => isPlain(value)));
  const others = pulumi.output(Object.fromEntries(entries.filter(([, value]) => !isPlain(value))));
  // A failed argument ends the program anyway.
  if (await pulumi.isSecret(others).catch(() => true)) return;
  others.apply(async (known) => file?.append({ urn: await urn, inputs: { ...plain, ...known } }));
}
