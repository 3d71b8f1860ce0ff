import type { PulumiResult } from "../../../tools/pulumi/stack.cjs";

/** The output of a run that must succeed. */
export function succeeded({ code, output }: PulumiResult): string {
  if (code !== 0) throw new Error(`pulumi ended with code ${String(code)}:\n${output}`);
  return output;
}

/** What Pulumi's SDK adds under the stack if a program continues after an error (`--continue-on-error`). */
const SDK_TRACE = /(?<=failed to register)(\n +at .*)+/g;

/** The output of a run that must fail, with an exit code and without a stack trace. */
export function failed({ code, output }: PulumiResult): string {
  if (code === 0) throw new Error(`pulumi succeeded:\n${output}`);
  expect(output.replaceAll(SDK_TRACE, "")).not.toMatch(/^\s+at .+/m);
  expect(output).not.toMatch(/\[object Object\]|undefined/);
  return output;
}

/** The parts of one `pulumi up`: the preview and the update. */
export function partsOf(output: string): { readonly preview: string; readonly update: string } {
  const [preview = "", update = ""] = output.split("Updating (dev):");
  return { preview, update };
}

/** The types of this package's resources, with each provider. */
const OURS = /(:dynamic\/cloudinfra|\bcloudinfra:index):/;

/** The last line of a resource's row: its operation and its text, without the duration. */
export function rowOf(output: string, name: string): string {
  const rows = output.split("\n").filter((line) => OURS.test(line) && line.includes(` ${name} `));
  // The lines during the run have no sign of an operation.
  const row = rows.filter((line) => /^ [-+~><=]/.test(line)).at(-1) ?? rows.at(-1);
  if (row === undefined) throw new Error(`there is no row for ${name} in:\n${output}`);
  return row.replace(/ \(\d+(\.\d+)?s\)/, "").trim();
}

/** The text about a resource under Diagnostics. */
export function diagnosticsOf(output: string, name: string): string {
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
