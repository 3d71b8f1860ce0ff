import { failed, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";
import { forSuite } from "../support/suite";

describe("an operation that never ends", () => {
  const session = forSuite(() => {
    const link = declare("ConnectConnection", "link");
    const after = declare("FirewallRule", "after", {}, "{ dependsOn: link }");
    return Session.start(program(link, after, declare("FirewallRule", "https")), {
      config: { "cloudinfra:operationTimeout": "2s" },
    });
  });

  it("keeps the id of a creation, and creates no dependents", async () => {
    await session.api.fault({ method: "POST", path: `${paths.connections}$`, operation: "never" });
    const output = failed(await session.up(["--continue-on-error"]));
    expect(diagnosticsOf(output, "link")).toMatch(/was still "running" after \d+ s.*run again to go on waiting/);
    expect(rowOf(output, "link")).toContain("error");
    expect(await session.api.heldIds()).toEqual([session.one("https").id, session.one("link").id].sort());
  });

  it("the next update awaits the operation, also after a refresh", async () => {
    succeeded(await session.refresh());
    const { result, requests } = await session.api.during(() => session.up());
    expect(diagnosticsOf(failed(result), "link")).toContain('still showed the status "creating"');
    expect(requests).not.toContain("POST connections");
    expect(session.one("link").outputs).toMatchObject({ status: "creating", __neverReady: true });
  });

  it("an endless operation does not prevent a destroy", async () => {
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});
