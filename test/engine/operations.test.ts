import { answer } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { failed, partsOf, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, FRONTS, inDays, program, programOf } from "./support/programs";
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
    expect(session.one("link").outputs).toMatchObject({ status: "creating", __halfMade: true });
  });

  it("an endless operation does not prevent a destroy", async () => {
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});

it.concurrent.each(FRONTS)("%s counts the object as new after a failed replacement", async (front) => {
  const { session, proxy } = await Stage.open(front);
  const write = (bandwidthMbps: number, days: number): void => {
    const link = declare("ConnectConnection", "link", { bandwidthMbps }, "{ deleteBeforeReplace: true }");
    const key = declare("ApiKey", "key", { expiresAt: inDays(days) }, "{ deleteBeforeReplace: true }");
    session.stack.write(programOf(front, link, key, `const sum = new cloudinfra.CostSummary("sum");`));
  };
  write(500, 40);
  succeeded(await session.up());
  write(200, 50);
  proxy.on({ method: "POST", path: /\/(connections|api_keys)$/ }, answer(403));
  failed(await session.up(["--continue-on-error"]));
  proxy.clear();
  await session.api.advance("5m"); // a new object might only be not visible yet
  expect(await session.api.heldIds()).toEqual([]);
  const output = succeeded(await session.stack.up());
  expect(rowOf(partsOf(output).preview, "link")).toContain("$0.00/mo → $312.50/mo (+$312.50/mo)");
  expect(session.one("sum").outputs).toMatchObject({ before: "0.00", after: "312.50", delta: "312.50" });
  await session.expectAgreement();
});
