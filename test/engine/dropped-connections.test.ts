import { failed, saidOf, succeeded } from "./support/output";
import { declare, inDays, names, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

// Each test has a stack and a simulator of its own. They run side by side: they wait more than they compute.

/** Each resource goes on if another fails, and all are created at the same time. */
const ON = ["--continue-on-error", "--parallel", "16"];

/** Cuts the next connection of this method to each kind of collection. */
async function drop({ api }: Session, method: string, when: "before" | "after"): Promise<void> {
  const end = method === "POST" ? "$" : "/[^/]+$";
  for (const path of api.collections) await api.fault({ method, path: `^${path}${end}`, drop: when });
}

it.concurrent(
  "when the connection breaks before the effect of creations, the update fails on each resource, nothing is kept, and nothing is at the API",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    await drop(session, "POST", "before");
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(saidOf(output, name)).toMatch(
        new RegExp(`create .* "${name}" \\(POST .*\\) failed: the connection .* broke`),
      );
    }
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
    // The run after it makes them, and each once, although answers are lost again.
    await drop(session, "POST", "after");
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  },
);

it.concurrent(
  "when the connection breaks after the effect of creations, the objects are found, the key is made anew with a secret, none is there twice",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    await drop(session, "POST", "after");
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
    expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext");
    expect(session.one("link").outputs["cost"]).toMatchObject({ monthlyTotal: "78.125" });
  },
);

it.concurrent(
  "when the connection breaks after creations with names that the program gives, the connection is found by its token, the key is made anew",
  async () => {
    const session = await Session.start(
      program(oneOfEach({ ApiKey: { name: "mine" }, ConnectConnection: { name: "mine" } })),
    );
    await drop(session, "POST", "after");
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  },
);

it.concurrent(
  "when the connection breaks after a creation, and the look for what it made fails as well, the error says that the creation may have been done, and under which name, before anything is made twice",
  async () => {
    const link = declare("ConnectConnection", "link");
    const session = await Session.start(program(link));
    succeeded(await session.up());
    session.stack.write(program(link, declare("ConnectConnection", "lost")));
    await session.api.fault({ method: "POST", path: `^${paths.connections}$`, drop: "after" });
    await session.api.fault({ method: "GET", path: "^/v1/audit_logs$", status: 500, every: 1 });
    const said = saidOf(failed(await session.up(ON)), "lost");
    const [orphan, ...others] = (await session.api.held()).connections.filter(({ name }) => name.startsWith("lost-"));
    expect(others).toEqual([]);
    expect(said).toContain("broke before the complete answer arrived");
    expect(said).toContain(orphan!.name);
    // The run after it finds it.
    await session.api.clearFaults();
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.one("lost").id).toBe(orphan!.id);
  },
);

const tagged = (tag: string): string =>
  program(oneOfEach(Object.fromEntries(types.map((type) => [type, { tags: [tag] }]))));

it.concurrent(
  "when the connection breaks while objects are updated, replaced and deleted, state and API agree after each run, or after the next",
  async () => {
    const session = await Session.start(program(oneOfEach()));
    const tags = async (): Promise<unknown[]> => (await session.api.objects()).map((object) => object["tags"]);
    // They are found again after lost answers, and the key is made anew.
    await drop(session, "POST", "after");
    succeeded(await session.up(ON));

    // An update, before the effect: the state stays as it was, and the next run changes them.
    session.stack.write(tagged("first"));
    await drop(session, "PATCH", "before");
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(saidOf(output, name)).toContain("broke before the complete answer arrived");
      expect(session.one(name).outputs["tags"] ?? []).toEqual([]);
    }
    expect(await tags()).toEqual(types.map(() => []));
    succeeded(await session.up());
    expect(await tags()).toEqual(types.map(() => ["first"]));
    await session.expectOneOfEach();

    // After the effect: the objects show it, so the update has succeeded.
    session.stack.write(tagged("second"));
    await drop(session, "PATCH", "after");
    succeeded(await session.up(ON));
    expect(await tags()).toEqual(types.map(() => ["second"]));
    for (const name of names) expect(session.one(name).outputs["tags"]).toEqual(["second"]);

    // A replacement: the old ones are gone in the end, whether the effect had come or not.
    session.stack.write(
      program(oneOfEach({ ApiKey: { expiresAt: inDays(120) }, ConnectConnection: { bandwidthMbps: 200 } })),
    );
    await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "before" });
    await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "after" });
    succeeded(await session.up(ON));
    await session.expectOneOfEach();

    // A destroy: nothing is left.
    await session.api.fault({ method: "DELETE", path: `^${paths.apiKeys}/`, drop: "after" });
    await session.api.fault({ method: "DELETE", path: `^${paths.connections}/`, drop: "before" });
    await session.api.fault({ method: "DELETE", path: `^${session.api.rules}/`, drop: "after" });
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    expect(await session.api.heldIds()).toEqual([]);
  },
);
