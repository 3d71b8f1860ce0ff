import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, FRONTS, program, programOf } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const WITH_DEPENDENT = program(
  declare("ConnectConnection", "link"),
  declare("FirewallRule", "https", { destinationAddress: "10.0.0.0/25" }, "{ dependsOn: link }"),
);

let session: Session;

beforeAll(async () => {
  session = await Session.start(WITH_DEPENDENT, { config: { "cloudinfra:operationTimeout": "1s" } });
});

const creation = { method: "POST", path: `^${paths.connections}$` };

describe.each(["fail", "never"] as const)("when a connection is accepted and its operation ends as %s", (operation) => {
  it("its id is in the state with the reason, and what depends on it is not created", async () => {
    await session.api.fault({ ...creation, operation });
    const { result, requests } = await session.api.during(() => session.up());
    expect(saidOf(failed(result), "link")).toMatch(operation === "fail" ? / failed: / : /was still "running" after/);
    expect(session.one("link").initErrors).toHaveLength(1);
    expect(await session.api.heldIds()).toEqual([session.one("link").id]);
    expect(requests.filter((request) => request === "POST firewall_rules")).toEqual([]);
  });

  it("a destroy takes the half-made object away", async () => {
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});

it("when a half-made connection turns out to be broken, the next up replaces it, and makes what depends on it", async () => {
  await session.api.fault({ ...creation, operation: "fail" });
  failed(await session.up());
  const broken = session.one("link").id;
  succeeded(await session.up());
  expect(session.one("link").id).not.toBe(broken);
  expect(await session.api.heldIds()).toEqual([session.one("link").id, session.one("https").id].sort());
  await session.expectAgreement();
});

it("when a pool with a name of its own turns out to be broken, the next up deletes it, and makes another of that name", async () => {
  succeeded(await session.destroy());
  session.stack.write(program(declare("NksNodePool", "workers", { name: "workers" })));
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

it.each(FRONTS)(
  "when a run of %s gives up on a connection that a refresh then shows ready, and that fails much later, it stays",
  async (front) => {
    const config = { "cloudinfra:operationTimeout": "1s" };
    const text = programOf(front, declare("ConnectConnection", "link"));
    const late = await Session.start(text, { simulator: { operationTime: "1h" }, config });
    failed(await late.up());
    const { id } = late.one("link");
    await late.api.advance("2h");
    succeeded(await late.refresh());
    expect(late.one("link")).toMatchObject({ id, outputs: { status: "ready" } });
    await late.api.advance("30d");
    const [link] = (await late.api.held()).connections;
    await late.api.place("connections", [{ ...link, status: "error" }]);
    expect(succeeded(await late.refresh())).toContain("status: ready → error");
    for (const run of [() => late.stack.preview(), () => late.up(), () => late.up()])
      expect(counts(succeeded(await run()))).toEqual(["2 unchanged"]);
    expect([late.one("link").id, await late.api.heldIds()]).toEqual([id, [id]]);
  },
);
