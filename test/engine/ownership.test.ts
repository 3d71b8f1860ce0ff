import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dropBefore } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { Stack } from "../../tools/pulumi/stack.cjs";
import { interruptedUp, openEntries } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const folders: string[] = [];
const proxies: FaultProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
  await Session.closeAll();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const isPost = { method: "POST", path: /(api_keys|firewall_rules)$/ };
const KEY_AND_RULE = program(declare("ApiKey", "deployer"), declare("FirewallRule", "https"));

async function proxyOf(session: Session): Promise<FaultProxy> {
  const proxy = await FaultProxy.start(session.api.simulator.url);
  proxies.push(proxy);
  return proxy;
}

async function cancel({ stack }: Session): Promise<void> {
  succeeded(await stack.pulumi(["cancel", "--yes"]));
}

describe("when two machines with the same project and stack name use one organization, and one is killed before its creations have an effect", () => {
  it("the other creates, and the first one's next up makes its own and takes nothing of the neighbour's", async () => {
    const session = await Session.start(KEY_AND_RULE);
    const neighbour = new Stack({ program: KEY_AND_RULE, env: ownEnv(session) });
    folders.push(neighbour.folder);
    await neighbour.init();
    const proxy = await proxyOf(session);
    proxy.on(isPost, () => new Promise(() => undefined)); // the requests never get there
    session.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
    await interruptedUp(session, () => proxy.count(isPost) === 2, ["SIGKILL"]);
    succeeded(await neighbour.up(["--skip-preview"]));
    const theirs = await session.api.held();
    proxy.clear();
    await cancel(session);
    succeeded(await session.up());
    const now = await session.api.held();
    expect(now.apiKeys).toHaveLength(2);
    expect(now.firewallRules).toHaveLength(2);
    expect(now.apiKeys).toEqual(expect.arrayContaining([...theirs.apiKeys]));
    expect(now.firewallRules).toEqual(expect.arrayContaining([...theirs.firewallRules]));
    // And the other way round: what is destroyed is one's own.
    succeeded(await session.destroy());
    expect(await session.api.held()).toEqual(theirs);
    proxy.on(isPost, dropBefore);
    expect((await session.up()).code).not.toBe(0);
    expect(await session.api.held()).toEqual(theirs);
  });
});

describe("when two checkouts have a relative backend each, and one is creating while the other runs up", () => {
  it("each ends with its own key, and the answer that takes long is not lost", async () => {
    const state = mkdtempSync(join(tmpdir(), "cloudinfra-journal-"));
    folders.push(state);
    const session = await Session.start(program(declare("ApiKey", "deployer")));
    const env = { ...ownEnv(session), PULUMI_BACKEND_URL: "file://./state", XDG_STATE_HOME: state };
    const [a, b] = [1, 2].map(() => new Stack({ program: program(declare("ApiKey", "deployer")), env }));
    for (const stack of [a!, b!]) {
      folders.push(stack.folder);
      await stack.init();
    }
    await session.api.fault({ method: "POST", path: "^/v1/api_keys$", delay: "9s", times: 1 });
    const slow = a!.up(["--skip-preview"]);
    while ((await session.api.held()).apiKeys.length === 0) await new Promise((resolve) => setTimeout(resolve, 100));
    const output = succeeded(await b!.up(["--skip-preview"]));
    expect(output).not.toContain("interrupted");
    succeeded(await slow);
    const { apiKeys } = await session.api.held();
    const kept = await Promise.all([a!, b!].map(async (stack) => (await stack.resources())["deployer"]?.id));
    expect(apiKeys.map(({ id }) => id).sort()).toEqual(kept.sort());
    expect(new Set(kept).size).toBe(2);
  });
});

describe("when somebody presses Ctrl-C twice in the middle of an update of 30", () => {
  it("no creation is forgotten: the next up, under another spelling of backend and base URL, ends with one of each", async () => {
    const many = Array.from({ length: 30 }, (_, nth) => declare(nth % 6 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`));
    const session = await Session.start(program(...many));
    const isInTheMiddle = async (): Promise<boolean> => (await session.api.heldIds()).length >= 10;
    await interruptedUp(session, isInTheMiddle, ["SIGINT", "SIGINT"]);
    const kept = session.kept().map(({ id }) => id);
    const made = await session.api.heldIds();
    const inJournal = openEntries(session).map(({ id }) => id);
    // What is there and not in the state is in the journal, with its id or without.
    const unknown = made.filter((id) => !kept.includes(id) && !inJournal.includes(id));
    expect(openEntries(session).filter(({ id }) => id === undefined).length).toBeGreaterThanOrEqual(unknown.length);
    await cancel(session);
    const { env, folder } = session.stack;
    env["PULUMI_BACKEND_URL"] = `file://${folder}/./state/`;
    env["CLOUDINFRA_BASE_URL"] = `${session.api.simulator.url.replace("127.0.0.1", "localhost")}/`;
    succeeded(await session.up());
    await session.expectAgreement();
    expect(await session.api.heldIds()).toHaveLength(30);
    succeeded(await session.stack.preview());
    // What was cut off before it had an effect was made anew: its entry stays until nothing can come of it any more.
    expect(openEntries(session).filter(({ id, isSuperseded }) => id !== undefined || !isSuperseded)).toEqual([]);
  });
});

/** What a second stack needs to reach the API of a session. */
function ownEnv({ stack }: Session): Record<string, string> {
  const names = Object.keys(stack.env).filter((name) => /^(CLOUDINFRA_|NODE_COMPILE_CACHE)/.test(name));
  return Object.fromEntries(names.map((name) => [name, String(stack.env[name])]));
}
