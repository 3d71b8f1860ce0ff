import { interruptedUp, isRunning, namedBeside, openEntries, until } from "./support/interruption";
import { saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

/** A session whose CLI is killed once the API has made the object, and before it has answered. */
async function killedWhileCreating(kind: string, name: string): Promise<Session> {
  const session = await Session.start(program(declare(kind, name)));
  await session.api.fault({
    method: "POST",
    path: `^(${paths.apiKeys}|${paths.connections}|${session.api.rules})$`,
    delay: "10m",
  });
  await interruptedUp(session, async () => (await session.api.heldIds()).length > 0, ["SIGKILL"]);
  await session.api.clearFaults();
  return session;
}

describe("when the CLI is killed while a connection is created", () => {
  let session: Session;
  let left: string[];

  beforeAll(async () => {
    session = await killedWhileCreating("ConnectConnection", "link");
    left = await session.api.heldIds();
  });

  it("the plugin stops by itself, and the journal keeps what was under way", async () => {
    const [entry] = openEntries(session);
    expect(entry).toMatchObject({ type: "ConnectConnection", noun: "connect connection" });
    await until(() => !isRunning(entry!.sender.pid));
    expect(session.kept()).toEqual([]);
    expect(left).toHaveLength(1);
  });

  it("after pulumi cancel the next up takes the very object over, and the journal is empty once a run has shown that the state has it", async () => {
    session.cancel();
    const output = succeeded(await session.up());
    expect(output).toMatch(/warning: An earlier run was interrupted, .*: connect connection "link" \(if made/);
    expect(saidOf(output, "link")).toContain(`It had made ${left[0]!}. This run takes it over.`);
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual(left);
    expect(openEntries(session)).toMatchObject([{ id: left[0], isHandedOver: true }]);
    expect(succeeded(await session.stack.pulumi(["preview", "--non-interactive"]))).not.toContain("interrupted");
    expect(openEntries(session)).toEqual([]);
  });
});

describe("when the CLI is killed while a key is created", () => {
  it("the next up names the key whose secret is lost, and makes another", async () => {
    const session = await killedWhileCreating("ApiKey", "deployer");
    const left = await session.api.heldIds();
    session.cancel();
    const output = succeeded(await session.up());
    expect(saidOf(output, "deployer")).toContain(
      `It had made ${left[0]!}, whose secret is lost. This run makes a new one, and leaves that as it is.`,
    );
    expect(await namedBeside(session, output)).toEqual(left);
    const { key } = session.shownOutputsOf("deployer");
    expect(await session.api.signIn(String(key))).toBe(200);
  });
});

describe("when the CLI is killed while a firewall rule is created", () => {
  it("refresh --clear-pending-creates changes nothing about it: the next up takes the very object over", async () => {
    const session = await killedWhileCreating("FirewallRule", "https");
    const left = await session.api.heldIds();
    session.cancel();
    succeeded(await session.refresh(["--clear-pending-creates"]));
    succeeded(await session.up());
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual(left);
  });

  it("and the program has dropped it, the next run warns of it once", async () => {
    const session = await killedWhileCreating("FirewallRule", "https");
    const [rule] = (await session.api.held()).firewallRules;
    session.cancel();
    session.stack.write(program(declare("ConnectConnection", "link")));
    expect(succeeded(await session.up())).toContain(`firewall rule "https" (if made, it is named "${rule!.name}")`);
    expect(succeeded(await session.up())).not.toContain(rule!.name);
    expect((await session.api.held()).firewallRules).toEqual([rule]);
  });
});
