import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import type { FaultProxy } from "../support/proxy/fault-proxy";
import { Stage } from "./fronts/stage";
import { interruptedUp, openEntries, until } from "./support/interruption";
import { diagnosticsOf, succeeded } from "./support/output";
import { declare, FRONTS, programOf, type Front } from "./support/programs";
import { Session } from "./support/session";

// Each test has its own API. They run at the same time, because they mostly wait.

/** Two machines, each with its own backend and home folder. Project, stack, program and organization are the same. */
interface Pair {
  readonly mine: Session;
  readonly theirs: Session;
  /** The proxy between my provider and the API. */
  readonly proxy: FaultProxy;
}

const both = `${declare("ApiKey", "key")}\n${declare("FirewallRule", "rule")}`;

async function pairOf(front: Front, ...statements: string[]): Promise<Pair> {
  const text = programOf(front, ...statements);
  const { session: mine, proxy } = await Stage.open(front, { simulator: { operationTime: "100ms" } });
  mine.stack.write(text);
  return { mine, theirs: await Session.start(text, { api: mine.api }), proxy };
}

/** Expects that each state has its own objects, that the API has no others, and that each key of a state signs in. */
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

it.concurrent("a run after a kill leaves another machine's objects alone", async () => {
  const pair = await pairOf("pulumi-cloudinfra", both);
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
});

it.concurrent("a checkout leaves another checkout's creations alone", async () => {
  const pair = await pairOf("pulumi-cloudinfra", both);
  const { mine, theirs, proxy } = pair;
  const shared = { PULUMI_BACKEND_URL: "file://./state", XDG_STATE_HOME: mine.stack.env["XDG_STATE_HOME"]! };
  for (const { stack } of [mine, theirs]) Object.assign(stack.env, shared);
  let answer = (): void => undefined;
  proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
  // The responses must be slow, not lost, however long the other run takes.
  mine.stack.env["CLOUDINFRA_REQUEST_TIMEOUT"] = "3m";
  const slow = mine.up();
  await until(() => proxy.count(requests.creations) === 2);
  expect(succeeded(await theirs.up())).not.toContain("interrupted");
  answer();
  succeeded(await slow);
  await expectTwoOwners(pair);
});

it.concurrent.each(FRONTS)("a reference of %s ends no entry of another stack", async (front) => {
  const { mine, theirs } = await pairOf(front, declare("Volume", "data"));
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
  expect(diagnosticsOf(succeeded(await mine.up()), "data")).toContain(`It had made ${id}, and Pulumi received it`);
  expect(mine.one("data").id).not.toBe(id);
});
