import { renameSync, writeFileSync } from "node:fs";
import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";
import { Decimal } from "decimal.js";

const config = new pulumi.Config();

// Finds an existing VPC by its name.
const vpc = cloudinfra.getVpcOutput({ name: config.require("vpcName") });

const rule = new cloudinfra.FirewallRule("allow-https", {
  vpcId: vpc.id,
  protocol: "tcp",
  sourceAddress: "0.0.0.0/0",
  destinationAddress: vpc.subnet.cidr,
  destinationPorts: ["443"],
});

const link = new cloudinfra.ConnectConnection("aws-link", {
  bandwidthMbps: config.requireNumber("bandwidthMbps") as cloudinfra.ConnectBandwidthMbps,
  cidrs: [vpc.subnet.cidr],
  providerCidrs: ["172.16.0.0/16"],
  externalProvider: { accountId: "123456789012", region: "us-west-2" },
});

// A new date rotates the key: Pulumi creates the new key before it deletes the old one.
const key = new cloudinfra.ApiKey("deployer", {
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  expiresAt: config.require("expiresAt"),
});

// Hand the key over in the update that makes it. A preview does not know the new key, and writes nothing. The file changes in one
// step, so that no client reads an incomplete key.
const keyFile = config.get("keyFile");
if (keyFile) {
  key.key.apply((secret) => {
    if (secret === undefined || pulumi.runtime.isDryRun()) return;
    writeFileSync(`${keyFile}.new`, secret, { mode: 0o600 });
    renameSync(`${keyFile}.new`, keyFile);
  });
}

export const linkId = link.id;
export const deployerKey = key.key;
/** The monthly cost of the three resources. Known in preview. */
export const monthlyTotal = pulumi
  .all([rule.cost, link.cost, key.cost])
  .apply((costs) =>
    costs.some((cost) => cost === undefined)
      ? "unknown"
      : Decimal.sum(...costs.map((cost) => cost?.monthlyTotal ?? 0)).toFixed(2),
  );
