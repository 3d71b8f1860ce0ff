import { failureOf } from "../support/failure-of";
import type { CheckedProps } from "../../src/dynamic/plugin-calls";
import { sent, urnOf, withFacts } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { answer, dropAfter } from "../support/proxy/actions";
import type { Action } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { World } from "../support/world";
import { post } from "./support/recovery-fixture";

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);

const refusal = (status: number, message: string): Action =>
  answer(status, { type: "REFUSED", message, request_id: "x", timestamp: "2026-06-15T12:00:00Z", context: {} });

/** The inputs that a class sends if these arguments are secret. */
const withSecrets = (type: string, secrets: object, args: object = {}): Record<string, unknown> =>
  withFacts(sent(type, "x", world.args(type, { ...secrets, ...args }), false), {
    secretPaths: Object.keys(secrets).map((name) => [name]),
  });

/** A check and a creation in one process. */
async function make(type: string, secrets: object, journal = new MemoryJournal()) {
  const run = world.run({ baseUrl: proxy.url, costQuotes: "false" }, { journal });
  const { inputs } = await run.of(type).check({}, withSecrets(type, secrets));
  return { run, made: await run.of(type).create(inputs) };
}

const messageOf = async (making: Promise<unknown>): Promise<string> => (await failureOf(making)).message;

const reasonsOf = ({ failures }: CheckedProps): string => failures.map(({ reason }) => reason).join("\n");

it("keeps the paths of secret inputs in a refresh, and nothing without secrets", async () => {
  const pathsAfter = async (secrets: object): Promise<readonly unknown[]> => {
    const volume = world.run({}, {}).of("Volume");
    const { inputs } = await volume.check({}, withSecrets("Volume", secrets));
    const made = await volume.create(inputs);
    const { props = {} } = await volume.read(made.id, made.outs);
    expect(Object.values(props)).not.toContain(undefined);
    return [made.outs["__secretPaths"], props["__secretPaths"]];
  };
  expect(await pathsAfter({ tags: ["hidden"] })).toEqual([[["tags"]], [["tags"]]]);
  expect(await pathsAfter({})).toEqual([undefined, undefined]);
});

describe.each(["zq7", "a name that is long enough"])("a secret name %j", (name) => {
  it("writes a secret name into the journal as a hash", async () => {
    const journal = new MemoryJournal();
    await make("Volume", { name }, journal);
    expect(journal.entries).toMatchObject([{ nameHash: expect.stringMatching(/^[0-9a-f]{64}$/) as string }]);
    expect(JSON.stringify(journal.entries)).not.toContain(name);
  });

  it("names a lost object without its secret name", async () => {
    proxy.on({ method: "GET", path: /^\/v1\/audit_logs$/ }, refusal(403, "not allowed"));
    proxy.on(post("Volume"), dropAfter);
    const journal = new MemoryJournal();
    const message = await messageOf(make("Volume", { name }, journal));
    const [volume] = await world.made("Volume");
    expect(volume?.name).toBe(name);
    expect(message).toContain(`It may have made ${volume?.id}`);
    const again = await messageOf(make("Volume", { name }, journal));
    expect(again).toContain(`It may have made ${volume?.id}`);
    expect(message + again).not.toContain(name);
  });

  it("does not show a secret name that the API repeats", async () => {
    proxy.on(post("Volume"), refusal(422, `no: ${name}.`));
    const message = await messageOf(make("Volume", { name }));
    expect(message).toContain("no: [secret].");
  });
});

it("keeps a plain name readable in the journal", async () => {
  const journal = new MemoryJournal();
  await make("Volume", { tags: ["zq8"] }, journal);
  expect(journal.entries).toMatchObject([{ name: expect.stringMatching(/^x-/) as string }]);
});

it.each([
  ["a number", "size", -777, "size: must be at least 1 (is [secret])"],
  ["a long text", "type", "t".repeat(100), '(is "[secret]")'],
])("a reason hides a secret that is %s", async (_case, field, value, reason) => {
  const checked = await world
    .run()
    .of("Volume")
    .check({}, withSecrets("Volume", { [field]: value }));
  expect(reasonsOf(checked)).toContain(reason);
});

it("does not reveal a secret by suggesting its correct spelling", async () => {
  const secrets = { sourceAddress: "192.168.1.7/24", destinationPorts: ["9000-8000", 8443] };
  const checked = await world.run().of("FirewallRule").check({}, withSecrets("FirewallRule", secrets));
  expect(reasonsOf(checked).split("\n")).toEqual([
    "sourceAddress: must be network-aligned and in canonical form (is [secret])",
    "destinationPorts[0]: [secret] is reversed",
    "destinationPorts[1]: must be a string (is the number [secret])",
  ]);
});

it("a change of a secret shows neither value", async () => {
  const run = world.run();
  const lifecycle = run.of("Volume");
  const { inputs: olds } = await lifecycle.check({}, withSecrets("Volume", { size: 770 }));
  const { id, outs } = await lifecycle.create(olds);
  const next = world.run().of("Volume");
  const { inputs } = await next.check(olds, withSecrets("Volume", { size: 660 }));
  const message = await messageOf(next.diff(id, outs, inputs));
  expect(message).toMatch(/^size: cannot become smaller: .* has \[secret\], the program says \[secret\]/);
});

it("hides no short text of another resource", async () => {
  const run = world.run();
  await run.of("Volume").check({}, withSecrets("Volume", { type: "wrong" }));
  const other = withFacts(withSecrets("Volume", {}, { type: "wrong" }), { urn: urnOf("Volume", "y") });
  expect(reasonsOf(await run.of("Volume").check({}, other))).toContain('"wrong"');
});
