import * as does from "../support/proxy/actions";
import { clusterObject } from "../kinds/nks-node-pool";
import { Stage } from "./fronts/stage";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { basicsOf, declare, DYNAMIC, FRONTS, inDays, NATIVE, programOf, type Front } from "./support/programs";
import { describeYaml, yaml } from "./support/yaml";
import { otherStorage, storage } from "../kinds/volume";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, so each case of a table uses one of them.
const open = (front: Front): Promise<Stage> => Stage.open(front, { config: { "cloudinfra:preflight": "off" } });

it.concurrent("does not revert an ignored field if only the cost changes", async () => {
  const { front, session, proxy } = await open(NATIVE);
  session.stack.write(programOf(front, declare("NksNodePool", "workers", {}, `{ ignoreChanges: ["nodeCount"] }`)));
  proxy.on({ method: "POST", path: /cost$/ }, does.answer(503));
  succeeded(await session.up());
  proxy.clear();
  const path = `/v1/nks/clusters/${clusterObject.id}/pools/${session.one("workers").id}`;
  await session.api.call("PATCH", path, { node_count: 7 });
  succeeded(await session.up());
  expect(await session.api.call("GET", path)).toMatchObject({ node_count: 7 });
});

it.concurrent.each(FRONTS)("%s: an ignored field stays after a failed update", async (front) => {
  const { session, proxy } = await open(front);
  const pool = (nodeCount: number, tags: readonly string[], options?: string): string =>
    programOf(front, declare("NksNodePool", "workers", { nodeCount, tags }, options));
  session.stack.write(pool(2, ["one"]));
  succeeded(await session.up());
  const path = `/v1/nks/clusters/${clusterObject.id}/pools/${session.one("workers").id}`;
  proxy.on({ method: "PATCH" }, does.answer(500));
  session.stack.write(pool(3, ["one"]));
  failed(await session.up());
  proxy.clear();
  succeeded(await session.refresh());
  await session.api.call("PATCH", path, { node_count: 7 });
  session.stack.write(pool(2, ["two"], `{ ignoreChanges: ["nodeCount"] }`));
  succeeded(await session.up());
  expect(await session.api.call("GET", path)).toMatchObject({ node_count: 7, tags: ["two"] });
});

it.concurrent.each(FRONTS)("%s: an ignored member stays, although the program has no such object", async (front) => {
  const { session } = await open(front);
  const options = `{ ignoreChanges: ["sourceIpRule.allowed"] }`;
  const key = (...tags: string[]): string =>
    programOf(front, declare("ApiKey", "ci", { tags, sourceIpRule: undefined }, options));
  session.stack.write(key("one"));
  succeeded(await session.up());
  const path = `/v1/api_keys/${session.one("ci").id}`;
  const rule = { allowed: ["1.2.3.4/32", "127.0.0.1/32"], blocked: [] };
  await session.api.call("PATCH", path, { source_ip_rule: rule });
  succeeded(await session.refresh());
  succeeded(await session.up());
  session.stack.write(key("two"));
  succeeded(await session.up());
  expect(await session.api.call("GET", path)).toMatchObject({ source_ip_rule: rule, tags: ["two"] });
  session.stack.write(key("two").replace(options, "{}"));
  succeeded(await session.up());
  expect(await session.api.call("GET", path)).toMatchObject({ source_ip_rule: { allowed: [] } });
});

it.concurrent.each(FRONTS)("%s warns that `deletedWith` deletes nothing at the API", async (front) => {
  const { session } = await open(front);
  session.stack.write(programOf(front, declare("Vm", "web"), declare("Volume", "data", {}, "{ deletedWith: web }")));
  expect(diagnosticsOf(succeeded(await session.stack.preview()), "data")).toContain(
    "the API keeps the object. Remove the",
  );
});

it.concurrent("a preview refuses to delete first what another resource adopts", async () => {
  const front = NATIVE;
  const { session } = await open(front);
  const net = (args: object, options: string): string => declare("Vpc", "net", args, options);
  const first = "{ deleteBeforeReplace: true }";
  session.stack.write(programOf(front, net({}, first), declare("NksCluster", "cluster", { vpcId: "=net.id" })));
  succeeded(await session.up());
  const { id } = session.one("cluster");
  const other = (options: string): string =>
    declare("NksCluster", "other", { vpcId: session.one("net").id, adopt: id }, options);
  const moved = net({ region: "us-wdc-1" }, "{ deleteBeforeReplace: true, dependsOn: other }");
  session.stack.write(programOf(front, other("{}"), moved));
  expect(failed(await session.stack.preview())).toContain("which this run deletes first");
  expect(await session.api.heldIds()).toContain(id);
});

it.concurrent.each([
  ["--target", "**::ci-schedule", DYNAMIC],
  ["--exclude", "**::ci-b", NATIVE],
] as const)("a run with %s keeps the current key", async (option, urn, front) => {
  const { session } = await open(front);
  const permissions = `[{ resourceType: "vm", permission: "edit" }]`;
  session.stack.write(
    programOf(
      front,
      `const ci = new cloudinfra.RotatingApiKey("ci", { permissions: ${permissions}, period: "30d" });`,
      `exports.key = ci.current.key;`,
    ),
  );
  succeeded(await session.up());
  await session.api.advance("28d");
  succeeded(await session.up([option, urn]));
  const given = String(session.shownOutputs()["key"]);
  succeeded(await session.up());
  expect(await session.api.signIn(given)).toBe(200);
});

it.concurrent("a renamed old key with `deleteOld: atExpiry` stays", async () => {
  const { front, session } = await open(DYNAMIC);
  session.stack.write(programOf(front, declare("ApiKey", "old", keyThatStays)));
  succeeded(await session.up());
  const { id } = session.one("old");
  const later = { ...keyThatStays, expiresAt: inDays(90) };
  session.stack.write(programOf(front, declare("ApiKey", "renamed", later, `{ aliases: [{ name: "old" }] }`)));
  succeeded(await session.up());
  expect(session.kept().map((kept) => kept.id)).not.toContain(id);
  expect(await session.api.heldIds()).toContain(id);
});

it.concurrent("deletes the removed one of two keys with one name", async () => {
  const { front, session } = await open(DYNAMIC);
  const up = async (...keys: string[]): Promise<void> => {
    session.stack.write(programOf(front, ...keys));
    succeeded(await session.up());
  };
  const later = declare("ApiKey", "old", keyThatStays);
  const renamed = (options?: string): string => declare("ApiKey", "renamed", keyThatStays, options);
  await up(later);
  await up(renamed(`{ aliases: [{ name: "old" }] }`));
  await up(renamed(), later);
  await up(later);
  await session.expectAgreement();
});

it.concurrent("deletes a removed key beside the other provider's namesake", async () => {
  const { session } = await open(NATIVE);
  const key = (front: Front, trigger: string): string =>
    declare("ApiKey", "old", { ...keyThatStays, rotationTrigger: trigger })
      .replace("const old = ", "")
      .replace("cloudinfra.ApiKey", `(require("${front}").ApiKey)`);
  const up = async (...keys: string[]): Promise<void> => {
    session.stack.write(programOf(NATIVE, ...keys));
    succeeded(await session.up());
  };
  await up(key(DYNAMIC, "1"), key(NATIVE, "1"));
  const { id } = session.kept().find(({ urn }) => urn.includes("pulumi-nodejs"))!;
  await up(key(NATIVE, "2"));
  expect(await session.api.heldIds()).not.toContain(id);
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
  const { id, row, held } = await replacedAfterFailure(front, before, failing);
  expect(row).toContain(`${id} ${text}`);
  expect(held).toContain(id);
});

it.concurrent("a destroy obeys `retainOnDelete` that a refresh has removed", async () => {
  const stage = await open(NATIVE);
  const { session, proxy } = stage;
  declareVolume(stage, { type: storage }, "{ retainOnDelete: true }");
  succeeded(await session.up());
  const { id } = session.one("data");
  declareVolume(stage, { type: storage });
  succeeded(await session.refresh(["--run-program"]));
  proxy.on({ method: "POST", path: /vpcs$/ }, does.answer(403, { type: "FORBIDDEN", message: "no" }));
  declareVolume(stage, { type: otherStorage }, undefined, declare("Vpc", "refused"));
  failed(await session.up());
  expect(diagnosticsOf(succeeded(await session.destroy()), "data")).toContain(
    `volume ${id} stays: an update had retainOnDelete`,
  );
  expect(await session.api.heldIds()).toEqual([id]);
});

it.concurrent("tells that the state may have `retainOnDelete` already", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  declareVolume(stage, { type: storage });
  succeeded(await session.up());
  const { id } = session.one("data");
  declareVolume(stage, { type: otherStorage }, "{ retainOnDelete: true }");
  const output = succeeded(await session.up(["--refresh", "--run-program"]));
  expect(await session.api.heldIds()).toContain(id);
  expect(diagnosticsOf(output, "data")).toContain(
    `if the state has retainOnDelete already, the replaced object ${id} stays`,
  );
});

it.concurrent("deletes a key of the former name after failed renaming", async () => {
  const { front, session, proxy } = await open(NATIVE);
  const later = declare("ApiKey", "old", keyThatStays);
  const renamed = (options?: string): string =>
    declare("ApiKey", "renamed", { ...keyThatStays, tags: ["new"] }, options);
  const up = (...keys: string[]) => {
    session.stack.write(programOf(front, ...keys));
    return session.up();
  };
  succeeded(await up(later));
  proxy.on({ method: "PATCH" }, does.answer(500));
  failed(await up(renamed(`{ aliases: [{ name: "old" }] }`)));
  failed(await up(renamed(), later));
  proxy.clear();
  succeeded(await up(renamed()));
  await session.expectAgreement();
});

it.concurrent.each(FRONTS)("%s: only a destroy deletes an object that the program reads", async (front) => {
  const { session } = await open(front);
  const read = (id: string): string => `cloudinfra.Volume.get("read", "${id}");`;
  session.stack.write(programOf(front, declare("Volume", "data")));
  succeeded(await session.up());
  const { id } = session.one("data");
  session.stack.write(programOf(front, read(id)));
  failed(await session.up(["--message", "destroy"]));
  expect(await session.api.heldIds()).toEqual([id]);
  session.stack.write(programOf(front, declare("Volume", "data"), read(id)));
  succeeded(await session.up());
  succeeded(await session.stack.pulumi(["down", "--yes", "--non-interactive", "--skip-preview", "--run-program"]));
  expect(await session.api.heldIds()).toEqual([]);
});

function declareVolume({ front, session }: Stage, inputs: object, options?: string, ...more: readonly string[]): void {
  session.stack.write(programOf(front, declare("Volume", "data", inputs, options), ...more));
}

/**
 * Replaces a volume after an update that has failed. `before` and `failing`: its options before that update, and in it.
 */
async function replacedAfterFailure(front: Front, before: string | undefined, failing: string | undefined) {
  const stage = await open(front);
  const { session, proxy } = stage;
  declareVolume(stage, { size: 100 }, before);
  succeeded(await session.up());
  const { id } = session.one("data");
  proxy.on({ method: "PATCH" }, does.answer(500));
  declareVolume(stage, { size: 200 }, failing);
  failed(await session.up());
  proxy.clear();
  declareVolume(stage, { size: 200, type: otherStorage });
  const row = diagnosticsOf(succeeded(await session.up()), "data");
  return { id, row, held: await session.api.heldIds() };
}

const keyThatStays = { expiresAt: inDays(60), deleteOld: "atExpiry" };

describeYaml("a YAML program with --continue-on-error", () => {
  it("keeps an object whose adoption is refused", async () => {
    const { session, proxy } = await open(NATIVE);
    const write = (name: string, own: object): void =>
      session.stack.write({
        resources: { [name]: yaml("FirewallRule", { ...basicsOf("FirewallRule"), ...own }) },
      });
    write("old", { name: "mine" });
    succeeded(await session.up());
    const { id } = session.one("old");
    write("renamed", { adopt: id, name: "mine", tags: ["new"] });
    const refusal = { type: "VALIDATION_ERROR", message: "no", request_id: "x", context: { parameters: {} } };
    proxy.on({ method: "PATCH" }, does.answer(422, { ...refusal, timestamp: "2026-06-15T12:00:00Z" }));
    const output = failed(await session.up(["--continue-on-error"]));
    expect(diagnosticsOf(output, "old")).toContain(`this run was to adopt firewall rule ${id} for another resource`);
    expect(session.kept().map((kept) => kept.id)).toEqual([id]);
  });
});
