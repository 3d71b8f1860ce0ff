import * as permissionTable from "../../src/permissions/needed-permissions";
import type { Props } from "../../src/lifecycle/kind/kind";
import { kinds } from "../../src/resources/registry";
import { sent, urnOf, type TestRun } from "../support/lifecycle";
import { MiniStack, up } from "../support/mini-engine";
import { World } from "../support/world";
import { reasonsOf } from "./support/reasons";

const world = World.forSuite();

const argsFor = (type: string, args: object = {}): object => world.args(type, args);

/** A run of a key with these permissions. */
async function runOf(
  permissions: readonly string[],
  config: Readonly<Record<string, string>> = {},
  others: object = {},
): Promise<TestRun> {
  return world.run({ apiKey: await world.keyWith(permissions, others), ...config }, { permissionTable });
}

const preview = (run: TestRun, type: string, name: string, args: object = {}): Promise<readonly string[]> =>
  reasonsOf(run, type, name, argsFor(type, args));

/** The table under the stack, when the engine has ended the plugin. */
async function tableOf(run: TestRun): Promise<string | undefined> {
  const before = run.lines.length;
  await run.run.permissions.warn();
  expect(run.lines.slice(before).every(({ urn, severity }) => urn === "" && severity === "warning")).toBe(true);
  return run.lines.slice(before).at(-1)?.text;
}

async function probes(): Promise<readonly string[]> {
  return (await world.requests()).filter((request) => request.endsWith("/ID") && !request.startsWith("DELETE"));
}

it("names the permission, and the resources that need it", async () => {
  const run = await runOf(["vpc:read", "volume:edit", "connect_connection:read"]);
  for (const name of ["a", "b"]) expect(await preview(run, "Vpc", name)).toEqual([]);
  await preview(run, "FirewallRule", "web");
  await preview(run, "Volume", "data");
  await preview(run, "ConnectConnection", "link");
  expect(await tableOf(run)).toMatch(
    /lacks what the update needs, so .* 403:\n\n {2}lacking +needed by\n {2}connect_connection:edit +ConnectConnection link\n {2}vpc:edit +FirewallRule web, Vpc a, Vpc b\n\nGive/,
  );
});

it("waits at the end of the preview for permission results", async () => {
  const run = world.run({ apiKey: "refused" }, { permissionTable });
  const asked = run.run.permissions.findingsOn(
    kinds.find(({ type }) => type === "Vpc")!,
    urnOf("Vpc", "a"),
    argsFor("Vpc") as Props,
  );
  expect(await tableOf(run)).toBe(
    "The preview could not find out whether the API key has vpc:edit, nor when the API key expires: the API answered 401 INVALID_TOKEN_ERROR.",
  );
  expect(await asked).toEqual([]);
});

it("asks once for each permission, and changes nothing", async () => {
  const run = await runOf(["vpc:edit"]);
  const before = await world.objects("Vpc");
  for (const name of ["a", "b"]) await preview(run, "Vpc", name);
  await preview(run, "FirewallRule", "web");
  expect(await probes()).toEqual(["PATCH /v1/networking/vpcs/ID"]);
  expect(await tableOf(run)).toBeUndefined();
  expect(await world.objects("Vpc")).toEqual(before);
});

it("lists permissions that an ApiKey grants and the key lacks", async () => {
  const run = await runOf(["api_key:edit", "vpc:read", "usage:read"]);
  const permissions = ["vpc:edit", "vm:read", "usage:edit", "vpc:read"].map((text) => text.split(":"));
  const args = {
    permissions: permissions.slice(0, 3).map(([resourceType, permission]) => ({ resourceType, permission })),
  };
  await preview(run, "ApiKey", "reader", args);
  const table = await tableOf(run);
  expect(table).toMatch(/vm:read +ApiKey reader\n {2}vpc:edit +ApiKey reader\n/);
  expect(table).not.toContain("usage:edit");
  expect(run.warnings()).toContain("The preview could not find out whether the API key has usage:edit.");
});

describe("a project that the key does not reach", () => {
  const runElsewhere = async (permissions: readonly string[], config = {}): Promise<TestRun> => {
    const { organization_id } = await world.api("GET", `/v1/projects/${world.simulator.projectId}`);
    const { id } = await world.api("POST", "/v1/projects", { name: "other", organization_id });
    return runOf(permissions, config, { project_ids: [id] });
  };

  it("names an inaccessible project and its resources once", async () => {
    const run = await runElsewhere(["volume:edit", "vpc:edit"], { costQuotes: "false", preflight: "off" });
    const before = (await world.requests()).length;
    for (const name of ["a", "b"]) await preview(run, "Volume", name);
    await preview(run, "Vpc", "net");
    expect(await tableOf(run)).toContain(
      `access to project ${world.simulator.projectId}  Volume a, Volume b, Vpc net\n`,
    );
    const lists = (await world.requests()).slice(before).filter((request) => request.startsWith("GET"));
    expect(lists).toEqual(["GET /v1/audit_logs", "GET /v1/compute/volumes"]);
  });

  it("does not count a project as inaccessible if its list is answered 404", async () => {
    const run = await runOf(["volume:edit"], { costQuotes: "false", preflight: "off" });
    await world.fault({ method: "GET", path: "/compute/volumes$", status: 404, every: 1 });
    await preview(run, "Volume", "data");
    expect(await tableOf(run)).toMatch(
      /has access to project \S+: 404 NOT_FOUND_ERROR: simulated fault: 404 \(.*\)\.$/,
    );
  });

  it("fails resources of an inaccessible project with permissions: fail", async () => {
    const run = await runElsewhere(["volume:edit"], { permissions: "fail" });
    const reason = `the API key lacks access to project ${world.simulator.projectId}, so the update would fail`;
    expect(await preview(run, "Volume", "data")).toEqual([expect.stringContaining(reason)]);
  });

  it("requires access to the projects of an ApiKey", async () => {
    const run = await runElsewhere(["api_key:edit", "vpc:read"], { costQuotes: "false" });
    await preview(run, "ApiKey", "reader", { permissions: [{ resourceType: "vpc", permission: "read" }] });
    expect(await tableOf(run)).toMatch(/access to project \S+ +ApiKey reader\n/);
  });
});

describe("a key that expires within a day", () => {
  const both = ["audit_log:read", "api_key:read"];
  const hence = (hours: number): object => ({
    expires_at: new Date(world.clock.now() + hours * 3_600_000).toISOString(),
  });
  const unknown = (reason: string): string => `info: The preview does not know when the API key expires: ${reason}`;
  const needed = unknown("to find out, the key needs audit_log:read and api_key:read.");

  it.each<readonly [string, readonly string[], number, object, readonly unknown[]]>([
    [
      "says when",
      both,
      3,
      {},
      [expect.stringMatching(/^warning: The API key from .* expires in 3 hours, at 20\S+Z: then each/)],
    ],
    ["says nothing of a later end", both, 25, {}, []],
    ["says that api_key:read does not suffice", ["api_key:read"], 1, {}, [needed]],
    ["says that audit_log:read does not suffice", ["audit_log:read"], 1, {}, [needed]],
    [
      "says that the log is late",
      both,
      1,
      { audit: "60s" },
      [unknown("the audit log does not show the preview's own requests.")],
    ],
  ])("%s, once", async (_case, permissions, hours, lag, said) => {
    await world.lag(lag);
    const run = await runOf(["volume:edit", ...permissions], {}, hence(hours));
    for (const name of ["a", "b"]) await preview(run, "Volume", name);
    const texts = run.lines.map(({ severity, text }) => `${severity}: ${text}`);
    expect(texts.filter((text) => text.includes("expires"))).toEqual(said);
  });

  it("says if the audit log does not answer", async () => {
    const run = await runOf(["volume:edit", ...both], {}, hence(1));
    await world.fault({ method: "GET", path: "^/v1/audit_logs", status: 500, times: 100 });
    await preview(run, "Volume", "data");
    await run.run.permissions.warn();
    expect(run.warnings()).toEqual([
      "The preview could not find out when the API key expires: the API answered 500 INTERNAL_ERROR.",
    ]);
  });
});

it("needs `edit` for an adoption only if it changes the object", async () => {
  const { state } = await up(world.run(), "Volume", argsFor("Volume"), undefined);
  const run = await runOf(["volume:read"]);
  await preview(run, "Volume", "same", { adopt: state.id });
  expect(await tableOf(run)).toBeUndefined();
  const other = await runOf(["volume:read"]);
  await preview(other, "Volume", "tagged", { adopt: state.id, tags: ["new"] });
  expect(await tableOf(other)).toMatch(/volume:edit +Volume tagged/);
});

it("a new VM needs no permission for its volumes", async () => {
  const run = await runOf(["vm:edit"]);
  await preview(run, "Vm", "web");
  expect(await tableOf(run)).toBeUndefined();
});

it("a long row names five resources", async () => {
  const run = await runOf(["volume:read"], { costQuotes: "false", preflight: "off" });
  for (let count = 0; count < 7; count += 1) await preview(run, "Volume", `v${count}`);
  expect(await tableOf(run)).toContain("Volume v4 and 2 more\n");
});

it("permissions: fail fails each resource without its permission", async () => {
  const run = await runOf(["vpc:read"], { permissions: "fail" });
  expect(await preview(run, "Vpc", "net")).toEqual([
    expect.stringMatching(/^the API key lacks vpc:edit, so the update would fail with 403\. Give it to the key/),
  ]);
  const table = await tableOf(run);
  expect(table).toContain("more may be missing: `cloudinfra permissions --check` shows all");
  expect(table).not.toContain("for previews only");
});

it("names an address that the key's rules block", async () => {
  const rule = { source_ip_rule: { allowed: ["10.9.9.9/32"], blocked: [] } };
  const run = await runOf(["volume:edit"], { permissions: "fail", costQuotes: "false", preflight: "off" }, rule);
  const lacking = "access from this machine's address";
  expect(await preview(run, "Volume", "data")).toEqual([expect.stringContaining(`the API key lacks ${lacking}, so`)]);
  expect(await tableOf(run)).toContain(`${lacking}  Volume data`);
});

it("sends no request if turned off or in an update", async () => {
  const off = await runOf(["volume:edit"], { permissions: "off" });
  await preview(off, "Vpc", "net");
  const update = await runOf(["volume:edit"]);
  await update.of("Volume").check({}, sent("Volume", "data", argsFor("Volume"), false));
  expect(await probes()).toEqual([]);
  expect(await tableOf(off)).toBeUndefined();
});

describe("permissions for an existing resource", () => {
  async function stackOf(type: string, args: object): Promise<MiniStack> {
    const stack = new MiniStack();
    await stack.up(world.run(), [{ type, name: "x", args: () => args }]);
    return stack;
  }

  /** Check and diff, as a preview of the engine. */
  async function previewOf(stack: MiniStack, run: TestRun, type: string, args: object): Promise<unknown> {
    const { id, inputs, outs } = stack.stateOf("x");
    const checked = await run.of(type).check(inputs, sent(type, "x", args));
    return run.of(type).diff(id, outs, checked.inputs);
  }

  it("checks permissions for a change only", async () => {
    const args = argsFor("Volume", { size: 20 });
    const stack = await stackOf("Volume", args);
    const run = await runOf(["volume:read"]);
    const sentBefore = (await world.requests()).length;
    await previewOf(stack, run, "Volume", args);
    expect((await world.requests()).slice(sentBefore)).toEqual([]);
    await previewOf(stack, run, "Volume", argsFor("Volume", { size: 30 }));
    expect(await tableOf(run)).toMatch(/volume:edit +Volume x\n/);
  });

  it("needs volume:edit to change a VM's volume", async () => {
    const stack = await stackOf("Vm", argsFor("Vm", { bootVolume: { size: 64, type: "abs" } }));
    const run = await runOf(["vm:edit"]);
    await previewOf(stack, run, "Vm", argsFor("Vm", { bootVolume: { size: 64, type: "abs" }, tags: ["new"] }));
    expect(await tableOf(run)).toBeUndefined();
    await previewOf(stack, run, "Vm", argsFor("Vm", { bootVolume: { size: 80, type: "abs" } }));
    expect(await tableOf(run)).toMatch(/\n {2}volume:edit +Vm x\n\n/);
  });

  it("fails a forbidden change with permissions: fail", async () => {
    const stack = await stackOf("Volume", argsFor("Volume", { size: 20 }));
    const run = await runOf(["volume:read"], { permissions: "fail" });
    await expect(previewOf(stack, run, "Volume", argsFor("Volume", { size: 30 }))).rejects.toThrow(
      "the API key lacks volume:edit",
    );
  });

  it("an ApiKey's unchanged permissions are not needed", async () => {
    const permissions = [{ resourceType: "vpc", permission: "edit" }];
    const stack = await stackOf("ApiKey", argsFor("ApiKey", { permissions }));
    const run = await runOf(["api_key:edit"]);
    await previewOf(stack, run, "ApiKey", argsFor("ApiKey", { permissions, tags: ["new"] }));
    expect(await tableOf(run)).toBeUndefined();
  });
});

it.each([
  ["an error", { status: 500 }, ": the API answered 500 INTERNAL_ERROR."],
  ["a gateway's answer", { status: 400, body: "<html>no</html>" }, ""],
])("says once that %s proves no permission", async (_case, answer, reason) => {
  await world.fault({ method: "PATCH", path: "/networking/vpcs/[^/]+$", ...answer, every: 1 });
  const run = await runOf(["vpc:edit", "volume:edit"]);
  for (const name of ["a", "b"]) expect(await preview(run, "Vpc", name)).toEqual([]);
  await preview(run, "Volume", "data");
  expect(await tableOf(run)).toContain(`The preview could not find out whether the API key has vpc:edit${reason}`);
  expect(run.warnings()).toHaveLength(1);
});
