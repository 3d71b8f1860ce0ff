import type { YamlProgram } from "../../tools/pulumi/stack.cjs";
import { cloudinfra } from "./support/command";
import { changesOf, reportOf } from "./support/cost-report";
import { counts, failed, succeeded } from "./support/output";
import { declare, NATIVE, programOf } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";

describeYaml("a cost summary in YAML", () => {
  const programWith = (bandwidthMbps: number, args: Readonly<Record<string, unknown>>, options = {}): YamlProgram => ({
    resources: {
      link: yaml("ConnectConnection", {
        ...{ bandwidthMbps, cidrs: ["10.0.0.0/25"], providerCidrs: ["10.1.0.0/25"] },
      }),
      sum: yaml("CostSummary", args, options),
    },
    outputs: { before: "${sum.before}", after: "${sum.after}", delta: "${sum.delta}" },
  });
  const resources = ["${link.urn}"];

  it("counts the named resources, and checks the budget", async () => {
    const session = await Session.start({ resources: {} });
    session.stack.write(programWith(50, { resources }));
    const preview = succeeded(await session.stack.preview());
    expect(preview).toContain("$78.13");
    succeeded(await session.up());
    expect(session.outputs()).toMatchObject({ before: "0.00", after: "78.125", delta: "78.125" });
    session.stack.write(programWith(500, { resources, budget: { monthlyTotal: "100" } }));
    expect(failed(await session.stack.preview())).toContain("$781.25");
    session.stack.write(programWith(50, { resources }));
    succeeded(await session.up());
    expect(session.outputs()).toMatchObject({ before: "78.125", after: "78.125", delta: "0.00" });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["3 unchanged"]);
    session.stack.write(programWith(50, { resources: [] }, { dependsOn: ["${link}"] }));
    const unnamed = succeeded(await session.stack.preview());
    expect(unnamed).toContain("no longer in resources, so not counted: ConnectConnection link");
    expect(unnamed).not.toContain("-$78.13");
  });
});

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
    const cost = (...flags: string[]) => cloudinfra(session, ["cost", "--format", "json", ...flags]);
    const created = reportOf(await cost());
    expect(changesOf(created)).toEqual({ link: "create 0.00 78.125", data: "create 0.00 10.00" });
    expect(created.after).toBe("88.125");
    succeeded(await session.up());
    session.stack.write(mixed(200, 250));
    const changed = await cost("--fail-over-total", "300");
    expect(changesOf(reportOf(changed))).toEqual({ link: "replace 78.125 312.50", data: "update 10.00 25.00" });
    expect(changed.code).toBe(5);
    succeeded(await session.up());
    expect(session.outputs()).toEqual({ before: "88.125", after: "337.50", atLeast: false });
    expect(changesOf(reportOf(await cost()))).toEqual({ link: "same 312.50 312.50", data: "same 25.00 25.00" });
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});
