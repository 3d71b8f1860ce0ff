import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, names, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const servers: Server[] = [];

afterAll(() => {
  for (const server of servers) server.close();
});

// Each test has a stack and a simulator of its own. They run side by side: they wait more than they compute.

/** Every resource goes on although another has failed, so that what each says does not depend on which was first; all at the same time. */
const ON = ["--continue-on-error", "--parallel", "16"];

const startWhereNothingListens = (): Promise<Session> =>
  Session.start(program(oneOfEach()), { env: { CLOUDINFRA_BASE_URL: "http://127.0.0.1:9" } });

it.concurrent(
  "when nothing listens at the base URL, the preview succeeds, with unknown costs, and says in full only once what to check",
  async () => {
    const session = await startWhereNothingListens();
    const output = succeeded(await session.stack.preview());
    for (const name of names) expect(rowOf(output, name)).toMatch(/cost unknown: |no quote offered/);
    const [, diagnostics = ""] = output.split("Diagnostics:");
    const reason = /nothing listens at 127.0.0.1:9 .connection refused.. Check the base URL/g;
    expect(diagnostics.match(reason)).toHaveLength(1);
  },
);

it.concurrent(
  "when nothing listens at the base URL, the update fails on each resource, and says once what to check",
  async () => {
    const session = await startWhereNothingListens();
    const output = failed(await session.up(ON));
    for (const name of names) expect(saidOf(output, name)).toContain("(connection refused)");
    const [, diagnostics = ""] = output.split("Diagnostics:");
    expect(diagnostics.match(/Check the base URL/g)).toHaveLength(1);
    expect(session.kept()).toEqual([]);
  },
);

it.concurrent(
  "when what answers at the base URL is a web page, the update fails on each resource, says that it is no API, and keeps nothing",
  async () => {
    const server = createServer((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const env = { CLOUDINFRA_BASE_URL: `http://127.0.0.1:${port}` };
    const session = await Session.start(program(oneOfEach()), { env });
    const output = failed(await session.up(ON));
    for (const name of names) expect(saidOf(output, name)).toMatch(/text\/html instead of JSON.*Check the base URL/);
    expect(output).not.toContain("Sign in");
    expect(session.kept()).toEqual([]);
  },
);

it.concurrent.each([
  ["a web page, from a proxy that stands in between", { body: "<html>Bad gateway</html>" }],
  ["cut short", { truncate: true }],
] as const)(
  "when the answer to a creation is %s, the object is found, and not made twice; a key, whose secret is lost, is made again",
  async (_what, fault) => {
    const session = await Session.start(program(oneOfEach()));
    for (const path of session.api.collections) {
      await session.api.fault({ method: "POST", path: `^${path}$`, ...fault });
    }
    expect(succeeded(await session.up(ON))).toContain("created");
    await session.expectOneOfEach();
    expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext");
  },
);

it.concurrent(
  "when the answer to a creation is 500, the update fails on the resource with the status, and nothing is made",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    for (const path of session.api.collections) {
      await session.api.fault({ method: "POST", path: `^${path}$`, status: 500 });
    }
    const output = failed(await session.up(ON));
    expect(saidOf(output, "link")).toMatch(/create connect connection "link" \(POST .*\) was answered 500/);
    expect(saidOf(output, "deployer")).toMatch(/create API key "deployer" \(POST .*\) was answered 500/);
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
    // The run after it makes them.
    succeeded(await session.up());
    await session.expectOneOfEach();
  },
);

it.concurrent(
  "when the answers are 429, with and without Retry-After, and 503 to what may be repeated, the update waits and succeeds",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    await session.api.fault({
      method: "POST",
      path: `${paths.apiKeys}$`,
      status: 429,
      headers: { "retry-after": "0" },
    });
    await session.api.fault({ method: "POST", path: `${paths.connections}$`, status: 429, times: 2 });
    await session.api.fault({ method: "GET", path: `${session.api.rules}/`, status: 503, times: 2 });
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => request === "POST connections")).toHaveLength(3);
    expect(requests.filter((request) => request === "POST api_keys")).toHaveLength(2);
    expect(requests.filter((request) => request === "GET firewall_rules/:id")).toHaveLength(3);
    await session.expectAgreement();
  },
);

it.concurrent(
  "when the answer is 500 to a look at a new object, to an update and to a deletion, the next run goes on from there",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    succeeded(await session.up());
    session.stack.write(program(oneOfEach(), declare("ConnectConnection", "second")));
    await session.api.fault({ method: "GET", path: `${paths.connections}/`, status: 500, every: 1 });
    expect(saidOf(failed(await session.up()), "second")).toMatch(/was answered 500/);
    // Its id is kept.
    expect(session.one("second").initErrors).toHaveLength(1);
    await session.api.clearFaults();
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests).not.toContain("POST connections");
    await session.expectAgreement();

    session.stack.write(program(oneOfEach({ FirewallRule: { tags: ["new"] } })));
    await session.api.fault({ method: "PATCH", path: `${session.api.rules}/`, status: 500 });
    await session.api.fault({ method: "DELETE", path: `${paths.connections}/`, status: 500, every: 1 });
    const output = failed(await session.up(ON));
    expect(saidOf(output, "https")).toMatch(/update firewall rule "https".*was answered 500/);
    // The state stays as it was.
    expect(session.one("https").outputs["tags"] ?? []).toEqual([]);
    await session.api.clearFaults();
    succeeded(await session.up());
    expect((await session.api.held()).firewallRules[0]).toMatchObject({ tags: ["new"] });
    expect((await session.api.held()).connections).toHaveLength(1);
    await session.expectAgreement();
  },
);
