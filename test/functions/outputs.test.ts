import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "../../src";
import type { Simulator } from "../../src/simulator";
import { configure, requestsOf, startApi } from "./support";

let api: Simulator;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
beforeEach(() => configure(api, { projectId: api.projectId, region: api.region }));

const text = (value: string): pulumi.Output<string> => pulumi.output(value);
const unknown = (): pulumi.Output<string> => pulumi.output(pulumi.unknown) as unknown as pulumi.Output<string>;
const valueOf = <T>(output: pulumi.Output<T>): Promise<T> => new Promise((resolve) => output.apply(resolve));
const isKnown = (output: pulumi.Output<unknown>): Promise<boolean> =>
  (output as unknown as { readonly isKnown: Promise<boolean> }).isKnown;
const inPreview = (preview: boolean): Promise<void> =>
  pulumi.runtime.setMocks(
    { newResource: ({ name }) => ({ id: name, state: {} }), call: () => ({}) },
    "p",
    "s",
    preview,
  );

describe("the output twin", () => {
  it.each([
    ["getRegions", () => cloudinfra.getRegionsOutput(), () => cloudinfra.getRegions()],
    ["getProjects", () => cloudinfra.getProjectsOutput(), () => cloudinfra.getProjects()],
    ["getConnectRoutes", () => cloudinfra.getConnectRoutesOutput(), () => cloudinfra.getConnectRoutes()],
    ["getQuota", () => cloudinfra.getQuotaOutput(text("us-wdc-1")), () => cloudinfra.getQuota("us-wdc-1")],
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
  ])("of %s gives what the function gives, with one request", async (_, twin, plain) => {
    const value = await valueOf<unknown>(twin() as pulumi.Output<unknown>);
    const asked = await requestsOf(api);

    expect(value).toEqual(await plain());
    expect(asked).toHaveLength(1);
  });

  it("when its arguments are known in a preview, is known too", async () => {
    await inPreview(true);
    try {
      expect(await isKnown(cloudinfra.getVpcOutput({ id: text(api.vpcId) }))).toBe(true);
    } finally {
      await inPreview(false);
    }
    expect(await requestsOf(api)).toHaveLength(1);
  });

  it.each([
    ["getQuota", () => cloudinfra.getQuotaOutput(unknown())],
    ["getVpcs", () => cloudinfra.getVpcsOutput({ projectId: unknown() })],
    ["getVpc by id", () => cloudinfra.getVpcOutput({ id: unknown() })],
    ["getVpc by name", () => cloudinfra.getVpcOutput({ name: "default", projectId: unknown() })],
  ])("of %s, when an argument is not known in a preview, is not known either and asks nothing", async (_, twin) => {
    await inPreview(true);
    try {
      expect(await isKnown(twin() as pulumi.Output<unknown>)).toBe(false);
    } finally {
      await inPreview(false);
    }
    expect(await requestsOf(api)).toEqual([]);
  });
});
