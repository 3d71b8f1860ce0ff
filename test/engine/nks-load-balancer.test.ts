import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { forEachTest } from "../support/suite";
import { interruptedUp, openEntries, until } from "./support/interruption";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, program, programOf } from "./support/programs";
import { Session } from "./support/session";

const TYPE = "NksLoadBalancer";
const PATH = `/v1/nks/clusters/${loadBalancerObject.cluster_id}/load_balancers`;
const { id } = loadBalancerObject;

const session = forEachTest(() => Session.start(program(declare(TYPE, "ingress", { namespace: undefined }))));

const shown = (): Promise<Record<string, unknown>> => session.api.call("GET", `${PATH}/${id}`);

it("finds, changes and awaits a load balancer", async () => {
  const previewed = succeeded(await session.stack.preview());
  expect(previewed).toContain(`adopts ${id}; then changes publicIpEnabled: false → true`);
  expect(await shown()).toMatchObject({ public_ip_enabled: false });

  const { requests } = await session.api.during(() => session.up());
  expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([
    "PATCH nks/clusters/:id/load_balancers/:id",
  ]);
  expect(session.one("ingress")).toMatchObject({ id, outputs: { namespace: "default", publicIpEnabled: true } });
  expect(session.one("ingress").outputs["publicIp"]).toBe((await shown())["public_ip"]);

  // Somebody changes it beside Pulumi: a refresh shows that, and an up brings it back.
  await session.api.call("PATCH", `${PATH}/${id}`, { public_ip_enabled: false });
  await session.refresh();
  expect(session.one("ingress").outputs).toMatchObject({ publicIpEnabled: false });
  await session.up();
  expect(await shown()).toMatchObject({ public_ip_enabled: true });

  // Its Service is deleted: a refresh takes it out of the state, and the next up waits for a new one.
  await session.api.takeAway("nksLoadBalancers", id);
  await session.refresh();
  expect(session.kept()).toEqual([]);
  expect(succeeded(await session.stack.preview())).toContain(
    'there is no NKS load balancer with the serviceName "web"',
  );
  session.stack.env["CLOUDINFRA_OPERATION_TIMEOUT"] = "2s";
  expect(diagnosticsOf(failed(await session.up()), "ingress")).toMatch(
    /there is no NKS load balancer with the serviceName "web".* Waited [12] seconds? for it\. Correct the arguments, .* Then run again\.$/,
  );
  delete session.stack.env["CLOUDINFRA_OPERATION_TIMEOUT"];
  const made = { ...loadBalancerObject, id: "10000000-0000-4000-8000-0000000000b9" };
  const reads = async (): Promise<number> => (await session.api.answers())["GET 200"] ?? 0;
  const before = await reads();
  const updated = session.up();
  await until(async () => (await reads()) > before + 1); // check, and the first look of the update
  await session.api.place("nksLoadBalancers", made);
  succeeded(await updated);
  expect(session.one("ingress").id).toBe(made.id);
});

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

it("restores a load balancer's original settings after an import", async () => {
  const imported = await Session.start(programOf("pulumi-cloudinfra/native", declare(TYPE, "ingress")));
  const path = `${loadBalancerObject.cluster_id}/${id}`;
  const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  succeeded(await imported.stack.pulumi(["import", `cloudinfra:index:${TYPE}`, "ingress", path, ...options]));
  succeeded(await imported.up());
  expect(await imported.api.call("GET", `${PATH}/${id}`)).toMatchObject({ public_ip_enabled: true });
  succeeded(await imported.refresh());
  expect(succeeded(await imported.destroy())).toContain(`${id} stays, as it was found: publicIpEnabled: false`);
  expect(await imported.api.call("GET", `${PATH}/${id}`)).toMatchObject({ public_ip_enabled: false });
});
