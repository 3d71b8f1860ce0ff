import { rowOf, diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { SimulatedApi } from "../../support/simulated-api";
import { refresh, up, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const VOLUMES = "/v1/compute/volumes";
const volumes = ["a", "b", "c", "d"];

const program = (tags: readonly string[], size = 10): readonly string[] => [
  declare("Vm", "web", { dataVolumes: [{ name: "own", size }] }),
  ...volumes.map((name) => declare("Volume", name, { tags })),
];

const detach = async ({ session, ids }: Stage): Promise<void> => {
  await session.api.call("POST", `${VOLUMES}/${ids["own"]!}/detach`);
  await session.api.advance("20m");
};

/** Lists are late, a data volume is detached and attached, and the key belongs to another account. */
export const outsideChanges: Scenario = {
  title: "what lists and the state do not know",
  options: { simulator: { lag: "lists=10m" } },
  steps: [
    {
      when: "a VM and volumes are made",
      program: program(["old"]),
      run: up,
      shows: ({ stage, session }) => {
        const [own = ""] = session.one("web").outputs["dataVolumeIds"] as readonly string[];
        stage.ids["own"] = own;
      },
    },
    {
      when: "the volumes change",
      program: program(["new"]),
      first: async ({ session }) => session.api.advance("20m"),
      run: up,
    },
    {
      when: "somebody refreshes, and the list still shows the former values",
      run: refresh,
      shows: ({ session, requests }) => {
        expect(requests).toContain(`GET ${VOLUMES}`);
        for (const name of volumes) expect(session.one(name).outputs["tags"]).toEqual(["new"]);
      },
    },
    {
      when: "somebody detaches a VM's data volume, and somebody refreshes",
      first: detach,
      run: refresh,
      shows: ({ stage, session, output }) => {
        expect(diagnosticsOf(output, "web")).toContain(
          `volume "own" (${stage.ids["own"]!}) is no longer a part of the VM, and the state forgets it. If nothing else manages it`,
        );
        expect(session.one("web").outputs["dataVolumes"] ?? []).toEqual([]);
      },
    },
    {
      when: "it is attached and detached again, and the VM is destroyed",
      first: async (stage) => {
        const { session, ids } = stage;
        await session.api.call("POST", `${VOLUMES}/${ids["own"]!}/attach`, { vm_id: session.one("web").id });
        await session.refresh(["--target", session.one("web").urn]);
        await detach(stage);
      },
      run: (session) => session.destroy(["--target", session.one("web").urn]),
      shows: async ({ stage, session, output }) => {
        const { own = "" } = stage.ids;
        expect(diagnosticsOf(output, "web")).toContain(
          `volume "own" (${own}) stays: the API did not delete it with the VM.`,
        );
        expect(await session.api.heldIds()).toContain(own);
      },
    },
    {
      when: "the rest is destroyed with the key of another account",
      run: async (session) => {
        const other = await SimulatedApi.start();
        const env = { CLOUDINFRA_BASE_URL: other.simulator.url, CLOUDINFRA_API_KEY: other.simulator.apiKey };
        const args = ["destroy", "--yes", "--non-interactive", "--skip-preview"];
        const result = await session.stack.pulumi(args, { env });
        await other.close();
        return result;
      },
      shows: async ({ session, output }) => {
        expect(output).toContain("The API shows none of 4 objects that this run was to delete: ");
        for (const name of volumes) expect(rowOf(output, name)).toContain(": it counts as deleted");
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).toHaveLength(volumes.length + 1);
      },
    },
  ],
};
