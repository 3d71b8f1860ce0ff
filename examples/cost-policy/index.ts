import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const vpc = cloudinfra.getVpcOutput({ name: "default" });

// This program knows no budget: the policy pack in pack/ enforces it.
new cloudinfra.ConnectConnection("aws-link", {
  bandwidthMbps: config.requireNumber("bandwidthMbps") as cloudinfra.ConnectBandwidthMbps,
  cidrs: [vpc.subnet.cidr],
  providerCidrs: ["172.16.0.0/16"],
  externalProvider: { accountId: "123456789012", region: "us-west-2" },
});

new cloudinfra.ConnectConnection("spare-link", {
  bandwidthMbps: 50,
  cidrs: [vpc.subnet.cidr],
  providerCidrs: ["172.17.0.0/16"],
  externalProvider: { accountId: "123456789012", region: "us-west-2" },
});
