// This package: volumes.
const cloudinfra = require("pulumi-cloudinfra");
const resources = require("./resources.json");

for (const [name, args] of Object.entries(resources)) new cloudinfra.Volume(name, args);
