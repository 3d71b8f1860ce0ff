import * as pulumi from "@pulumi/pulumi";
import * as cloudinfra from "pulumi-cloudinfra";

const config = new pulumi.Config();
const vpcId = config.require("vpcId");

// From now on this stack's: `create` verifies the rule and takes it over as it is. `adopt` may stay in the program; it is
// used up once. Destroying the stack deletes the rule, as it deletes everything the stack manages.
const adopted = new cloudinfra.FirewallRule("allow-https", {
  adopt: `${vpcId}/${config.require("adoptRuleId")}`,
  vpcId,
  protocol: "tcp",
  sourceAddress: "0.0.0.0/0",
  destinationAddress: "10.0.0.0/25",
  destinationPorts: ["443"],
});

// Somebody else's: read in every run, never changed, never deleted.
const shared = cloudinfra.FirewallRule.get("shared", config.require("readRuleId"), { vpcId });

export const adoptedName = adopted.name;
export const sharedPorts = shared.destinationPorts;
