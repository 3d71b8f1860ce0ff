import { failed, partsOf, succeeded } from "./support/output";
import { program, basicsOf } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const net = `const net = new cloudinfra.Vpc("net", {});`;
const cluster = (args: object = {}): string => {
  const all = { kubernetesVersion: "v1.34.4", ...args };
  return `const cluster = new cloudinfra.NksCluster("cluster", { vpcId: net.id, ...${JSON.stringify(all)} });`;
};
const config = basicsOf("NksNodePool")["nodeConfig"] as Readonly<Record<string, unknown>>;
const pool = (args: object = {}): string => {
  const all = { nodeConfig: config, ...args };
  return `const pool = new cloudinfra.NksNodePool("pool", { clusterId: cluster.id, ...${JSON.stringify(all)} });`;
};
const output = `exports.kubeconfig = cluster.kubeconfig;`;

/** The node pools of the API, oldest first. */
async function poolsOf({ api }: Session, clusterId: string): Promise<readonly Record<string, unknown>[]> {
  return (await api.call("GET", `/v1/nks/clusters/${clusterId}/pools`))["items"] as Record<string, unknown>[];
}

const session = forSuite(() => Session.start(program(net, cluster(), pool({ nodeCount: 2 }), output)));

it("a pool is made with its cluster, and scaled", async () => {
  succeeded(await session.up());
  const { id: clusterId, outputs } = session.one("cluster");
  // The access to it is there when its creation has ended, and encrypted in the state.
  expect(JSON.stringify(outputs["kubeconfig"])).toContain("ciphertext");
  expect(session.shownOutputs()["kubeconfig"]).toContain("kind: Config");
  const first = session.one("pool").id;

  session.stack.write(program(net, cluster({ tags: ["ours"] }), pool({ nodeCount: 3 }), output));
  const scaled = partsOf(succeeded(await session.stack.up()));
  expect(scaled.preview).toMatch(/\$[\d.]+\/mo → \$[\d.]+\/mo \(\+\$[\d.]+\/mo\)/);
  expect([session.one("cluster").id, session.one("pool").id]).toEqual([clusterId, first]);
  expect(JSON.stringify(session.one("cluster").outputs["kubeconfig"])).toContain("ciphertext");
  expect(await poolsOf(session, clusterId)).toMatchObject([{ id: first, node_count: 3 }]);
});

it("leaves the node count of a pool to the autoscaler", async () => {
  session.stack.write(program(net, cluster({ tags: ["ours"] }), pool(), output));
  const [clusterId, first] = [session.one("cluster").id, session.one("pool").id];

  // Without a number, the autoscaler decides. Its changes are no difference, before and after a refresh.
  await session.api.call("PATCH", `/v1/nks/clusters/${clusterId}/pools/${first}`, { node_count: 7 });
  expect((await session.api.during(() => session.up())).requests).toEqual([]);
  await session.refresh();
  expect(session.one("pool").outputs).toMatchObject({ nodeCount: 7 });
  expect((await session.api.during(() => session.up())).requests).toEqual([]);
  expect(await poolsOf(session, clusterId)).toMatchObject([{ node_count: 7 }]);

  // Another node: the new pool is there before the old one goes, under another name.
  session.stack.write(
    program(net, cluster({ tags: ["ours"] }), pool({ nodeConfig: { ...config, labels: ["a=b"] } }), output),
  );
  const { requests } = await session.api.during(() => session.up());
  const ofPools = requests.filter((request) => /^(POST|DELETE) .*\/pools(\/:id)?$/.test(request));
  expect(ofPools.map((request) => request.split(" ")[0])).toEqual(["POST", "DELETE"]);
  const second = session.one("pool");
  expect(second.id).not.toBe(first);
  expect(await poolsOf(session, clusterId)).toMatchObject([{ id: second.id }]);
});

it("a cluster is replaced by another version only if allowed", async () => {
  const clusterId = session.one("cluster").id;
  session.stack.write(program(net, cluster({ tags: ["ours"], kubernetesVersion: "v1.33.8" }), output));
  expect(failed(await session.stack.preview())).toContain(
    "kubernetesVersion: cannot be changed in place: v1.34.4 → v1.33.8 would destroy the cluster",
  );
  session.stack.write(
    program(net, cluster({ tags: ["ours"], kubernetesVersion: "v1.33.8", replaceOnVersionChange: true }), output),
  );
  await session.up();
  const replaced = session.one("cluster");
  expect([replaced.id === clusterId, replaced.outputs["kubernetesVersion"]]).toEqual([false, "v1.33.8"]);

  // The stack forgets it and adopts it again: the access is there too.
  await session.stack.pulumi(["state", "delete", replaced.urn, "--yes"]);
  session.stack.write(program(net, cluster({ kubernetesVersion: "v1.33.8", adopt: replaced.id }), output));
  await session.up();
  expect(session.one("cluster").id).toBe(replaced.id);
  expect(JSON.stringify(session.one("cluster").outputs["kubeconfig"])).toContain("ciphertext");
  await session.destroy();
  expect(session.kept()).toEqual([]);
});
