#!/usr/bin/env node
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

// Writes docs/resources from the definitions in src/resources and their comments: `node tools/docs/resources.mjs`, with Node 24
// and dist/ built.

const require = createRequire(import.meta.url);
const { descriptionsIn } = require("./descriptions.cjs");
const { classDescriptions } = require("./class-description.cjs");
const { resourcePages } = require("./resource-pages.cjs");
const { definitions } = require("../../dist/resources/registry.js");
const { dialects } = require("../../dist/api/dialect.js");

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDER = join(ROOT, "docs", "resources");

const descriptions = descriptionsIn(join(ROOT, "src", "resources"));
const pages = resourcePages(definitions, descriptions, dialects, classDescriptions(ROOT));
mkdirSync(FOLDER, { recursive: true });
for (const name of readdirSync(FOLDER)) if (!(name in pages)) rmSync(join(FOLDER, name));
for (const [name, text] of Object.entries(pages)) writeFileSync(join(FOLDER, name), text);
