import { SEEDED } from "../../../kinds";
import { declare } from "../../support/programs";
import { failedFunction, preview, up, type Scenario } from "../scenario";

const lookups = [
  `const vpc = cloudinfra.getVpcOutput({ name: "default" });`,
  declare("FirewallRule", "web", { vpcId: "=vpc.id", destinationAddress: "=vpc.subnet.cidr" }),
  `module.exports = (async () => ({
    cidr: vpc.subnet.cidr,
    vpcs: (await cloudinfra.getVpcs()).map(({ name }) => name),
    regions: (await cloudinfra.getRegions()).length > 1,
    quota: (await cloudinfra.getQuota({ region: "us-sva-2" })).region,
    quotaOf: cloudinfra.getQuotaOutput({ region: vpc.region }).apply(({ region }) => region),
    kubeconfig: cloudinfra.getNksKubeconfigOutput({ clusterId: cloudinfra.getNksClustersOutput()[0].id }),
  }))();`,
];

const nothingFound = `No VPC of the project ${SEEDED.projectId} is named "other". It has "default".`;
const nothingGiven = 'getVpc was given nothing. It takes either "id", or "name" with or without "projectId".';

/** What a program asks the API by functions. */
export const functions: Scenario = {
  title: "functions",
  steps: [
    {
      title: "resolves lookups, with a secret kubeconfig",
      program: lookups,
      run: up,
      shows: ({ session }) => {
        expect(session.outputs()["kubeconfig"]).toHaveProperty("ciphertext");
        expect(session.shownOutputs()).toMatchObject({
          ...{ cidr: "10.0.0.0/25", vpcs: ["default"], regions: true, quota: "us-sva-2", quotaOf: "us-sva-2" },
          kubeconfig: { kubeconfig: expect.stringContaining("apiVersion") as string },
        });
      },
    },
    {
      title: "explains that a lookup found nothing",
      program: [`cloudinfra.getVpcOutput({ name: "other" });`],
      run: preview,
      fails: true,
      shows: ({ output }) => expect(output).toContain(nothingFound),
      differs: failedFunction("getVpc", nothingFound),
    },
    {
      title: "reports a refused lookup in an export once",
      program: [`exports.id = cloudinfra.getVpcOutput({}).id;`],
      run: preview,
      fails: true,
      shows: ({ output }) => {
        expect(output).toContain(nothingGiven);
        expect(output).not.toContain("Warning");
      },
      differs: failedFunction("getVpc", nothingGiven),
    },
  ],
};
