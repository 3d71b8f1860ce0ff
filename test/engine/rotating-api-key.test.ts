import { readFileSync } from "node:fs";
import { join } from "node:path";
import { failed, rowOf, succeeded } from "./support/output";
import { keysHeld, pairOf, type PairOfKeys } from "./support/pair-of-keys";
import { declareOnly, inDays, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const permissions = [{ resourceType: "vm", permission: "edit" }];

/** A rotating key, a file with the previous key, and outputs of the stack. */
const rotating = (args = ""): string =>
  program(
    `const ci = new cloudinfra.RotatingApiKey("ci", {
       permissions: ${JSON.stringify(permissions)}, period: "30d", ${args} });`,
    // Complete at every moment: a file that is overwritten in place is empty for a moment.
    `const write = ({ path, text }) => {
       const fs = require("node:fs");
       fs.writeFileSync(path + ".new", text);
       fs.renameSync(path + ".new", path);
     };
     const provider = {
       create: async (inputs) => (write(inputs), { id: "file", outs: inputs }),
       update: async (_id, _olds, news) => (write(news), { outs: news }),
     };
     class KeyFile extends pulumi.dynamic.Resource {
       constructor(name, props) { super(provider, name, props); }
     }
     new KeyFile("file", { path: __dirname + "/previous.key", text: ci.previous.key });`,
    `module.exports = { current: ci.current, previous: ci.previous, nextRotation: ci.nextRotation };`,
  );

/** Clients that sign in, one request after another, during an action. Resolves with the answers. */
async function answersDuring(session: Session, keys: readonly (() => string)[], action: () => Promise<unknown>) {
  const answers: number[] = [];
  const done = new AbortController();
  const clients = keys.map(async (key) => {
    while (!done.signal.aborted) answers.push(await session.api.signIn(key()));
  });
  try {
    await action();
  } finally {
    done.abort();
    await Promise.all(clients);
  }
  return answers;
}

describe("a rotating key in a stack", () => {
  const session = forSuite(() => Session.start(rotating(), { env: { PULUMI_EXPERIMENTAL: "1" } }));
  let first: PairOfKeys;

  beforeAll(async () => {
    expect(succeeded(await session.stack.preview())).toMatch(/nextRotation: "/); // known before anything is created
    expect(succeeded(await session.stack.up(["--strict"]))).toContain("+ 6 created");
    first = pairOf(session);
  });

  it("makes both keys in the first run", async () => {
    expect(await keysHeld(session)).toEqual([first.current.id, first.previous.id].sort());
    expect([first.current.expiresAt, first.previous.expiresAt]).toEqual([inDays(91), inDays(91)]);
    expect([await session.api.signIn(first.current.key), await session.api.signIn(first.previous.key)]).toEqual([
      200, 200,
    ]);
    expect(session.outputs()).toMatchObject({ current: { id: first.current.id, expiresAt: inDays(91) } });
    const written = Object.values(session.stack.files()).filter((text) => text.includes(first.current.key));
    expect(written).toEqual([]);
  });

  it("changes nothing before the rotation", async () => {
    const { result, requests } = await session.api.during(() => session.stack.preview(["--expect-no-changes"]));
    expect(succeeded(result)).toContain("6 unchanged");
    expect(requests).toEqual(["GET regions"]);
  });

  it("replaces the older key when due, and refuses no client", async () => {
    await session.api.advance("30d");
    const file = join(session.stack.folder, "previous.key");
    let output = "";
    const clients = [() => readFileSync(file, "utf8"), () => first.current.key];
    const answers = await answersDuring(session, clients, async () => {
      output = succeeded(await session.stack.up(["--strict"]));
    });
    expect(answers.length).toBeGreaterThan(10);
    expect(new Set(answers)).toEqual(new Set([200]));
    expect(output).toContain("+-1 replaced");
    expect(rowOf(output, "ci-schedule")).toContain(`rotates slot b: due since ${inDays(27).slice(0, 10)}`);
    const after = pairOf(session);
    expect(after.previous).toEqual(first.current);
    expect(after.current.expiresAt).toBe(inDays(121));
    expect(await keysHeld(session)).toEqual([after.current.id, after.previous.id].sort());
  });

  it("leaves no key after a destroy", async () => {
    succeeded(await session.destroy());
    expect(await keysHeld(session)).toEqual([]);
  });
});

it("a failed run with an alias keeps both keys", async () => {
  const named = (name: string, options = "", more = ""): string =>
    program(
      `const ci = new cloudinfra.RotatingApiKey("${name}", {
         permissions: ${JSON.stringify(permissions)}, period: "30d", ${more} }, ${options || undefined});`,
      `module.exports = { current: ci.current, previous: ci.previous };`,
    );
  const session = await Session.startUp(named("ci"));
  const before = await keysHeld(session);
  session.stack.write(named("deployer", `{ aliases: [{ name: "ci" }] }`, `tags: ["renamed"]`));
  await session.api.fault({ method: "PATCH", path: "/api_keys/", status: 403, every: 1 });
  failed(await session.up());
  await session.api.clearFaults();
  succeeded(await session.up());
  expect(await keysHeld(session)).toEqual(before);
});

it("does not rotate if --target leaves the pair out", async () => {
  const session = await Session.startUp(program(declareOnly("Volume", "data", { size: 100, type: "abs" })));
  session.stack.write(`${rotating()}\nnew cloudinfra.Volume("data", { size: 200, type: "abs" });`);
  succeeded(await session.up(["--target", session.one("data").urn]));
  expect(await keysHeld(session)).toEqual([]);
  succeeded(await session.up());
  expect(await keysHeld(session)).toHaveLength(2);
});

it("turns an existing ApiKey into the previous key", async () => {
  const expiresAt = inDays(60);
  const session = await Session.startUp(program(declareOnly("ApiKey", "deployer", { permissions, expiresAt })));
  const { id } = session.one("deployer");
  const aliases = `[{ name: "deployer", parent: pulumi.rootStackResource }]`;
  session.stack.write(rotating(`slotA: { aliases: ${aliases}, expiresAt: "${expiresAt}" }`));
  const output = succeeded(await session.up());
  expect(output).not.toContain("replaced");
  const { current, previous } = pairOf(session);
  expect(previous).toMatchObject({ id, expiresAt });
  expect(await session.api.signIn(previous.key)).toBe(200);
  expect(current.expiresAt).toBe(inDays(91));
  session.stack.write(rotating());
  expect(succeeded(await session.up())).not.toMatch(/replaced|created|deleted/);
  expect(pairOf(session).previous.id).toBe(id);
});
