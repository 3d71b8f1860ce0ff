import { interruptedUp, openEntries } from "./support/interruption";
import { failed, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const TWO = program(
  declare("ConnectConnection", "first"),
  declare("ConnectConnection", "second", {}, "{ dependsOn: first }"),
);

let session: Session;

beforeEach(async () => {
  session = await Session.start(TWO, { simulator: { operationTime: "4s" } });
});

const isFirstAccepted = (): boolean => openEntries(session).some(({ id }) => id !== undefined);

describe("when somebody presses Ctrl-C once while a connection is created", () => {
  it("what is in flight ends and is recorded, nothing new is begun, and the next up makes the rest", async () => {
    const output = failed(await interruptedUp(session, isFirstAccepted, ["SIGINT"]));
    expect(output).toContain("^C received; cancelling");
    expect(output).toMatch(/ConnectConnection first created .*operation done after \d+s/);
    expect(session.kept().map(({ urn }) => urn.split("::").at(-1))).toEqual(["first"]);
    await session.expectAgreement();
    expect(openEntries(session)).toMatchObject([{ id: session.one("first").id, isHandedOver: true }]);
    const { result, requests } = await session.api.during(() => session.up());
    expect(succeeded(result)).not.toContain("interrupted");
    expect(requests.filter((request) => request === "POST connections")).toHaveLength(1);
    await session.expectAgreement();
  });
});

describe("when somebody presses Ctrl-C twice while a connection is created", () => {
  it("the run ends at once without it, and the next up takes it over: nothing twice, nothing left", async () => {
    const output = failed(await interruptedUp(session, isFirstAccepted, ["SIGINT", "SIGINT"]));
    expect(output).toContain("^C received; terminating");
    expect(session.kept()).toEqual([]);
    const left = await session.api.heldIds();
    expect(openEntries(session)).toMatchObject([{ id: left[0] }]);
    session.cancel();
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.one("first").id).toBe(left[0]);
    expect(await session.api.heldIds()).toHaveLength(2);
  });
});
