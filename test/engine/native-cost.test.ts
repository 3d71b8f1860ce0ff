import { cloudinfra } from "./support/command";
import { succeeded } from "./support/output";
import { declare, programOf, type Front } from "./support/programs";
import { Session } from "./support/session";

const NATIVE: Front = "pulumi-cloudinfra/native";

interface Row {
  readonly name: string;
  readonly operation: string;
  readonly before?: string;
  readonly after?: string;
}

/** The JSON of `cloudinfra cost` in the stack's folder, and its exit code. */
async function cost(
  session: Session,
  flags: readonly string[] = [],
): Promise<{ code: number; rows: Row[]; after: string }> {
  const { code, stdout } = await cloudinfra(session, ["cost", "--format", "json", ...flags]);
  const { stacks } = JSON.parse(stdout) as { stacks: readonly { resources: Row[]; after: string }[] };
  return { code, rows: stacks[0]!.resources, after: stacks[0]!.after };
}

/** Each resource as `create 0 78.125`, by its name. */
function textOf(rows: readonly Row[]): Record<string, string> {
  return Object.fromEntries(
    rows.map(({ name, operation, before, after }) => [name, [operation, before, after].map(String).join(" ")]),
  );
}

/** A program whose first resource belongs to the plugin, and its second to the dynamic provider. */
function mixed(bandwidthMbps: number, size: number): string {
  const ours = declare("ConnectConnection", "link", { bandwidthMbps });
  const theirs = declare("Volume", "data", { size }).replace("new cloudinfra.", "new dynamic.");
  const summary = `
    const { before, after, atLeast } = new cloudinfra.CostSummary("sum");
    module.exports = { before, after, atLeast };`;
  return programOf(NATIVE, `const dynamic = require("pulumi-cloudinfra");`, ours, theirs, summary);
}

describe("a stack that uses both providers", () => {
  it("counts resources of both providers", async () => {
    const session = await Session.start(mixed(50, 100));
    const created = await cost(session);
    expect(textOf(created.rows)).toEqual({ link: "create 0.00 78.125", data: "create 0.00 10.00" });
    expect(created.after).toBe("88.125");
    succeeded(await session.up());
    session.stack.write(mixed(200, 250));
    const changed = await cost(session, ["--fail-over-total", "300"]);
    expect(textOf(changed.rows)).toEqual({ link: "replace 78.125 312.50", data: "update 10.00 25.00" });
    expect(changed.code).toBe(5);
    succeeded(await session.up());
    expect(session.outputs()).toEqual({ before: "88.125", after: "337.50", atLeast: false });
    expect(textOf((await cost(session)).rows)).toEqual({ link: "same 312.50 312.50", data: "same 25.00 25.00" });
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});
