import { loadBalancerObject } from "../../../kinds/nks-load-balancer";
import * as does from "../../../support/proxy/actions";
import { requests, type RequestPattern } from "../../../support/proxy/exchange";
import { mishaps } from "../../../support/proxy/mishaps";
import { rowOf, diagnosticsOf } from "../../support/output";
import { declare } from "../../support/programs";
import { paths } from "../../support/simulated-api";
import { destroy, up, type StepResult, type Scenario } from "../scenario";
import type { Stage } from "../stage";

const VOLUMES = "/v1/compute/volumes";

/** A VM with two volumes of its own, a volume that moves between VMs, a load balancer and a connection. */
function program(boot: number, data: number, vm: string, tags: readonly string[]): readonly string[] {
  const own = { bootVolume: { size: boot }, dataVolumes: [{ name: "own", size: data }] };
  return [
    declare("Vm", "web", own),
    ...["a", "b"].map((name) => declare("Vm", name)),
    declare("Volume", "moved", { vmId: `=${vm}.id` }),
    declare("ConnectConnection", "link", { tags }),
    declare("NksLoadBalancer", "ingress"),
  ];
}

const all = (session: StepResult["session"]): Promise<Awaited<ReturnType<typeof up>>> =>
  session.up(["--continue-on-error"]);

/** The request's operation vanishes, without an effect. */
const [lost] = mishaps.filter(({ title }) => title === "its operation vanishes without the effect");
const vanishes = ({ proxy, session }: Stage, pattern: RequestPattern): void =>
  lost!.befall(proxy, pattern, session.api);

const attached = async ({ session }: StepResult): Promise<unknown> => {
  const { id } = session.one("moved");
  return (await session.api.call("GET", `${VOLUMES}/${id}`))["vm_id"];
};

/** A change or a deletion is done if the object shows it. */
export const verifiedChanges: Scenario = {
  title: "a change is done if the object shows it",
  options: { simulator: { operationTime: "100ms" }, config: { "cloudinfra:preflight": "off" } },
  steps: [
    { title: "creates every object", program: program(64, 10, "a", []), run: up },
    {
      title: "the state has only changes that the objects show",
      program: program(80, 10, "b", ["new"]),
      first: (stage) => {
        stage.proxy.on({ method: "PATCH", path: /^\/v1\/compute\/volumes\// }, does.dropAfter);
        stage.proxy.on({ method: "POST", path: /\/attach$/ }, does.dropBefore);
        vanishes(stage, { method: "PATCH", path: /\/connections\// });
        return Promise.resolve();
      },
      run: all,
      fails: true,
      isCut: true, // the last progress of a row is unpredictable
      shows: async (played) => {
        const { session, output, stage } = played;
        stage.proxy.clear();
        expect(rowOf(output, "web")).toContain("updated");
        expect(session.one("web").outputs).toMatchObject({ bootVolume: { size: 80 } });
        expect(diagnosticsOf(output, "moved")).toContain("broke before the complete answer arrived");
        expect(session.one("moved").outputs["vmId"]).toBeUndefined();
        expect(await attached(played)).toBeNull();
        expect(diagnosticsOf(output, "link")).toContain("the connect connection does not show it");
        expect(session.one("link").outputs["tags"]).toEqual([]);
      },
    },
    {
      title: "the next run makes the missing changes",
      run: up,
      shows: async (played) => {
        const { session, requests: seen } = played;
        expect(seen.filter((request) => /^(PATCH|POST \S+\/\w+tach)/.test(request))).toHaveLength(2);
        expect(await attached(played)).toBe(session.one("b").id);
        expect(session.one("link").outputs["tags"]).toEqual(["new"]);
      },
    },
    {
      title: "saves a detachment if the next attachment is refused",
      program: program(80, 10, "a", ["new"]),
      first: ({ proxy }) => Promise.resolve(void proxy.on({ method: "POST", path: /\/attach$/ }, does.refuse)),
      run: up,
      fails: true,
      isCut: true,
      shows: async (played) => {
        const { session, output, stage } = played;
        stage.proxy.clear();
        expect(diagnosticsOf(output, "moved")).toContain("The API shows this change, or a part of it");
        expect(session.one("moved").outputs["vmId"]).toBeUndefined();
        expect(await attached(played)).toBeNull();
      },
    },
    {
      title: "attaches the volume to its former VM again",
      program: program(80, 10, "b", ["new"]),
      run: up,
      shows: async (played) => expect(await attached(played)).toBe(played.session.one("b").id),
      differs: {
        reason: "Pulumi's server of dynamic providers does not pass on which values differ from the outputs.",
        lines: {
          screen: {
            dynamic: [" ~  Volume moved updated "],
            native: [" ~  Volume moved updated [diff: +vmId]"],
          },
        },
      },
    },
    {
      title: "a change back fails if a cache answers",
      program: program(80, 10, "b", []),
      first: async ({ proxy, session }) => {
        const { id } = session.one("link");
        const shown = await session.api.call("GET", `${paths.connections}/${id}`);
        const former = { ...shown, tags: [], updated_at: shown["created_at"] };
        proxy.on({ method: "GET", path: new RegExp(`/${id}$`) }, does.answer(200, former));
      },
      run: up,
      fails: true,
      isCut: true,
      shows: ({ session, output, stage }) => {
        stage.proxy.clear();
        expect(diagnosticsOf(output, "link")).toContain("A cache may answer for the API");
        expect(session.one("link").outputs["tags"]).toEqual(["new"]);
      },
    },
    {
      title: "the next run makes the change back",
      run: up,
      shows: async ({ session }) => {
        const { id, outputs } = session.one("link");
        expect(outputs["tags"]).toEqual([]);
        expect(await session.api.call("GET", `${paths.connections}/${id}`)).toMatchObject({ tags: [] });
      },
    },
    {
      title: "accepted deletions without an effect fail the destroy",
      first: (stage) => {
        vanishes(stage, { ...requests.deletions, path: /\/connections\// });
        vanishes(stage, { method: "PATCH", path: /\/load_balancers\// });
        return Promise.resolve();
      },
      run: (session) => session.destroy(["--continue-on-error"]),
      fails: true,
      isCut: true, // as above: the operations of the VMs may vanish with those of the connection
      shows: ({ session, output, stage }) => {
        stage.proxy.clear();
        expect(diagnosticsOf(output, "link")).toContain("the connect connection does not show it");
        expect(diagnosticsOf(output, "ingress")).toContain("the NKS load balancer does not show it");
        expect(output).not.toContain("stays, as it was found");
        expect(session.kept()).toHaveLength(2);
      },
    },
    {
      title: "the next destroy deletes the remaining objects",
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
