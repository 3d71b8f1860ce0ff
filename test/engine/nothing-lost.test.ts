import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, answerAfter, before, rewrite } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import { killedAtWait, killedUp, openEntries, until } from "./support/interruption";
import { counts, failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, DYNAMIC, NATIVE, programOf, type Front } from "./support/programs";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, and `fronts/scenarios` compares them after a kill, so each test uses one of them. Unit tests of recovery
// and of the doctor have the other faults: lost responses, refusals after the effect, late and unreadable audit logs,
// adoptions by other stacks.

const open = (front: Front, config: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  Stage.open(front, { simulator: { operationTime: "100ms" }, config: { "cloudinfra:preflight": "off", ...config } });
const data = declare("Volume", "data");

/** An update whose CLI is killed after the API has made an object of a collection, and before it has answered. */
async function killedAt(path: string, { session }: Stage): Promise<void> {
  const { api } = session;
  const before = (await api.heldIds()).length;
  await api.fault({ method: "POST", path: `${path}$`, delay: "10m" });
  await killedUp(session, async () => (await api.heldIds()).length > before);
  await api.clearFaults();
  session.cancel();
}

it.concurrent("makes another object in a renamed stack, naming the lost one", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  stage.write(declare("FirewallRule", "https"));
  await killedAt("/firewall_rules", stage);
  const [left] = (await session.api.held()).firewallRules;

  succeeded(await session.stack.pulumi(["stack", "rename", "prod"]));
  session.use("prod");
  const output = succeeded(await session.up());
  expect(output).toContain(
    "An earlier run of another stack or provider, or at another base URL, failed or was interrupted",
  );
  expect(output).toContain(`firewall rule "https" (if made, it is named "${left!.name}") in stack test/dev`);
  expect((await session.api.held()).firewallRules.map(({ id }) => id)).toEqual([left!.id, session.one("https").id]);
  expect(succeeded(await session.up())).not.toContain("An earlier run");
  expect(openEntries(session)).toMatchObject([{ urn: expect.stringContaining("::https") as unknown }]);
});

it.concurrent("a resource renamed by an alias finds its lost replacement", async () => {
  const stage = await open(DYNAMIC);
  const { session } = stage;
  succeeded(await stage.deploy(data));
  const { id } = session.one("data");
  const replaced = (name: string, options?: string): string => declare("Volume", name, { type: "nvme" }, options);
  stage.write(replaced("data"));
  await killedAt("/volumes", stage);
  const left = (await session.api.heldIds()).find((each) => each !== id);

  const output = succeeded(await stage.deploy(replaced("renamed", '{ aliases: [{ name: "data" }] }')));
  expect(output).toContain(`It had made ${left}`);
  expect(await session.api.heldIds()).toContain(session.one("renamed").id);
  expect(await session.api.heldIds()).not.toContain(id);
});

it.concurrent("names what the list shows beside a wrong answer", async () => {
  const stage = await open(DYNAMIC);
  const { session, proxy } = stage;
  const { projectId: project_id, region } = session.api.simulator;
  const volume = { name: "theirs", project_id, region, size: 7, type: "abs" };
  const { resource_id: theirs } = await session.api.call("POST", "/v1/compute/volumes", volume);
  const otherId = rewrite((answered) => ({ ...answered, resource_id: theirs }));
  proxy.on(requests.creations, otherId);
  await killedAtWait(stage, data);
  const made = (await session.api.objects()).find(({ id }) => id !== theirs)!.id;
  proxy.on(requests.auditLogs, answer(403));
  const diagnostics = diagnosticsOf(failed(await session.up()), "data");
  expect(diagnostics).toContain(`It may have made ${made} or ${String(theirs)}. Nothing was touched`);
});

it.concurrent("only a destroy names what no state has", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  const rule = (...tags: string[]): string => declare("FirewallRule", "https", { tags });
  const update = async (args: readonly string[], ...program: string[]): Promise<void> => {
    stage.write(data, ...program);
    expect(succeeded(await session.up(args))).not.toMatch(/Earlier runs|delete it|doctor/);
  };
  await update([], rule());
  await update(["--target", session.one("https").urn], rule("new"));
  await update([], rule("newest"), declare("Volume", "late"), declare("Volume", "kept"));
  const [{ id, urn }, kept] = [session.one("late"), session.one("kept").id];

  // As if the engine could not save the answer.
  succeeded(await session.stack.pulumi(["state", "delete", "--yes", urn]));
  const output = succeeded(await session.destroy());
  expect(output).toContain(`Earlier runs made or took over volume "late" (${id}, named`);
  expect(output).toContain("this run did not find that in the state");
  expect(output).not.toContain(kept);
  expect(openEntries(session).map((entry) => entry.id)).toEqual([id]);
  expect(await session.api.heldIds()).toContain(id);
});

it.concurrent("a renamed stack with an id names missing objects", async () => {
  const stage = await open(NATIVE, { "cloudinfra:stackId": "0d8e6a52" });
  const { session } = stage;
  succeeded(await stage.deploy(data, declare("Volume", "late")));
  const { id, urn } = session.one("late");

  // As if the engine could not save the answer.
  succeeded(await session.stack.pulumi(["state", "delete", "--yes", urn]));
  succeeded(await session.stack.pulumi(["stack", "rename", "prod"]));
  session.use("prod");
  const output = succeeded(await session.destroy());
  expect(output).toContain(`Earlier runs made or took over volume "late" (${id}, named`);
  expect(output).toContain("in stack test/dev, but this run did not find that in the state");
  expect(output).not.toContain('volume "data" (');
  expect(await session.api.heldIds()).toEqual([id]);
});

it.concurrent("leaves an object that `pulumi import` gives to another stack", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  await killedAtWait(stage, data);
  const [{ id = "" } = {}] = openEntries(session);
  session.use("prod");
  stage.write();
  await session.stack.pulumi(["import", "--yes", "cloudinfra:index:Volume", "kept", id]);
  expect(session.one("kept").id).toBe(id);
  session.use("dev");
  expect(diagnosticsOf(succeeded(await stage.deploy(data)), "data")).toContain(
    `It had made ${id}, which a resource has adopted, imported or received, so that a state may have it`,
  );
  expect(session.one("data").id).not.toBe(id);
});

const deletedByDoctor = [
  ["it", DYNAMIC, data],
  ["its VM", NATIVE, declare("Vm", "web", { dataVolumes: [{ name: "data", size: 10, type: "abs" }] })],
] as const;
it.concurrent.each(deletedByDoctor)(
  "no run adopts a volume while the doctor deletes %s",
  async (_case, front, resource) => {
    const stage = await open(front);
    const { session, proxy } = stage;
    await killedAtWait(stage, resource);
    const [entry] = openEntries(session);
    const { id = "" } = entry ?? {};
    const { data_volume_ids: [adopted = ""] = [id] } = (
      entry?.type === "Vm" ? await session.api.call("GET", `/v1/compute/vms/${id}`) : {}
    ) as { data_volume_ids?: [string] };
    const { name, size, vm_id: vmId } = await session.api.call("GET", `/v1/compute/volumes/${adopted}`);
    stage.write(declare("Volume", "kept", { name, size, vmId, adopt: adopted }));
    const looks = { method: "GET", path: new RegExp(`/volumes/${adopted}$`) };
    let running: ReturnType<typeof session.up> | undefined;
    proxy.on(
      { ...requests.deletions, nth: 1 },
      before(async () => {
        const before = proxy.count(looks);
        running = session.up();
        await until(() => proxy.count(looks) > before);
      }),
    );
    const { code } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
    expect(failed(await running!)).toContain(adopted);
    expect([code, await session.api.heldIds(), session.kept().map((kept) => kept.id)]).toEqual([0, [], [undefined]]);
    // The next run says the same: nothing is in the state that the API does not have.
    expect(failed(await session.up())).toContain(adopted);
  },
);

/** The process that has adopted an object in this run, as it tells the others. */
function adopterOf({ session: { stack } }: Stage): number | undefined {
  const folder = join(stack.env["XDG_CACHE_HOME"]!, "pulumi-cloudinfra", "runs");
  const [file] = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith("-objects")) : [];
  const lines = file === undefined ? [] : readFileSync(join(folder, file), "utf8").split("\n");
  const [, pid] = /"pid":(\d+)/.exec(lines.find((line) => line.includes(`"isDone":true`)) ?? "") ?? [];
  return pid === undefined ? undefined : Number(pid);
}

it.concurrent("keeps an object that a killed provider process adopted", async () => {
  const stage = await open(NATIVE);
  const { session } = stage;
  succeeded(await stage.deploy(data));
  const { id } = session.one("data");
  const { name } = await session.api.call("GET", `/v1/compute/volumes/${id}`);
  session.stack.write(
    programOf(
      DYNAMIC,
      declare("Volume", "adopter", { name, adopt: id }),
      `const isKilled = () => require("fs").existsSync(__dirname + "/killed");`,
      `const wait = async () => { while (!isKilled()) await new Promise((resolve) => setTimeout(resolve, 50)); };`,
      `module.exports = { id: adopter.id.apply(async (id) => { if (!pulumi.runtime.isDryRun()) await wait(); return id; }) };`,
      `// no longer with ${NATIVE}`,
    ),
  );
  const running = session.up();
  await until(() => adopterOf(stage) !== undefined);
  process.kill(adopterOf(stage)!, "SIGKILL");
  writeFileSync(join(session.stack.folder, "killed"), "");
  await running;
  expect(await session.api.heldIds()).toEqual([id]);
  succeeded(await session.up());
  await session.expectAgreement();
});

it.concurrent("names the object of an attempt answered 429", async () => {
  const stage = await open(DYNAMIC);
  const { session, proxy } = stage;
  proxy.on({ ...requests.creations, path: /\/volumes$/, nth: 1 }, answerAfter(429));
  proxy.on({ ...requests.creations, path: /\/firewall_rules$/, nth: 1 }, answer(429));
  succeeded(await stage.deploy(declare("Volume", "archive"), declare("FirewallRule", "https")));
  expect(session.kept()).toHaveLength(2);
  const [twin] = (await session.api.heldIds()).filter((id) => session.kept().every((kept) => kept.id !== id));
  const output = succeeded(await session.up());
  expect(counts(output)).toEqual(["3 unchanged"]);
  expect(output).toContain(`is ${twin!}. Delete what you do not use, or adopt it`);
  expect(output).not.toContain("firewall rule"); // its refused attempt made nothing
  expect(openEntries(session)).toContainEqual(expect.objectContaining({ id: twin, isSuperseded: true }));
});
