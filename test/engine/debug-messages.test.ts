import { succeeded } from "./support/output";
import { basicsOf, declare, FRONTS, programOf } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";

const WARNING =
  /warning: This run prints debug messages \(--debug\)\. In them, Pulumi's SDK for Node shows the secrets/g;

/** What an update with debug messages prints, without its live rows; and the lines that contain the key's secret. */
async function debugged(
  session: Session,
): Promise<{ readonly diagnostics: string; readonly telling: readonly string[] }> {
  const output = succeeded(await session.up(["--debug"]));
  const { key } = session.shownOutputs() as { readonly key: string };
  expect(key).toMatch(/^\S{20,}$/);
  const diagnostics = output.split(/^Diagnostics:$/m)[1] ?? "";
  return { diagnostics, telling: output.split("\n").filter((line) => line.includes(key)) };
}

it.each(FRONTS)("warns once that %s shows secrets in debug messages", async (front) => {
  const session = await Session.start(programOf(front, declare("ApiKey", "k"), "exports.key = k.key;"));
  const { diagnostics, telling } = await debugged(session);
  expect(diagnostics.match(WARNING)).toHaveLength(1);
  expect(telling).not.toEqual([]);
  expect(telling.filter((line) => !/debug: RegisterResource RPC finished: resource:k\[/.test(line))).toEqual([]);
  expect(succeeded(await session.stack.preview())).not.toMatch(WARNING);
});

describeYaml("a YAML program", () => {
  it("shows no secret of a YAML program in debug messages", async () => {
    const session = await Session.start({
      resources: { k: yaml("ApiKey", basicsOf("ApiKey")) },
      outputs: { key: "${k.key}" },
    });
    expect((await debugged(session)).telling).toEqual([]);
  });
});
