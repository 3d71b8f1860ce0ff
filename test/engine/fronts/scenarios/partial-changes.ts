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
  title: "an update that is made in part",
  options: { config: { "cloudinfra:preflight": "off" } },
  steps: [
    { when: "a VM is made", program: vm(64, 10), run: up },
    {
      when: "the API grows one of its volumes, and refuses the other",
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
      when: "the program gives less than the refused size",
      program: vm(100, 20),
      run: up,
      shows: ({ session, requests }) => {
        expect(requests.filter((request) => request.startsWith("PATCH "))).toHaveLength(1);
        const { initErrors = [], outputs } = session.one("web");
        expect(initErrors).toEqual([]);
        expect(outputs).toMatchObject({ bootVolume: { size: 100 }, dataVolumes: [{ size: 20 }] });
      },
    },
    { when: "another update is made in part", program: vm(120, TOO_MUCH), run: up, fails: true },
    {
      when: "a refresh follows",
      run: refresh,
      shows: ({ session }) => {
        const { initErrors = [], inputs } = session.one("web");
        expect(initErrors).toEqual([]);
        expect(inputs).toMatchObject({ bootVolume: { size: 120 }, dataVolumes: [{ size: 20 }] });
      },
    },
    {
      when: "the stack is destroyed after it",
      run: destroy,
      shows: async ({ session }) => expect(await session.api.heldIds()).toEqual([]),
    },
  ],
};
