/** The programs that are measured against each other: each declares `count` resources. */
export const programs = {
  /** This package: firewall rules in one VPC. */
  package: ({ count, vpcId }) => `
const cloudinfra = require("pulumi-cloudinfra");
for (let i = 0; i < ${count}; i += 1) {
  new cloudinfra.FirewallRule("rule-" + i, {
    vpcId: "${vpcId}", protocol: "tcp", sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25", destinationPorts: [String(1000 + i)],
  });
}
`,
  /** The engine's floor: as many resources with the same inputs, whose loader does nothing. */
  floor: ({ count, vpcId }) => `
const pulumi = require("@pulumi/pulumi");
const __provider = "exports.handler = () => ({ create: (inputs) => Promise.resolve({ id: 'x', outs: inputs }), " +
  "check: (olds, news) => Promise.resolve({ inputs: news }), diff: () => Promise.resolve({}) });";
class Nothing extends pulumi.CustomResource {
  constructor(name, args) { super("pulumi-nodejs:dynamic/floor:Nothing", name, { ...args, __provider }); }
}
for (let i = 0; i < ${count}; i += 1) {
  new Nothing("rule-" + i, {
    vpcId: "${vpcId}", protocol: "tcp", sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25", destinationPorts: [String(1000 + i)],
  });
}
`,
};
