import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import type { FaultProxy } from "../support/proxy/fault-proxy";
import { Stage } from "./fronts/stage";
import { interruptedUp, until } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, DYNAMIC, program } from "./support/programs";
import { Session } from "./support/session";

// Each test has its own API. They run at the same time, because they mostly wait.

/** Two machines, each with its own backend and home folder. Project, stack, program and organization are the same. */
interface Pair {
  readonly mine: Session;
  readonly theirs: Session;
  /** The proxy between my provider and the API. */
  readonly proxy: FaultProxy;
}

async function openPair(): Promise<Pair> {
  const text = program(declare("ApiKey", "key"), declare("FirewallRule", "rule"));
  const { session: mine, proxy } = await Stage.open(DYNAMIC, { simulator: { operationTime: "100ms" } });
  mine.stack.write(text);
  return { mine, theirs: await Session.start(text, { api: mine.api }), proxy };
}

/** Expects that each state has its own objects, that the API has no others, and that each key of a state signs in. */
async function expectTwoOwners({ mine, theirs }: Pair): Promise<void> {
  expect([...mine.keptIds(), ...theirs.keptIds()].sort()).toEqual(await mine.api.heldIds());
  for (const session of [mine, theirs])
    expect(await session.api.signIn(String(session.shownOutputsOf("key")["key"]))).toBe(200);
}

it.concurrent("a run after a kill leaves another machine's objects alone", async () => {
  const pair = await openPair();
  const { mine, theirs, proxy } = pair;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  proxy.on(requests.creations, () => held.then(() => undefined));
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
  const pair = await openPair();
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
