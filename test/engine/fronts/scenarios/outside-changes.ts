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
  title: "changes outside Pulumi, and late lists",
  options: { simulator: { lag: "lists=10m" } },
  steps: [
    {
      title: "creates a VM and volumes",
      program: program(["old"]),
      run: up,
      shows: ({ stage, session }) => {
        const [own = ""] = session.one("web").outputs["dataVolumeIds"] as readonly string[];
        stage.ids["own"] = own;
      },
    },
    {
      title: "changes the volumes",
      program: program(["new"]),
      first: async ({ session }) => session.api.advance("20m"),
      run: up,
    },
    {
      title: "a refresh ignores old values in a late list",
      run: refresh,
      shows: ({ session, requests }) => {
        expect(requests).toContain(`GET ${VOLUMES}`);
        for (const name of volumes) expect(session.one(name).outputs["tags"]).toEqual(["new"]);
      },
    },
    {
      title: "a refresh forgets a data volume that was detached",
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
      title: "deleting a VM keeps its detached data volume",
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
      title: "destroy with another account's key warns and deletes nothing",
      run: async (session) => {
        const other = await SimulatedApi.start();
        const env = { CLOUDINFRA_BASE_URL: other.simulator.url, CLOUDINFRA_API_KEY: other.simulator.apiKey };
        const args = ["destroy", "--yes", "--non-interactive", "--skip-preview"];
        const result = await session.stack.pulumi(args, { env });
        await other.close();
        return result;
      },
      shows: async ({ session, output }) => {
        expect(output).toContain("The API does not show 4 objects that this run was to delete: ");
        for (const name of volumes) expect(rowOf(output, name)).toContain(": it counts as deleted");
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).toHaveLength(volumes.length + 1);
      },
    },
  ],
};
