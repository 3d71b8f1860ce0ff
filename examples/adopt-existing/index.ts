import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const vpcId = config.require("vpcId");

// The stack manages this rule from now on: `pulumi destroy` deletes it. `adopt` works once; you may leave it in the program.
const adopted = new cloudinfra.FirewallRule("allow-https", {
  adopt: `${vpcId}/${config.require("adoptRuleId")}`,
  vpcId,
  protocol: "tcp",
  sourceAddress: "0.0.0.0/0",
  destinationAddress: "10.0.0.0/25",
  destinationPorts: ["443"],
});

// The stack reads this rule in every run, and never changes or deletes it.
const shared = cloudinfra.FirewallRule.get("shared", config.require("readRuleId"), { vpcId });

export const adoptedName = adopted.name;
export const sharedPorts = shared.destinationPorts;
