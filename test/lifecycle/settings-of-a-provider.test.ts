import type { DynamicInitFailedError } from "../../src/dynamic/plugin-calls";
import { sent, startRun, type TestRun } from "../support/lifecycle";
import { up } from "../support/mini-engine";
import { World } from "../support/world";

const world = World.forSuite();

const args = (): object => world.args("ConnectConnection");

/** What the check of a volume says, with the settings of an explicit provider. */
async function messageOf(config: Readonly<Record<string, string | undefined>>, args: object): Promise<string> {
  const run = world.run(config, { provider: "eu" });
  const news = sent("Volume", "data", world.args("Volume", args));
  const { inputs, failures } = await run.of("Volume").check({}, news);
  const texts = [...failures.map(({ reason }) => reason), ...run.texts()];
  return [...texts, JSON.stringify(inputs)].join("\n");
}

describe("advice on settings of an explicit provider", () => {
  it("names the provider in advice on an argument's default", async () => {
    expect(await messageOf({ projectId: undefined }, {})).toContain(
      'projectId: is required: give it, or set it with projectId: "<value>" among the arguments of the provider "eu" or ' +
        "CLOUDINFRA_PROJECT_ID=<value>",
    );
  });

  it("names the provider in advice on switched-off quotes", async () => {
    expect(await messageOf({ costQuotes: "false" }, {})).toContain(
      'switched off (costQuotes of the provider \\"eu\\")',
    );
  });

  it("names the provider in advice on an unchecked base URL", () => {
    const { run } = startRun({ baseUrl: "http://api.example.com" }, undefined, { provider: "eu" });
    expect(() => run.api).toThrow('allow it with allowInsecure: "true" among the arguments of the provider "eu" or');
  });

  it("names the provider in advice after failed requests", async () => {
    const { run } = startRun({ baseUrl: "http://127.0.0.1:9" }, undefined, { provider: "eu" });
    await expect(run.apiTime("")).rejects.toThrow('Check the base URL of the provider "eu", and that');
  });

  it("names the provider in refused arguments and answers", async () => {
    const wrong = { dialect: "nirvana", preflight: "off", costQuotes: "false" };
    const { id, outs } = await world.create("ConnectConnection", args());
    const run = world.run(wrong, { provider: "eu" });
    await expect(world.create("ConnectConnection", args(), { run })).rejects.toThrow(
      'check dialect of the provider "eu", which is "nirvana"',
    );
    await expect(run.of("ConnectConnection").read(id, outs)).rejects.toThrow(
      'Set the dialect with dialect: "spec" among the arguments of the provider "eu" or CLOUDINFRA_DIALECT=spec',
    );
  });
});

it.each([undefined, "eu"])("warns once of a misspelled environment variable (provider %s)", (provider) => {
  const environment = { CLOUDINFRA_REGIN: "us-sva-2" };
  const { run, ...test } = startRun({ baseUrl: "http://127.0.0.1:9" }, undefined, { environment, provider });
  expect([run.settings.region, run.settings.projectId]).toEqual([undefined, undefined]);
  expect(test.warnings()).toEqual(["No setting has the name CLOUDINFRA_REGIN. Did you mean CLOUDINFRA_REGION?"]);
});

describe("a timeout under an explicit provider", () => {
  const limit = 'customTimeouts on the resource, or operationTimeout of the provider "eu" for all (default 10m).';
  const run = (): TestRun => world.run({ operationTimeout: "30s" }, { provider: "eu" });
  const created = (): Promise<unknown> => world.create("ConnectConnection", args(), { run: run() });

  it.each([
    ["an endless operation", () => world.fault({ method: "POST", path: "connections$", operation: "never" })],
    ["a hidden new object", () => world.lag({ reads: "20m" })],
  ])("%s names the provider's limit", async (_case, arm) => {
    await arm();
    await expect(created()).rejects.toThrow(limit);
  });

  it("names the provider's time limit for an object not ready", async () => {
    await world.fault({ method: "POST", path: "connections$", operation: "never" });
    const failed = (await created().catch((error: unknown) => error)) as DynamicInitFailedError;
    const lifecycle = run().of("ConnectConnection");
    const { inputs } = await lifecycle.check({}, sent("ConnectConnection", "x", args()));
    const message = await lifecycle
      .update(failed.id, failed.properties, inputs)
      .catch((error: unknown) => (error as Error).message);
    expect(message).toContain("still showed the status");
    expect(message).toContain(limit);
  });
});

it("names the argument of a replaced provider's key", async () => {
  const key = { permissions: [{ resourceType: "api_key", permission: "edit" }], lifetime: "90d" };
  const first = (await up(world.run(), "ApiKey", key, undefined)).state;
  const own = (): TestRun => world.run({ apiKey: String(first.outs["key"]) }, { provider: "eu" });
  const replaced = { ...key, rotationTrigger: 1 };
  const { state, lines } = await up(own(), "ApiKey", replaced, first);
  expect(lines.at(-1)).toMatch(
    /Set apiKey of the provider "eu" to its successor, and the next run deletes the old one\.$/,
  );
  expect((await up(own(), "ApiKey", replaced, state)).lines).toContainEqual(
    expect.stringMatching(/If apiKey of the provider "eu" still is the old one, set it to the new one, and .* one\.$/),
  );
  await world.api("DELETE", `/v1/api_keys/${first.id}`);
  await expect(up(own(), "ApiKey", replaced, state)).rejects.toThrow(
    /the state has its successor\. Set apiKey of the provider "eu" to that\.$/,
  );
});
