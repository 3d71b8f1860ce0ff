import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { answer, before, rewrite } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import { killedAtWait, openEntries, until } from "./support/interruption";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, DYNAMIC, NATIVE, programOf, type Front } from "./support/programs";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, and `fronts/scenarios` compares them after a kill, so each test uses one of them.

const open = (front: Front, config: Readonly<Record<string, string>> = {}): Promise<Stage> =>
  Stage.open(front, { simulator: { operationTime: "100ms" }, config: { "cloudinfra:preflight": "off", ...config } });
const data = (args: object = {}, options?: string): string => declare("Volume", "data", args, options);

type InterruptedStage = Stage & { readonly id: string; readonly name: string };

/** The stack dev, whose run was killed while it waited for a volume; and that volume. */
async function killed(front: Front, ...program: string[]): Promise<InterruptedStage> {
  const stage = await open(front);
  await killedAtWait(stage, ...program, data({}, program.length > 0 ? "{ provider: first }" : undefined));
  const [{ id = "" } = {}] = openEntries(stage.session);
  const { name } = await stage.session.api.call("GET", `/v1/compute/volumes/${id}`);
  return Object.assign(stage, { id, name });
}

async function expectTakenUp({ session, front, id }: InterruptedStage): Promise<void> {
  expect(openEntries(session)).toMatchObject([{ id }]);
  session.stack.write(programOf(front, data()));
  expect(diagnosticsOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}. This run takes it over`);
  expect(session.one("data").id).toBe(id);
  await session.expectAgreement();
}

/** The stack prod adopts the volume. Then dev is selected again. */
async function adoptedByProd({ front, session, id, name }: InterruptedStage): Promise<string> {
  session.use("prod");
  session.stack.write(programOf(front, declare("Volume", "kept", { name, adopt: id })));
  succeeded(await session.up());
  const { urn } = session.one("kept");
  session.use("dev");
  return urn;
}

describe("after a run was killed", () => {
  it.concurrent("takes the object over after a refresh of a reference", async () => {
    const stage = await killed(DYNAMIC);
    const { front, session, id } = stage;
    session.stack.write(programOf(front, `cloudinfra.Volume.get("data", "${id}");`));
    succeeded(await session.up());
    succeeded(await session.refresh());
    await expectTakenUp(stage);
  });

  it.concurrent("neither takes over nor destroys what another stack has adopted", async () => {
    const stage = await killed(NATIVE);
    const { front, session, id } = stage;
    await adoptedByProd(stage);
    session.stack.write(programOf(front, data()));
    expect(diagnosticsOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}, and Pulumi received it`);
    expect(session.one("data").id).not.toBe(id);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([id]);
    session.use("prod");
    await session.expectAgreement();
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

  it.concurrent("a run at another base URL names its object once", async () => {
    const { session, proxy, id, name } = await killed(DYNAMIC);
    session.stack.env["CLOUDINFRA_BASE_URL"] = session.api.simulator.url;
    // Nobody sees the warnings of its preview, so they count as not given.
    expect((await cloudinfra(session, ["cost"])).code).toBe(0);
    const output = succeeded(await session.up());
    expect(output).toContain(`named "${name}"`);
    expect(output).toContain(`in stack test/dev at ${proxy.url}.`);
    expect(await session.api.heldIds()).toEqual([id, session.one("data").id].sort());
    expect(succeeded(await session.up())).not.toContain("An earlier run");
    expect(openEntries(session)).toMatchObject([{ name }]);
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

  it.concurrent("with a stack id, a renamed stack names missing objects", async () => {
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

it.concurrent("takes its object over after an unfitting import", async () => {
  const stage = await killed(NATIVE);
  const { session, front, id } = stage;
  session.stack.write(programOf(front, data({ tags: ["other"] }, `{ import: "${id}" }`)));
  succeeded(await session.stack.preview());
  await expectTakenUp(stage);
});

it.concurrent("names the object of an explicit provider that was renamed", async () => {
  const provider = (name: string): string => `const ${name} = new cloudinfra.Provider("${name}");`;
  const { session, front, id, name } = await killed(NATIVE, provider("first"));
  session.stack.write(programOf(front, provider("second"), data({}, "{ provider: second }")));
  const output = succeeded(await session.up());
  expect(output).toContain(`named "${name}"`);
  expect(output).toContain('in stack test/dev, provider "first"');
  expect(await session.api.heldIds()).toEqual([id, session.one("data").id].sort());
});

it.concurrent("the doctor does not delete what another stack has adopted", async () => {
  const stage = await killed(DYNAMIC);
  const { session, id } = stage;
  const journal = session.stack.env["XDG_STATE_HOME"]!;
  session.stack.env["XDG_STATE_HOME"] = join(session.stack.folder, "another-machine");
  const urn = await adoptedByProd(stage);
  session.stack.env["XDG_STATE_HOME"] = journal;
  const { code, stderr } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
  expect(stderr).toContain(`was not deleted: the stack test/prod has it as ${urn}`);
  expect([code, await session.api.heldIds()]).toEqual([1, [id]]);
});

it.concurrent("the doctor does not delete what another run takes over", async () => {
  const { session, proxy, id } = await killed(NATIVE);
  // The doctor's last request before it deletes.
  proxy.on(
    { method: "GET", path: /^\/v1\/audit_logs$/, nth: 1 },
    before(async () => succeeded(await session.up())),
  );
  const { code, stderr } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
  expect(session.one("data").id).toBe(id);
  expect(stderr).toContain("the stack test/dev has it as");
  expect(code).toBe(1);
  await session.expectAgreement();
});

it.concurrent("no run adopts what the doctor is deleting", async () => {
  const { front, session, proxy, id, name } = await killed(DYNAMIC);
  session.stack.write(programOf(front, declare("Volume", "kept", { name, adopt: id })));
  const looks = { method: "GET", path: new RegExp(`/volumes/${id}$`) };
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
  expect(failed(await running!)).toContain(id);
  expect([code, await session.api.heldIds(), session.kept().map((kept) => kept.id)]).toEqual([0, [], [undefined]]);
});

/** The process that has adopted an object in this run, as it tells the others. */
function adopterOf({ session: { stack } }: Stage): number | undefined {
  const folder = join(stack.env["XDG_CACHE_HOME"]!, "pulumi-cloudinfra", "runs");
  const [file] = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith("-objects")) : [];
  const lines = file === undefined ? [] : readFileSync(join(folder, file), "utf8").split("\n");
  const [, pid] = /"pid":(\d+)/.exec(lines.find((line) => line.includes(`"isDone":true`)) ?? "") ?? [];
  return pid === undefined ? undefined : Number(pid);
}

it.concurrent.each([
  [NATIVE, DYNAMIC],
  [DYNAMIC, NATIVE],
] as const)("%s keeps what a killed process of %s adopted", async (front, other) => {
  const stage = await open(front);
  const { session } = stage;
  session.stack.write(programOf(front, data()));
  succeeded(await session.up());
  const { id } = session.one("data");
  const { name } = await session.api.call("GET", `/v1/compute/volumes/${id}`);
  session.stack.write(
    programOf(
      other,
      declare("Volume", "adopter", { name, adopt: id }),
      `const isKilled = () => require("fs").existsSync(__dirname + "/killed");`,
      `const wait = async () => { while (!isKilled()) await new Promise((resolve) => setTimeout(resolve, 50)); };`,
      `module.exports = { id: adopter.id.apply(async (id) => { if (!pulumi.runtime.isDryRun()) await wait(); return id; }) };`,
      `// no longer with ${front}`,
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
