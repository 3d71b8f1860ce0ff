#!/usr/bin/env node
// An old Node has to be able to read this file, so that it can say that it is too old.
"use strict";

var version = process.versions.node.split(".").map(Number);

if (version[0] < 22 || (version[0] === 22 && version[1] < 19)) {
  console.error(
    "cloudinfra needs Node 22.19 or newer, and this is Node " +
      process.versions.node +
      ". Install a newer Node from https://nodejs.org or with your version manager, and run again. Or run `npm install node@24` in the " +
      "project, and put node_modules/.bin first on the PATH.",
  );
  process.exitCode = 1;
} else {
  require("../dist/cli/main.js")
    .main(process.argv.slice(2))
    .then(
      function (code) {
        process.exitCode = code;
      },
      function (error) {
        console.error(error instanceof Error ? error.message : String(error));
        process.exitCode = 1;
      },
    );
}
