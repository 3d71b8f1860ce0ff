import { createRequire } from "node:module";

// The stacks whose state is recorded. Their programs are saved with it, so that a later version runs them unchanged.

const require = createRequire(import.meta.url);
require("../chaos/typescript.cjs");
const { descriptorOf, madeTypes } = require("../../test/kinds");

const START = `const cloudinfra = require("pulumi-cloudinfra");\n`;
const RULE = `protocol: "tcp", sourceAddress: "0.0.0.0/0", destinationAddress: "10.0.0.0/25"`;
const LINK = `cidrs: ["10.0.0.0/25"], providerCidrs: ["172.16.0.0/16"]`;
const PERMISSIONS = `permissions: [{ resourceType: "vm", permission: "edit" }]`;

/**
 * Resources of every kind, created plainly; those of release 0.1.0 also rotated, adopted and read. `made` are the
 * objects that existed before the stack.
 */
export function everyday({ made, startsAt, endsAt, ...around }, { trigger = 1, tag = "first" } = {}) {
  const { vpcId } = around;
  const tags = `tags: ["${tag}"]`;
  const text = `${START}
new cloudinfra.ApiKey("fixed", {
  ${PERMISSIONS}, startsAt: "${startsAt}", expiresAt: "${endsAt}", name: "named", ${tags},
  sourceIpRule: { allowed: ["127.0.0.0/8"], blocked: [] },
});
new cloudinfra.ApiKey("rotated", {
  ${PERMISSIONS}, lifetime: "90d", rotateBefore: "14d", rotationTrigger: ${trigger}, deleteOld: "after", ${tags},
});
new cloudinfra.ApiKey("adopted-key", {
  ${PERMISSIONS}, expiresAt: "${endsAt}", adopt: { id: "${made.key.id}", key: "${made.key.key}" }, ${tags},
});
new cloudinfra.ConnectConnection("link", {
  bandwidthMbps: 200, ${LINK}, externalProvider: { accountId: "123456789012", region: "us-west-2" }, ${tags},
});
new cloudinfra.ConnectConnection("adopted-link", { bandwidthMbps: 50, ${LINK}, adopt: "${made.link}", ${tags} });
new cloudinfra.FirewallRule("rule", { vpcId: "${vpcId}", ${RULE}, destinationPorts: ["443", "8443"], ${tags} });
new cloudinfra.FirewallRule("adopted-rule", {
  vpcId: "${vpcId}", ${RULE}, destinationPorts: ["443"], adopt: "${vpcId}/${made.rule}", ${tags},
});
cloudinfra.FirewallRule.get("read-rule", "${vpcId}/${made.foreign}");
const ci = new cloudinfra.RotatingApiKey("ci", { ${PERMISSIONS}, period: "30d", ${tags} });
new cloudinfra.CostSummary("cost", { budget: { monthlyTotal: "1000" } });
exports.current = ci.current;
`;
  // One of each other kind, by its descriptor.
  const others = madeTypes.filter((type) => !text.includes(`new cloudinfra.${type}(`));
  const statements = others.map((type) => {
    const descriptor = descriptorOf(type);
    const args = JSON.stringify({ ...descriptor.args(around), ...descriptor.others, tags: [tag] });
    return `new cloudinfra.${type}("${descriptor.name}", ${args});`;
  });
  return [text, ...statements, ""].join("\n");
}

/** The result of a run that failed half-way: a rule that is not ready, and a connection whose old half still exists. */
export function unfinished({ vpcId }, { tag = "first" } = {}) {
  return `${START}
const replaced = new cloudinfra.ConnectConnection("replaced", { bandwidthMbps: 200, ${LINK}, tags: ["${tag}"] });
new cloudinfra.FirewallRule(
  "half-made",
  { vpcId: "${vpcId}", ${RULE}, destinationPorts: ["443"], tags: ["${tag}"] },
  { dependsOn: [replaced] },
);
`;
}

/** The program before `unfinished`. */
export function begun() {
  return `${START}
new cloudinfra.ConnectConnection("replaced", { bandwidthMbps: 50, ${LINK}, tags: ["first"] });
`;
}
