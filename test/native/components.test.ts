import type * as grpc from "@grpc/grpc-js";
import type * as aliasMessages from "@pulumi/pulumi/proto/alias_pb";
import type * as resourceMessages from "@pulumi/pulumi/proto/resource_pb";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { asSecret } from "../../src/engine/values";
import { unaryHandler } from "../../src/native/engine-answers";
import { construct } from "../../src/native/component-service";
import { EmptyMessage, fillMessage, messages, recordOf, structOf } from "../../src/native/messages";
import { pulumiRequire } from "../../src/engine/pulumi-modules";
import { Transpiled } from "../functions/transpiled";
import { serveGrpc } from "../support/grpc";

const { ResourceMonitorService } = pulumiRequire("@pulumi/pulumi/proto/resource_grpc_pb") as {
  readonly ResourceMonitorService: grpc.ServiceDefinition;
};
const resources = pulumiRequire("@pulumi/pulumi/proto/resource_pb") as typeof resourceMessages;
const aliases = pulumiRequire("@pulumi/pulumi/proto/alias_pb") as typeof aliasMessages;

const PROVIDER = "urn:pulumi:dev::test::pulumi:providers:cloudinfra::default_0_1_0::8d1e";
const permissions = [{ resourceType: "vm", permission: "edit" }];

interface Registration {
  readonly type: string;
  readonly name: string;
  readonly provider: string;
  readonly props: Readonly<Record<string, unknown>>;
  readonly aliases: readonly string[];
  readonly protect: boolean | undefined;
  readonly retainOnDelete: boolean | undefined;
  readonly deletedWith: string;
}

/** The engine's side: it accepts what a component registers, and answers as after an update. */
async function startMonitor(stack: string) {
  const registered: Registration[] = [];
  const register = (request: resourceMessages.RegisterResourceRequest): resourceMessages.RegisterResourceResponse => {
    const [type, name] = [request.getType(), request.getName()];
    const props = recordOf(request.getObject());
    const aliases = request.getAliasesList().map((alias) => alias.getUrn() || alias.getSpec()?.getName() || "");
    const protect = request.hasProtect() ? request.getProtect() : undefined;
    const retainOnDelete = request.hasRetainondelete() ? request.getRetainondelete() : undefined;
    const [provider, deletedWith] = [request.getProvider(), request.getDeletedwith()];
    registered.push({ type, name, provider, props, aliases, protect, retainOnDelete, deletedWith });
    const slot = (letter: string): object => ({ expiresAt: `${stack} ${letter}`, rotatesAt: "later" });
    const shown = type.endsWith("RotationSchedule")
      ? { slotA: slot("a"), slotB: slot("b"), current: "b", nextRotation: `next of ${stack}` }
      : { ...props, key: asSecret(`key of ${stack} ${name}`) };
    const urn = `urn:pulumi:${stack}::test::${type}::${name}`;
    const made = { urn, id: `id of ${name}`, object: structOf(shown) };
    return fillMessage(new resources.RegisterResourceResponse(), made);
  };
  const { supportsFeature, registerResource, registerResourceOutputs } = ResourceMonitorService;
  const methods = { supportsFeature, registerResource, registerResourceOutputs } as grpc.ServiceDefinition;
  const { address, stop } = await serveGrpc(methods, {
    supportsFeature: unaryHandler(() => fillMessage(new resources.SupportsFeatureResponse(), { hassupport: true })),
    registerResource: unaryHandler(register),
    registerResourceOutputs: unaryHandler(() => new EmptyMessage()),
  });
  /** The registration of this logical name. */
  const of = (wanted: string): Registration | undefined => registered.find(({ name }) => name === wanted);
  return { address, stop, registered, of };
}

function requestOf(
  monitor: Awaited<ReturnType<typeof startMonitor>>,
  inputs: Readonly<Record<string, unknown>> = {},
  type = "cloudinfra:index:RotatingApiKey",
): wire.ConstructRequest {
  return fillMessage(new messages.ConstructRequest(), {
    ...{ project: "test", stack: "dev", monitorendpoint: monitor.address, type, name: "ci" },
    inputs: structOf({ period: "30d", permissions, ...inputs }),
  });
}

async function answerOf(request: wire.ConstructRequest): Promise<Record<string, unknown>> {
  return (await construct(request, PROVIDER)).getState()?.toJavaScript() ?? {};
}

describe("a component for a program in any language", () => {
  it("registers the pair with the requested provider", async () => {
    const monitor = await startMonitor("dev");
    const answer = await construct(requestOf(monitor), PROVIDER);
    expect(answer.getUrn()).toBe("urn:pulumi:dev::test::cloudinfra:index:RotatingApiKey::ci");
    expect(monitor.registered.map(({ type, name, provider }) => [type, name, provider])).toEqual([
      ["cloudinfra:index:RotatingApiKey", "ci", ""],
      ["cloudinfra:index:RotationSchedule", "ci-schedule", PROVIDER],
      ["cloudinfra:index:ApiKey", "ci-a", PROVIDER],
      ["cloudinfra:index:ApiKey", "ci-b", PROVIDER],
    ]);
    expect(monitor.of("ci-a")?.props).toMatchObject({ permissions, expiresAt: "dev a" });
    expect(answer.getState()?.toJavaScript()).toEqual({
      current: asSecret({ id: "id of ci-b", key: "key of dev ci-b", expiresAt: "dev b" }),
      previous: asSecret({ id: "id of ci-a", key: "key of dev ci-a", expiresAt: "dev a" }),
      nextRotation: "next of dev",
    });
  });

  it("prefers the program's provider, and passes options on", async () => {
    const monitor = await startMonitor("dev");
    const request = requestOf(monitor);
    request.getProvidersMap().set("cloudinfra", "urn:pulumi:dev::test::pulumi:providers:cloudinfra::eu::77");
    const spec = fillMessage(new aliases.Alias.Spec(), { name: "old" });
    fillMessage(request, { protect: true, aliasesList: [fillMessage(new aliases.Alias(), { spec })] });
    await construct(request, PROVIDER);
    expect(monitor.of("ci")?.aliases.join()).toContain("old");
    const children = monitor.registered.slice(1);
    expect(new Set(children.map(({ provider }) => provider.split("::").at(-2)))).toEqual(new Set(["eu"]));
    expect(monitor.registered.map(({ protect }) => protect)).toEqual([true, true, true, true]);
  });

  // The engine passes these on to the children.
  it("passes retainOnDelete and deletedWith on to the pair", async () => {
    const [monitor, plain] = [await startMonitor("dev"), await startMonitor("dev")];
    const vpc = "urn:pulumi:dev::test::cloudinfra:index:Vpc::net";
    await construct(fillMessage(requestOf(monitor), { retainondelete: true, deletedwith: vpc }), PROVIDER);
    expect(monitor.of("ci")).toMatchObject({ retainOnDelete: true, deletedWith: vpc });
    await construct(requestOf(plain), PROVIDER);
    expect(plain.of("ci")).toMatchObject({ retainOnDelete: undefined, deletedWith: "" });
  });

  it("constructs two components at once without mixing them", async () => {
    const all = await Promise.all(["one", "two", "three"].map((stack) => startMonitor(stack)));
    const answers = await Promise.all(all.map((monitor) => answerOf(requestOf(monitor))));
    expect(answers.map(({ nextRotation }) => nextRotation)).toEqual(["next of one", "next of two", "next of three"]);
    expect(all.map(({ registered }) => registered.length)).toEqual([4, 4, 4]);
  });

  it("takes an existing key over by its URN", async () => {
    const urn = "urn:pulumi:dev::test::cloudinfra:index:ApiKey::deployer";
    const slotA = { aliases: [urn], expiresAt: "2027-02-20T00:00:00Z" };
    for (const given of [slotA, asSecret(slotA)]) {
      const monitor = await startMonitor("dev");
      await construct(requestOf(monitor, { slotA: given }), PROVIDER);
      expect(monitor.of("ci-schedule")?.props).toMatchObject({ movedIn: slotA.expiresAt });
      expect(monitor.of("ci-a")?.aliases).toContain(urn);
    }
    const monitor = await startMonitor("dev");
    const named = construct(requestOf(monitor, { slotA: { ...slotA, aliases: ["deployer"] } }), PROVIDER);
    await expect(named).rejects.toThrow(
      'slotA.aliases must be URNs such as "urn:pulumi:dev::my-infra::cloudinfra:index:ApiKey::deployer".',
    );
    for (const aliases of [urn, [null], [7]]) {
      const answer = construct(requestOf(monitor, { slotA: { ...slotA, aliases } }), PROVIDER);
      await expect(answer).rejects.toThrow(
        /^RotatingApiKey "ci": slotA must have aliases, a list of URNs, and expiresAt/,
      );
    }
    expect(monitor.registered).toEqual([]);
  });

  it("refuses a stopped engine or an unknown component", async () => {
    const stopped = await startMonitor("dev");
    stopped.stop();
    await expect(construct(requestOf(stopped), PROVIDER)).rejects.toMatchObject({ code: "COMPONENT_FAILED" });
    const monitor = await startMonitor("dev");
    await expect(construct(requestOf(monitor, {}, "cloudinfra:index:Vpc"), PROVIDER)).rejects.toThrow(
      /has no component "cloudinfra:index:Vpc"\. Known are RotatingApiKey\.$/,
    );
  });
});

it("an unhandled error fails its own component only", () => {
  const built = new Transpiled();
  try {
    built.loadedBy(`
        const { withUncaughtErrors } = require("./dist/native/component-service.js");
        const lost = async () => { void Promise.reject(new Error("ci-a is refused")); await new Promise(() => {}); };
        let finish;
        const other = withUncaughtErrors(() => new Promise((resolve) => { finish = resolve; }));
        const error = await withUncaughtErrors(lost).catch((caught) => caught);
        finish("made");
        require("node:assert").deepEqual([error.code, error.message, await other], ["COMPONENT_FAILED", "ci-a is refused", "made"]);
      `);
  } finally {
    built.remove();
  }
});
