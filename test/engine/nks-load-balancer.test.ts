import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { forEachTest } from "../support/suite";
import { interruptedUp, openEntries } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const TYPE = "NksLoadBalancer";
const PATH = `/v1/nks/clusters/${loadBalancerObject.cluster_id}/load_balancers`;
const { id } = loadBalancerObject;

const session = forEachTest(() => Session.start(program(declare(TYPE, "ingress", { namespace: undefined }))));

const shown = (): Promise<Record<string, unknown>> => session.api.call("GET", `${PATH}/${id}`);

it("restores a load balancer's original settings after a kill", async () => {
  await session.api.fault({ method: "PATCH", path: "load_balancers", delay: "10m" });
  await interruptedUp(session, async () => (await shown())["public_ip_enabled"] === true, ["SIGKILL"]);
  await session.api.clearFaults();
  expect(session.kept()).toEqual([]);
  expect(openEntries(session)).toMatchObject([{ id, foundAs: { publicIpEnabled: false } }]);

  session.cancel();
  expect(succeeded(await session.up())).toContain(
    `the state may not know what it made or took over: NKS load balancer "ingress" (${id}, found with publicIpEnabled: false).`,
  );
  const next = await session.api.during(() => session.up());
  expect(succeeded(next.result)).not.toContain("earlier run");
  expect(next.requests).toEqual([]);
  expect(openEntries(session)).toEqual([]);

  const destroyed = succeeded(await session.destroy());
  expect(destroyed).toContain(`NKS load balancer ${id} stays, as it was found: publicIpEnabled: false`);
  expect(session.kept()).toEqual([]);
  expect(await shown()).toMatchObject({ public_ip_enabled: false, status: "ready" });
});
