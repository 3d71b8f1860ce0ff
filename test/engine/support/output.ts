import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";

/** What a run that has to succeed printed. */
export function succeeded({ code, output }: PulumiResult): string {
  if (code !== 0) throw new Error(`pulumi ended with code ${String(code)}:\n${output}`);
  return output;
}

/** What Pulumi's own SDK adds, under the stack, if a program goes on after an error (`--continue-on-error`). */
const SDK_TRACE = /(?<=failed to register)(\n +at .*)+/g;

/** What a run that has to fail printed: it says so by its code, and shows no stack trace. */
export function failed({ code, output }: PulumiResult): string {
  if (code === 0) throw new Error(`pulumi succeeded:\n${output}`);
  expect(output.replaceAll(SDK_TRACE, "")).not.toMatch(/^\s+at .+/m);
  expect(output).not.toMatch(/\[object Object\]|undefined/);
  return output;
}

/** The preview and the update that one `pulumi up` has printed. */
export function partsOf(output: string): { readonly preview: string; readonly update: string } {
  const [preview = "", update = ""] = output.split("Updating (dev):");
  return { preview, update };
}

/** The types of resources of this package, with each front. */
const OURS = /(:dynamic\/cloudinfra|\bcloudinfra:index):/;

/** The last line of a resource's row: what was done with it, and what was said. Without the time it took. */
export function rowOf(output: string, name: string): string {
  const rows = output.split("\n").filter((line) => OURS.test(line) && line.includes(` ${name} `));
  // What stands there while it runs has no operation's sign.
  const row = rows.filter((line) => /^ [-+~><=]/.test(line)).at(-1) ?? rows.at(-1);
  if (row === undefined) throw new Error(`there is no row for ${name} in:\n${output}`);
  return row.replace(/ \(\d+(\.\d+)?s\)/, "").trim();
}

/** What was said of a resource beneath its name under Diagnostics. */
export function saidOf(output: string, name: string): string {
  const [, diagnostics = ""] = output.split(/^Diagnostics:$/m);
  const block = diagnostics.split(/\n {2}(?=\S)/).find((part) => part.includes(` (${name}):`));
  if (block === undefined) throw new Error(`nothing was said of ${name} in:\n${output}`);
  return block
    .split("\n")
    .slice(1)
    .map((line) => line.trim())
    .join("\n")
    .split(/\n\n(?=Outputs:|Resources:)/)[0]!
    .trim();
}

/** The counts under Resources, such as `4 unchanged`. */
export function counts(output: string): string[] {
  const [, tail = ""] = output.split(/^Resources:$/m);
  return tail
    .split("\n")
    .filter((line) => line.startsWith("    "))
    .map((line) => line.trim());
}
