import { Decimal } from "decimal.js";
import { counts, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { storage } from "../kinds/volume";

/** A version of a program, and what happens while it is brought up. */
interface Stage {
  readonly links: readonly number[];
  /** How much larger each volume is than in the stage before. */
  readonly growths: readonly number[];
  /** The sizes of the VM's volumes, which grow in place: the VM's row has their price. */
  readonly vm: readonly [boot: number, data: number];
  readonly adopts: boolean;
  readonly linkPrice: string;
  readonly hasFailingQuotes: boolean;
}

/** Any stages are in test/lifecycle/cost-and-bill.test.ts: each takes the engine some seconds. */
const stages: readonly Stage[] = [
  { links: [500, 50], growths: [0, 250], vm: [64, 100], adopts: false, linkPrice: "0", hasFailingQuotes: false },
  { links: [200, 50], growths: [1, 250], vm: [100, 250], adopts: true, linkPrice: "3.3333", hasFailingQuotes: false },
  { links: [200, 200], growths: [250, 0], vm: [100, 250], adopts: true, linkPrice: "0.0007", hasFailingQuotes: true },
];

/** What the organization pays, as each quote of the service says. */
async function billOf({ api }: Session): Promise<Decimal> {
  const { projectId, region } = api.simulator;
  const body = { name: "asked", subnet_name: "asked", project_id: projectId, region };
  const { current_summary: bill } = await api.call("POST", "/v1/networking/vpcs/cost", body);
  return new Decimal((bill as { monthly_cost: string }).monthly_cost);
}

async function volumeByHand({ api }: Session): Promise<string> {
  const { projectId, region } = api.simulator;
  const body = { name: "by-hand", project_id: projectId, region, size: 300, type: storage, tags: [] };
  return String((await api.call("POST", "/v1/compute/volumes", body))["resource_id"]);
}

it("the summary's difference is that of the bills", async () => {
  const session = await Session.start("");
  const byHand = await volumeByHand(session);
  const sizes = [100, 100];
  let isAdopted = false;
  for (const { links, growths, vm, adopts, linkPrice, hasFailingQuotes } of stages) {
    growths.forEach((growth, index) => (sizes[index] = (sizes[index] ?? 0) + growth));
    isAdopted ||= adopts;
    const volumes = sizes.map((size, index) => ["volume" + String(index), { size }] as const);
    const adopted = isAdopted ? [["adopted", { size: 300 + (sizes[0] ?? 0), adopt: byHand }] as const] : [];
    session.stack.write(
      program(
        ...links.map((bandwidthMbps, index) => declare("ConnectConnection", `link${index}`, { bandwidthMbps })),
        ...[...volumes, ...adopted].map(([name, args]) => declare("Volume", name, args)),
        declare("Vm", "web", {
          bootVolume: { size: vm[0] },
          dataVolumes: [{ name: "data", size: vm[1] }],
        }),
        `new cloudinfra.CostSummary("cost");`,
      ),
    );
    await session.api.setPrices({ networking_connect_mbps: linkPrice });
    const before = await billOf(session);
    if (hasFailingQuotes) await session.api.fault({ path: "/cost$", status: 500, times: 4 });
    succeeded(await session.up());
    if (hasFailingQuotes) {
      await session.api.clearFaults();
      succeeded(await session.up()); // what was unknown is asked for
    } else {
      const { delta, atLeast } = session.one("cost").outputs;
      expect([String(delta), atLeast]).toEqual([(await billOf(session)).minus(before).toFixed(2), false]);
    }
    const next = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(next.result))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    expect(next.requests).toEqual([]);
    for (const { type, outputs, inputs } of session.kept().filter(({ type }) => !type.endsWith("CostSummary")))
      expect([type, outputs?.["cost"]]).toEqual([type, expect.objectContaining({ ...(inputs?.["cost"] as object) })]);
  }
});
