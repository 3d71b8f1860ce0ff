import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const ON = ["--continue-on-error"];

describe("when an operation does not end within cloudinfra:operationTimeout", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(program(declare("ConnectConnection", "link"), declare("FirewallRule", "https")), {
      config: { "cloudinfra:operationTimeout": "2s" },
    });
  });

  it("a creation: the update fails, says so on the row, and keeps the id", async () => {
    await session.api.fault({ method: "POST", path: `${paths.connections}$`, operation: "never" });
    const output = failed(await session.up(ON));
    expect(saidOf(output, "link")).toMatch(/was still "running" after \d+ s.*run again to go on waiting/);
    expect(rowOf(output, "link")).toContain("error");
    expect(await session.api.heldIds()).toEqual([session.one("https").id, session.one("link").id].sort());
  });

  it("the next update goes on waiting for the same object, and makes no second one", async () => {
    const { result, requests } = await session.api.during(() => session.up());
    expect(saidOf(failed(result), "link")).toContain('still showed the status "creating"');
    expect(requests).not.toContain("POST connections");
    expect(session.one("link").initErrors).toHaveLength(1);
  });

  it("a destroy takes it away", async () => {
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});

it("when an operation outlasts one run and has ended before the next, the next up finds the object ready", async () => {
  const session = await Session.start(program(declare("ConnectConnection", "link")), {
    simulator: { operationTime: "1h" },
    config: { "cloudinfra:operationTimeout": "1s" },
  });
  failed(await session.up());
  await session.api.advance("2h");
  const { result, requests } = await session.api.during(() => session.up());
  succeeded(result);
  // Diff looks whether it has failed since, update whether it is ready.
  expect(requests).toEqual(["GET connections/:id", "GET connections/:id"]);
  await session.expectAgreement();
});
