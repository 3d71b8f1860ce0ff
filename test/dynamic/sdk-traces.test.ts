import * as pulumi from "@pulumi/pulumi";
import { FirewallRule, type FirewallRuleArgs } from "../../src";
import { withoutDebugTraces } from "../../src/dynamic/sdk-traces";

const ARGS: FirewallRuleArgs = {
  vpcId: "00000000-0000-4000-8000-000000000003",
  protocol: "tcp",
  sourceAddress: "0.0.0.0/0",
  destinationAddress: "10.0.0.0/25",
  destinationPorts: ["443"],
};
const traceMaker = (): unknown => Reflect.get(Error, "prepareStackTrace");
const before = traceMaker();
const { stackTraceLimit } = Error;

/** As people declare a resource without this package. */
class Plain extends pulumi.CustomResource {}

beforeAll(async () => {
  await pulumi.runtime.setMocks({
    newResource: ({ name, inputs }) => ({ id: `${name}-id`, state: inputs as Record<string, unknown> }),
    call: () => ({}),
  });
});
afterEach(() => {
  Reflect.set(Error, "prepareStackTrace", before);
  Error.stackTraceLimit = stackTraceLimit;
});

/** Counts the traces that are made while something is done. */
function tracesDuring(doIt: () => unknown): number {
  let count = 0;
  Error.prepareStackTrace = (error) => {
    count += 1;
    return String(error);
  };
  doIt();
  return count;
}

it("when a resource is declared, no trace is made for any of its properties", () => {
  const traces = tracesDuring(() => new FirewallRule("one", ARGS));

  // The one that says where it stands in the program.
  expect(traces).toBe(1);
});

it("when the same is declared as people do it without us, four traces are made for each property", () => {
  const traces = tracesDuring(() => new Plain("pulumi-nodejs:dynamic/other:Plain", "plain", { ...ARGS }));

  expect(traces).toBeGreaterThan(4 * Object.keys(ARGS).length);
});

it("when a resource has been declared, traces are made as before", () => {
  const prepare = (): string => "mine";
  Error.prepareStackTrace = prepare;

  new FirewallRule("two", ARGS);

  expect(traceMaker()).toBe(prepare);
});

it("when declaring a resource fails, traces are made as before, and the error's own names the program", () => {
  const badOptions = { transformations: [throwing] };

  let caught: unknown;
  try {
    new FirewallRule("three", ARGS, badOptions);
  } catch (error) {
    caught = error;
  }

  expect(traceMaker()).toBe(before);
  expect((caught as Error).stack).toMatch(/the user's own[^]*at throwing .*sdk-traces\.test\.ts/);
});

function throwing(): never {
  throw new Error("the user's own");
}

it("when nobody has set how traces are made, they look as V8 makes them, without the file between", () => {
  Reflect.set(Error, "prepareStackTrace", undefined);
  const takeTraces = withoutDebugTraces("/nowhere.js");
  Error.stackTraceLimit = Infinity;
  const { stack } = new Error("here");
  takeTraces();
  const elsewhere = withoutDebugTraces(__filename);
  const { stack: without } = new Error("here");
  elsewhere();

  expect(stack).toMatch(/^Error: here\n {4}at .*sdk-traces\.test/);
  expect(without).not.toContain("sdk-traces.test");
});

/** A frame as V8 hands it to what makes traces. */
function frameOf(file: string | undefined): NodeJS.CallSite {
  return { getFileName: () => file, toString: () => String(file) } as NodeJS.CallSite;
}

it("when the place of a resource is looked for, only the program is left behind the SDK's constructor", () => {
  const prepare = (_: unknown, frames: NodeJS.CallSite[]): string[] => frames.map(String);
  Reflect.set(Error, "prepareStackTrace", prepare);
  Error.stackTraceLimit = Infinity;
  const takeTraces = withoutDebugTraces("/node_modules/pulumi-cloudinfra/dist/dynamic/resource.js");
  const kept: unknown = Error.prepareStackTrace(
    new Error(),
    [
      "/node_modules/@pulumi/pulumi/resource.js",
      "/node_modules/pulumi-cloudinfra/dist/dynamic/resource.js",
      "/program/network.ts",
      undefined,
      "node:internal/modules/cjs/loader",
      "/node_modules/their-components/index.js",
      "/program/index.ts",
      "/node_modules/ts-node/src/index.ts",
      "C:\\node_modules\\@pulumi\\pulumi\\cmd\\run\\run.js",
    ].map(frameOf),
  );
  takeTraces();

  expect(kept).toEqual([
    "/node_modules/@pulumi/pulumi/resource.js",
    "/program/network.ts",
    "/node_modules/their-components/index.js",
    "/program/index.ts",
  ]);
});
