import { diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { destroy, refresh, up, type Scenario } from "../scenario";

/** More than the rest of the quota. */
const TOO_MUCH = 20_000;

const vm = (boot: number, data: number): readonly string[] => [
  declare("Vm", "web", {
    bootVolume: { size: boot },
    dataVolumes: [{ name: "data", size: data }],
  }),
  `new cloudinfra.CostSummary("cost");`,
];

/** An update that succeeds in part: a VM's boot volume grows, and its data volume does not. */
export const partialChanges: Scenario = {
  title: "an update that succeeds only in part",
  options: { config: { "cloudinfra:preflight": "off" } },
  steps: [
    { title: "creates a VM with a data volume", program: vm(64, 10), run: up },
    {
      title: "a partly refused update saves its successful part",
      program: vm(100, TOO_MUCH),
      run: up,
      fails: true,
      shows: ({ session, output }) => {
        expect(diagnosticsOf(output, "web")).toMatch(/update VM "web", dataVolumes\[0\] .* 409 .*quota exceeded/);
        expect(diagnosticsOf(output, "web")).toContain(
          "The API shows this change, or a part of it, and so does the state.",
        );
        const { initErrors, outputs } = session.one("web");
        expect(initErrors).toHaveLength(1);
        expect(outputs).toMatchObject({
          bootVolume: { size: 100 },
          dataVolumes: [{ size: 10 }],
          cost: { monthlyTotal: "54.80" },
        });
      },
    },
    {
      title: "the next update requests only the missing change",
      program: vm(100, 20),
      run: up,
      shows: ({ session, requests }) => {
        expect(requests.filter((request) => request.startsWith("PATCH "))).toHaveLength(1);
        const { initErrors = [], outputs } = session.one("web");
        expect(initErrors).toEqual([]);
        expect(outputs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 20 }] });
      },
    },
    { title: "a second update is refused in part", program: vm(120, TOO_MUCH), run: up, fails: true },
    {
      title: "a refresh saves the values that the API shows",
      run: refresh,
      shows: ({ session }) => {
        const { initErrors = [], inputs } = session.one("web");
        expect(initErrors).toEqual([]);
        expect(inputs).toMatchObject({ bootVolume: { size: 120 }, dataVolumes: [{ size: 20 }] });
      },
    },
    {
      title: "destroy deletes the VM and its volumes",
      run: destroy,
      shows: async ({ session }) => expect(await session.api.heldIds()).toEqual([]),
    },
  ],
};
