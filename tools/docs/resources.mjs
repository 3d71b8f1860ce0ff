#!/usr/bin/env node
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Writes docs/resources, docs/functions.md, docs/endpoints.md and the package schema of the first-class provider,
// plugin/schema.json, from the definitions in src/resources and src/functions/lookups and their comments: `node
// tools/docs/resources.mjs`, with Node 24 and dist/ built.

const require = createRequire(import.meta.url);
const { descriptionsIn } = require("./descriptions.cjs");
const { describedLookups } = require("./lookup-comments.cjs");
const { classDescriptions } = require("./class-description.cjs");
const { resourcePages } = require("./resource-pages.cjs");
const { kinds } = require("../../dist/resources/registry.js");
const { packageSchema } = require("../native/package-schema.cjs");
const { lookupsPage } = require("./lookups-page.cjs");
const { endpointsPage } = require("./endpoints-page.cjs");
const { endpointsOf } = require("../../dist/simulator/services/endpoints.js");
const { CONFIG_KEYS, environmentName, SETTINGS } = require("../../dist/engine/settings-list.js");
const { settingDescriptions } = require("../native/settings-schema.cjs");
const { version } = require("../../dist/process/version.js");

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "docs", "resources");

const { lookups: bare } = require("../../dist/functions/lookups/lookup-registry.js");
const lookups = describedLookups(ROOT, bare);
const descriptions = descriptionsIn(join(ROOT, "src", "resources"));
const classes = classDescriptions(ROOT);
const pages = resourcePages(kinds, descriptions, classes);
mkdirSync(FOLDER, { recursive: true });
for (const name of readdirSync(FOLDER)) if (!(name in pages)) rmSync(join(FOLDER, name));
for (const [name, text] of Object.entries(pages)) writeFileSync(join(FOLDER, name), text);

const settings = { settings: SETTINGS, environmentName, descriptions: settingDescriptions(ROOT, CONFIG_KEYS) };
const schema = packageSchema({ definitions: kinds, lookups, classes, descriptions, settings, version });
writeFileSync(join(ROOT, "plugin", "schema.json"), `${JSON.stringify(schema, undefined, 2)}\n`);
const files = Object.fromEntries(
  Object.entries(descriptions).map(([type, { file }]) => [type, file.replace(/\.ts$/, ".md")]),
);
writeFileSync(join(ROOT, "docs", "functions.md"), lookupsPage(lookups, files));
const endpoints = ["nirvana", "spec"].flatMap((dialect) => endpointsOf(dialect));
writeFileSync(join(ROOT, "docs", "endpoints.md"), endpointsPage({ endpoints, definitions: kinds, lookups }));
