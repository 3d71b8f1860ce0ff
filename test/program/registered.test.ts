import * as pulumi from "@pulumi/pulumi";
import type { Definition } from "../../src/definition/types";
import { registerDynamic } from "../../src/dynamic/dynamic-resource";
import { registerNative } from "../../src/native/program/plugin-classes";
import { registrationsOfProgram } from "../../src/program/registrations";
import { resourceClass } from "../../src/program/resource";
import { ApiKey, apiKey } from "../../src/resources/api-key";
import { CostSummary, costSummary } from "../../src/resources/cost-summary";
import { FirewallRule, firewallRule } from "../../src/resources/firewall-rule";
import { OUTPUT_AS_TEXT } from "../support/output-as-text";

const vpcId = "5a5a5a5a-0000-4000-8000-000000000001";
const args = { vpcId, name: "web" };
const valueOf = (value: unknown): Promise<unknown> =>
  new Promise((resolve) => {
    pulumi.all([value]).apply(([known]) => resolve(known));
  });
/** A program in a unit test, without an engine. */
const mocked = (isPreview: boolean, organization?: string): Promise<void> =>
  pulumi.runtime.setMocks(
    { newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) },
    "project",
    "stack",
    isPreview,
    organization,
  );

beforeEach(() => mocked(false));

it("a class has the name of its kind", () => {
  expect(FirewallRule.name).toBe("FirewallRule");
  const call = (): unknown => Reflect.apply(FirewallRule as unknown as () => void, undefined, ["x"]);
  expect(call).toThrow(/^(?!.*Defined)/);
});

it("accepts missing arguments for a kind with a secret", async () => {
  const key = new ApiKey("x", undefined as never);
  expect(await valueOf(key.name)).toBeUndefined();
  expect(() => new ApiKey("x", "default" as never)).toThrow('ApiKey "x" takes its arguments in an object');
});

it.each(["", " ", undefined as unknown as string])("refuses a get of the id %j", (id) => {
  expect(() => FirewallRule.get("x", id)).toThrow(
    'FirewallRule.get("x") was given no id. Give the id of the firewall rule',
  );
});

it("refuses an Output converted to a string as id in get", () => {
  expect(() => FirewallRule.get("x", OUTPUT_AS_TEXT)).toThrow(
    'FirewallRule.get("x") was given an id that contains an Output, and not its value: write pulumi.interpolate',
  );
});

it.each<[what: string, resources: () => unknown, given: string]>([
  ["a text", () => ["urn:x"], 'has "urn:x"'],
  ["a text alone", () => "urn:x", 'has "urn:x"'],
  ["nothing", () => [undefined], "has undefined"],
  ["a resource alone", () => new FirewallRule("alone", args as never), "has a resource alone"],
])("refuses a cost summary of %s", (_case, resources, given) => {
  expect(() => new CostSummary("cost", { resources: resources() as pulumi.CustomResource[] })).toThrow(
    `CostSummary "cost": resources must be a list of resources such as [link, data] (${given}).`,
  );
});

describe.each([
  ["dynamic", registerDynamic, "pulumi-nodejs:dynamic/cloudinfra:FirewallRule", "cloudinfra:index:FirewallRule"],
  ["first-class", registerNative, "cloudinfra:index:FirewallRule", "pulumi-nodejs:dynamic/cloudinfra:FirewallRule"],
])("when a program registers a resource of the %s provider", (_front, register, token, formerType) => {
  const propsOf = (options?: pulumi.CustomResourceOptions): pulumi.Inputs =>
    register(firewallRule, "x", args, options).sent[2];
  const optionsOf = (options?: pulumi.CustomResourceOptions): pulumi.CustomResourceOptions =>
    register(firewallRule, "x", args, options).sent[3];

  it("refuses an argument among the options", () => {
    const options = { adopt: "an-id" } as pulumi.CustomResourceOptions;
    expect(() => register(firewallRule, "x", args, options)).toThrow(
      'FirewallRule "x": adopt is an argument, not an option. Give it before the options: new FirewallRule("x", { adopt: … }).',
    );
    expect(() => register(costSummary, "cost", {}, { budget: {} } as pulumi.CustomResourceOptions)).toThrow(
      'CostSummary "cost": budget is an argument, not an option.',
    );
  });

  it.each([
    [undefined, "undefined"],
    ["", '""'],
    [{ vpcId }, "an object"],
  ])("refuses the name %j", (wrong, given) => {
    expect(() => register(firewallRule, wrong as string, args)).toThrow(
      `FirewallRule takes its name first, and was given ${given}: new FirewallRule("a-name", { … }).`,
    );
  });

  it("refuses arguments that are no object", () => {
    for (const given of ["default", null])
      expect(() => register(firewallRule, "x", given as unknown as object)).toThrow(
        `FirewallRule "x" takes its arguments in an object, and was given ${JSON.stringify(given)}: new FirewallRule("x", { … }).`,
      );
  });

  it("sends the arguments and the names of all outputs", () => {
    const [type, name, props] = register(firewallRule, "x", args).sent;
    expect([type, name]).toEqual([token, "x"]);
    expect(props).toMatchObject(args);
    for (const output of ["createdAt", "status", "cost"])
      expect(Object.entries(props)).toContainEqual([output, undefined]);
  });

  it.each([
    ["acme", "acme"],
    ["organization", undefined], // its name without Pulumi Cloud
    [undefined, undefined], // an engine that tells none
  ])("sends the organization %s as %s", async (given, organization) => {
    await mocked(false, given);
    expect(propsOf()["__program"]).toHaveProperty("organization", organization);
  });

  it.each([true, false])("sends whether the run is a preview: %s", async (isPreview) => {
    await mocked(isPreview);
    expect(propsOf()).toMatchObject({ __program: { isPreview } });
  });

  it("sends the plugin only the options that are given", () => {
    const given = { retainOnDelete: true, customTimeouts: { create: "5m" } };
    expect(propsOf(given)).toMatchObject({ __retainOnDelete: true, __timeouts: given.customTimeouts });
    for (const options of [undefined, { retainOnDelete: false }]) {
      expect(Object.keys(propsOf(options))).not.toEqual(expect.arrayContaining(["__retainOnDelete"]));
      expect(Object.keys(propsOf(options))).not.toEqual(expect.arrayContaining(["__timeouts"]));
    }
  });

  it("passes time limits on, and hides internal inputs", () => {
    const options = optionsOf({ customTimeouts: { create: "5m", delete: undefined as never }, hideDiffs: ["tags"] });
    expect(options.customTimeouts).toMatchObject({ create: "5m" });
    expect(options.hideDiffs).toEqual(expect.arrayContaining(["__urn", "__timeouts", "tags"]));
    expect(optionsOf()).not.toHaveProperty("customTimeouts");
  });

  it.each([
    ["1d", '"1d"'],
    ["", '""'],
    [5, "5"],
    [null, "null"],
    [pulumi.secret("5m"), "an object"],
  ])("refuses the time limit %j", (limit, given) => {
    expect(() => optionsOf({ customTimeouts: { update: limit as string } })).toThrow(
      `FirewallRule "x": customTimeouts.update must be a duration in h, m or s, such as "90s" or "24h" (is ${given}).`,
    );
  });

  it("adds aliases for the state of the other provider", async () => {
    const aliases = [{ name: "old" }, pulumi.output({ name: "older" }), { name: "typed", type: "a:b:C" }, "urn:of:it"];
    const [alias, output, typed, urn, former, ...twins] = optionsOf({ aliases }).aliases ?? [];
    expect([alias, typed, urn]).toEqual([{ name: "old" }, { name: "typed", type: "a:b:C" }, "urn:of:it"]);
    expect(output).toBe(aliases[1]);
    expect(former).toEqual({ type: formerType });
    const resolved = await Promise.all(twins.map(valueOf));
    expect(resolved).toEqual([
      { name: "old", type: formerType },
      { name: "older", type: formerType },
      { name: "typed", type: "a:b:C" },
      "urn:of:it",
    ]);
  });

  it("knows its URN at once, also under a parent", async () => {
    expect(register(firewallRule, "x", args).urn).toBe(`urn:pulumi:stack::project::${token}::x`);
    const parent = new pulumi.ComponentResource("my:own:Network", "net");
    expect(await register(firewallRule, "x", args, { parent }).urn).toBe(
      `urn:pulumi:stack::project::my:own:Network$${token}::x`,
    );
  });
});

describe("the class of a resource", () => {
  interface Registration {
    readonly args: Record<string, unknown>;
    readonly options: pulumi.CustomResourceOptions | undefined;
  }
  let registrations: Registration[];
  beforeEach(() => {
    registrations = [];
  });
  const classOf = (definition: Definition) =>
    resourceClass<pulumi.CustomResource, object>(definition, (kind, name, args, options) => {
      registrations.push({ args: args as Registration["args"], options });
      return registerDynamic(kind, name, args, options);
    });
  it("marks secret outputs and the secret in `adopt` as secret", async () => {
    const adopt = { id: "id", key: "secret" };
    new (classOf(apiKey))("x", { adopt }, { additionalSecretOutputs: ["tags"] });
    expect(await pulumi.isSecret(registrations[0]?.args["adopt"] as pulumi.Output<unknown>)).toBe(true);
    expect(await valueOf(registrations[0]?.args["adopt"])).toEqual(adopt);
    expect(registrations[0]?.options?.additionalSecretOutputs).toEqual(["key", "tags"]);
    new (classOf(apiKey))("y", {});
    expect(registrations[1]?.args).not.toHaveProperty("adopt");
    new (classOf(firewallRule))("z", { ...args, adopt: "id" });
    expect(registrations[2]).toEqual({ args: { ...args, adopt: "id" }, options: undefined });
  });

  it.each<[string, Definition, string, object | undefined, string, object]>([
    ["with its path", firewallRule, `${vpcId}/rule`, undefined, "rule", { vpcId }],
    ["whose path the state has", firewallRule, "rule", { vpcId }, "rule", { vpcId }],
    ["without its path", firewallRule, "rule", undefined, "rule", { vpcId: "" }],
    ["of its own", apiKey, "a/b", { name: "n" }, "a/b", { name: "n" }],
  ])("reads an object whose id is %s", async (_how, kind, id, state, own, inputs) => {
    classOf(kind).get("x", id, state);
    expect(await valueOf(registrations[0]?.options?.id)).toBe(own);
    expect(await valueOf(registrations[0]?.args)).toEqual(inputs);
  });

  it("records costs of all but references", () => {
    new (classOf(firewallRule))("mine", args);
    classOf(firewallRule).get("theirs", `${vpcId}/rule`);
    expect(registrationsOfProgram().resources.map(({ name }) => name)).toEqual(["mine"]);
  });
});

describe("a program with a cost summary of everything", () => {
  const warned = jest.spyOn(pulumi.log, "warn").mockImplementation(() => Promise.resolve());
  beforeEach(() => warned.mockClear());
  afterAll(() => warned.mockRestore());

  it("accepts only resources that can be waited for", () => {
    const summary = new CostSummary("cost");
    const refusal = /FirewallRule "x" depends on the cost summary "cost", and the summary waits for its cost/;
    const bucket = new pulumi.ComponentResource("my:own:Bucket", "bucket");
    for (const dependsOn of [summary, [bucket, summary]]) {
      expect(() => registerDynamic(firewallRule, "x", args, { dependsOn })).toThrow(refusal);
    }
    for (const given of [{ tags: [summary.after] }, { tags: { deep: [summary] } }]) {
      expect(() => registerNative(firewallRule, "x", { ...args, ...given })).toThrow(refusal);
    }
    expect(() =>
      registerDynamic(firewallRule, "x", { ...args, tags: [bucket.urn] }, { dependsOn: bucket }),
    ).not.toThrow();
    expect(() => registerDynamic(costSummary, "later", {}, { dependsOn: summary })).not.toThrow();
  });

  it("warns of a late resource and a second summary", () => {
    new CostSummary("cost");
    expect(warned).not.toHaveBeenCalled();
    new FirewallRule("late", args as never);
    expect(warned.mock.calls.map(([text]) => text)).toEqual([
      "not included in the cost summary cost: it was registered too late",
    ]);
    expect(registrationsOfProgram().resources).toEqual([]);
    new CostSummary("again");
    expect(warned).toHaveBeenLastCalledWith(
      expect.stringContaining('counts the same as the cost summary "cost"'),
      expect.anything(),
    );
  });
});

describe("the URN and the secret paths for the dynamic provider", () => {
  const tag = pulumi.secret("hush");
  it.each<[string, object, unknown]>([
    ["none", { tags: ["a", pulumi.output("b")], name: Promise.resolve("c"), none: null }, undefined],
    ["each secret argument", { name: pulumi.secret("x"), tags: tag.apply((text) => [text]) }, [["name"], ["tags"]]],
    ["a whole list with one secret", { tags: ["a", tag] }, [["tags"]]],
    ["a secret in an object", { nodeConfig: { size: 1, boot: { type: tag } } }, [["nodeConfig", "boot", "type"]]],
    ["a secret in an output", { tags: pulumi.output(["a", tag]), name: Promise.resolve(tag) }, [["name"], ["tags"]]],
  ])("sends the URN and the secret paths: %s", async (_case, given, paths) => {
    const { sent, urn } = registerDynamic(firewallRule, "x", { ...args, ...given });
    const program = sent[2]["__program"] as { readonly urn: unknown; readonly secretPaths: Promise<unknown> };
    expect([program.urn, await program.secretPaths]).toEqual([urn, paths]);
  });
});
