// The program of `npm run demo`: a part of a platform. It uses the first-class provider, whose rows are short enough
// for a narrow terminal.
const { renameSync, writeFileSync } = require("node:fs");
const pulumi = require("@pulumi/pulumi");
const cloudinfra = require("pulumi-cloudinfra/native");

const config = new pulumi.Config();

const network = new cloudinfra.Vpc("network", {});

new cloudinfra.FirewallRule("allow-https", {
  vpcId: network.id,
  protocol: "tcp",
  sourceAddress: "0.0.0.0/0",
  destinationAddress: network.subnet.cidr,
  destinationPorts: ["443"],
});

// A new bandwidth needs a new connection: the preview shows the costs of the old and the new one, and the difference.
new cloudinfra.ConnectConnection("aws-link", {
  bandwidthMbps: config.requireNumber("bandwidthMbps"),
  cidrs: [network.subnet.cidr],
  providerCidrs: ["172.16.0.0/16"],
  externalProvider: { accountId: "123456789012", region: "us-west-2" },
});

const database = new cloudinfra.Vm("database", {
  subnetId: network.subnet.id,
  instanceType: config.require("instanceType"),
  osImageName: "ubuntu-noble-2026-05-18",
  sshKey: { publicKey: "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGtleQ== you@example.com" },
  bootVolume: { size: 64, type: "abs" },
});

new cloudinfra.Volume("data", { size: config.requireNumber("dataGb"), type: "abs", vmId: database.id });

// A new date rotates the key: Pulumi creates the new key before it deletes the old one.
const key = new cloudinfra.ApiKey("deployer", {
  permissions: [{ resourceType: "vm", permission: "edit" }],
  expiresAt: config.require("expiresAt"),
});

// The file changes in one step, so that nobody reads half a key. A preview does not know the new key, and writes
// nothing.
const keyFile = config.require("keyFile");
key.key.apply((secret) => {
  if (secret === undefined || pulumi.runtime.isDryRun()) return;
  writeFileSync(`${keyFile}.new`, secret, { mode: 0o600 });
  renameSync(`${keyFile}.new`, keyFile);
});

exports.monthlyTotal = new cloudinfra.CostSummary("cost").after;
