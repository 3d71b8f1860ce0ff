import { loadBalancerObject } from "../../../kinds/nks-load-balancer";
import * as does from "../../../support/proxy/actions";
import { requests, type RequestPattern } from "../../../support/proxy/exchange";
import { mishaps } from "../../../support/proxy/mishaps";
import { rowOf, saidOf } from "../../support/output";
import { declare } from "../../support/programs";
import type { WireObject } from "../../support/simulated-api";
import { saidUnderStack } from "../inherent";
import { destroy, preview, up, type Played, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const DELETION = "test-dev: delete failed: the resource's own line says why";
const VOLUMES = "/v1/compute/volumes";

interface Sizes {
  readonly boot: number;
  readonly data: number;
  /** Of a data volume of the second VM. The one beside it keeps its size. */
  readonly left?: number;
}

/** A VM with two volumes of its own, one with two data volumes, a volume that moves between VMs, a load balancer and a connection. */
function program({ boot, data, left = 10 }: Sizes, vm: string, tags: readonly string[]): readonly string[] {
  const own = { bootVolume: { size: boot, type: "abs" }, dataVolumes: [{ name: "own", size: data, type: "abs" }] };
  return [
    declare("Vm", "web", own),
    declare("Vm", "a", {
      dataVolumes: [
        { name: "left", size: left, type: "abs" },
        { name: "right", size: 10, type: "abs" },
      ],
    }),
    declare("Vm", "b"),
    declare("Volume", "moved", { vmId: `=${vm}.id` }),
    declare("ConnectConnection", "link", { tags }),
    declare("NksLoadBalancer", "ingress"),
  ];
}

const all = (session: Played["session"]): Promise<Awaited<ReturnType<typeof up>>> =>
  session.up(["--continue-on-error"]);

/** The operation of a request vanishes, and nothing has come of it. */
const [lost] = mishaps.filter(({ title }) => title === "its operation vanishes without the effect");
const vanishes = ({ proxy, session }: Stage, pattern: RequestPattern): void =>
  lost!.befall(proxy, pattern, session.api);

const attached = async ({ session }: Played): Promise<unknown> => {
  const { id } = session.one("moved");
  return (await session.api.call("GET", `${VOLUMES}/${id}`))["vm_id"];
};

/** The id of the VM's data volume. */
const own = ({ session }: Stage): string => (session.one("web").outputs["dataVolumeIds"] as readonly string[])[0] ?? "";

/** The data volumes of the second VM as the API shows them: those that the program calls left and right. */
const twins = ({ session }: Stage): Promise<readonly WireObject[]> => {
  const ids = session.one("a").outputs["dataVolumeIds"] as readonly string[];
  return Promise.all(ids.map((id) => session.api.call("GET", `${VOLUMES}/${id}`)));
};

const isMissing = ({ session, output }: Played): void => {
  expect(saidOf(output, "web")).toContain("no longer shows the part that the program calls dataVolumes[0]");
  expect(JSON.stringify(session.one("web").outputs["dataVolumes"] ?? [])).not.toContain('"own"');
};

/** Done means seen: of a change and a deletion, the object tells. */
export const seenChanges: Scenario = {
  title: "a change is done if the object shows it",
  options: { simulator: { operationTime: "100ms" }, config: { "cloudinfra:preflight": "off" } },
  steps: [
    { when: "all is made", program: program({ boot: 64, data: 10 }, "a", []), run: up },
    {
      when: "one answer is lost after the effect, an attachment before it, and an operation vanishes",
      program: program({ boot: 80, data: 10 }, "b", ["new"]),
      first: (stage) => {
        stage.proxy.on({ method: "PATCH", path: /^\/v1\/compute\/volumes\// }, does.dropAfter);
        stage.proxy.on({ method: "POST", path: /\/attach$/ }, does.dropBefore);
        vanishes(stage, { method: "PATCH", path: /\/connections\// });
        return Promise.resolve();
      },
      run: all,
      fails: true,
      isCut: true, // the last progress of a row is chance
      shows: async (played) => {
        const { session, output, stage } = played;
        stage.proxy.clear();
        expect(rowOf(output, "web")).toContain("updated");
        expect(session.one("web").outputs).toMatchObject({ bootVolume: { size: 80 } });
        expect(saidOf(output, "moved")).toContain("broke before the complete answer arrived");
        expect(session.one("moved").outputs["vmId"]).toBeUndefined();
        expect(await attached(played)).toBeNull();
        expect(saidOf(output, "link")).toContain("the connect connection does not show it");
        expect(session.one("link").outputs["tags"]).toEqual([]);
      },
    },
    {
      when: "the next run makes the rest",
      run: up,
      shows: async (played) => {
        const { session, requests: seen } = played;
        expect(seen.filter((request) => /^(PATCH|POST \S+\/\w+tach)/.test(request))).toHaveLength(2);
        expect(await attached(played)).toBe(session.one("b").id);
        expect(session.one("link").outputs["tags"]).toEqual(["new"]);
      },
    },
    {
      when: "somebody renames a VM's data volume, and its size grows",
      first: async (stage) => {
        stage.ids["own"] = own(stage);
        await stage.session.api.call("PATCH", `${VOLUMES}/${stage.ids["own"]}`, { name: "theirs" });
      },
      program: program({ boot: 80, data: 20 }, "b", ["new"]),
      run: up,
      fails: true,
      isCut: true,
      shows: isMissing,
    },
    {
      when: "somebody previews after it",
      run: preview,
      shows: ({ output }) => expect(rowOf(output, "web")).toContain("update"),
    },
    {
      when: "it has its name again",
      first: async ({ session, ids }) => {
        await session.api.call("PATCH", `${VOLUMES}/${ids["own"]!}`, { name: "own" });
      },
      run: up,
      shows: ({ session }) => expect(session.one("web").outputs).toMatchObject({ dataVolumes: [{ size: 20 }] }),
    },
    {
      when: "somebody detaches it, and its size grows again",
      first: async ({ session, ids }) => {
        await session.api.call("POST", `${VOLUMES}/${ids["own"]!}/detach`);
      },
      program: program({ boot: 80, data: 30 }, "b", ["new"]),
      run: up,
      fails: true,
      isCut: true, // how much the engine has begun before the failure is chance
      shows: isMissing,
    },
    {
      when: "somebody attaches it again",
      first: async ({ session, ids }) => {
        const body = { vm_id: session.one("web").id };
        await session.api.call("POST", `${VOLUMES}/${ids["own"]!}/attach`, body);
      },
      run: up,
      shows: ({ session }) => expect(session.one("web").outputs).toMatchObject({ dataVolumes: [{ size: 30 }] }),
    },
    {
      when: "somebody gives two data volumes of a VM one name, and one of them grows",
      first: async (stage) => {
        const [, right] = await twins(stage);
        await stage.session.api.call("PATCH", `${VOLUMES}/${right!.id}`, { name: "left" });
      },
      program: program({ boot: 80, data: 30, left: 20 }, "b", ["new"]),
      run: up,
      fails: true,
      isCut: true,
      shows: async ({ stage, output }) => {
        const volumes = await twins(stage);
        expect(volumes.map(({ size }) => size)).toEqual([10, 10]);
        expect(saidOf(output, "a")).toContain(
          `dataVolumes[0], because several have its name (${volumes.map(({ id }) => id).join(" and ")})`,
        );
      },
    },
    {
      when: "each has its name again",
      first: async (stage) => {
        const [, right] = await twins(stage);
        await stage.session.api.call("PATCH", `${VOLUMES}/${right!.id}`, { name: "right" });
      },
      run: up,
      shows: async ({ stage }) => expect((await twins(stage)).map(({ size }) => size)).toEqual([20, 10]),
    },
    {
      when: "somebody deletes the data volume of the first VM, and somebody refreshes",
      first: async ({ session, ids }) => {
        await session.api.call("POST", `${VOLUMES}/${ids["own"]!}/detach`);
        await session.api.call("DELETE", `${VOLUMES}/${ids["own"]!}`);
      },
      run: (session) => session.refresh(["--target", session.one("web").urn]),
      shows: ({ session }) => expect(session.one("web").outputs["dataVolumes"] ?? []).toEqual([]),
    },
    {
      when: "somebody previews a VM without its data volume",
      run: (session) => session.stack.preview(["--target", session.one("web").urn]),
      fails: true,
      isCut: true,
      shows: ({ output }) => expect(saidOf(output, "web")).toContain('dataVolumes: "own" cannot be added'),
    },
    {
      when: "deletions are accepted, and their operations vanish without an effect",
      first: (stage) => {
        vanishes(stage, { ...requests.deletions, path: /\/connections\// });
        vanishes(stage, { method: "PATCH", path: /\/load_balancers\// });
        return Promise.resolve();
      },
      run: (session) => session.destroy(["--continue-on-error"]),
      fails: true,
      differs: saidUnderStack(
        [DELETION, DELETION],
        [
          "    pulumi:pulumi:Stack test-dev **failed** 1 error; 2 messages",
          "    pulumi:pulumi:Stack test-dev **failed** 1 error",
        ],
      ),
      shows: ({ session, output, stage }) => {
        stage.proxy.clear();
        expect(saidOf(output, "link")).toContain("the connect connection does not show it");
        expect(saidOf(output, "ingress")).toContain("the NKS load balancer does not show it");
        expect(output).not.toContain("stays, as it was found");
        expect(session.kept()).toHaveLength(2);
      },
    },
    {
      when: "the rest is destroyed",
      run: destroy,
      shows: async ({ session, output }) => {
        expect(output).toContain("stays, as it was found: publicIpEnabled: false");
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).toEqual([]);
        const path = `/v1/nks/clusters/${loadBalancerObject.cluster_id}/load_balancers/${loadBalancerObject.id}`;
        expect(await session.api.call("GET", path)).toMatchObject({ public_ip_enabled: false });
      },
    },
  ],
};
