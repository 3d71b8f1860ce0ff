import { failed, succeeded } from "./support/output";
import { declare, inDays, NATIVE, programOf } from "./support/programs";
import { Session } from "./support/session";
import { SimulatedApi } from "./support/simulated-api";
import { describeYaml, yaml } from "./support/yaml";
import { protocol } from "../kinds/firewall-rule";

it("functions of an explicit provider use its account", async () => {
  const other = await SimulatedApi.start();
  await other.call("POST", "/v1/networking/vpcs", {
    ...{ project_id: other.simulator.projectId, region: "us-sva-2", name: "theirs", subnet_name: "theirs", tags: [] },
  });
  const { url, apiKey, projectId } = other.simulator;
  const settings = JSON.stringify({ apiKey, baseUrl: url, projectId });
  const session = await Session.startUp(
    programOf(
      NATIVE,
      `const provider = new cloudinfra.Provider("other", ${settings});`,
      `const component = new pulumi.ComponentResource("test:index:Group", "group", {}, { providers: [provider] });`,
      `exports.byProvider = cloudinfra.getVpcOutput({ name: "theirs" }, { provider }).name;`,
      `exports.byParent = cloudinfra.getVpcOutput({ name: "theirs" }, { parent: component }).name;`,
      `exports.own = cloudinfra.getVpcOutput({ name: "default" }).name;`,
    ),
  );
  expect(session.shownOutputs()).toEqual({ byProvider: "theirs", byParent: "theirs", own: "default" });
  await other.close();
});

describe("functions of a provider whose key is made in the same run", () => {
  const withKey = (...lines: readonly string[]): string =>
    programOf(
      NATIVE,
      declare("ApiKey", "key", { permissions: [{ resourceType: "vpc", permission: "edit" }], expiresAt: inDays(30) }),
      `const provider = new cloudinfra.Provider("later", { apiKey: key.key });`,
      ...lines,
    );

  it("knows the answer of an output form after the preview", async () => {
    const session = await Session.start(
      withKey(
        `const vpc = cloudinfra.getVpcOutput({ name: "default" }, { provider });`,
        `exports.cidr = vpc.apply(({ subnet }) => subnet.cidr);`,
        `exports.vpcs = cloudinfra.getVpcsOutput({}, { provider }).apply((vpcs) => vpcs.length);`,
        declare("FirewallRule", "web", { vpcId: "=vpc.id", destinationAddress: "=vpc.subnet.cidr" }),
      ),
    );
    succeeded(await session.stack.preview());
    succeeded(await session.up());
    expect(session.outputs()).toEqual({ cidr: "10.0.0.0/25", vpcs: 1 });
  });

  it("refuses the plain form, and names the output form", async () => {
    const session = await Session.start(withKey(`cloudinfra.getVpcs({}, { provider });`));
    expect(failed(await session.stack.preview())).toMatch(/getVpcs asks a provider .* not known .* Use getVpcsOutput/);
  });
});

describeYaml("functions of a YAML program", () => {
  it("passes arguments and outputs, with a secret kubeconfig", async () => {
    const session = await Session.start({ resources: {} });
    session.stack.write({
      variables: {
        vpc: { "fn::invoke": { function: "cloudinfra:index:getVpc", arguments: { name: "default" } } },
        all: { "fn::invoke": { function: "cloudinfra:index:getVpcs", return: "vpcs" } },
        clusters: { "fn::invoke": { function: "cloudinfra:index:getNksClusters", return: "nksClusters" } },
        access: {
          "fn::invoke": {
            function: "cloudinfra:index:getNksKubeconfig",
            arguments: { clusterId: "${clusters[0].id}" },
            return: "kubeconfig",
          },
        },
      },
      resources: {
        web: yaml("FirewallRule", {
          ...{ vpcId: "${vpc.id}", protocol, sourceAddress: "0.0.0.0/0" },
          ...{ destinationAddress: "${vpc.subnet.cidr}", destinationPorts: ["443"] },
        }),
      },
      outputs: { first: "${all[0].name}", access: "${access}" },
    });
    succeeded(await session.up());
    expect(session.outputs()["first"]).toBe("default");
    expect(Object.keys(session.outputs()["access"] as object)).toContain("ciphertext");
    await session.expectAgreement();
  });
});
