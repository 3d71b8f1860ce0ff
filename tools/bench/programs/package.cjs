// This package: firewall rules in one VPC.
const cloudinfra = require("pulumi-cloudinfra");
const resources = require("./resources.json");

for (const [name, args] of Object.entries(resources)) new cloudinfra.FirewallRule(name, args);
