import type { YamlProgram } from "../../tools/pulumi/stack.cjs";
import { counts, failed, succeeded } from "./support/output";
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
