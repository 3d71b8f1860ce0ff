import type { CheckedProps } from "../../src/dynamic/plugin-calls";
import * as permissionTable from "../../src/permissions/needed-permissions";
import { UNKNOWN } from "../../src/engine/values";
import { up } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { sent, type RowLine, type TestRun } from "../support/lifecycle";
import { World, NOWHERE } from "../support/world";

const world = World.forSuite();

const argsFor = (type: string, args: object = {}): object => world.args(type, args);

/** What a preview says of one new resource. */
async function previewed(
  type: string,
  args: object,
  { name = "x", run = world.run() }: { readonly name?: string; readonly run?: TestRun } = {},
): Promise<{ failures: string[]; lines: RowLine[]; answer: CheckedProps }> {
  const before = run.lines.length;
  const answer = await run.of(type).check({}, sent(type, name, argsFor(type, args)));
  return { failures: answer.failures.map(({ reason }) => reason), lines: run.lines.slice(before), answer };
}

describe("when the API refuses a new resource", () => {
  it.each([
    [
      "FirewallRule",
      { destinationAddress: "10.9.0.0/24" },
      /refuses it: destinationAddress: must be the CIDR of the VPC, .* \(is "10\.9\.0\.0\/24"\)/,
    ],
    [
      "FirewallRule",
      { vpcId: NOWHERE },
      /refuses it: vpcId: the API has nothing with the id ".*dead" \(404 NOT_FOUND_ERROR: vpc not found \(request id .*\)\)\. The closest/i,
    ],
    ["ConnectConnection", { region: "us-nowhere-1" }, /refuses it: region: .* \(is "us-nowhere-1"\)/],
    ["ConnectConnection", { projectId: NOWHERE }, /refuses it: projectId: no such project \(is ".*dead"\)/],
    ["ConnectConnection", { region: "us-nowhere-1", cidrs: [UNKNOWN] }, /refuses it: region: .* \(is "us-nowhere-1"\)/],
    ["Volume", { vmId: NOWHERE }, /vmId: .* \(is ".*dead"\)/],
    ["ApiKey", { projectIds: [NOWHERE] }, /refuses it: projectIds\[0\]: no such project \(is ".*dead"\)/],
  ])("refuses a %s with %j in the API's words", async (type, args, reason) => {
    const { failures } = await previewed(type, args);
    expect(failures).toEqual([expect.stringMatching(reason)]);
    expect(failures[0]).toMatch(/\. Correct it: the update would fail too$/);
  });

  it.each([
    ["Vpc", /^/],
    ["Vm", /^the API refuses it:\n {2}region: .*\n {2}instanceType: .*\n {2}subnetId: .*\nCorrect/],
    ["ConnectConnection", /^/],
  ])("says once that a %s has an unknown region", async (type, text) => {
    const { failures, lines } = await previewed(type, { region: "us-nowhere-1" });
    expect(failures).toEqual([
      expect.stringMatching(/region: unknown region, must be one of .* \(is "us-nowhere-1"\)/),
    ]);
    expect(failures[0]?.match(/unknown region|no region/g)).toHaveLength(1);
    expect(failures[0]?.match(/us-wdc-1/g)).toHaveLength(1);
    expect(failures[0]).toMatch(text);
    expect(lines).toEqual([]);
  });

  it("ignores the refusal of a placeholder", async () => {
    await world.fault({ path: "/cost$", status: 400, every: 1 });
    const { failures, lines } = await previewed("ConnectConnection", { cidrs: [UNKNOWN] });
    expect(failures).toEqual([]);
    expect(lines.map(({ text }) => text)).toEqual(["cost unknown: some of its values are not known yet"]);
  });

  it("only warns with preflight warn, and is silent with off", async () => {
    const bad = { destinationAddress: "10.9.0.0/24" };
    const warned = await previewed("FirewallRule", bad, { run: world.run({ preflight: "warn" }) });
    expect(warned.failures).toEqual([]);
    const texts = warned.lines.flatMap(({ severity, text }) => (severity === "warning" ? [text] : []));
    expect(texts).toEqual([expect.stringContaining("the API refuses it: destinationAddress: ")]);
    expect(warned.lines.map(({ text }) => text)).toContain("cost unknown: the API would refuse it");
    const silent = await previewed("FirewallRule", bad, { run: world.run({ preflight: "off" }) });
    expect(silent.failures).toEqual([]);
    expect(silent.lines.map(({ severity }) => severity)).toEqual(["info"]);
    expect(silent.lines[0]?.text).toContain("cost unknown: the API would refuse it: destinationAddress");
  });

  it("does not refuse others of the same price", async () => {
    const run = world.run();
    expect(
      (await previewed("FirewallRule", { destinationAddress: "10.9.0.0/24" }, { run, name: "bad" })).failures,
    ).toHaveLength(1);
    const good = await previewed("FirewallRule", {}, { run, name: "good" });
    expect(good.failures).toEqual([]);
    expect(good.answer.inputs["cost"]).toMatchObject({ monthlyTotal: "0.00" });
    expect(
      (await previewed("FirewallRule", { destinationAddress: "10.8.0.0/24" }, { run, name: "bad too" })).failures,
    ).toEqual([expect.stringContaining("refuses it: destinationAddress: ")]);
  });

  it("uses the program's names for members", async () => {
    const parameters = { "aws.account_id": "is no account", "cidrs[1]": "overlaps", unheard_of: "is odd" };
    const body = JSON.stringify({ type: "VALIDATION_ERROR", message: "no", context: { parameters } });
    await world.fault({ path: "/cost$", status: 400, body, every: 1 });
    const { failures } = await previewed("ConnectConnection", {}, { run: world.run({ dialect: "nirvana" }) });
    expect(failures).toEqual([
      expect.stringContaining(
        'refuses it:\n  externalProvider.accountId: is no account (is "123456789012")\n  cidrs[1]: overlaps\n  unheard_of: is odd\n',
      ),
    ]);
  });
});

describe("requests that only check for a refusal", () => {
  const shown = async (run: TestRun, port: number): ReturnType<typeof previewed> =>
    previewed("FirewallRule", { destinationPorts: [String(port)] }, { run, name: `rule-${port}` });
  const quotes = async (): Promise<number> =>
    (await world.requests()).filter((request) => request.endsWith("/cost")).length;

  it("sends no check with unknown values, in updates or if off", async () => {
    const run = world.run();
    await shown(run, 1);
    await previewed("FirewallRule", { destinationAddress: UNKNOWN }, { run, name: "unknown" });
    const args = argsFor("FirewallRule", {});
    await run.of("FirewallRule").check({}, sent("FirewallRule", "update", args, false));
    expect(await quotes()).toBe(1);
    const off = world.run({ preflight: "off" });
    for (const port of [1, 2, 3]) await shown(off, port);
    expect(await quotes()).toBe(2);
  });

  it("warns once if the checks fail", async () => {
    const run = world.run();
    await shown(run, 1);
    await world.fault({ path: "/cost$", status: 500, every: 1 });
    const lines = [...(await shown(run, 2)).lines, ...(await shown(run, 3)).lines];
    expect(lines.map(({ severity, text }) => [severity, text])).toEqual([
      ["warning", expect.stringMatching(/^the API could not check it: quote firewall rule .* failed: 500/)],
    ]);
  });
});

it.each([404, 409, 422])("reports once that the quotas answer %i", async (status) => {
  const body = JSON.stringify({
    type: "X",
    message: "no",
    request_id: "x",
    context: {},
    timestamp: "2026-01-01T00:00:00Z",
  });
  await world.fault({ path: "/quotas/", status, body, every: 1 });
  const run = world.run();
  for (const name of ["a", "b"]) await previewed("Volume", {}, { run, name });
  expect(run.warnings()).toEqual([expect.stringMatching(/^The preview could not look at the quotas: /)]);
});

it("a change in place that the API refuses fails the preview", async () => {
  const { state } = await up(world.run(), "FirewallRule", argsFor("FirewallRule"), undefined);
  const run = world.run();
  const lifecycle = run.of("FirewallRule");
  const { inputs } = await lifecycle.check(
    state.inputs,
    sent("FirewallRule", "x", argsFor("FirewallRule", { destinationAddress: "10.9.0.0/24" })),
  );
  await expect(lifecycle.diff(state.id, state.outs, inputs)).rejects.toThrow(
    /the API refuses it: destinationAddress: must be the CIDR of the VPC/,
  );
  const warning = world.run({ preflight: "warn" }).of("FirewallRule");
  await warning.check(state.inputs, sent("FirewallRule", "x", argsFor("FirewallRule", { tags: ["new"] })));
  await expect(warning.diff(state.id, state.outs, inputs)).resolves.toMatchObject({ replaces: [] });
});

it.each(["ApiKey", "FirewallRule"])("sends no quote for a %s in the nirvana dialect", async (type) => {
  const { state } = await up(world.run(), type, argsFor(type), undefined);
  const before = (await world.requests()).length;
  const run = world.run({ dialect: "nirvana" });
  await previewed(type, {}, { run, name: "new" });
  await preview(run, type, argsFor(type, { tags: ["another"] }), state);
  expect((await world.requests()).slice(before).filter((request) => request.endsWith("/cost"))).toEqual([]);
});

it("asks nothing if nothing changes at the API", async () => {
  const { state } = await up(world.run(), "Vm", argsFor("Vm"), undefined);
  const run = world.run();
  const before = (await world.requests()).length;
  expect(await preview(run, "Vm", argsFor("Vm", { restartTrigger: "now" }), state)).toMatchObject({
    operation: "update",
    fields: ["restartTrigger"],
  });
  expect(run.lines).toEqual([]);
  expect((await world.requests()).slice(before)).toEqual([]);
});

describe("when the API gives no quote", () => {
  const warningOf = (lines: readonly RowLine[]): string | undefined =>
    lines.find(({ urn, severity }) => urn !== "" && severity === "warning")?.text;

  it.each([
    ["nothing listens there", () => "http://127.0.0.1:9", /127\.0\.0\.1:9 .*Check the base URL/],
    [
      "it ends in /v1",
      () => `${world.simulator.url}/v1`,
      /The base URL is http:\/\/127\.0\.0\.1:\d+\/v1\. Each request adds \/v1, so the base URL should probably not end with it/,
    ],
  ])("warns of the base URL if %s", async (_case, url, reason) => {
    const { failures, lines } = await previewed("ConnectConnection", {}, { run: world.run({ baseUrl: url() }) });
    expect(failures).toEqual([]);
    expect(warningOf(lines)).toMatch(new RegExp(`^cost unknown: .*${reason.source}`));
  });

  it("reports a missing permission once", async () => {
    const run = world.run({ apiKey: await world.keyWith(["vm:edit"]) });
    const first = await previewed("ConnectConnection", {}, { run, name: "first" });
    expect(first.failures).toEqual([]);
    expect(warningOf(first.lines)).toMatch(
      /^cost unknown: .* 403 AUTHORIZATION_ERROR.* lacks the permission \("read" for/,
    );
    const before = (await world.requests()).length;
    const second = await previewed("ConnectConnection", { cidrs: ["10.1.0.0/16"] }, { run, name: "second" });
    expect(second.lines).toEqual([
      expect.objectContaining({ severity: "info", text: "cost unknown: the API answered 403 AUTHORIZATION_ERROR" }),
    ]);
    expect(await world.requests()).toHaveLength(before);
  });
});

it("warns once of each permission that the API key lacks", async () => {
  const run = world.run({ apiKey: await world.keyWith(["usage:read"]) }, { permissionTable });
  for (const name of ["a", "b"]) await previewed("Vpc", {}, { run, name });
  await previewed("Volume", {}, { run });
  await run.run.duplicates.warn();
  const [first, ...others] = run.warnings().filter((text) => text.includes("vpc:read"));
  expect([first, others]).toEqual([
    expect.stringMatching(/Add the permission .* For the same reason, this run may lack costs/),
    [],
  ]);
  expect(run.warnings().filter((text) => text.includes("volume:read"))).toEqual([
    "cost unknown: the API answered 403 AUTHORIZATION_ERROR: the key lacks the permission volume:read",
  ]);
});

it("leaves a refused API key to the errors of the resources", async () => {
  const run = world.run({ apiKey: "refused" }, { permissionTable });
  for (const name of ["a", "b"])
    expect((await previewed("Vpc", {}, { run, name })).failures).toEqual([expect.stringContaining("401")]);
  await run.run.permissions.warn();
  expect(run.warnings()).toEqual([]);
});

it("warns once of everything that an unreachable API does not answer", async () => {
  const run = world.run({ baseUrl: "http://127.0.0.1:9" }, { permissionTable });
  for (const type of ["FirewallRule", "Volume", "Vpc"]) await previewed(type, {}, { run });
  await run.run.duplicates.warn();
  await run.run.permissions.warn();
  expect(run.warnings()).toEqual([
    expect.stringMatching(/connection refused.* Without the API, this run has no costs/),
  ]);
  const texts = run.texts();
  expect(texts.filter((text) => text === "cost unknown: the API could not be reached")).toHaveLength(2);
});
