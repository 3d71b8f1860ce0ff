import { answer } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { counts, failed, partsOf, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, FRONTS, inDays, NATIVE, program, programOf } from "./support/programs";
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

it.concurrent("replaces a broken pool with a given name by deleting first", async () => {
  const session = await Session.start(program(declare("NksNodePool", "workers", { name: "workers" })));
  await session.api.fault({ method: "POST", path: "/pools$", operation: "fail" });
  failed(await session.up());
  const broken = session.one("workers").id;
  expect(succeeded(await session.stack.preview())).toMatch(/NksNodePool\s+workers\s+replace/);
  const { result, requests } = await session.api.during(() => session.up());
  succeeded(result);
  const changes = requests.filter((request) => /^(POST|DELETE) .*pools(\/:id)?$/.test(request));
  expect(changes.map((request) => request.split(" ")[0])).toEqual(["DELETE", "POST"]);
  expect(session.one("workers").id).not.toBe(broken);
  await session.expectAgreement();
});

it.concurrent("keeps a connection that fails long after its creation", async () => {
  const session = await Session.start(programOf(NATIVE, declare("ConnectConnection", "link")), {
    simulator: { operationTime: "1h" },
    config: { "cloudinfra:operationTimeout": "1s" },
  });
  failed(await session.up());
  const { id } = session.one("link");
  await session.api.advance("2h");
  succeeded(await session.refresh());
  expect(session.one("link")).toMatchObject({ id, outputs: { status: "ready" } });
  await session.api.advance("30d");
  const [link] = (await session.api.held()).connections;
  await session.api.place("connections", { ...link, status: "error" });
  expect(succeeded(await session.refresh())).toContain("status: ready → error");
  for (const run of [() => session.stack.preview(), () => session.up()])
    expect(counts(succeeded(await run()))).toEqual(["2 unchanged"]);
  expect([session.one("link").id, await session.api.heldIds()]).toEqual([id, [id]]);
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
