import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, answerAfter, before, foreign404, rewrite } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import type { JournalEntry } from "../../src/journal/entry";
import { journalOf, killedAtWait, killedUp, openEntries, until } from "./support/interruption";
import { counts, failed, diagnosticsOf, succeeded } from "./support/output";
import type { Session } from "./support/session";
import { declare, DYNAMIC, NATIVE, programOf, type Front } from "./support/programs";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, and `fronts/scenarios` compares them after a kill, so each test uses one of them. Unit tests of recovery
// and of the doctor have the other faults: lost responses, refusals after the effect, late and unreadable audit logs,
// adoptions by other stacks.

const open = (front: Front, config: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  Stage.open(front, { simulator: { operationTime: "100ms" }, config: { "cloudinfra:preflight": "off", ...config } });
const data = (args: object = {}, options?: string): string => declare("Volume", "data", args, options);

type InterruptedStage = Stage & { readonly id: string; readonly name: string };

/** The stack dev, whose run was killed while it waited for a volume; and that volume. */
async function killed(front: Front): Promise<InterruptedStage> {
  const stage = await open(front);
  await killedAtWait(stage, data());
  const [{ id = "" } = {}] = openEntries(stage.session);
  const { name } = await stage.session.api.call("GET", `/v1/compute/volumes/${id}`);
  return Object.assign(stage, { id, name });
}

/** An update whose CLI is killed after the API has made a rule, and before it has answered. */
async function killedAtRule({ front, session }: Stage, ...program: string[]): Promise<void> {
  const { api, stack } = session;
  stack.write(programOf(front, ...program));
  const before = (await api.held()).firewallRules.length;
  await api.fault({ method: "POST", path: `^${api.rules}$`, delay: "10m" });
  await killedUp(session, async () => (await api.held()).firewallRules.length > before);
  await api.clearFaults();
  session.cancel();
}

const UNFINISHED = declare("FirewallRule", "https", {}, "{ dependsOn: [data, deployer] }");
const KEY = declare("ApiKey", "deployer");

describe("after a run was killed", () => {
  it.concurrent("resources renamed in the state keep their objects", async () => {
    const stage = await open(DYNAMIC);
    const { front, session, proxy } = stage;
    await killedAtRule(stage, data(), KEY, UNFINISHED);
    const [volume, apiKey] = [session.one("data"), session.one("deployer")];
    const [rule] = (await session.api.held()).firewallRules;
    expect(openEntries(session)).toHaveLength(3);

    for (const { urn } of [volume, apiKey])
      succeeded(await session.stack.pulumi(["state", "rename", "--yes", urn, `${urn.split("::").at(-1)!}Of2025`]));
    // The new ones come first, so that no request of this run has shown that the state has the old objects.
    session.stack.write(
      programOf(
        front,
        ...[data(), KEY, UNFINISHED],
        ...[
          declare("Volume", "dataOf2025", {}, "{ dependsOn: data }"),
          declare("ApiKey", "deployerOf2025", {}, "{ dependsOn: deployer }"),
        ],
      ),
    );
    const output = succeeded(await session.up());
    expect(proxy.count(requests.deletions)).toBe(0);
    for (const [name, { id }] of [
      ["data", volume],
      ["deployer", apiKey],
    ] as const) {
      expect(session.one(`${name}Of2025`).id).toBe(id);
      expect(session.one(name).id).not.toBe(id);
      expect(diagnosticsOf(output, name)).toContain(
        `It had made ${id}, and Pulumi received it, so that a state may have it`,
      );
    }
    expect(session.one("https").id).toBe(rule!.id);
    await session.expectAgreement();
    succeeded(await session.up());
    expect(openEntries(session)).toEqual([]);
  });

  it.concurrent("makes another object in a renamed stack, naming the lost one", async () => {
    const stage = await open(NATIVE);
    const { session } = stage;
    const program = [data(), KEY, UNFINISHED];
    await killedAtRule(stage, ...program);
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
    session.stack.write(programOf(DYNAMIC, data()));
    succeeded(await session.up());
    const { id } = session.one("data");
    const replaced = (name: string, options?: string): string => declare("Volume", name, { type: "nvme" }, options);
    await session.api.fault({ method: "POST", path: "^/v1/compute/volumes$", delay: "10m" });
    session.stack.write(programOf(DYNAMIC, replaced("data")));
    await killedUp(session, async () => (await session.api.heldIds()).length > 1);
    await session.api.clearFaults();
    session.cancel();
    const left = (await session.api.heldIds()).find((each) => each !== id);

    session.stack.write(programOf(DYNAMIC, replaced("renamed", '{ aliases: [{ name: "data" }] }')));
    expect(succeeded(await session.up())).toContain(`It had made ${left}`);
    expect(await session.api.heldIds()).toContain(session.one("renamed").id);
    expect(await session.api.heldIds()).not.toContain(id);
  });

  it.concurrent("names what the list shows beside a wrong answer", async () => {
    const stage = await open(DYNAMIC);
    const { session, proxy } = stage;
    const { projectId: project_id, region } = session.api.simulator;
    const volume = { name: "theirs", project_id, region, size: 7, type: "abs" };
    const { resource_id: theirs } = await session.api.call("POST", "/v1/compute/volumes", volume);
    proxy.on(
      requests.creations,
      rewrite((answered) => ({ ...answered, resource_id: theirs })),
    );
    await killedAtWait(stage, data());
    const made = (await session.api.objects()).find(({ id }) => id !== theirs)!.id;
    proxy.on(requests.auditLogs, answer(403));
    const diagnostics = diagnosticsOf(failed(await session.up()), "data");
    expect(diagnostics).toContain(`It may have made ${made} or ${String(theirs)}. Nothing was touched`);
  });

  it.concurrent("only a destroy names what no state has", async () => {
    const { front, session } = await open(NATIVE);
    const rule = (...tags: string[]): string => declare("FirewallRule", "https", { tags });
    const update = async (args: readonly string[], ...program: string[]): Promise<void> => {
      session.stack.write(programOf(front, data(), ...program));
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
    const { session } = await open(NATIVE, { "cloudinfra:stackId": "0d8e6a52" });
    session.stack.write(programOf(NATIVE, data(), declare("Volume", "late")));
    succeeded(await session.up());
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
});

it.concurrent("takes over its object after previewing an import", async () => {
  const { session, front, id } = await killed(NATIVE);
  session.stack.write(programOf(front, data({ tags: ["other"] }, `{ import: "${id}" }`)));
  succeeded(await session.stack.preview());
  expect(openEntries(session)).toMatchObject([{ id }]);
  session.stack.write(programOf(front, data()));
  expect(diagnosticsOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}. This run takes it over`);
  expect(session.one("data").id).toBe(id);
  await session.expectAgreement();
});

it.concurrent("marks an imported and changed object as handed over", async () => {
  const { session, front, id, name } = await killed(NATIVE);
  session.stack.write(programOf(front, declare("Volume", "kept", { name, tags: ["other"] }, `{ import: "${id}" }`)));
  succeeded(await session.up());
  expect(openEntries(session)).toMatchObject([{ id, isHandedOver: true }]);
  succeeded(await session.up());
  expect(openEntries(session)).toEqual([]);
});

const IMPORTED = ", which a resource has adopted, imported or received, so that a state may have it";

it.concurrent("leaves an object that `pulumi import` gives to another stack", async () => {
  const { session, front, id } = await killed(NATIVE);
  session.use("prod");
  session.stack.write(programOf(front));
  await session.stack.pulumi(["import", "--yes", "cloudinfra:index:Volume", "kept", id]);
  expect(session.one("kept").id).toBe(id);
  session.use("dev");
  session.stack.write(programOf(front, data()));
  expect(diagnosticsOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}${IMPORTED}`);
  expect(session.one("data").id).not.toBe(id);
});

/** Replaces the journal's entries, as a backup or another machine would. */
function rewriteEntries(session: Session, change: (entry: JournalEntry) => JournalEntry): void {
  for (const entry of openEntries(session))
    writeFileSync(join(journalOf(session), `${entry.key}.json`), JSON.stringify(change(entry)));
}

const beforeAnswer = (entry: JournalEntry): JournalEntry => ({ ...entry, id: undefined, answeredAt: undefined });

it.concurrent.each([
  ["after", (entry: JournalEntry) => entry],
  ["before", beforeAnswer],
])("leaves an object of another stack's failed import, killed %s the answer", async (_when, change) => {
  const { session, front, id, name } = await killed(NATIVE);
  rewriteEntries(session, change);
  const imported = (size: number): string => declare("Volume", "kept", { name, size }, `{ import: "${id}" }`);
  session.use("prod");
  session.stack.write(programOf(front, imported(5)));
  expect(failed(await session.up())).toContain("cannot become smaller");
  session.use("dev");
  session.stack.write(programOf(front, data()));
  expect(diagnosticsOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}${IMPORTED}`);
  expect(session.one("data").id).not.toBe(id);
  session.use("prod");
  session.stack.write(programOf(front, imported(100)));
  succeeded(await session.up());
  expect(session.one("kept").id).toBe(id);
});

it.concurrent("closes the entry after a failed and a successful import", async () => {
  const { session, front, id, name } = await killed(NATIVE);
  rewriteEntries(session, beforeAnswer);
  const imported = (size: number): string => declare("Volume", "data", { name, size }, `{ import: "${id}" }`);
  session.stack.write(programOf(front, imported(5)));
  failed(await session.up());
  session.stack.write(programOf(front, imported(100)));
  succeeded(await session.up());
  succeeded(await session.up());
  expect(session.one("data").id).toBe(id);
  expect(openEntries(session)).toEqual([]);
});

const deletedByDoctor = [
  ["it", DYNAMIC, data()],
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
    session.stack.write(programOf(front, declare("Volume", "kept", { name, size, vmId, adopt: adopted })));
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
  session.stack.write(programOf(NATIVE, data()));
  succeeded(await session.up());
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
  const { front, session, proxy } = await open(DYNAMIC);
  session.stack.write(programOf(front, declare("Volume", "archive"), declare("FirewallRule", "https")));
  proxy.on({ ...requests.creations, path: /\/volumes$/, nth: 1 }, answerAfter(429));
  proxy.on({ ...requests.creations, path: /\/firewall_rules$/, nth: 1 }, answer(429));
  succeeded(await session.up());
  await session.api.advance("25h");
  expect(session.kept()).toHaveLength(2);
  const [twin] = (await session.api.heldIds()).filter((id) => session.kept().every((kept) => kept.id !== id));
  const output = succeeded(await session.up());
  expect(counts(output)).toEqual(["3 unchanged"]);
  expect(output).toContain(`is ${twin!}. Delete what you do not use, or adopt it`);
  expect(openEntries(session)).toMatchObject([{ id: twin, isSuperseded: true }]);
});

it.concurrent("advises a refresh if a deletion's result is unknown", async () => {
  const { front, session, proxy } = await open(NATIVE);
  const rule = declare("FirewallRule", "https");
  session.stack.write(programOf(front, rule));
  succeeded(await session.up());
  const { id } = session.one("https");
  proxy.on(requests.deletions, answerAfter(500)).on(requests.reads, foreign404);
  session.stack.write(programOf(front));
  expect(diagnosticsOf(failed(await session.up()), "https")).toContain(
    `the API may nevertheless have deleted firewall rule ${id}. Run \`pulumi refresh\` before you declare it again`,
  );
  proxy.clear();
  session.stack.write(programOf(front, rule));
  succeeded(await session.refresh());
  succeeded(await session.up());
  await session.expectAgreement();
  expect(session.one("https").id).not.toBe(id);
});
