import { failed, saidOf, succeeded } from "./support/output";
import { inDays, names, oneOfEach, program, types } from "./support/programs";
import { Session } from "./support/session";
import { paths, type Fault } from "./support/simulated-api";

// Each test has a stack and a simulator of its own. They run side by side: they wait more than they compute.

/** Each resource goes on if another fails, and all are created at the same time. */
const ON = ["--continue-on-error", "--parallel", "16"];

/** The next request of this method to each kind of collection ends so. */
async function failOnce({ api }: Session, method: string, fault: Omit<Fault, "path">): Promise<void> {
  const end = method === "POST" ? "$" : "/[^/]+$";
  for (const path of api.collections) await api.fault({ method, path: `^${path}${end}`, ...fault });
}

const WITHOUT_EFFECT = [
  ["lost with the request", { drop: "before" }, /failed: the connection .* broke/],
  ["500", { status: 500 }, /was answered 500/],
] as const;

it.concurrent.each(WITHOUT_EFFECT)(
  "a creation that is answered %s fails, and is made once",
  async (_answer, fault, text) => {
    const session = await Session.start(program(oneOfEach()));
    await failOnce(session, "POST", fault);
    const output = failed(await session.up(ON));
    for (const name of names) {
      expect(saidOf(output, name)).toMatch(new RegExp(`create .* "${name}" \\(POST .*\\) ${text.source}`));
    }
    await session.expectAgreement();
    expect(await session.api.heldIds()).toEqual([]);
    succeeded(await session.up(ON));
    await session.expectOneOfEach();
  },
);

const AFTER_THE_EFFECT = [
  ["lost", { drop: "after" }],
  ["cut short", { truncate: true }],
  ["a web page of a proxy", { body: "<html>Bad gateway</html>" }],
] as const;

it.concurrent.each(AFTER_THE_EFFECT)("finds what it made if the answer is %s", async (_answer, fault) => {
  const session = await Session.start(program(oneOfEach()));
  await failOnce(session, "POST", fault);
  succeeded(await session.up(ON));
  await session.expectOneOfEach();
  expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext"); // of a new key: the first one's is lost
});

const tagged = (tag: string): string =>
  program(oneOfEach(Object.fromEntries(types.map((type) => [type, { tags: [tag] }]))));

it.concurrent("agrees with the API after lost answers to changes", async () => {
  const session = await Session.start(program(oneOfEach()));
  const tags = async (): Promise<unknown[]> => (await session.api.objects()).map((object) => object["tags"]);
  succeeded(await session.up(ON));

  // An update, before the effect: the state stays as it was, and the next run changes them.
  session.stack.write(tagged("first"));
  await failOnce(session, "PATCH", { drop: "before" });
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
  await failOnce(session, "PATCH", { drop: "after" });
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
  expect([...session.kept(), ...(await session.api.heldIds())]).toEqual([]);
});
