import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { interruptedUp, openEntries, until } from "./support/interruption";
import { failed, saidOf, succeeded } from "./support/output";
import { declare, FRONTS, program, programOf } from "./support/programs";
import { Session } from "./support/session";

// Each test has an API of its own. They run side by side: they wait more than they compute.

/** Two machines, with a backend and a home folder each; the same project, stack and program, in one organization. */
interface Pair {
  readonly mine: Session;
  readonly theirs: Session;
  /** Between my provider and the API. */
  readonly proxy: FaultProxy;
}

const both = (nth: number): string =>
  [declare("ApiKey", `key${nth}`), declare("FirewallRule", `rule${nth}`)].join("\n");
const named = declare("FirewallRule", "named", { name: "of-everybody" });

/** Calls `play` with two stacks of this program. */
async function withPair(text: string, play: (pair: Pair) => Promise<void>): Promise<void> {
  const mine = await Session.start(text, { simulator: { operationTime: "100ms" } });
  const theirs = await Session.start(text, { api: mine.api });
  const proxy = await FaultProxy.start(mine.api.simulator.url);
  mine.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
  try {
    await play({ mine, theirs, proxy });
  } finally {
    await proxy.close();
  }
}

async function bothUp({ mine, theirs }: Pair): Promise<void> {
  const results = await Promise.all([mine.up(), theirs.up()]);
  results.forEach(succeeded);
}

/** Each state has its own objects, the API has these and no others, and each key of a state signs in. */
async function expectTwoOwners({ mine, theirs }: Pair): Promise<void> {
  const ids = [mine, theirs].flatMap((session) => session.kept().map(({ id }) => id!));
  expect(ids.sort()).toEqual(await mine.api.heldIds());
  for (const session of [mine, theirs]) {
    const keys = session.kept().filter(({ type }) => type.endsWith(":ApiKey"));
    for (const { id, urn } of keys) {
      const { key } = session.shownOutputsOf(urn.split("::").at(-1)!);
      const { status } = await fetch(`${session.api.simulator.url}/v1/api_keys/${id!}`, {
        headers: { authorization: `Bearer ${String(key)}` },
      });
      expect([id, status]).toEqual([id, 403]); // it signs in, and may not read keys
    }
  }
}

it.concurrent(
  "when mine is killed before its creations had an effect, my next run leaves theirs alone, and makes its own",
  () =>
    withPair(program(both(1)), async (pair) => {
      const { mine, theirs, proxy } = pair;
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => (release = resolve));
      proxy.on(requests.creations, async () => {
        await held;
        return undefined;
      });
      await interruptedUp(mine, () => proxy.count(requests.creations) === 2, ["SIGKILL"]);
      succeeded(await theirs.up());
      const before = await mine.api.held();
      release();
      proxy.clear();
      mine.cancel();
      succeeded(await mine.up());
      const { apiKeys, firewallRules } = await mine.api.held();
      expect([apiKeys, firewallRules]).toEqual([
        [...before.apiKeys, expect.objectContaining({ name: before.apiKeys[0]!.name })],
        [...before.firewallRules, expect.objectContaining({ name: before.firewallRules[0]!.name })],
      ]);
      await expectTwoOwners(pair);
    }),
);

it.concurrent(
  "when my creations are lost on their way while they create the same, I make mine in the next run, and take nothing of theirs",
  () =>
    withPair(program(both(1)), async (pair) => {
      const { mine, theirs, proxy } = pair;
      await bothUp(pair);
      for (const { stack } of [mine, theirs]) stack.write(program(both(1), both(2)));
      proxy.on(requests.creations, does.dropBefore);
      const [lost] = await Promise.all([mine.up(["--continue-on-error"]), theirs.up().then(succeeded)]);
      for (const name of ["key2", "rule2"]) {
        expect(saidOf(failed(lost), name)).toContain("The audit log does not show the request");
      }
      proxy.clear();
      succeeded(await mine.up());
      await expectTwoOwners(pair);
    }),
);

it.concurrent(
  "when my answers are lost while they create the same, I get mine by the audit log: the rule is taken, the key made again",
  () =>
    withPair(program(both(1)), async (pair) => {
      const { mine, theirs, proxy } = pair;
      await bothUp(pair);
      for (const { stack } of [mine, theirs]) stack.write(program(both(1), both(3), named));
      // The first of each: the key's second one may come before the first of another.
      const created = ["key3", "rule3", "of-everybody"];
      for (const name of created) {
        proxy.on({ ...requests.creations, when: ({ body }) => body.includes(name), nth: 1 }, does.dropAfter);
      }
      const [, result] = await Promise.all([theirs.up().then(succeeded), mine.up()]);
      succeeded(result);
      const cut = proxy.seen.filter(({ status }) => status === undefined).map(({ body }) => body);
      for (const name of created) expect(cut).toContainEqual(expect.stringContaining(name));
      await expectTwoOwners(pair);
    }),
);

it.concurrent(
  "when I destroy mine, theirs stays as it is, and if my next creations are lost, I do not take it for mine",
  () =>
    withPair(program(both(1), named), async (pair) => {
      const { mine, theirs, proxy } = pair;
      await bothUp(pair);
      const before = await mine.api.held();
      succeeded(await mine.destroy());
      const left = await mine.api.held();
      const kept = theirs.kept().map(({ id }) => id);
      expect([...left.apiKeys, ...left.firewallRules].map(({ id }) => id).sort()).toEqual(kept.sort());
      expect(before.apiKeys).toEqual(expect.arrayContaining([...left.apiKeys]));
      expect(before.firewallRules).toEqual(expect.arrayContaining([...left.firewallRules]));

      proxy.on(requests.creations, does.dropBefore);
      failed(await mine.up());
      expect(await mine.api.held()).toEqual(left);
    }),
);

it.concurrent(
  "when two checkouts on one machine have a backend in a folder beside them, and the answers of one are slow, the other leaves its creations under way alone",
  () =>
    withPair(program(both(4)), async (pair) => {
      const { mine, theirs, proxy } = pair;
      const shared = { PULUMI_BACKEND_URL: "file://./state", XDG_STATE_HOME: mine.stack.env["XDG_STATE_HOME"]! };
      for (const { stack } of [mine, theirs]) Object.assign(stack.env, shared);
      let answer = (): void => undefined;
      proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
      // The answers have to be slow, not lost, however long theirs takes.
      mine.stack.env["CLOUDINFRA_REQUEST_TIMEOUT"] = "3m";
      const slow = mine.up();
      await until(() => proxy.count(requests.creations) === 2);
      expect(succeeded(await theirs.up())).not.toContain("interrupted");
      answer();
      succeeded(await slow);
      await expectTwoOwners(pair);
    }),
);

it.concurrent.each(FRONTS)(
  "when theirs refers to mine by get of %s and is refreshed, my entry in the journal that we share stays open",
  (front) =>
    withPair(programOf(front, declare("Volume", "data")), async ({ mine, theirs }) => {
      theirs.stack.env["XDG_STATE_HOME"] = mine.stack.env["XDG_STATE_HOME"]!;
      theirs.stack.env["CLOUDINFRA_BASE_URL"] = mine.stack.env["CLOUDINFRA_BASE_URL"]!;
      succeeded(await mine.up());
      const { id, urn } = mine.one("data");
      theirs.stack.write(programOf(front, `cloudinfra.Volume.get("data", "${id}");`));
      succeeded(await theirs.up());
      succeeded(await theirs.refresh());
      expect(theirs.one("data")).toMatchObject({ id, external: true });
      expect(openEntries(mine)).toMatchObject([{ id }]);

      // As if the engine could not save the answer.
      succeeded(await mine.stack.pulumi(["state", "delete", "--yes", urn]));
      expect(saidOf(succeeded(await mine.up()), "data")).toContain(`It had made ${id}, and told Pulumi`);
      expect(mine.one("data").id).not.toBe(id);
    }),
);
