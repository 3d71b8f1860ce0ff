import * as does from "../support/proxy/actions";
import { clusterObject } from "../kinds/nks-node-pool";
import { Stage } from "./fronts/stage";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, DYNAMIC, FRONTS, NATIVE, programOf, type Front } from "./support/programs";
import { otherStorage, storage } from "../kinds/volume";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, so each case of a table uses one of them.
const open = (front: Front): Promise<Stage> => Stage.open(front, { config: { "cloudinfra:preflight": "off" } });

it.concurrent("an ignored field stays after a failed update and a refresh", async () => {
  const stage = await open(NATIVE);
  const { session, proxy } = stage;
  const pool = (nodeCount: number, tags: readonly string[], options?: string): string =>
    declare("NksNodePool", "workers", { nodeCount, tags }, options);
  succeeded(await stage.deploy(pool(2, ["one"])));
  const path = `/v1/nks/clusters/${clusterObject.id}/pools/${session.one("workers").id}`;
  proxy.on({ method: "PATCH" }, does.answer(500));
  failed(await stage.deploy(pool(3, ["one"])));
  proxy.clear();
  succeeded(await session.refresh());
  await session.api.call("PATCH", path, { node_count: 7 });
  succeeded(await stage.deploy(pool(2, ["two"], `{ ignoreChanges: ["nodeCount"] }`)));
  expect(await session.api.call("GET", path)).toMatchObject({ node_count: 7, tags: ["two"] });
});

it.concurrent.each(FRONTS)("%s: an ignored member stays, although the program has no such object", async (front) => {
  const stage = await open(front);
  const { session } = stage;
  const options = `{ ignoreChanges: ["sourceIpRule.allowed"] }`;
  const key = (...tags: string[]): string => declare("ApiKey", "ci", { tags, sourceIpRule: undefined }, options);
  succeeded(await stage.deploy(key("one")));
  const path = `/v1/api_keys/${session.one("ci").id}`;
  const rule = { allowed: ["1.2.3.4/32", "127.0.0.1/32"], blocked: [] };
  await session.api.call("PATCH", path, { source_ip_rule: rule });
  succeeded(await session.refresh());
  succeeded(await session.up());
  succeeded(await stage.deploy(key("two")));
  expect(await session.api.call("GET", path)).toMatchObject({ source_ip_rule: rule, tags: ["two"] });
  succeeded(await stage.deploy(key("two").replace(options, "{}")));
  expect(await session.api.call("GET", path)).toMatchObject({ source_ip_rule: { allowed: [] } });
});

it.concurrent.each(FRONTS)("%s warns that `deletedWith` deletes nothing at the API", async (front) => {
  const stage = await open(front);
  stage.write(declare("Vm", "web"), declare("Volume", "data", {}, "{ deletedWith: web }"));
  expect(diagnosticsOf(succeeded(await stage.session.stack.preview()), "data")).toContain(
    "the API keeps the object. Remove the",
  );
});

const moves = [
  ["a move", NATIVE, DYNAMIC, DYNAMIC, "old"],
  ["an alias", DYNAMIC, DYNAMIC, NATIVE, "renamed"],
] as const;
it.concurrent.each(moves)("after %s (%s to %s), %s deletes old objects", async (_how, from, to, last, name) => {
  const { session } = await open(from);
  const declared = (front: Front, as: string, later: boolean): string => {
    const key = { deleteOld: "after", rotationTrigger: String(later) };
    return programOf(
      front,
      `// no longer with ${from}`, // the word keeps the plugin, which the replaced object still needs
      declare("Volume", as, { type: later ? otherStorage : storage }, `{ aliases: [{ name: "old" }] }`),
      declare("ApiKey", `${as}Key`, key, `{ aliases: [{ name: "oldKey" }] }`),
    );
  };
  for (const program of [declared(from, "old", false), declared(to, name, false), declared(to, name, false)]) {
    session.stack.write(program);
    succeeded(await session.up());
  }
  const old = [session.one(name).id, session.one(`${name}Key`).id];
  session.stack.write(declared(last, name, true));
  const output = succeeded(await session.up());
  expect(output).not.toContain("stays");
  const held = await session.api.heldIds();
  expect(old.filter((id) => held.includes(id))).toEqual([]);
  await session.expectAgreement();
});

it.concurrent.each([
  [DYNAMIC, "{ retainOnDelete: true }", undefined, "stays: an update had retainOnDelete"],
  [NATIVE, undefined, "{ retainOnDelete: true }", "stays (retainOnDelete)"],
] as const)("with %s, a failed update keeps the object: %s, %s", async (front, before, failing, text) => {
  const stage = await open(front);
  const { session, proxy } = stage;
  succeeded(await stage.deploy(declare("Volume", "data", { size: 100 }, before)));
  const { id } = session.one("data");
  proxy.on({ method: "PATCH" }, does.answer(500));
  failed(await stage.deploy(declare("Volume", "data", { size: 200 }, failing)));
  proxy.clear();
  const output = succeeded(await stage.deploy(declare("Volume", "data", { size: 200, type: otherStorage })));
  expect(diagnosticsOf(output, "data")).toContain(`${id} ${text}`);
  expect(await session.api.heldIds()).toContain(id);
});

it.concurrent("tells that the state may have `retainOnDelete` already", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  succeeded(await stage.deploy(declare("Volume", "data", { type: storage })));
  const { id } = session.one("data");
  stage.write(declare("Volume", "data", { type: otherStorage }, "{ retainOnDelete: true }"));
  const output = succeeded(await session.up(["--refresh", "--run-program"]));
  expect(await session.api.heldIds()).toContain(id);
  expect(diagnosticsOf(output, "data")).toContain(
    `if the state has retainOnDelete already, the replaced object ${id} stays`,
  );
});
