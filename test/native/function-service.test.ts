import { asSecret, isSecret, UNKNOWN } from "../../src/engine/values";
import { invoke } from "../../src/native/function-service";
import { fillMessage, messages, structOf } from "../../src/native/messages";
import { clusterObject } from "../kinds/nks-node-pool";
import { World } from "../support/world";

const world = World.forSuite();

/** The answer to a program, with secrets marked, or the failures of its arguments. */
async function call(token: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const request = fillMessage(new messages.InvokeRequest(), { tok: token, args: structOf(args) });
  const answer = await invoke(request, () => world.run().run);
  const failures = answer.getFailuresList();
  // As SDKs show it.
  return failures.length > 0
    ? failures.map((failure) => `${failure.getReason()} (${failure.getProperty()})`)
    : answer.getReturn()?.toJavaScript();
}

it("answers a list under its noun", async () => {
  expect(await call("cloudinfra:index:getVpcs")).toEqual({ vpcs: [expect.objectContaining({ name: "default" })] });
});

it("returns a single object, with or without optional arguments", async () => {
  const { vpcId } = world.simulator;
  expect(await call("cloudinfra:index:getVpc", { name: "default", id: null })).toMatchObject({ id: vpcId });
  expect(await call("cloudinfra:index:getVpc", { id: vpcId })).toMatchObject({ name: "default" });
});

it("returns unknown values for an unknown argument", async () => {
  expect(await call("cloudinfra:index:getVpcs", { name: UNKNOWN })).toEqual({ vpcs: UNKNOWN });
  expect(await call("cloudinfra:index:getVpc", { id: UNKNOWN })).toMatchObject({ id: UNKNOWN, name: UNKNOWN });
  expect(await call("cloudinfra:index:getNksKubeconfig", { clusterId: UNKNOWN })).toEqual({
    kubeconfig: asSecret(UNKNOWN),
  });
});

it("marks a secret answer", async () => {
  const { id } = clusterObject as { readonly id: string };
  expect(await call("cloudinfra:index:getNksKubeconfig", { clusterId: id })).toEqual({
    kubeconfig: asSecret(expect.stringContaining("apiVersion")),
  });
});

it("marks every member of the answer if an argument is secret", async () => {
  const { vpcId } = world.simulator;
  expect(await call("cloudinfra:index:getVpcs", { name: asSecret("default") })).toEqual({
    vpcs: asSecret([expect.objectContaining({ id: vpcId })]),
  });
  const one = (await call("cloudinfra:index:getVpc", { id: asSecret(vpcId) })) as Record<string, unknown>;
  expect(one).toMatchObject({ id: asSecret(vpcId), name: asSecret("default") });
  for (const member of Object.values(one)) expect(isSecret(member)).toBe(true);
});

it("fails on a wrong or missing argument", async () => {
  expect(await call("cloudinfra:index:getVpc", { name: 7 })).toEqual([
    expect.stringMatching(/^must be a string .*\(name\)$/),
  ]);
  expect(await call("cloudinfra:index:getNksKubeconfig")).toEqual(["is required by getNksKubeconfig (clusterId)"]);
  expect(await call("cloudinfra:index:getVpcs", { moon: "full", tags: "a" })).toEqual([
    expect.stringMatching(/^is no argument of getVpcs\. .*\(moon\)$/),
    'must be a list (is "a"): write ["a"] (tags)',
  ]);
  expect(await call("cloudinfra:index:getVpcs", { constructor: 1, toString: 1 })).toHaveLength(2);
});

it("fails if the object does not exist", async () => {
  await expect(call("cloudinfra:index:getVpc", { name: "other" })).rejects.toThrow(
    /is named "other"\. It has "default"/,
  );
});

it.each(["cloudinfra:index:getMoon", "cloudinfra:index:toString", "aws:index:getVpc"])(
  "unknown %s: lists the valid names",
  async (token) => {
    await expect(call(token)).rejects.toThrow(`has no function ${token}. Known are getApiKey, getApiKeys, `);
  },
);
