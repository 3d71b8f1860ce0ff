// This package: connect connections.
const cloudinfra = require("pulumi-cloudinfra");
const resources = require("./resources.json");

for (const [name, args] of Object.entries(resources)) new cloudinfra.ConnectConnection(name, args);
