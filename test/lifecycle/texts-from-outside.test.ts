import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { kinds } from "../../src/resources/registry";
import { MiniStack } from "../support/mini-engine";
import { messageOf } from "../../src/lifecycle/errors";
import { redacted } from "../../src/text/redaction";
import { sent } from "../support/lifecycle";
import { World } from "../support/world";

/** Characters that a terminal obeys, and those that turn the direction of writing. */
const HOSTILE = /[\p{Cc}\p{Cf}\u2028\u2029]/u;
const attackWith = (apiKey: string): string => `\u001b[2J\u009b31m\u202e${apiKey}\u2066\u0007`;

const world = World.forSuite();
const proxy = FaultProxy.forSuite(world);
let attack: string;
beforeAll(() => {
  attack = attackWith(world.simulator.apiKey);
});

/** Members that the client goes by: with another text in them it stops, and says which. */
const NEEDED =
  /(^|_)(id|at)$|^(next_cursor|monthly_total|unit_price|monthly_amount|monthly_amount_delta|monthly_total_delta)$/;

/** Every string behind a member's name, however deep, with the attack behind it. */
function poisoned(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => poisoned(each, name));
  if (typeof value === "object" && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poisoned(each, key)]));
  }
  return typeof value === "string" && !NEEDED.test(name) ? `${value}${attack}` : value;
}

const program = kinds.map(({ type }) => ({ type, name: type, args: () => world.args(type) }));

/** All messages of runs that create, refresh, change and delete, also of failed ones. */
async function textsOfStackLife(stack: MiniStack, fault: object = {}): Promise<string[]> {
  const texts: string[] = [];
  const live = async (
    step: (run: ReturnType<World["run"]>) => Promise<readonly { readonly error: unknown }[]>,
  ): Promise<void> => {
    if (Object.keys(fault).length > 0) await world.fault(fault as Record<string, unknown>);
    const run = world.run({ baseUrl: proxy.url, operationTimeout: "30s" });
    const failures = await step(run);
    texts.push(...run.texts(), ...failures.map(({ error }) => messageOf(error)));
  };
  await live(async (run) => (await stack.up(run, program)).failures);
  await live((run) => stack.refresh(run));
  await live(async (run) => (await stack.up(run, program)).failures);
  await live(async (run) => (await stack.up(run, [])).failures);
  return texts;
}

function expectHarmless(texts: readonly string[]): void {
  for (const text of texts) {
    for (const line of text.split("\n")) expect(line).not.toMatch(HOSTILE);
    expect(text).not.toContain(world.simulator.apiKey);
  }
}

it("shows no secret of the run that the API repeats", async () => {
  const calls = world.run().of("ApiKey");
  const { inputs } = await calls.check({}, sent("ApiKey", "x", world.args("ApiKey"), false));
  const { outs } = await calls.create(inputs);
  const { value: secret } = outs["key"] as { readonly value: string };
  expect(secret.length).toBeGreaterThan(10);
  expect(redacted(`tags[0] is ${secret}`)).not.toContain(secret);
});

it.each([
  ["every answer", {}],
  ["answers to failed operations", { method: "POST", path: "s$", operation: "fail", every: 1 }],
  ["refusals of creations", { method: "POST", path: "s$", status: 409, every: 1 }],
  ["refusals of everything", { path: "/v1/", status: 403, every: 1 }],
])("hides escape sequences and the credential in %s", async (_case, fault) => {
  proxy.on(
    {},
    rewrite((body) => poisoned(body, "") as Readonly<Record<string, unknown>>),
  );
  const texts = await textsOfStackLife(new MiniStack(), fault);
  expect(texts.length).toBeGreaterThan(0);
  expectHarmless(texts);
});

it("shows neither escape sequences nor the credential on a row", async () => {
  const stack = new MiniStack();
  expect((await stack.up(world.run(), program)).failures).toEqual([]);
  proxy.on(
    { method: "GET" },
    rewrite((body) => poisoned(body, "") as Readonly<Record<string, unknown>>),
  );
  const run = world.run({ baseUrl: proxy.url });
  expect(await stack.refresh(run)).toEqual([]);
  expect(run.lines.length).toBeGreaterThan(0);
  expectHarmless(run.texts());
});
