import * as does from "../support/proxy/actions";
import { requests, type ProxyRequest } from "../support/proxy/exchange";
import { descriptorOf, harmless } from "../kinds";
import { Stage } from "./fronts/stage";
import { definitions } from "../../src/resources/definitions";
import { clusterObject } from "../kinds/nks-node-pool";
import type { WireObject } from "../support/simulator-client";
import { makeByHand } from "./support/by-hand";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, inDays, names, NATIVE, oneOfEach, program, programOf, types } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

type Json = Readonly<Record<string, unknown>>;

const isOperation = (answered: Json): boolean => "resource_id" in answered;

// Each test has its own stack and simulator. They run at the same time, because they mostly wait.

/** All resources are created at the same time, and continue if another fails. */
const ON = ["--continue-on-error", "--parallel", "16"];

/** Gives the next request of this method to each kind of collection this fault. */
async function failOnce({ api }: Session, method: string, fault: object): Promise<void> {
  const end = method === "POST" ? "$" : "/[^/]+$";
  const ids: Readonly<Record<string, string>> = { vpcId: api.simulator.vpcId, clusterId: clusterObject.id };
  for (const { path } of definitions) {
    const collection = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => ids[name] ?? name);
    await api.fault({ method, path: `^${collection}${end}`, ...fault });
  }
}

const WITHOUT_EFFECT = [
  ["lost with the request", { drop: "before" }, /failed: the connection .* broke/],
  ["500", { status: 500 }, /failed: 500/],
] as const;

it.concurrent.each(WITHOUT_EFFECT)(
  "fails a creation answered %s, and makes it once later",
  async (_answer, fault, text) => {
    const session = await Session.start(program(oneOfEach()));
    await failOnce(session, "POST", fault);
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(diagnosticsOf(output, name)).toMatch(new RegExp(`create .* "${name}" \\(POST .*\\) ${text.source}`));
    }
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  },
);

const ids = (answered: Json, id: string): Json => ({
  ...answered,
  [isOperation(answered) ? "resource_id" : "id"]: id,
});
const ofOther = (answered: Json, other: WireObject): Json =>
  isOperation(answered) ? ids(answered, other.id) : { ...answered, ...other };
const BY_HAND = { key: "by-hand-key", link: "by-hand-link", rule: "by-hand-rule" };

type OtherAnswer = (answered: Json, other: WireObject) => Json;
const otherAnswers: readonly (readonly [answer: string, names: Readonly<Record<string, string>>, OtherAnswer])[] = [
  ["of another object", {}, ofOther],
  ["of an older object with its name", BY_HAND, ofOther],
  ["without an id", {}, (answered) => ids(answered, "")],
  [
    "of an object that is never shown",
    {},
    (answered, { id }) => (isOperation(answered) ? ids(answered, id.replace(/.{4}$/, "ffff")) : answered),
  ],
];

it.concurrent.each(otherAnswers)("finds its object after a wrong answer: %s", async (_answer, given, rewritten) => {
  const { session, proxy } = await Stage.open(NATIVE, { env: { CLOUDINFRA_OPERATION_TIMEOUT: "10s" } });
  await makeByHand(session.api);
  const { apiKeys, connections, firewallRules } = await session.api.held();
  await session.api.advance("2h");
  const others = { key: apiKeys[0], link: connections[0], rule: firewallRules[0] };
  const types = { key: "ApiKey", link: "ConnectConnection", rule: "FirewallRule" };
  const resources = Object.entries(types).map(([name, type]) => declare(type, name, { name: given[name] }));
  session.stack.write(programOf(NATIVE, ...resources));
  for (const [name, other] of Object.entries(others)) {
    const named = `"${given[name] ?? `${name}-`}`;
    const first = { ...requests.creations, nth: 1, when: ({ body }: ProxyRequest) => body.includes(named) };
    proxy.on(
      first,
      does.rewrite((answered) => rewritten(answered, other as WireObject)),
    );
  }
  succeeded(await session.up());
  const foreign = [apiKeys, connections, firewallRules].flat();
  const own = session.kept().map(({ id = "" }) => id);
  expect([...own, ...foreign.map(({ id }) => id)].sort()).toEqual(await session.api.heldIds());
  expect(await session.api.signIn(String(session.shownOutputsOf("key")["key"]))).not.toBe(401);
  succeeded(await session.destroy());
  expect(await session.api.objects()).toEqual(expect.arrayContaining(foreign));
  expect(await session.api.heldIds()).toHaveLength(foreign.length);
});

const changed = (word: string): string =>
  program(oneOfEach(Object.fromEntries(types.map((type) => [type, harmless(type, word)]))));

it.concurrent("agrees with the API after lost responses to changes", async () => {
  const session = await Session.start(program(oneOfEach()));
  const inState = types.map((type) => () => session.one(descriptorOf(type).name));
  const objects = async (): Promise<unknown[]> => {
    const all = await session.api.objects();
    return inState.map((kept) => all.find(({ id }) => id === kept().id));
  };
  const changes = (word: string): object[] => types.map((type) => harmless(type, word));
  succeeded(await session.up(ON));
  const before = await objects();

  // An update, before the effect: the state is unchanged, and the next run repeats the changes.
  session.stack.write(changed("first"));
  await failOnce(session, "PATCH", { drop: "before" });
  const output = failed(await session.up(ON));
  for (const name of names) {
    expect(diagnosticsOf(output, name)).toContain("broke before the complete answer arrived");
  }
  for (const [nth, change] of changes("first").entries()) expect(inState[nth]!().outputs).not.toMatchObject(change);
  expect(await objects()).toEqual(before);
  succeeded(await session.up());
  expect(await objects()).toMatchObject(changes("first"));
  await session.expectOneOfEach();

  // After the effect: the objects show the changes, so the update has succeeded.
  session.stack.write(changed("second"));
  await failOnce(session, "PATCH", { drop: "after" });
  succeeded(await session.up(ON));
  expect(await objects()).toMatchObject(changes("second"));
  expect(inState.map((kept) => kept().outputs)).toMatchObject(changes("second"));

  // A replacement: in the end the old objects are deleted, with or without the first effect.
  session.stack.write(
    program(oneOfEach({ ApiKey: { expiresAt: inDays(120) }, ConnectConnection: { bandwidthMbps: 200 } })),
  );
  await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "before" });
  await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "after" });
  succeeded(await session.up(ON));
  await session.expectOneOfEach();

  // A destroy: nothing is left.
  await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "after" });
  await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "before" });
  await session.api.fault({ method: "DELETE", path: `^${session.api.rules}/`, drop: "after" });
  succeeded(await session.destroy());
  expect([...session.kept(), ...(await session.api.heldIds())]).toEqual([]);
});
