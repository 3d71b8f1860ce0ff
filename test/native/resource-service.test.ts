import { asSecret, UNKNOWN } from "../../src/engine/values";
import { InitFailure } from "../../src/native/engine-answers";
import { fillMessage, messages, recordOf, structOf } from "../../src/native/messages";
import { PreviewRows } from "../../src/native/preview-rows";
import { ResourceService } from "../../src/native/resource-service";
import { kinds, localKinds } from "../../src/resources/registry";
import { maskSecret } from "../../src/text/redaction";
import { madeTypes, sampleOf } from "../kinds";
import { loadBalancerObject } from "../kinds/nks-load-balancer";
import type { TestRun } from "../support/lifecycle";
import { plain, type Props } from "../support/mini-state";
import { World } from "../support/world";
import { otherStorage } from "../kinds/volume";

const { AutonamingOptions } = messages.CheckRequest;
const type = "Volume";
const world = World.forSuite();

/** The engine of a run, as the plugin sees it: its requests for one resource, and the answers. */
class Engine {
  readonly messages: string[] = [];
  readonly run: TestRun = world.run();
  readonly rows = new PreviewRows({
    line: (_urn, _severity, text) => Promise.resolve(void this.messages.push(text)),
    status: () => undefined,
  });
  readonly urn: string;
  readonly #service: ResourceService;

  constructor(type: string) {
    this.urn = `urn:pulumi:dev::test::cloudinfra:index:${type}::x`;
    const kind = [...kinds, ...localKinds].find((candidate) => candidate.type === type);
    this.#service = new ResourceService(kind!, this.rows, () => this.run.run);
  }

  async check(
    news: Props,
    olds: Props = {},
    autonaming?: readonly [mode: keyof typeof AutonamingOptions.Mode, proposedName: string],
  ): Promise<{ readonly inputs: Props; readonly failures: string[] }> {
    const [mode = "PROPOSE", proposedName = ""] = autonaming ?? [];
    const options = fillMessage(new AutonamingOptions(), { mode: AutonamingOptions.Mode[mode], proposedName });
    const sent = {
      urn: this.urn,
      news: structOf(news),
      olds: structOf(olds),
      ...(autonaming && { autonaming: options }),
    };
    const answer = await this.#service.check(fillMessage(new messages.CheckRequest(), sent));
    return {
      inputs: recordOf(answer.getInputs()),
      failures: answer.getFailuresList().map((failure) => `${failure.getProperty()}: ${failure.getReason()}`),
    };
  }

  async diff(
    { id, inputs, outs }: { readonly id: string; readonly inputs: Props; readonly outs: Props },
    news: Props,
  ): Promise<ReturnType<InstanceType<typeof messages.DiffResponse>["toObject"]>> {
    const props = { oldInputs: structOf(inputs), olds: structOf(outs), news: structOf(news) };
    return (
      await this.#service.diff(fillMessage(new messages.DiffRequest(), { urn: this.urn, id, ...props }))
    ).toObject();
  }

  /** The answer with secrets marked. */
  async create(inputs: Props, { isPreview: preview = false, timeout = 0 } = {}): Promise<{ id: string; outs: Props }> {
    const sent = { urn: this.urn, properties: structOf(inputs), preview, timeout };
    const answer = await this.#service.create(fillMessage(new messages.CreateRequest(), sent));
    return { id: answer.getId(), outs: answer.getProperties()?.toJavaScript() as Props };
  }

  async read(id: string, properties: Props = {}): Promise<{ id: string; outs: Props; inputs: Props }> {
    const sent = { urn: this.urn, id, properties: structOf(properties) };
    const answer = await this.#service.read(fillMessage(new messages.ReadRequest(), sent));
    return { id: answer.getId(), outs: recordOf(answer.getProperties()), inputs: recordOf(answer.getInputs()) };
  }

  async update(
    id: string,
    olds: Props,
    news: Props,
    { isPreview: preview = false, timeout = 0, ignoreChanges = [] as string[] } = {},
  ): Promise<Props> {
    const kept = { preview, timeout, ignorechangesList: ignoreChanges };
    const sent = { urn: this.urn, id, olds: structOf(olds), news: structOf(news), ...kept };
    return recordOf((await this.#service.update(fillMessage(new messages.UpdateRequest(), sent))).getProperties());
  }

  async delete(id: string, properties: Props, timeout = 0): Promise<void> {
    const sent = { urn: this.urn, id, properties: structOf(properties), timeout };
    await this.#service.delete(fillMessage(new messages.DeleteRequest(), sent));
  }
}

/** A volume that a run has created. */
async function made(args: Props = {}): Promise<{ id: string; inputs: Props; outs: Props }> {
  const engine = new Engine(type);
  const { inputs } = await engine.check(world.args(type, args));
  const { id, outs } = await engine.create(inputs);
  return { id, inputs, outs: plain(outs) as Props };
}

/** A volume, and an engine that has checked a change of it. */
async function changing(change: Props) {
  const volume = await made();
  const engine = new Engine(type);
  const { inputs: news } = await engine.check({ ...volume.inputs, ...change }, volume.inputs);
  return { ...volume, engine, news };
}

const { PropertyDiff } = messages;

describe("the plugin's answers to the engine", () => {
  it.each(madeTypes)("answers like the dynamic provider for a new %s", async (type) => {
    const engine = new Engine(type);
    const { inputs, failures } = await engine.check(world.args(type));
    expect(failures).toEqual([]);
    const { id, outs } = await engine.create(inputs);
    const { props } = await world
      .run()
      .of(type)
      .read(id, plain(outs) as Props);
    expect(outs).toEqual({
      ...props,
      __urn: engine.urn,
      __provider: `exports.handler = () => require("pulumi-cloudinfra/provider").v1("${type}");`,
    });
  });

  it("hides a secret in failures", async () => {
    const pool = world.args("NksNodePool");
    const labels = [asSecret("secret label"), "plain label"];
    const nodeConfig = { ...(pool["nodeConfig"] as Props), labels };
    const { failures } = await new Engine("NksNodePool").check({ ...pool, nodeConfig });
    expect(failures.join()).toContain("plain label");
    expect(failures.join()).not.toContain("secret label");
  });

  it("a previewed creation makes nothing, and leaves outputs unknown", async () => {
    const engine = new Engine(type);
    const { inputs } = await engine.check(world.args(type));
    const { id, outs } = await engine.create(inputs, { isPreview: true });
    expect(id).toBe("");
    expect(outs).toMatchObject({ ...inputs, size: 100, status: UNKNOWN, createdAt: UNKNOWN });
    expect(await world.made(type)).toEqual([]);
  });

  it("a previewed key has an unknown, marked secret", async () => {
    const engine = new Engine("ApiKey");
    const { inputs } = await engine.check(world.args("ApiKey"));
    expect((await engine.create(inputs, { isPreview: true })).outs["key"]).toEqual(asSecret(UNKNOWN));
  });

  it("a previewed update keeps the values that stay", async () => {
    const { id, outs, engine, news } = await changing({ tags: ["new"] });
    const shown = await engine.update(id, outs, news, { isPreview: true });
    expect(shown).toMatchObject({ tags: ["new"], createdAt: outs["createdAt"], status: "ready" });
    expect(await world.made(type)).toMatchObject([{ id, tags: [] }]);
  });

  it.each([
    ["a preview prints messages on its row", true, ["of the row"]],
    ["an update does not repeat the messages of its preview", false, []],
  ])("%s", async (_case, isPreview, messages) => {
    const { id, inputs, outs } = await made();
    const engine = new Engine(type);
    await engine.rows.line(engine.urn, "info", "of the row");
    await engine.update(id, outs, { ...inputs, tags: ["new"] }, { isPreview });
    await engine.rows.show(engine.urn);
    expect(engine.messages).toEqual(messages);
  });

  it("an update in place names its fields", async () => {
    const { id, inputs, outs, engine, news } = await changing({ tags: ["new"] });
    expect(await engine.diff({ id, inputs, outs }, news)).toMatchObject({
      changes: messages.DiffResponse.DiffChanges.DIFF_SOME,
      hasdetaileddiff: true,
      replacesList: [],
      diffsList: ["tags"],
      detaileddiffMap: [["tags[0]", { kind: PropertyDiff.Kind.ADD, inputdiff: true }]],
    });
    expect(await engine.update(id, outs, news)).toMatchObject({ tags: ["new"], status: "ready" });
    expect(await world.made(type)).toMatchObject([{ id, tags: ["new"] }]);
  });

  it("an update ignores the changes that the program ignores", async () => {
    const { id, outs, engine, news } = await changing({ tags: ["new"], name: "other" });
    expect(await engine.update(id, outs, news, { ignoreChanges: ["tags"] })).toMatchObject({ tags: [], name: "other" });
    expect(await world.made(type)).toMatchObject([{ id, tags: [], name: "other" }]);
  });

  it("the difference says so if a change replaces the object", async () => {
    const { id, inputs, outs, engine, news } = await changing({ type: otherStorage });
    const { detaileddiffMap, replacesList } = await engine.diff({ id, inputs, outs }, news);
    expect(replacesList).toEqual(["type"]);
    expect(detaileddiffMap).toContainEqual(["type", { kind: PropertyDiff.Kind.UPDATE_REPLACE, inputdiff: true }]);
  });

  it("prints the waiting messages of an unchanged resource", async () => {
    const { id, inputs, outs, engine, news } = await changing({});
    await engine.rows.line(engine.urn, "info", "of the row");
    expect(await engine.diff({ id, inputs, outs }, news)).toMatchObject({
      changes: messages.DiffResponse.DiffChanges.DIFF_NONE,
      hasdetaileddiff: false,
      diffsList: [],
    });
    expect(engine.messages).toEqual(["of the row"]);
  });

  it("a refresh shows changes from outside, also in the diff", async () => {
    const { id, inputs, outs } = await made();
    await world.api("PATCH", `/v1/compute/volumes/${id}`, { tags: ["theirs"] });
    world.clock.advance(2_000); // the operation's time
    const found = await new Engine(type).read(id, outs);
    expect(found).toMatchObject({ id, outs: { tags: ["theirs"] }, inputs: { tags: ["theirs"] } });
    expect(await new Engine(type).diff({ id, inputs, outs: found.outs }, inputs)).toMatchObject({
      changes: messages.DiffResponse.DiffChanges.DIFF_SOME,
      detaileddiffMap: [["tags[0]", { kind: PropertyDiff.Kind.DELETE, inputdiff: false }]],
    });
  });

  it("names the secrets of the engine in the outputs, also after a refresh", async () => {
    const engine = new Engine(type);
    const { inputs } = await engine.check(world.args(type, { tags: [asSecret("hidden")] }));
    const { id, outs } = await engine.create({ ...inputs, tags: asSecret(["hidden"]) });
    expect(outs).toMatchObject({ tags: asSecret(["hidden"]), __secretPaths: [["tags"]] });
    expect((await engine.read(id, outs)).outs).toMatchObject({ __secretPaths: [["tags"]] });
  });

  it("a refresh of a deleted object answers no id", async () => {
    const { id, outs } = await made();
    await new Engine(type).delete(id, outs);
    expect(await world.made(type)).toEqual([]);
    expect(await new Engine(type).read(id, outs)).toEqual({ id: "", outs: {}, inputs: {} });
  });

  it("reads the id of an import from the path", async () => {
    const { vpcId } = world.simulator;
    const { id } = await world.create("FirewallRule");
    const found = await new Engine("FirewallRule").read(`${vpcId}/${id}`);
    expect(found).toMatchObject({ id, inputs: { vpcId }, outs: { vpcId, cost: expect.anything() as unknown } });
    await expect(new Engine("FirewallRule").read(`${vpcId}/missing`)).rejects.toThrow(/missing/);
  });

  it("restores an imported object instead of deleting it", async () => {
    const { id, cluster_id: clusterId } = loadBalancerObject;
    const path = `/v1/nks/clusters/${clusterId}/load_balancers/${id}`;
    const { outs, inputs } = await new Engine("NksLoadBalancer").read(`${clusterId}/${id}`);
    expect(inputs).not.toHaveProperty("__foundAs");
    const engine = new Engine("NksLoadBalancer");
    const news = await engine.check({ ...inputs, publicIpEnabled: true }, inputs);
    await engine.diff({ id, inputs, outs }, news.inputs);
    const changed = await engine.update(id, outs, news.inputs);
    expect(await world.api("GET", path)).toMatchObject({ public_ip_enabled: true });
    const refreshed = await new Engine("NksLoadBalancer").read(id, changed);
    await new Engine("NksLoadBalancer").delete(id, refreshed.outs);
    expect(await world.api("GET", path)).toMatchObject({ public_ip_enabled: false });
  });

  it("requests no quote for a reference", async () => {
    const { vpcId } = world.simulator;
    const { id } = await world.create("FirewallRule");
    const found = await new Engine("FirewallRule").read(id, { vpcId, __program: { isPreview: true } });
    expect(found).toMatchObject({ id, outs: { vpcId } });
    expect(found.outs).not.toHaveProperty("cost");
    await expect(new Engine("FirewallRule").read("missing", { vpcId, __program: { isPreview: true } })).rejects.toThrow(
      /missing/,
    );
  });
});

describe("a time limit of the engine", () => {
  it("a creation that times out is kept as failed", async () => {
    await world.fault({ method: "POST", path: "/v1/compute/volumes$", operation: "never" });
    const engine = new Engine(type);
    const { inputs } = await engine.check(world.args(type));
    const failed = (await engine.create(inputs, { timeout: 7 }).catch((error: unknown) => error)) as InitFailure;
    expect(failed).toBeInstanceOf(InitFailure);
    expect(failed.message).toContain("after 7 s");
    const [object] = await world.made(type);
    expect(failed.half.id).toBe(object?.id);
    expect(failed.properties).toMatchObject({ __neverReady: true, size: 100 });
    expect(failed.properties).not.toHaveProperty("__timeouts");
  });

  it("limits an update and a deletion", async () => {
    const { id, outs, engine, news } = await changing({ tags: ["new"] });
    await world.fault({ method: "PATCH", path: "/v1/compute/volumes/", operation: "never" });
    await world.fault({ method: "DELETE", path: "/v1/compute/volumes/", operation: "never" });
    await expect(engine.update(id, outs, news, { timeout: 8 })).rejects.toThrow("after 8 s");
    await expect(new Engine(type).delete(id, outs, 9)).rejects.toThrow("after 9 s");
  });
});

describe("the setting pulumi:autonaming", () => {
  const args = sampleOf("Volume");

  it.each(["PROPOSE", "ENFORCE"] as const)("names a new object as %s says", async (mode) => {
    const { inputs } = await new Engine(type).check(args, {}, [mode, "dev-x"]);
    expect(inputs).toMatchObject({ name: "dev-x" });
  });

  it("keeps a given name, and an earlier one", async () => {
    const engine = new Engine(type);
    expect((await engine.check({ ...args, name: "mine" }, {}, ["ENFORCE", "x"])).inputs).toMatchObject({
      name: "mine",
    });
    const { inputs: before } = await engine.check(args);
    expect((await engine.check(args, before, ["ENFORCE", "x"])).inputs["name"]).toBe(before["name"]);
  });

  it("requires a name if autonaming is off", async () => {
    expect((await new Engine(type).check(args, {}, ["DISABLE", ""])).failures).toEqual([
      expect.stringMatching(/^name: is required/),
    ]);
  });
});

describe("a failure of check", () => {
  it("names the input, and behind it the path inside", async () => {
    const { failures } = await new Engine("Vm").check({ bootVolume: { size: 0 }, tag: [] });
    expect(failures).toEqual(
      expect.arrayContaining([
        "bootVolume: bootVolume.size: must be at least 1 (is 0)",
        "bootVolume: bootVolume.type: is required",
        "instanceType: is required",
        "tag: is no argument of Vm. Did you mean tags?",
      ]),
    );
  });

  it("comes with the program's inputs, and none is unknown", async () => {
    const args = sampleOf("ApiKey", { expiresAt: undefined, lifetime: "", name: asSecret("deployer") });
    const { inputs, failures } = await new Engine("ApiKey").check(args);
    expect(failures).toEqual([expect.stringContaining("must be a duration")]);
    expect(inputs).toEqual(plain({ ...args, name: "deployer" }));
  });

  it("names no input for an argument of the component", async () => {
    const { failures } = await new Engine("RotationSchedule").check({ period: "30d", atLatest: "90d" });
    expect(failures).toEqual([expect.stringMatching(/^: deleteOld\.atLatest: must be at most two periods/)]);
  });

  it.each([
    ["a secret", asSecret("big")],
    ["partly a secret", [asSecret("big")]],
    ["long", "x".repeat(100)],
    ["a credential that is known", "a-credential-of-this-run"],
  ])("refuses the value %s without showing it", async (_case, size) => {
    maskSecret("a-credential-of-this-run");
    const { failures } = await new Engine("Volume").check(sampleOf("Volume", { size }));
    expect(failures).toEqual([expect.stringMatching(/^: size: must be /)]);
  });
});

describe("a check that cannot be carried out", () => {
  it("fails with the reason and the row's messages", async () => {
    const engine = new Engine(type);
    await engine.rows.line(engine.urn, "warning", "of the row");
    const { failures } = await engine.check({ size: "big" });
    expect(failures).toEqual(expect.arrayContaining([expect.stringMatching(/^size: /)]));
    expect(engine.messages).toContain("of the row");
  });

  it("recognizes a preview by the TypeScript program's marker", async () => {
    const engine = new Engine(type);
    expect(engine.rows.isPreview).toBeUndefined();
    await engine.check(world.args(type, { __program: { isPreview: false } }));
    expect(engine.rows.isPreview).toBe(false);
  });
});
