import { failed, saidOf, succeeded } from "./support/output";
import { declare, inDays, names, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const ON = ["--continue-on-error"];

let session: Session;

beforeAll(async () => {
  session = await Session.start(program(oneOfEach()));
});
afterAll(() => Session.closeAll());

/** Cuts the next connection of this method to each kind of collection. */
async function drop(method: string, when: "before" | "after"): Promise<void> {
  const end = method === "POST" ? "$" : "/[^/]+$";
  for (const path of session.api.collections) {
    await session.api.fault({ method, path: `^${path}${end}`, drop: when });
  }
}

describe("when the connection breaks while objects are created", () => {
  it("before the effect: the update fails on each resource, nothing is kept, and nothing is at the API", async () => {
    await drop("POST", "before");
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(saidOf(output, name)).toMatch(
        new RegExp(`create .* "${name}" \\(POST .*\\) failed: the connection .* broke`),
      );
    }
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("after the effect: the objects are found, the key is made anew with a secret, none is there twice", async () => {
    await drop("POST", "after");
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
    expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext");
    expect(session.one("link").outputs["cost"]).toMatchObject({ monthlyTotal: "78.125" });
  });
});

describe("when the connection breaks after a creation, and the look for what it made fails as well", () => {
  it("the error says that the creation may have been done, and under which name, before anything is made twice", async () => {
    const lost = declare("ConnectConnection", "lost");
    session.stack.write(program(oneOfEach(), lost));
    await session.api.fault({ method: "POST", path: `^${paths.connections}$`, drop: "after" });
    await session.api.fault({ method: "GET", path: "^/v1/audit_logs$", status: 500, every: 1 });
    const said = saidOf(failed(await session.up(ON)), "lost");
    await session.api.clearFaults();
    const orphan = (await session.api.held()).connections.find(({ name }) => name.startsWith("lost-"))!;
    expect(said).toContain("broke before the complete answer arrived");
    expect(said).toContain(orphan.name);
    await session.api.call("DELETE", `${paths.connections}/${orphan.id}`);
  });
});

describe("when the connection breaks while objects are updated", () => {
  const tagged = (tag: string): string =>
    program(oneOfEach(Object.fromEntries(types.map((type) => [type, { tags: [tag] }]))));

  async function tags(): Promise<unknown[]> {
    return (await session.api.objects()).map((object) => object["tags"]);
  }

  it("before the effect: the update fails, the state stays as it was, and the next run changes them", async () => {
    session.stack.write(tagged("first"));
    await drop("PATCH", "before");
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(saidOf(output, name)).toContain("broke before the complete answer arrived");
      expect(session.one(name).outputs["tags"] ?? []).toEqual([]);
    }
    expect(await tags()).toEqual(types.map(() => []));
    succeeded(await session.up());
    expect(await tags()).toEqual(types.map(() => ["first"]));
    await session.expectOneOfEach();
  });

  it("after the effect: the objects show it, so the update has succeeded", async () => {
    session.stack.write(tagged("second"));
    await drop("PATCH", "after");
    succeeded(await session.up(ON));
    expect(await tags()).toEqual(types.map(() => ["second"]));
    for (const name of names) expect(session.one(name).outputs["tags"]).toEqual(["second"]);
  });
});

describe("when the connection breaks while objects are deleted", () => {
  it("in a replacement: the old ones are gone in the end, whether the effect had come or not", async () => {
    session.stack.write(
      program(oneOfEach({ ApiKey: { expiresAt: inDays(120) }, ConnectConnection: { bandwidthMbps: 200 } })),
    );
    await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "before" });
    await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "after" });
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  });

  it("in a destroy: nothing is left", async () => {
    await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "after" });
    await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "before" });
    await session.api.fault({ method: "DELETE", path: `^${session.api.rules}/`, drop: "after" });
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  });
});

describe("when the connection breaks after a creation with a name that the program gives", () => {
  it("the connection is found by its token; the key, whose secret is lost, is made anew, and state and API agree", async () => {
    session.stack.write(program(oneOfEach({ ApiKey: { name: "mine" }, ConnectConnection: { name: "mine" } })));
    await drop("POST", "after");
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  });
});
