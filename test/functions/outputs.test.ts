import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { configure, refusalOf, requestsOf, startApi } from "./support";
import { forSuite } from "../support/suite";

const api = forSuite(
  () => startApi(),
  (made) => configure(made, { projectId: made.projectId, region: made.region }),
);

const text = (value: string): pulumi.Output<string> => pulumi.output(value);
const unknown = (): pulumi.Output<string> => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
/** Rejects if the output does: `apply` would wait forever. */
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> =>
  (output as unknown as { readonly promise: () => Promise<T> }).promise();
const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> =>
  (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
const called: { readonly token: string; readonly inputs: object }[] = [];
const answer = { vpcs: ["one", "two"] };
/** The mocks of a unit test, which answer the functions in place of the API. */
const mocked = (preview: boolean): Promise<void> =>
  pulumi.runtime.setMocks(
    {
      newResource: ({ name }) => ({ id: preview ? undefined : name, state: {} }),
      call: (args) => {
        called.push(args);
        return answer;
      },
    },
    "p",
    "s",
    preview,
  );

/** A resource whose id alone tells whether it exists. */
class Made extends pulumi.CustomResource {
  constructor(name: string, options?: pulumi.CustomResourceOptions) {
    super("test:x:Made", name, {}, options);
  }
}

describe("the output form of a function", () => {
  it.each([
    ["getRegions", () => cloudinfra.getRegionsOutput(), () => cloudinfra.getRegions()],
    ["getProjects", () => cloudinfra.getProjectsOutput(), () => cloudinfra.getProjects()],
    ["getConnectRoutes", () => cloudinfra.getConnectRoutesOutput(), () => cloudinfra.getConnectRoutes()],
    [
      "getQuota",
      () => cloudinfra.getQuotaOutput({ region: text("us-wdc-1") }),
      () => cloudinfra.getQuota({ region: "us-wdc-1" }),
    ],
    ["getQuota by default", () => cloudinfra.getQuotaOutput(), () => cloudinfra.getQuota()],
    ["getVpcs", () => cloudinfra.getVpcsOutput({ projectId: text(api.projectId) }), () => cloudinfra.getVpcs()],
    ["getVpcs by default", () => cloudinfra.getVpcsOutput(), () => cloudinfra.getVpcs()],
    [
      "getVpc by id",
      () => cloudinfra.getVpcOutput({ id: text(api.vpcId) }),
      () => cloudinfra.getVpc({ id: api.vpcId }),
    ],
    [
      "getVpc by name",
      () => cloudinfra.getVpcOutput({ name: "default" }),
      () => cloudinfra.getVpc({ name: "default" }),
    ],
  ])("%s returns in both forms the same, with one request", async (_, outputForm, plain) => {
    const value = await valueOf<unknown>(outputForm() as pulumi.Output<unknown>);
    const requests = await requestsOf(api);

    expect(value).toEqual(await plain());
    expect(requests).toHaveLength(1);
  });
});

describe("functions under unit test mocks", () => {
  beforeEach(() => {
    called.length = 0;
  });
  afterEach(() => {
    pulumi.runtime.resetOptions("p", "s", -1, "", "", false, ""); // no mocks, and no engine either
  });

  it("answers with the mock's values if arguments are known", async () => {
    await mocked(true);
    const output = cloudinfra.getVpcOutput({ id: text(api.vpcId) });
    expect(await isKnown(output)).toBe(true);
    expect(await valueOf(output)).toEqual(answer);
    expect(called).toMatchObject([{ token: "cloudinfra:index:getVpc", inputs: { id: api.vpcId } }]);
  });

  it.each([
    ["getRegions", () => cloudinfra.getRegions(), {}, answer.vpcs],
    ["getProjects", () => cloudinfra.getProjects(), {}, answer.vpcs],
    ["getConnectRoutes", () => cloudinfra.getConnectRoutes(), {}, answer.vpcs],
    ["getVpcs", () => cloudinfra.getVpcs({ projectId: "p" }), { projectId: "p" }, answer.vpcs],
    ["getQuota", () => cloudinfra.getQuota({ region: "us-wdc-1" }), { region: "us-wdc-1" }, answer],
  ])("%s returns the mock's answer, or its list", async (name, call, inputs, expected) => {
    await mocked(false);
    expect(await call()).toEqual(expected);
    expect(called).toMatchObject([{ token: `cloudinfra:index:${name}`, inputs }]);
  });

  it.each(Object.keys(lookups))("%s and its output form call the same token", async (name) => {
    await mocked(false);
    const functions = cloudinfra as unknown as Readonly<Record<string, (args: object) => unknown>>;
    await functions[name]!({});
    await valueOf(functions[`${name}Output`]!({}) as pulumi.Output<unknown>);
    const token = `cloudinfra:index:${name}`;
    expect(called.map((each) => each.token)).toEqual([token, token]);
  });

  it("waits for the resource that it depends on", async () => {
    await mocked(true);
    const planned = new Made("one");
    const parent = new pulumi.ComponentResource("test:x:Parent", "parent");
    new Made("child", { parent });
    const twins = [planned, [planned], parent].map((dependsOn) => cloudinfra.getVpcsOutput({}, { dependsOn }));
    expect(await Promise.all(twins.map(isKnown))).toEqual([false, false, false]);
    expect(called).toEqual([]);

    await mocked(false);
    expect(await valueOf(cloudinfra.getVpcsOutput({}, { dependsOn: new Made("two") }))).toEqual(answer.vpcs);
    expect(called).toHaveLength(1);
  });

  it("refuses a provider, and says why", async () => {
    await mocked(false);
    const provider = new (class extends pulumi.ProviderResource {})("other", "own", {});
    const { message } = await refusalOf(cloudinfra.getRegions({ provider }));
    expect(message).toContain("getRegions has an explicit provider. Functions of this package take none");
  });

  it.each([
    ["getQuota", () => cloudinfra.getQuotaOutput({ region: unknown() })],
    ["getVpcs", () => cloudinfra.getVpcsOutput({ projectId: unknown() })],
    ["getVpc by id", () => cloudinfra.getVpcOutput({ id: unknown() })],
    ["getVpc by name", () => cloudinfra.getVpcOutput({ name: "default", projectId: unknown() })],
  ])("sends no request for an unknown argument of %s", async (_, outputForm) => {
    await mocked(true);
    expect(await isKnown(outputForm() as pulumi.Output<unknown>)).toBe(false);
    expect(called).toEqual([]);
  });
});
