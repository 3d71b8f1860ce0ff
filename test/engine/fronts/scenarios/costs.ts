import { Decimal } from "decimal.js";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { PulumiResult } from "../../../../tools/pulumi/stack.cjs";
import { cloudinfra } from "../../support/command";
import { partsOf, rowOf, diagnosticsOf, succeeded } from "../../support/output";
import { declare } from "../../support/programs";
import type { Session } from "../../support/session";
import { preview, previewAndUp, up, type Scenario } from "../scenario";

const summary = (budget: object): string =>
  `const sum = new cloudinfra.CostSummary("sum", { budget: ${JSON.stringify(budget)} });`;

/** `cloudinfra cost --preview FILE` on a preview of the stack. */
async function costOfFile(session: Session): Promise<PulumiResult> {
  const preview = await session.stack.pulumi(["preview", "--json", "--show-sames", "--non-interactive"]);
  succeeded(preview);
  writeFileSync(join(session.stack.folder, "preview.json"), preview.stdout);
  const ended = await cloudinfra(session, ["cost", "--preview", "preview.json"]);
  return { ...ended, output: `${ended.stdout}\n${ended.stderr}` };
}

/** A rule of the VPC that the program makes. */
const inVpc = { vpcId: "=net.id", destinationAddress: "=net.subnet.cidr" };

/** The costs in previews and reports. */
export const costs: Scenario = {
  title: "costs in previews, states and reports",
  steps: [
    {
      title: "the cost command names an exceeded budget",
      program: [
        declare("ConnectConnection", "link", { bandwidthMbps: 500 }),
        summary({ monthlyTotal: "500", enforce: "advisory" }),
      ],
      run: costOfFile,
      shows: ({ output }) =>
        expect(output).toContain("over budget: the total would be $781.25/mo, $281.25/mo over the budget"),
    },
    {
      title: "says that a public IP is not free",
      program: [declare("NksLoadBalancer", "ingress"), summary({ monthlyTotal: "1" })],
      run: preview,
      shows: ({ output }) => {
        expect(rowOf(output, "ingress")).toMatch(/; no quote offered .*, but its public IP is not free$/);
        expect(diagnosticsOf(output, "sum")).toContain(
          "not included, and not free: NksLoadBalancer ingress: its public IP",
        );
      },
    },
    {
      title: "a row says why the cost is unknown",
      program: [declare("Volume", "data")],
      first: ({ session: { api } }) => api.fault({ path: "/cost$", status: 500, every: 1 }),
      run: preview,
      shows: ({ output }) =>
        expect(rowOf(output, "data")).toMatch(/warning: cost unknown: quote volume "data" .* failed: 500/),
    },
    {
      title: "creates a volume although its quote failed",
      run: up,
      shows: ({ session, output }) => {
        expect(session.one("data").outputs).not.toHaveProperty("cost");
        expect(output).not.toMatch(/operation (done )?after 0s|: \w+ 0s/);
      },
    },
    {
      title: "an update without a preview warns of its budget",
      program: [declare("Volume", "data"), summary({ monthlyTotal: "1" })],
      first: ({ session: { api } }) => api.clearFaults(),
      run: up,
      shows: ({ session, output }) => {
        expect(diagnosticsOf(output, "sum")).toContain(
          "warning: budget: the total would be $10.00/mo, $9.00/mo over the budget",
        );
        expect(session.one("data").outputs["cost"]).toMatchObject({ monthlyTotal: "10.00" });
      },
    },
    {
      title: "the previewed total equals the change of the bill",
      program: [
        declare("Volume", "data"),
        declare("Vpc", "net"),
        ...["http", "https"].map((name) => declare("FirewallRule", name, inVpc)),
        declare("NksCluster", "cluster"),
        declare("NksNodePool", "pool", { clusterId: "=cluster.id" }),
        summary({ monthlyTotal: "1000", onUnknown: "fail" }),
        `module.exports = { delta: sum.delta };`,
      ],
      first: async ({ session, ids }) => void (ids["bill"] = await session.api.bill()),
      run: previewAndUp,
      shows: async ({ stage: { ids }, session, output }) => {
        expect(output).not.toContain("unknown:");
        expect(partsOf(output).preview).toContain("+$180.70/mo");
        expect(session.outputs()).toEqual({ delta: "180.70" });
        expect(await session.api.bill()).toBe(new Decimal(ids["bill"]!).plus("180.7").toFixed(2));
      },
    },
  ],
};
