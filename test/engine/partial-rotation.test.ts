import * as does from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declareOnly, DYNAMIC, NATIVE, programOf, type Front } from "./support/programs";

const permissions = [{ resourceType: "vm", permission: "edit" }];
const whenQuiet = { whenQuietFor: "24h", atLatest: "14d" };
const keyAndDelivery = (trigger: number, more: object = {}, options?: string, name = "ci"): readonly string[] => [
  declareOnly("ApiKey", name, { permissions, lifetime: "90d", rotationTrigger: trigger, ...more }, options),
  declareOnly("Volume", "delivery", { size: 100, type: "abs", tags: [`=${name}.id`] }),
];

/** A stack whose next run rotates the key, and then delivers it. */
async function due(front: Front, more?: object): Promise<Stage & { readonly old: string }> {
  const stage = await Stage.open(front);
  succeeded(await stage.deploy(...keyAndDelivery(1, more)));
  stage.write(...keyAndDelivery(2, more));
  return Object.assign(stage, { old: stage.session.one("ci").id });
}

/** The old key and the present one. */
const both = ({ session, old }: Awaited<ReturnType<typeof due>>): readonly string[] =>
  [old, session.one("ci").id].sort();

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
    expect(await session.api.keyIds()).toEqual([old]);
  });

  it.concurrent.each([
    [DYNAMIC, ["--exclude", "**::delivery"]],
    [NATIVE, ["--continue-on-error"]],
  ] as const)("with %s and %j, the old key stays until the delivery", async (front, flags) => {
    const { session, proxy, old } = await due(front);
    proxy.on({ method: "PATCH" }, does.answer(422));
    await session.up(flags);
    expect(await session.api.keyIds()).toContain(old);
    proxy.clear();
    succeeded(await session.up());
    expect(await session.api.keyIds()).toEqual([session.one("ci").id]);
  });

  it.concurrent("two refused rotations with deleteBeforeReplace lose no old key", async () => {
    const stage = await due(NATIVE, { deleteOld: whenQuiet });
    const { session, proxy, old } = stage;
    succeeded(await session.up());
    const second = session.one("ci").id;
    proxy.on({ method: "POST", path: /api_keys$/ }, does.answer(403));
    failed(await stage.deploy(...keyAndDelivery(3, { deleteOld: whenQuiet }, "{ deleteBeforeReplace: true }")));
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
    expect(await session.api.keyIds()).toEqual([old, second, session.one("ci").id].sort());
  });

  it.concurrent.each([
    [DYNAMIC, NATIVE, whenQuiet],
    [NATIVE, DYNAMIC, "atExpiry"],
  ] as const)("keeps the old key after a failed rotation from %s to %s: %j", async (front, other, deleteOld) => {
    const stage = await due(front, { deleteOld });
    const { session, proxy } = stage;
    proxy.on({ method: "PATCH" }, does.answer(422));
    failed(await session.up());
    proxy.clear();
    // The word keeps the plugin, which the replaced object still needs.
    session.stack.write(`${programOf(other, ...keyAndDelivery(2, { deleteOld }))}\n// no longer with ${front}`);
    // Only the other provider's process knows the new key, and this one must not guess.
    const { XDG_CACHE_HOME = "" } = session.stack.env;
    session.stack.env["XDG_CACHE_HOME"] = "/dev/null";
    expect(failed(await session.up())).toContain("The cache folder cannot be written (");
    Object.assign(session.stack.env, { XDG_CACHE_HOME });
    succeeded(await session.up());
    expect(await session.api.keyIds()).toEqual(both(stage));
  });
});

it.concurrent("two failed rotations with a rename between keep both keys", async () => {
  const stage = await Stage.open(DYNAMIC);
  const { session, proxy } = stage;
  const rotated = (name: string, trigger: number): readonly string[] =>
    keyAndDelivery(trigger, { deleteOld: "atExpiry" }, `{ aliases: [{ name: "first" }] }`, name);
  succeeded(await stage.deploy(...rotated("first", 1)));
  proxy.on({ method: "PATCH" }, does.answer(422));
  failed(await stage.deploy(...rotated("first", 2)));
  failed(await stage.deploy(...rotated("second", 3)));
  proxy.clear();
  const made = await session.api.keyIds();
  expect(made).toHaveLength(3);
  const output = succeeded(await session.up());
  for (const old of made.filter((id) => id !== session.one("second").id))
    expect(output).toContain(`API key ${old} was replaced: it is not deleted`);
  expect(await session.api.keyIds()).toEqual(made);
});

describe("an old key that waits", () => {
  const tainted = [
    [DYNAMIC, NATIVE, whenQuiet, "{}", "because its successor does not know it"],
    [NATIVE, DYNAMIC, "atExpiry", "{ deleteBeforeReplace: true }", "it is not deleted, and expires on"],
  ] as const;
  it.concurrent.each(tainted)(
    "a key tainted from %s to %s stays: %j, %s",
    async (front, other, deleteOld, options, reason) => {
      const stage = await due(front, { deleteOld });
      const { session } = stage;
      succeeded(await session.stack.pulumi(["state", "taint", "--yes", session.one("ci").urn]));
      const program = programOf(other, ...keyAndDelivery(1, { deleteOld }, options));
      session.stack.write(`${program}\n// no longer with ${front}`);
      expect(succeeded(await session.up())).toContain(reason);
      expect(await session.api.keyIds()).toEqual(both(stage));
    },
  );

  it.concurrent("keeps a key that a dependency of the other provider replaces", async () => {
    const stage = await Stage.open(NATIVE);
    const { session } = stage;
    const deployWith = async (type: string): Promise<void> => {
      const volume = `new Volume("data", { size: 100, type: "${type}" }, { deleteBeforeReplace: true });`;
      const key = { permissions, lifetime: "90d", deleteOld: whenQuiet, rotationTrigger: "=data.id" };
      const other = `const { Volume } = require("${DYNAMIC}"); const data = ${volume}`;
      succeeded(await stage.deploy(other, declareOnly("ApiKey", "ci", key)));
    };
    await deployWith("abs");
    const { id: old } = session.one("ci");
    await deployWith("nvme");
    expect(session.one("ci").id).not.toBe(old);
    expect(await session.api.keyIds()).toEqual([old, session.one("ci").id].sort());
  });
});
