import { Decimal } from "decimal.js";
import fc from "fast-check";
import { counts, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

afterAll(() => Session.closeAll());

/** A version of a program, and what happens while it is brought up. */
interface Stage {
  readonly links: readonly number[];
  /** How much larger each volume is than in the stage before. */
  readonly growths: readonly number[];
  readonly adopts: boolean;
  readonly linkPrice: string | undefined;
  readonly hasFailingQuotes: boolean;
}

const anyStage: fc.Arbitrary<Stage> = fc.record({
  links: fc.array(fc.constantFrom(50, 200, 500), { minLength: 2, maxLength: 2 }),
  growths: fc.array(fc.constantFrom(0, 1, 250), { minLength: 2, maxLength: 2 }),
  adopts: fc.boolean(),
  linkPrice: fc.option(fc.constantFrom("0", "0.0007", "3.3333"), { nil: undefined }),
  hasFailingQuotes: fc.boolean(),
});

/** The same few in each run: each takes the engine some ten seconds. */
const programs = fc.sample(fc.tuple(anyStage, anyStage, anyStage), { seed: 13, numRuns: 2 });

/** What the organization pays, as each quote of the service says. */
async function billOf({ api }: Session): Promise<Decimal> {
  const { projectId, region } = api.simulator;
  const body = { name: "asked", subnet_name: "asked", project_id: projectId, region };
  const { current_summary: bill } = await api.call("POST", "/v1/networking/vpcs/cost", body);
  return new Decimal((bill as { monthly_cost: string }).monthly_cost);
}

async function volumeByHand({ api }: Session): Promise<string> {
  const { projectId, region } = api.simulator;
  const body = { name: "by-hand", project_id: projectId, region, size: 300, type: "abs", tags: [] };
  return String((await api.call("POST", "/v1/compute/volumes", body))["resource_id"]);
}

it.each(programs.map((stages, index) => [index, stages] as const))(
  "program %#: the difference that the summary tells is that of the bills, and the next run is unchanged, without a call",
  async (_index, stages) => {
    const session = await Session.start("");
    const byHand = await volumeByHand(session);
    const sizes = [100, 100];
    let isAdopted = false;
    for (const { links, growths, adopts, linkPrice, hasFailingQuotes } of stages) {
      growths.forEach((growth, index) => (sizes[index] = (sizes[index] ?? 0) + growth));
      isAdopted ||= adopts;
      const volumes = sizes.map((size, index) => ["volume" + String(index), { size, type: "abs" }] as const);
      const adopted = isAdopted
        ? [["adopted", { size: 300 + (sizes[0] ?? 0), type: "abs", adopt: byHand }] as const]
        : [];
      session.stack.write(
        program(
          ...links.map((bandwidthMbps, index) => declare("ConnectConnection", `link${index}`, { bandwidthMbps })),
          ...[...volumes, ...adopted].map(
            ([name, args]) => `new cloudinfra.Volume("${name}", ${JSON.stringify(args)});`,
          ),
          `new cloudinfra.CostSummary("cost");`,
        ),
      );
      if (linkPrice !== undefined) await session.api.setPrices({ networking_connect_mbps: linkPrice });
      const before = await billOf(session);
      if (hasFailingQuotes) await session.api.fault({ path: "/cost$", status: 500, times: 4 });
      succeeded(await session.up());
      if (hasFailingQuotes) {
        await session.api.clearFaults();
        succeeded(await session.up()); // what was unknown is asked for
      } else {
        const { delta, atLeast } = session.one("cost").outputs;
        expect([String(delta), atLeast]).toEqual([(await billOf(session)).minus(before).toFixed(), false]);
      }
      const next = await session.api.during(() => session.stack.preview());
      expect(counts(succeeded(next.result))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
      expect(next.requests).toEqual([]);
      for (const { type, outputs, inputs } of session.kept().filter(({ type }) => !type.endsWith("CostSummary")))
        expect([type, outputs?.["cost"]]).toEqual([type, expect.objectContaining({ ...(inputs?.["cost"] as object) })]);
    }
  },
);

it("when the volumes of a VM grow in place, the VM's row has their price: the difference is that of the bills", async () => {
  const vm = (boot: number, data: number): string =>
    program(
      declare("Vm", "web", {
        subnetId: "00000000-0000-4000-8000-000000000004",
        bootVolume: { size: boot, type: "abs" },
        dataVolumes: [{ name: "data", size: data, type: "abs" }],
      }),
      `new cloudinfra.CostSummary("cost");`,
    );
  const session = await Session.start(vm(64, 100));
  succeeded(await session.up());
  const before = await billOf(session);
  session.stack.write(vm(100, 250));
  succeeded(await session.up());
  const difference = (await billOf(session)).minus(before);
  expect(difference.isPositive()).toBe(true);
  expect(session.one("cost").outputs).toMatchObject({ delta: difference.toFixed(), atLeast: false });
});
