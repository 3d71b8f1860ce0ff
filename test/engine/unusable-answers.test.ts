import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, names, oneOfEach, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

afterAll(() => Session.closeAll());

/** Every resource goes on although another has failed, so that what each says does not depend on which was first. */
const ON = ["--continue-on-error"];

describe("when nothing listens at the base URL", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(program(oneOfEach()), { env: { CLOUDINFRA_BASE_URL: "http://127.0.0.1:9" } });
  });

  it("the preview succeeds, with unknown costs, and says once what to check", async () => {
    const output = succeeded(await session.stack.preview());
    for (const name of names) expect(rowOf(output, name)).toMatch(/cost unknown: |no quote offered/);
    expect(output).toContain("nothing listens at 127.0.0.1:9 (connection refused). Check the base URL");
  });

  it("the update fails on each resource, and says what to check", async () => {
    const output = failed(await session.up(ON));
    for (const name of names) expect(saidOf(output, name)).toMatch(/connection refused.*Check the base URL/);
    expect(session.kept()).toEqual([]);
  });
});

describe("when what answers at the base URL is a web page", () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { "content-type": "text/html" }).end("<html><body>Sign in</body></html>");
  });
  let session: Session;

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    session = await Session.start(program(oneOfEach()), { env: { CLOUDINFRA_BASE_URL: `http://127.0.0.1:${port}` } });
  });
  afterAll(() => void server.close());

  it("the update fails on each resource, says that it is no API, and keeps nothing", async () => {
    const output = failed(await session.up(ON));
    for (const name of names) expect(saidOf(output, name)).toMatch(/text\/html instead of JSON.*Check the base URL/);
    expect(output).not.toContain("Sign in");
    expect(session.kept()).toEqual([]);
  });
});

describe.each([
  ["a web page, from a proxy that stands in between,", { body: "<html>Bad gateway</html>" }],
  ["cut short", { truncate: true }],
] as const)("when the answer to a creation is %s", (_what, fault) => {
  let session: Session;
  let output: string;

  beforeAll(async () => {
    session = await Session.start(program(oneOfEach()));
    for (const path of session.api.collections) {
      await session.api.fault({ method: "POST", path: `^${path}$`, ...fault });
    }
    output = succeeded(await session.up(ON));
  });

  it("the objects are found by the names that were chosen for them: nothing is lost or made twice", async () => {
    await session.expectOneOfEach();
    expect(output).toContain("created");
  });

  it("the key has its secret: it was made again, since the first one's was in the lost answer", () => {
    expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext");
  });
});

describe("when the answer is an error of the service", () => {
  let session: Session;

  beforeAll(async () => {
    session = await Session.start(program(oneOfEach()));
  });

  it("500 to a creation: the update fails on the resource with the status, and nothing is made", async () => {
    for (const path of session.api.collections) {
      await session.api.fault({ method: "POST", path: `^${path}$`, status: 500 });
    }
    const output = failed(await session.up(ON));
    expect(saidOf(output, "link")).toMatch(/create connect connection "link" \(POST .*\) was answered 500/);
    expect(saidOf(output, "deployer")).toMatch(/create API key "deployer" \(POST .*\) was answered 500/);
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("429 with and without Retry-After, and 503 to what may be repeated: the next update waits and succeeds", async () => {
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
  });

  it("500 to every look at a new object: its id is kept, and the next update goes on from there", async () => {
    session.stack.write(program(oneOfEach(), declare("ConnectConnection", "second")));
    await session.api.fault({ method: "GET", path: `${paths.connections}/`, status: 500, every: 1 });
    expect(saidOf(failed(await session.up()), "second")).toMatch(/was answered 500/);
    expect(session.one("second").initErrors).toHaveLength(1);
    await session.api.clearFaults();
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests).not.toContain("POST connections");
    await session.expectAgreement();
  });

  it("500 to an update and to a deletion: the state stays as it was, and the next run finishes it", async () => {
    session.stack.write(program(oneOfEach({ FirewallRule: { tags: ["new"] } })));
    await session.api.fault({ method: "PATCH", path: `${session.api.rules}/`, status: 500 });
    await session.api.fault({ method: "DELETE", path: `${paths.connections}/`, status: 500, every: 1 });
    const output = failed(await session.up(ON));
    expect(saidOf(output, "https")).toMatch(/update firewall rule "https".*was answered 500/);
    expect(session.one("https").outputs["tags"] ?? []).toEqual([]);
    await session.api.clearFaults();
    succeeded(await session.up());
    expect((await session.api.held()).firewallRules[0]).toMatchObject({ tags: ["new"] });
    expect((await session.api.held()).connections).toHaveLength(1);
    await session.expectAgreement();
  });
});
