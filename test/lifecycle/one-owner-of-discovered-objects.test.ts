import { UNKNOWN } from "../../src/engine/values";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import { sent } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { MiniStack } from "../support/mini-engine";
import type { Declaration, KeptResource } from "../support/mini-state";
import { World } from "../support/world";
import { reasonsOf } from "./support/reasons";

const type = "NksLoadBalancer";
const { id } = loadBalancerObject;
const mail = { ...loadBalancerObject, id: "10000000-0000-4000-8000-0000000000b2", service_name: "mail" };
const HELD =
  `NKS load balancer ${id} already belongs to the resource "first" of this program. ` +
  'Remove or correct serviceName of "second"';
/** The refusal for a resource that takes over by this field the object that "first" has. */
const rival = (name: string, field: string): string =>
  `${field}: "${name}" and "first" of this program both take over NKS load balancer ${id}, and it can belong to one resource only. ` +
  `Decide which: remove or correct ${field} of "${name}", or serviceName of "first"`;

const world = World.forSuite();
let stack: MiniStack;
beforeEach(async () => {
  stack = new MiniStack();
  await world.place("nksLoadBalancers", mail);
});

const declared = (name: string, own: object = {}): Declaration => ({
  type,
  name,
  args: () => world.args(type, own),
});
const updated = async (...program: Declaration[]): Promise<string[]> => {
  const { failures } = await stack.up(world.run(), program);
  return failures.map(({ name, error }) => `${name}: ${(error as Error).message}`);
};
const kept = (): string[] => stack.resources.map((resource) => `${resource.name} ${resource.id}`);
const isPublic = async (of = id): Promise<unknown> =>
  (await world.objects(type)).find((object) => object.id === of)?.["public_ip_enabled"];

it("a preview refuses the second of two new resources", async () => {
  const run = world.run();
  const reasons = (name: string, own: object): Promise<string[]> =>
    reasonsOf(run, type, name, declared(name, own).args(never));
  expect(await reasons("first", {})).toEqual([]);
  expect(await reasons("second", { namespace: undefined })).toEqual([rival("second", "serviceName")]);
  expect(await reasons("third", { adopt: `${loadBalancerObject.cluster_id}/${id}` })).toEqual([
    rival("third", "adopt"),
  ]);
  expect(await reasons("mail", { serviceName: "mail" })).toEqual([]);
  expect(await reasons("later", { clusterId: UNKNOWN })).toEqual([]);
});

it("fails the existing resource if a new one came first", async () => {
  expect(await updated(declared("old"))).toEqual([]);
  const [kind, run] = [stack.stateOf("old"), world.run()];
  const preview = run.of(type);
  expect((await preview.check({}, sent(type, "first", declared("first").args(never)))).failures).toEqual([]);
  const checked = await preview.check(kind.inputs, sent(type, "old", declared("old").args(never)));
  await expect(preview.diff(kind.id, kind.outs, checked.inputs)).rejects.toThrow(
    `the resource "first" of this program adopts NKS load balancer ${id}, which belongs to "old". ` +
      '"old" keeps it: remove or correct serviceName of "first".',
  );
});

it("refuses a creation whose object another resource has", async () => {
  expect(await updated(declared("first"))).toEqual([]);
  const { inputs, outs } = stack.stateOf("first");
  const lifecycle = world.run().of(type);
  const news = (name: string): Record<string, unknown> => sent(type, name, declared(name).args(never), false);
  const second = await lifecycle.check({}, news("second"));
  const { inputs: checked } = await lifecycle.check(inputs, news("first"));
  await expect(lifecycle.diff(id, outs, checked)).resolves.toBeDefined();
  await expect(lifecycle.create(second.inputs)).rejects.toThrow(
    `create NKS load balancer "second": ${HELD.replace(/Remove.*/, "Declare one resource for it")}`,
  );
});

it("allows two resources to swap their Services", async () => {
  const both = (first: string, second: string): Promise<string[]> =>
    updated(declared("first", { serviceName: first }), declared("second", { serviceName: second }));
  expect(await both("web", "mail")).toEqual([]);
  expect(await both("web", "web")).toEqual([`second: serviceName: ${HELD}`]);
  expect(kept()).toEqual([`first ${id}`, `second ${mail.id}`]);
  expect(await both("mail", "web")).toEqual([]);
  expect(kept()).toEqual([`first ${mail.id}`, `second ${id}`]);
  expect(await both("mail", "web")).toEqual([]);
});

it("fails the second resource that finds an object", async () => {
  await world.takeAway("nksLoadBalancers", id);
  const lifecycle = world.run().of(type);
  const checked = async (name: string): Promise<Record<string, unknown>> => {
    const { inputs, failures } = await lifecycle.check({}, sent(type, name, declared(name).args(never), false));
    expect(failures).toEqual([]);
    return inputs;
  };
  const [first, second] = [await checked("first"), await checked("second")];
  await world.place("nksLoadBalancers", loadBalancerObject);
  const { outs } = await lifecycle.create(first);
  await expect(lifecycle.create(second)).rejects.toThrow(
    `create NKS load balancer "second": ${HELD.replace(/Remove.*/, "Declare one resource for it")}`,
  );
  expect(await isPublic()).toBe(true);
  await world.run().of(type).delete(id, outs);
  expect(await isPublic()).toBe(false);
});

it("deleting one of two owners changes nothing", async () => {
  expect(await updated(declared("first"))).toEqual([]);
  const [first] = stack.resources;
  const second = JSON.parse(JSON.stringify(first).replaceAll("::first", "::second")) as KeptResource;
  stack = new MiniStack([first!, { ...second, name: "second" }]);
  expect(await updated(declared("first"))).toEqual([]);
  expect([kept(), await isPublic()]).toEqual([[`first ${id}`], true]);
});

it("warns if a resource is renamed without an alias", async () => {
  await updated(declared("first"));
  const run = world.run();
  expect((await stack.up(run, [declared("second")])).failures).toEqual([]);
  expect(run.warnings()).toEqual([
    `NKS load balancer ${id} stays: this run has adopted it for another resource, which has no record of the original ` +
      "publicIpEnabled: false. Set that before you remove the other resource. To rename a resource, give it an alias",
  ]);
});

it("does not warn if the journal knows the original settings", async () => {
  const journal = new MemoryJournal();
  await stack.up(world.run({}, { journal }), [declared("first")]);
  const run = world.run({}, { journal });
  expect((await stack.up(run, [declared("second")])).failures).toEqual([]);
  expect(run.lines.map(({ text }) => text)).toContain(
    `NKS load balancer ${id} stays: this run has adopted it for another resource`,
  );
  expect(run.warnings().filter((text) => text.includes("found with"))).toEqual([]);
  await stack.up(world.run({}, { journal }), []);
  expect(await isPublic()).toBe(false);
});

/** The arguments of these depend on no other resource. */
function never(): never {
  throw new Error("nothing depends on another resource here");
}
