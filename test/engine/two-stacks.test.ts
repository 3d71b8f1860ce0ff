import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { interruptedUp, until } from "./support/interruption";
import { failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import type { SimulatedApi } from "./support/simulated-api";

// Two machines, with a backend and a home folder each; the same project, stack and program, in one organization.
let mine: Session;
let theirs: Session;
let api: SimulatedApi;
/** Between my provider and the API. */
let proxy: FaultProxy;

const both = (nth: number): string =>
  [declare("ApiKey", `key${nth}`), declare("FirewallRule", `rule${nth}`)].join("\n");
const named = declare("FirewallRule", "named", { name: "of-everybody" });

beforeAll(async () => {
  mine = await Session.start(program(both(1)), { simulator: { operationTime: "100ms" } });
  ({ api } = mine);
  theirs = await Session.start(program(both(1)), { api });
  proxy = await FaultProxy.start(api.simulator.url);
  mine.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
});
afterAll(async () => {
  await proxy.close();
  await Session.closeAll();
});
afterEach(() => proxy.clear());

/** Each state has its own objects, the API has these and no others, and each key of a state signs in. */
async function expectTwoOwners(): Promise<void> {
  const ids = [mine, theirs].flatMap((session) => session.kept().map(({ id }) => id!));
  expect(ids.sort()).toEqual(await api.heldIds());
  for (const session of [mine, theirs]) {
    const keys = session.kept().filter(({ type }) => type.endsWith(":ApiKey"));
    for (const { id, urn } of keys) {
      const { key } = session.shownOutputsOf(urn.split("::").at(-1)!);
      const { status } = await fetch(`${api.simulator.url}/v1/api_keys/${id!}`, {
        headers: { authorization: `Bearer ${String(key)}` },
      });
      expect([id, status]).toEqual([id, 403]); // it signs in, and may not read keys
    }
  }
}

describe("when two stacks of the same names create the same things in one organization", () => {
  it("and mine is killed before its creations had an effect, my next run leaves theirs alone, and makes its own", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    proxy.on(requests.creations, async () => {
      await held;
      return undefined;
    });
    await interruptedUp(mine, () => proxy.count(requests.creations) === 2, ["SIGKILL"]);
    succeeded(await theirs.up());
    const before = await api.held();
    release();
    proxy.clear();
    mine.cancel();
    succeeded(await mine.up());
    const { apiKeys, firewallRules } = await api.held();
    expect([apiKeys, firewallRules]).toEqual([
      [...before.apiKeys, expect.objectContaining({ name: before.apiKeys[0]!.name })],
      [...before.firewallRules, expect.objectContaining({ name: before.firewallRules[0]!.name })],
    ]);
    await expectTwoOwners();
  });

  it("and my creations are lost on their way while they create, I make mine in the next run, and take nothing of theirs", async () => {
    for (const { stack } of [mine, theirs]) stack.write(program(both(1), both(2)));
    proxy.on(requests.creations, does.dropBefore);
    const [lost] = await Promise.all([mine.up(["--continue-on-error"]), theirs.up().then(succeeded)]);
    for (const name of ["key2", "rule2"]) {
      expect(saidOf(failed(lost), name)).toContain("The audit log does not show the request");
    }
    proxy.clear();
    succeeded(await mine.up());
    await expectTwoOwners();
  });

  it("and my answers are lost while they create the same, I get mine by the audit log: the rule is taken, the key made again", async () => {
    for (const { stack } of [mine, theirs]) stack.write(program(both(1), both(2), both(3), named));
    // The first of each: the key's second one may come before the first of another.
    const created = ["key3", "rule3", "of-everybody"];
    for (const name of created) {
      proxy.on({ ...requests.creations, when: ({ body }) => body.includes(name), nth: 1 }, does.dropAfter);
    }
    const [, result] = await Promise.all([theirs.up().then(succeeded), mine.up()]);
    succeeded(result);
    const cut = proxy.seen.filter(({ status }) => status === undefined).map(({ body }) => body);
    for (const name of created) expect(cut).toContainEqual(expect.stringContaining(name));
    await expectTwoOwners();
  });

  it("and I destroy mine, theirs stays as it is", async () => {
    const kept = theirs
      .kept()
      .map(({ id }) => id)
      .sort();
    const before = await api.held();
    succeeded(await mine.destroy());
    const { apiKeys, firewallRules } = await api.held();
    expect([...apiKeys, ...firewallRules].map(({ id }) => id).sort()).toEqual(kept);
    expect(before.apiKeys).toEqual(expect.arrayContaining([...apiKeys]));
    expect(before.firewallRules).toEqual(expect.arrayContaining([...firewallRules]));

    // Nor do I take it for mine if my next creations are lost.
    const left = await api.held();
    proxy.on(requests.creations, does.dropBefore);
    failed(await mine.up());
    expect(await api.held()).toEqual(left);
  });
});

describe("when two checkouts on one machine have a backend in a folder beside them", () => {
  it("and the answers of one are slow, the other leaves its creations under way alone", async () => {
    const shared = { PULUMI_BACKEND_URL: "file://./state", XDG_STATE_HOME: mine.stack.env["XDG_STATE_HOME"]! };
    for (const { stack } of [mine, theirs]) Object.assign(stack.env, shared);
    mine.stack.write(program(both(4)));
    theirs.stack.write(program(both(4)));
    let answer = (): void => undefined;
    proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
    const before = proxy.count(requests.creations);
    const slow = mine.up();
    await until(() => proxy.count(requests.creations) === before + 2);
    expect(succeeded(await theirs.up())).not.toContain("interrupted");
    answer();
    succeeded(await slow);
    await expectTwoOwners();
  });
});
