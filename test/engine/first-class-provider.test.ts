import { descriptorOf, madeTypes } from "../kinds";
import { counts, succeeded } from "./support/output";
import { inDays } from "./support/programs";
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

/** Whether a request changes nothing. */
const isQuestion = (request: string): boolean => request.startsWith("GET ") || /\/(cost|availability)$/.test(request);

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

  it("when everything is destroyed, nothing is left", async () => {
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
