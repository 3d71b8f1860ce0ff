import { descriptorOf, madeTypes } from "../kinds";
import { counts, succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, type YamlResource } from "./support/yaml";

/** One of each kind, under the names of their descriptors. */
function oneOfEach(session: Session): Record<string, YamlResource> {
  const { projectId, region, vpcId } = session.api.simulator;
  const surroundings = { projectId, region, vpcId, keysEndAt: inDays(90) };
  return Object.fromEntries(
    madeTypes.map((type) => {
      const descriptor = descriptorOf(type);
      return [descriptor.name, { type: `cloudinfra:index:${type}`, properties: descriptor.args(surroundings) }];
    }),
  );
}

function properties(
  resources: Record<string, YamlResource>,
  name: string,
  changed: object,
): Record<string, YamlResource> {
  const { type, properties: before } = resources[name]!;
  return { ...resources, [name]: { type, properties: { ...before, ...changed } } };
}

/** Whether a request changes nothing. */
const isQuestion = (request: string): boolean => request.startsWith("GET ") || /\/(cost|availability)$/.test(request);

afterAll(() => Session.closeAll());

describeYaml("a YAML program with one resource of each kind", () => {
  let session: Session;
  let resources: Record<string, YamlResource>;

  beforeAll(async () => {
    session = await Session.start({ resources: {} });
    resources = oneOfEach(session);
    session.stack.write({ resources, outputs: { perMonth: "${link.cost.monthlyTotal}" } });
  });

  it("when it is previewed, rows have their price once, and nothing is made", async () => {
    const { result, requests } = await session.api.during(() => session.stack.preview());
    const output = succeeded(result);
    expect(counts(output)).toEqual([`+ ${madeTypes.length + 1} to create`]);
    const diagnostics = output.slice(output.indexOf("Diagnostics:"));
    expect(diagnostics.split("ConnectConnection (link):\n    +$312.50/mo")).toHaveLength(2);
    expect(output).toContain('perMonth: "312.50"');
    expect(requests.filter((request) => !isQuestion(request))).toEqual([]);
  });

  it("when it is brought up, state and API hold the same, and secrets are encrypted", async () => {
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.kept()).toHaveLength(madeTypes.length);
    expect(Object.keys(session.one("deployer").outputs["key"] as object)).toContain("ciphertext");
  });

  it("when nothing has changed, it calls the API not once, and a refresh sees no difference", async () => {
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual([`${madeTypes.length + 1} unchanged`]);
    expect(requests).toEqual([]);
    expect(counts(succeeded(await session.refresh()))).toEqual([`${madeTypes.length + 1} unchanged`]);
  });

  it("when a field changes in place, the preview shows before and after, and knows what stays", async () => {
    resources = properties(resources, "data", { size: 250 });
    session.stack.write({ resources, outputs: { created: "${data.createdAt}" } });
    const preview = succeeded(await session.stack.preview());
    expect(preview).toMatch(/data update \[diff: .*size.*\].*\$10\.00\/mo → \$25\.00\/mo \(\+\$15\.00\/mo\)/);
    expect(preview).toMatch(/created *: "20/);
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    expect(requests.filter((request) => request.startsWith("PATCH") && !isQuestion(request))).toEqual([
      "PATCH volumes/:id",
    ]);
    await session.expectAgreement();
  });

  it("when a field changes that the API cannot change, the new one is made before the old one goes", async () => {
    const before = session.one("link").id;
    resources = properties(resources, "link", { bandwidthMbps: 500 });
    session.stack.write({ resources });
    expect(succeeded(await session.stack.preview())).toMatch(/link replace .*\$312\.50\/mo → \$781\.25\/mo/);
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.one("link").id).not.toBe(before);
  });

  it("when a value is wrong, the preview fails on its row", async () => {
    session.stack.write({ resources: properties(resources, "data", { size: 0 }) });
    const { code, output } = await session.stack.preview();
    expect(code).not.toBe(0);
    expect(output).toContain("size: must be at least 1 (is 0)");
  });

  it("when everything is destroyed, nothing is left", async () => {
    session.stack.write({ resources });
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
    expect(session.kept()).toEqual([]);
  });
});

describeYaml("an object that exists", () => {
  it("when it is imported, the printed code previews without a difference", async () => {
    const session = await Session.start({ resources: {} });
    const { projectId, region } = session.api.simulator;
    const body = { project_id: projectId, region, name: "old", size: 50, type: "abs", tags: ["a"] };
    const operation = await session.api.call("POST", "/v1/compute/volumes", body);
    const id = String(operation["resource_id"]);
    const result = await session.stack.pulumi(["import", "cloudinfra:index:Volume", "old", id, "--yes"]);
    const printed = succeeded(result);
    expect(printed).toMatch(/type: cloudinfra:(index:)?Volume/);
    const code = { name: "old", projectId, region, size: 50, tags: ["a"], type: "abs" };
    for (const key of Object.keys(code)) expect(printed).toContain(`\n      ${key}:`);
    session.stack.write({
      resources: { old: { type: "cloudinfra:index:Volume", properties: code, options: { protect: true } } },
    });
    expect(counts(succeeded(await session.stack.preview()))).toContain("2 unchanged");
  });
});

describeYaml("a stack of a YAML program", () => {
  it("when a program in TypeScript takes it over by aliases, nothing changes, and it can refresh and destroy", async () => {
    const args = { subnetName: "main" };
    const session = await Session.start({ resources: { net: { type: "cloudinfra:index:Vpc", properties: args } } });
    succeeded(await session.up());
    const aliases = '{ aliases: [{ type: "cloudinfra:index:Vpc" }] }';
    session.stack.write(program(declare("Vpc", "net", args, aliases)));
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["2 unchanged"]);
    succeeded(await session.up());
    expect(counts(succeeded(await session.refresh()))).toEqual(["2 unchanged"]);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});

describeYaml("a stack of the dynamic provider", () => {
  it("when a YAML program takes it over by aliases, nothing is replaced, and the secret is kept", async () => {
    const args = { permissions: [{ resourceType: "vm", permission: "edit" }], expiresAt: inDays(90) };
    const session = await Session.start(program(declare("ApiKey", "deployer", args)));
    succeeded(await session.up());
    const { id } = session.one("deployer");
    const secret = (await session.stack.resources({ showSecrets: true }))["deployer"]?.outputs?.["key"];
    const aliases = [{ type: "pulumi-nodejs:dynamic/cloudinfra:ApiKey" }];
    session.stack.write({
      resources: { deployer: { type: "cloudinfra:index:ApiKey", properties: args, options: { aliases } } },
    });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["2 unchanged"]);
    succeeded(await session.up());
    expect(session.one("deployer").id).toBe(id);
    expect((await session.stack.resources({ showSecrets: true }))["deployer"]?.outputs?.["key"]).toEqual(secret);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});
