import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { SimulatorOptions } from "../../src/simulator";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { killedUp, openEntries, rewriteEntries } from "./support/interruption";
import { counts, failed, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, DYNAMIC, NATIVE, programOf, VPC_ID, type Front } from "./support/programs";

// Each test has its own API. They run at the same time, because they mostly wait. The code under test is shared by both
// providers, and `fronts/scenarios` compares them after a kill, so each test uses one of them.

const open = (front: Front, simulator: SimulatorOptions = {}): Promise<Stage> =>
  Stage.open(front, { simulator, config: { "cloudinfra:preflight": "off" } });

/** An update whose CLI is killed after the API has made a rule, and before it has answered. */
async function killedAtRule({ front, session }: Stage, ...program: string[]): Promise<void> {
  const { api, stack } = session;
  stack.write(programOf(front, ...program));
  const before = (await api.held()).firewallRules.length;
  await api.fault({ method: "POST", path: `^${api.rules}$`, delay: "10m" });
  await killedUp(session, async () => (await api.held()).firewallRules.length > before);
  await api.clearFaults();
  session.cancel();
}

const FORBIDDEN = {
  type: "AUTHORIZATION_ERROR",
  message: "not allowed",
  request_id: "1",
  timestamp: "2026-06-15T12:00:00Z",
  context: { parameters: {} },
};
const UNFINISHED = declare("FirewallRule", "https", {}, "{ dependsOn: [data, deployer] }");
const data = (name: string, options?: string): string => declare("Volume", name, {}, options);
const key = (name: string, options?: string): string => declare("ApiKey", name, {}, options);

describe("after a run was killed", () => {
  it.concurrent("resources renamed in the state keep their objects", async () => {
    const stage = await open(DYNAMIC);
    const { front, session, proxy } = stage;
    await killedAtRule(stage, data("data"), key("deployer"), UNFINISHED);
    const [volume, apiKey] = [session.one("data"), session.one("deployer")];
    const [rule] = (await session.api.held()).firewallRules;
    expect(openEntries(session)).toHaveLength(3);

    for (const { urn } of [volume, apiKey])
      succeeded(await session.stack.pulumi(["state", "rename", "--yes", urn, `${urn.split("::").at(-1)!}Of2025`]));
    // The new ones come first, so that no request of this run has shown that the state has the old objects.
    session.stack.write(
      programOf(
        front,
        ...[data("data"), key("deployer"), UNFINISHED],
        ...[data("dataOf2025", "{ dependsOn: data }"), key("deployerOf2025", "{ dependsOn: deployer }")],
      ),
    );
    const output = succeeded(await session.up());
    expect(proxy.count(requests.deletions)).toBe(0);
    for (const [name, { id }] of [
      ["data", volume],
      ["deployer", apiKey],
    ] as const) {
      expect(session.one(`${name}Of2025`).id).toBe(id);
      expect(session.one(name).id).not.toBe(id);
      expect(diagnosticsOf(output, name)).toContain(
        `It had made ${id}, and Pulumi received it, so that a state may have it`,
      );
    }
    expect(session.one("https").id).toBe(rule!.id);
    await session.expectAgreement();
    succeeded(await session.up());
    expect(openEntries(session)).toEqual([]);
  });

  it.concurrent("--target-replace keeps an object of an older entry", async () => {
    const { front, session } = await open(NATIVE);
    session.stack.write(programOf(front, data("data"), data("disk"), key("deployer")));
    succeeded(await session.up());
    const before = Object.fromEntries(["data", "disk", "deployer"].map((name) => [name, session.one(name).id]));
    // The journal of a backup, or one that could no longer be written.
    rewriteEntries(session, (entry) => ({
      ...entry,
      isHandedOver: undefined,
      ...(entry.name?.startsWith("disk") && { id: undefined, answeredAt: undefined }),
    }));
    const output = succeeded(await session.up(session.kept().flatMap(({ urn }) => ["--target-replace", urn])));
    for (const name of ["data", "disk"]) {
      expect(session.one(name).id).toBe(before[name]);
      expect(rowOf(output, name)).toContain(`volume ${before[name]!} stays: its replacement has taken it over`);
    }
    expect(session.one("deployer").id).not.toBe(before["deployer"]);
    await session.expectAgreement();
    expect(counts(succeeded(await session.up()))).toEqual(["4 unchanged"]);
    expect(openEntries(session)).toEqual([]);
  });

  it.concurrent("an entry dated in the future blocks nothing", async () => {
    const stage = await open(DYNAMIC);
    const { session } = stage;
    await killedAtRule(stage, declare("FirewallRule", "https"));
    const [left] = (await session.api.held()).firewallRules;
    const sender = { pid: 1, space: "another machine" };
    rewriteEntries(session, (entry) => ({ ...entry, sender }), -86_400_000);
    succeeded(await session.up());
    expect(session.one("https").id).toBe(left!.id);
    await session.expectAgreement();
  });

  it.concurrent("a renamed stack names the object, and makes another", async () => {
    const stage = await open(NATIVE);
    const { session } = stage;
    const program = [data("data"), key("deployer"), UNFINISHED];
    await killedAtRule(stage, ...program);
    const [left] = (await session.api.held()).firewallRules;

    succeeded(await session.stack.pulumi(["stack", "rename", "prod"]));
    session.use("prod");
    const output = succeeded(await session.up());
    expect(output).toContain(
      "An earlier run of another stack or provider, or at another base URL, failed or was interrupted",
    );
    expect(output).toContain(`firewall rule "https" (if made, it is named "${left!.name}") in stack test/dev`);
    expect((await session.api.held()).firewallRules.map(({ id }) => id)).toEqual([left!.id, session.one("https").id]);
    expect(succeeded(await session.up())).not.toContain("An earlier run");
    expect(openEntries(session)).toMatchObject([{ urn: expect.stringContaining("::https") as unknown }]);
  });

  it.concurrent("a resource renamed by an alias finds its lost replacement", async () => {
    const stage = await open(DYNAMIC);
    const { session } = stage;
    session.stack.write(programOf(DYNAMIC, data("data")));
    succeeded(await session.up());
    const { id } = session.one("data");
    const replaced = (name: string, options?: string): string => declare("Volume", name, { type: "nvme" }, options);
    await session.api.fault({ method: "POST", path: "^/v1/compute/volumes$", delay: "10m" });
    session.stack.write(programOf(DYNAMIC, replaced("data")));
    await killedUp(session, async () => (await session.api.heldIds()).length > 1);
    await session.api.clearFaults();
    session.cancel();
    const left = (await session.api.heldIds()).find((each) => each !== id);

    session.stack.write(programOf(DYNAMIC, replaced("renamed", '{ aliases: [{ name: "data" }] }')));
    expect(succeeded(await session.up())).toContain(`It had made ${left}`);
    expect(await session.api.heldIds()).toContain(session.one("renamed").id);
    expect(await session.api.heldIds()).not.toContain(id);
  });

  it.concurrent("a later engine at the same address ignores old notes", async () => {
    const stage = await open(DYNAMIC);
    const { session } = stage;
    session.stack.write(programOf(DYNAMIC, data("data")));
    succeeded(await session.up());
    const { id } = session.one("data");
    await killedAtRule(stage, data("data"), declare("FirewallRule", "https"));

    // The program gives the file of the killed run the name of its own run's.
    const runs = join(session.stack.env["XDG_CACHE_HOME"]!, "pulumi-cloudinfra", "runs");
    const [left = ""] = readdirSync(runs).filter((name) => name.endsWith("-objects"));
    expect(readFileSync(join(runs, left), "utf8")).toContain('"decision":"kept"');
    const renamed = `
      const [engine, own] = [process.env.PULUMI_NODEJS_ENGINE, require("node:os").hostname()];
      const name = encodeURIComponent(own + "-" + engine + "-objects");
      require("node:fs").renameSync(${JSON.stringify(join(runs, left))}, ${JSON.stringify(runs)} + "/" + name);`;
    session.stack.write(programOf(DYNAMIC, renamed));
    succeeded(await session.up());
    expect(await session.api.heldIds()).not.toContain(id);
  });

  it.concurrent("a 409 is explained by the lost creation", async () => {
    const stage = await open(NATIVE, { lag: "lists=10m,audit=10m" });
    const { session, proxy } = stage;
    await killedAtRule(stage, declare("FirewallRule", "https"));
    const [left] = (await session.api.held()).firewallRules;
    await session.api.advance("31s"); // the cut-off request is no longer in doubt
    const error = {
      type: "CONFLICT_ERROR",
      message: "the name is in use",
      request_id: "1",
      timestamp: "2026-06-15T12:00:00Z",
    };
    proxy.on(requests.creations, does.answer(409, { ...error, context: { parameters: {} } }));
    const diagnostics = diagnosticsOf(failed(await session.up()), "https");
    expect(diagnostics).toContain("the name is in use");
    expect(diagnostics).toContain(
      `may have made a firewall rule named "${left!.name}". Run again when the API shows it, or adopt it`,
    );
    proxy.clear();
    await session.api.advance("20m");
    succeeded(await session.up());
    expect(session.one("https").id).toBe(left!.id);
    await session.expectAgreement();
  });
});

it.concurrent("keeps what a refused second delivery had made first", async () => {
  const { front, session, proxy } = await open(DYNAMIC);
  session.stack.write(
    programOf(front, declare("Volume", "archive", { size: 6_000 }), declare("FirewallRule", "https")),
  );
  proxy.on({ ...requests.creations, path: /\/volumes$/ }, does.repeat);
  proxy.on({ ...requests.creations, path: /\/firewall_rules$/ }, does.answerAfter(422));
  succeeded(await session.up());
  expect(proxy.requests.filter(({ method, path }) => method === "POST" && path.endsWith("/volumes"))).toMatchObject([
    { status: 409 },
  ]);
  await session.expectAgreement();
  expect(session.kept()).toHaveLength(2);
});

it.concurrent("names what the log shows of a first delivery", async () => {
  const { front, session, proxy } = await open(NATIVE);
  session.stack.write(programOf(front, declare("Volume", "archive", { size: 6_000 })));
  proxy
    .on({ ...requests.creations, nth: 1 }, does.repeat)
    .on(
      requests.auditLogs,
      does.auditLogsOnly(({ status_code: status }) => status === 409),
    )
    .on(
      requests.lists,
      does.rewrite((body) => ({ ...body, items: [] })),
    );
  const refused = async (): Promise<string> => diagnosticsOf(failed(await session.up()), "archive");
  expect([await refused(), await refused()]).toEqual(Array(2).fill(expect.stringContaining("409 CONFLICT_ERROR")));
  const [first] = await session.api.heldIds();
  proxy.clear();
  session.stack.write(programOf(front, declare("Volume", "small", { size: 1 })));
  expect(succeeded(await session.up())).toContain(`is ${first!}. Delete what you do not use, or adopt it`);
});

it.concurrent("names what an attempt made before the rate limit", async () => {
  const { front, session, proxy } = await open(DYNAMIC);
  session.stack.write(programOf(front, declare("Volume", "archive"), declare("FirewallRule", "https")));
  proxy.on({ ...requests.creations, path: /\/volumes$/, nth: 1 }, does.answerAfter(429));
  proxy.on({ ...requests.creations, path: /\/firewall_rules$/, nth: 1 }, does.answer(429));
  succeeded(await session.up());
  await session.api.advance("25h");
  expect(session.kept()).toHaveLength(2);
  const [twin] = (await session.api.heldIds()).filter((id) => session.kept().every((kept) => kept.id !== id));
  const output = succeeded(await session.up());
  expect(counts(output)).toEqual(["3 unchanged"]);
  expect(output).toContain(`is ${twin!}. Delete what you do not use, or adopt it`);
  expect(openEntries(session)).toMatchObject([{ id: twin, isSuperseded: true }]);
});

it.concurrent("names earlier attempts without an audit log", async () => {
  const { front, session, proxy } = await open(NATIVE);
  session.stack.write(programOf(front, declare("Volume", "archive")));
  proxy
    .on({ ...requests.creations, nth: 1 }, does.answerAfter(429))
    .on(requests.auditLogs, does.answer(403, FORBIDDEN));
  succeeded(await session.up());
  await session.api.advance("25h");
  const { id } = session.one("archive");
  const { name } = await session.api.call("GET", `/v1/compute/volumes/${id}`);
  const named = `volume "archive" (if made, it is named "${name}") in stack test/dev is one that the audit log does not identify, and not ${id}`;
  expect(succeeded(await session.up())).toContain(named);
  expect(succeeded(await session.up())).not.toContain(named);
});

it.concurrent("names a second object that the log shows days later", async () => {
  const { front, session, proxy } = await open(NATIVE);
  session.stack.write(programOf(front, declare("Volume", "archive")));
  succeeded(await session.up());
  const { id, urn } = session.one("archive");
  proxy.on(requests.creations, does.answerAfter(404)).on(requests.auditLogs, does.foreign404);
  failed(await session.up(["--replace", urn]));
  const [twin] = (await session.api.heldIds()).filter((held) => held !== id);
  proxy.clear();
  proxy.on(
    requests.auditLogs,
    does.auditLogsOnly(() => false),
  );
  expect(succeeded(await session.up())).toContain("An earlier run failed or was interrupted");
  proxy.clear();
  const sentAt = new Date(Date.now() - 3 * 86_400_000).toISOString();
  rewriteEntries(session, (entry) => ({ ...entry, sentAt, sentHereAt: sentAt }));
  expect(succeeded(await session.up())).toContain(`is ${twin!}. Delete what you do not use, or adopt it`);
  expect(succeeded(await session.up())).not.toContain(twin);
});

it.concurrent("names a creation that the log shows without a target", async () => {
  const { front, session, proxy } = await open(DYNAMIC);
  const noLists = does.rewrite((body) => ({ ...body, items: [] }));
  const noLogs = does.auditLogsOnly(() => false);
  session.stack.write(programOf(front, declare("Volume", "archive")));
  proxy.on({ ...requests.creations, nth: 1 }, does.answerAfter(422));
  proxy.on(requests.lists, noLists).on(requests.auditLogs, noLogs);
  expect(diagnosticsOf(failed(await session.up()), "archive")).toContain("was answered 422");
  succeeded(await session.up());
  const [first] = (await session.api.objects()).filter(({ id }) => id !== session.one("archive").id);
  proxy.clear();
  proxy.on(requests.lists, noLists).on(requests.auditLogs, does.withoutTargets);
  const named = `volume "archive" (if made, it is named "${first!.name}")`;
  const output = succeeded(await session.up());
  expect(counts(output)).toEqual(["2 unchanged"]);
  expect(output).toContain(`${named} in stack test/dev is one that the audit log does not identify`);
  expect(succeeded(await session.up())).not.toContain(named);
  expect(openEntries(session)).toMatchObject([{ name: first!.name }]);
});

it.concurrent("a deletion that nobody could see advises a refresh", async () => {
  const { front, session, proxy } = await open(NATIVE);
  const rule = declare("FirewallRule", "https");
  session.stack.write(programOf(front, rule));
  succeeded(await session.up());
  const { id } = session.one("https");
  proxy.on(requests.deletions, does.answerAfter(500)).on(requests.reads, does.foreign404);
  session.stack.write(programOf(front));
  expect(diagnosticsOf(failed(await session.up()), "https")).toContain(
    `the API may have deleted firewall rule ${id} all the same. Run \`pulumi refresh\` before you declare it again`,
  );
  proxy.clear();
  session.stack.write(programOf(front, rule));
  succeeded(await session.refresh());
  succeeded(await session.up());
  await session.expectAgreement();
  expect(session.one("https").id).not.toBe(id);
});

it.concurrent("uses the login's backend if the url is commented out", async () => {
  const { front, session } = await open(DYNAMIC);
  const { stack } = session;
  stack.write(programOf(front, declare("FirewallRule", "https")));
  const url = stack.env["PULUMI_BACKEND_URL"]!;
  delete stack.env["PULUMI_BACKEND_URL"];
  succeeded(await stack.pulumi(["login", url]));
  const path = join(stack.folder, "Pulumi.yaml");
  const project = Object.entries(JSON.parse(readFileSync(path, "utf8")) as object);
  const comments = Array.from({ length: 40 }, () => "    # more of it");
  const lines = project.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  writeFileSync(path, [...lines, "backend:", "  # url: s3://theirs", "", ...comments, ""].join("\n"));
  succeeded(await session.up());
  expect(openEntries(session)).toMatchObject([{ id: session.one("https").id, stack: { backend: url } }]);
  succeeded(await session.stack.preview());
  expect(openEntries(session)).toEqual([]);
});

it.concurrent("counts an object on two pages once", async () => {
  const { front, session, proxy } = await Stage.open(NATIVE);
  proxy.on({ method: "GET", path: /s$/ }, does.onTwoPages);
  const vpc = `exports.vpc = cloudinfra.getVpcOutput({ name: "default" }).id;`;
  session.stack.write(programOf(front, declare("NksLoadBalancer", "ingress"), vpc));
  succeeded(await session.stack.up());
  expect([session.one("ingress").id, session.outputs()["vpc"]]).toEqual([loadBalancerObject.id, VPC_ID]);
  expect(proxy.requests.some(({ path, query }) => path.endsWith("/vpcs") && query.includes("cursor=second"))).toBe(
    true,
  );
  expect(counts(succeeded(await session.up()))).toEqual(["2 unchanged"]);
});
