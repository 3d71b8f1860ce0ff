import * as does from "../support/proxy/actions";
import type { RequestPattern } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { keysHeld, pairOf } from "./support/pair-of-keys";
import { basicsOf, declareOnly, DYNAMIC, inDays, NATIVE, programOf, type Front } from "./support/programs";

const permissions = [{ resourceType: "vm", permission: "edit" }];
const whenQuiet = { whenQuietFor: "24h", atLatest: "14d" };
const programAt = (front: Front, rotationTrigger: number, more: object = {}, options?: string): string =>
  programOf(
    front,
    declareOnly("ApiKey", "ci", { permissions, lifetime: "90d", rotationTrigger, ...more }, options),
    declareOnly("Volume", "delivery", { size: 100, type: "abs", tags: ["=ci.id"] }),
  );

const creationOf = (slot: "a" | "b"): RequestPattern => ({
  ...{ method: "POST", path: /api_keys$/ },
  when: ({ body }) => body.includes(`"ci-${slot}-`),
});

/** A stack whose next run rotates the key, and then delivers it. */
async function due(front: Front, more?: object): Promise<Stage & { readonly old: string }> {
  const stage = await Stage.open(front);
  stage.session.stack.write(programAt(front, 1, more));
  succeeded(await stage.session.up());
  stage.session.stack.write(programAt(front, 2, more));
  return Object.assign(stage, { old: stage.session.one("ci").id });
}

// Each test has its own API. They run side by side: they wait more than they compute. They show that the engine makes
// the calls of test/lifecycle/moved-keys, waiting-keys and retired-keys, which have all combinations. Code below both
// fronts decides what they show, so each plays one front.
describe("a rotation without its delivery", () => {
  it.concurrent("warns if --target rotates a key without its dependents", async () => {
    const { session, old } = await due(NATIVE);
    const target = ["--target", session.one("ci").urn];
    const warning = /what depends on this API key .* Add --target-dependents/;
    expect(diagnosticsOf(succeeded(await session.stack.preview(target)), "ci")).toMatch(warning);
    const withDependents = await session.stack.preview([...target, "--target-dependents"]);
    expect(diagnosticsOf(succeeded(withDependents), "ci")).not.toMatch(warning);
    expect(await keysHeld(session)).toEqual([old]);
  });

  it.concurrent("--exclude of the delivery keeps the old key", async () => {
    const { session, old } = await due(DYNAMIC);
    succeeded(await session.up(["--exclude", session.one("delivery").urn]));
    expect(await keysHeld(session)).toContain(old);
    succeeded(await session.up());
    expect(await keysHeld(session)).toEqual([session.one("ci").id]);
  });

  it.concurrent("two refused rotations with deleteBeforeReplace lose no old key", async () => {
    const { session, proxy, old } = await due(NATIVE, { deleteOld: whenQuiet });
    succeeded(await session.up());
    const second = session.one("ci").id;
    session.stack.write(programAt(NATIVE, 3, { deleteOld: whenQuiet }, "{ deleteBeforeReplace: true }"));
    proxy.on({ method: "POST", path: /api_keys$/ }, does.answer(403));
    failed(await session.up());
    failed(await session.up());
    const named = async (): Promise<readonly string[]> => {
      const { stdout } = await cloudinfra(session, ["doctor"]);
      return [old, second].filter((id) => stdout.includes(id));
    };
    expect(await named()).toEqual([old, second]);
    expect((await cloudinfra(session, ["doctor", "--delete", old, "--yes"])).stderr).toContain("has it as");
    proxy.clear();
    succeeded(await session.up());
    succeeded(await session.up());
    expect(await named()).toEqual([]);
    expect(await keysHeld(session)).toEqual([old, second, session.one("ci").id].sort());
  });

  it.concurrent("keeps the old key with --continue-on-error if the delivery fails", async () => {
    const { session, proxy, old } = await due(NATIVE);
    proxy.on({ method: "PATCH" }, does.answer(422));
    failed(await session.up(["--continue-on-error"]));
    expect(await keysHeld(session)).toContain(old);
    proxy.clear();
    succeeded(await session.up());
    expect(await keysHeld(session)).toEqual([session.one("ci").id]);
  });

  it.concurrent.each([
    [DYNAMIC, NATIVE, "after", "atExpiry", true],
    [NATIVE, DYNAMIC, "atExpiry", "after", false],
  ] as const)(
    "moves a rotating key from %s to %s, obeying deleteOld: %j to %j",
    async (front, other, before, after, stays) => {
      const { session, old } = await due(front, { deleteOld: before });
      session.stack.write(`${programAt(other, 2, { deleteOld: after })}\n// no longer with ${front}`);
      succeeded(await session.up());
      expect(await keysHeld(session)).toEqual([...(stays ? [old] : []), session.one("ci").id].sort());
    },
  );

  it.concurrent.each([
    [DYNAMIC, NATIVE, whenQuiet],
    [NATIVE, DYNAMIC, "atExpiry"],
  ] as const)("keeps the old key after a failed rotation from %s to %s: %j", async (front, other, deleteOld) => {
    const { session, proxy, old } = await due(front, { deleteOld });
    proxy.on({ method: "PATCH" }, does.answer(422));
    failed(await session.up());
    proxy.clear();
    // The word keeps the plugin, which the replaced object still needs.
    session.stack.write(`${programAt(other, 2, { deleteOld })}\n// no longer with ${front}`);
    // Only the other provider's process knows the new key, and this one must not guess.
    const { XDG_CACHE_HOME = "" } = session.stack.env;
    session.stack.env["XDG_CACHE_HOME"] = "/dev/null";
    expect(failed(await session.up())).toContain("The cache folder cannot be written (");
    Object.assign(session.stack.env, { XDG_CACHE_HOME });
    succeeded(await session.up());
    expect(await keysHeld(session)).toEqual([old, session.one("ci").id].sort());
  });
});

it.concurrent("two failed rotations with a rename between keep both keys", async () => {
  const { session, proxy } = await Stage.open(DYNAMIC);
  const aliases = `{ aliases: [{ name: "first" }] }`;
  const write = (name: string, rotationTrigger: number): void =>
    session.stack.write(
      programOf(
        DYNAMIC,
        declareOnly("ApiKey", name, { permissions, lifetime: "90d", rotationTrigger, deleteOld: "atExpiry" }, aliases),
        declareOnly("Volume", "delivery", { size: 100, type: "abs", tags: [`=${name}.id`] }),
      ),
    );
  write("first", 1);
  succeeded(await session.up());
  proxy.on({ method: "PATCH" }, does.answer(422));
  write("first", 2);
  failed(await session.up());
  write("second", 3);
  failed(await session.up());
  proxy.clear();
  const made = await keysHeld(session);
  expect(made).toHaveLength(3);
  const output = succeeded(await session.up());
  for (const old of made.filter((id) => id !== session.one("second").id))
    expect(output).toContain(`API key ${old} was replaced: it is not deleted`);
  expect(await keysHeld(session)).toEqual(made);
});

describe("an old key that waits", () => {
  it.concurrent("keeps a key waiting if ignoreChanges contains deleteOld", async () => {
    const { session, old } = await due(NATIVE, { deleteOld: whenQuiet });
    session.stack.write(programAt(NATIVE, 2, { deleteOld: "atExpiry" }, `{ ignoreChanges: ["deleteOld"] }`));
    expect(diagnosticsOf(succeeded(await session.up()), "ci")).toContain(`API key ${old} was replaced, and waits`);
    expect(session.one("ci").outputs["__retired"]).toMatchObject([{ id: old }]);
  });

  it.concurrent.each([
    ["--replace", DYNAMIC],
    ["--target-replace", NATIVE],
  ] as const)("a waiting key stays with %s and deleteBeforeReplace (%s)", async (flag, front) => {
    const { session, old } = await due(front, { deleteOld: whenQuiet });
    session.stack.write(programAt(front, 1, { deleteOld: whenQuiet }, "{ deleteBeforeReplace: true }"));
    const output = succeeded(await session.up([flag, session.one("ci").urn]));
    expect(await keysHeld(session)).toContain(old);
    expect(diagnosticsOf(output, "ci")).toContain(`API key ${old}`);
  });

  it.concurrent("a waiting key stays with Pulumi's replacementTrigger", async () => {
    const more = { deleteOld: whenQuiet };
    const { session, old } = await due(NATIVE, more);
    const triggered = (trigger: string): void =>
      session.stack.write(programAt(NATIVE, 1, more, `{ replacementTrigger: "${trigger}" }`));
    triggered("first");
    succeeded(await session.up());
    expect(await keysHeld(session)).toEqual([old]);
    triggered("second");
    expect(succeeded(await session.up())).toContain(
      `${old} stays until it expires, because its successor does not know it`,
    );
    expect(await keysHeld(session)).toEqual([old, session.one("ci").id].sort());
    const { id } = session.one("ci");
    succeeded(await session.up());
    expect(await keysHeld(session)).toEqual([old, id].sort());
  });

  const tainted = [
    [DYNAMIC, NATIVE, whenQuiet, "{}", "because its successor does not know it"],
    [NATIVE, DYNAMIC, "atExpiry", "{ deleteBeforeReplace: true }", "it is not deleted, and expires on"],
  ] as const;
  it.concurrent.each(tainted)(
    "a key tainted from %s to %s stays: %j, %s",
    async (front, other, deleteOld, options, reason) => {
      const { session, old } = await due(front, { deleteOld });
      succeeded(await session.stack.pulumi(["state", "taint", "--yes", session.one("ci").urn]));
      session.stack.write(`${programAt(other, 1, { deleteOld }, options)}\n// no longer with ${front}`);
      expect(succeeded(await session.up())).toContain(reason);
      expect(await keysHeld(session)).toEqual([old, session.one("ci").id].sort());
    },
  );

  it.concurrent("keeps a key that a dependency of the other provider replaces", async () => {
    const { session } = await Stage.open(NATIVE);
    const upWith = async (type: string): Promise<void> => {
      const volume = `new Volume("data", { size: 100, type: "${type}" }, { deleteBeforeReplace: true });`;
      const key = { permissions, lifetime: "90d", deleteOld: whenQuiet, rotationTrigger: "=data.id" };
      const other = `const { Volume } = require("${DYNAMIC}"); const data = ${volume}`;
      session.stack.write(programOf(NATIVE, other, declareOnly("ApiKey", "ci", key)));
      succeeded(await session.up());
    };
    await upWith("abs");
    const { id: old } = session.one("ci");
    await upWith("nvme");
    expect(session.one("ci").id).not.toBe(old);
    expect(await keysHeld(session)).toEqual([old, session.one("ci").id].sort());
  });

  it.concurrent("keeps a replaced key under a parent of the other provider", async () => {
    const { session } = await Stage.open(DYNAMIC);
    const write = (trigger: number): void =>
      session.stack.write(
        programOf(
          DYNAMIC,
          `const { Vpc } = require("${NATIVE}");`,
          `const parent = new Vpc("net", ${JSON.stringify(basicsOf("Vpc"))});`,
          declareOnly(
            "ApiKey",
            "ci",
            { permissions, lifetime: "90d", deleteOld: "atExpiry" },
            `{ parent, replacementTrigger: ${trigger} }`,
          ),
        ),
      );
    write(1);
    succeeded(await session.up());
    const { id: old } = session.one("ci");
    write(2);
    expect(succeeded(await session.up())).toContain(`${old} was replaced: it is not deleted`);
    expect(await keysHeld(session)).toEqual([old, session.one("ci").id].sort());
  });

  it.concurrent("waiting keys stay if the option import replaces their successor", async () => {
    const { session, old } = await due(NATIVE, { deleteOld: whenQuiet });
    succeeded(await session.up());
    const present = session.one("ci").id;
    const imported = { name: "imported", expiresAt: inDays(90), permissions };
    const { id } = await session.api.call("POST", "/v1/api_keys", {
      ...{ name: imported.name, expires_at: imported.expiresAt, project_ids: [session.api.simulator.projectId] },
      ...{ permissions: [{ resource_type: "vm", permission: "edit" }], tags: [] },
    });
    const args = { ...imported, deleteOld: whenQuiet, tags: [] };
    session.stack.write(programOf(NATIVE, declareOnly("ApiKey", "ci", args, `{ import: "${id}" }`)));
    const output = succeeded(await session.up());
    for (const key of [old, present]) expect(output).toContain(`${key} stays until it expires, because its successor`);
    expect(await keysHeld(session)).toEqual([old, present, id].sort());
  });
});

it.concurrent.each([
  [NATIVE, NATIVE],
  [DYNAMIC, NATIVE],
])("a pair of %s, replaced by %s, keeps its current key", async (front, last) => {
  const { session, proxy } = await Stage.open(front);
  const pairWith = (provider: Front): string =>
    programOf(
      provider,
      `const ci = new cloudinfra.RotatingApiKey("ci", { permissions: ${JSON.stringify(permissions)}, period: "30d" });`,
      declareOnly("Volume", "delivery", { size: 100, type: "abs", tags: ["=ci.current.id"] }),
      `exports.current = ci.current; exports.previous = ci.previous;`,
    );
  session.stack.write(pairWith(front));
  // The age does not tell which key is current: that of slot a is made first, by moments.
  const made = new Promise<void>((resolve) => void proxy.on(creationOf("a"), does.after(resolve)));
  proxy.on(creationOf("b"), does.holdBefore(made));
  succeeded(await session.up());
  proxy.clear();
  const { current, previous } = pairOf(session);
  await session.api.advance("28d");
  proxy.on({ method: "POST", path: /api_keys$/ }, does.answer(422));
  failed(await session.up(["--refresh"]));
  proxy.clear();
  await session.api.advance("20d");
  // The comment keeps the plugin, which the old keys still need.
  session.stack.write(`${pairWith(last)}\n// made with ${front}`);
  const output = succeeded(await session.up());
  expect(await Promise.all([current, previous].map(({ key }) => session.api.signIn(key)))).toEqual([200, 401]);
  expect(output).toContain(`API key ${current.id} was replaced: it stays until it expires`);
});
