#!/usr/bin/env node
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

// Makes the pictures of cost reports in docs/ from a stack of the real engine: `node tools/docs/pictures.mjs`, with Node 24, the
// engine and `script` on PATH, a browser, and dist/ built.

const run = promisify(execFile);
const require = createRequire(import.meta.url);
const { Stack } = require("../pulumi/stack.cjs");
const { findBrowser, HOW_TO_GET_ONE } = require("../browser/find-browser.cjs");
const { startSimulator } = require("../../dist/simulator/index.js");
const { chromium } = require("playwright-core");

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CLOUDINFRA = `${process.execPath} ${join(ROOT, "bin", "cloudinfra.js")}`;
const PAGE_WIDTH = 760;
const SUMMARY = `new cloudinfra.CostSummary("cost");`;

const simulator = await startSimulator({ operationTime: "0" });
const stack = new Stack({
  project: "my-infra",
  program: program({ aws: 200, office: 500, core: 1000 }),
  env: {
    CLOUDINFRA_API_KEY: simulator.apiKey,
    CLOUDINFRA_BASE_URL: simulator.url,
    CLOUDINFRA_PROJECT_ID: simulator.projectId,
    CLOUDINFRA_REGION: simulator.region,
    NO_COLOR: "",
    CI: "",
    TERM: "xterm-256color",
  },
});
const folder = mkdtempSync(join(tmpdir(), "cloudinfra-pictures-"));
try {
  await stack.init();
  const { code, output } = await stack.up();
  if (code !== 0) throw new Error(output);
  stack.write(program({ aws: 500, core: 1000, lab: 50 }));
  await drawTerminal("cloudinfra cost", `${CLOUDINFRA} cost --details`, "cost.svg");
  await drawPage("cost-report.png");
  stack.write(`${program({ aws: 200, office: 500, core: 1000 })}\n${SUMMARY}`);
  await stack.up();
  stack.write(`${program({ aws: 500, core: 1000, lab: 50 })}\n${SUMMARY}`);
  await drawTerminal("pulumi preview", "pulumi preview", "cost-summary.svg");
} finally {
  await simulator.close();
  stack.remove();
  rmSync(folder, { recursive: true, force: true });
}

/** A program with one link for each name, with this bandwidth, and a rule that costs nothing. */
function program(links) {
  const network = { cidrs: ["10.0.0.0/25"], providerCidrs: ["172.16.0.0/16"] };
  const declared = Object.entries(links).map(
    ([name, bandwidthMbps]) =>
      `new cloudinfra.ConnectConnection("${name}-link", ${JSON.stringify({ bandwidthMbps, ...network })});`,
  );
  return [
    `const cloudinfra = require("pulumi-cloudinfra");`,
    ...declared,
    `new cloudinfra.FirewallRule("allow-https", { vpcId: "${simulator.vpcId}", protocol: "tcp", sourceAddress: "0.0.0.0/0",`,
    `  destinationAddress: "10.0.0.0/25", destinationPorts: ["443"] });`,
  ].join("\n");
}

/** Draws a terminal after a command has run. */
async function drawTerminal(title, command, picture) {
  const recording = join(folder, "recording");
  await run("script", ["--quiet", "--command", `stty rows 40 cols 118; ${command}`, recording], {
    cwd: stack.folder,
    env: stack.env,
  });
  const args = [join(ROOT, "tools", "docs", "terminal-picture.mjs"), recording, `${title} on a terminal`];
  const { stdout } = await run(process.execPath, args);
  writeFileSync(join(ROOT, "docs", picture), stdout);
}

/** Draws the HTML report as a browser shows it. */
async function drawPage(picture) {
  const executablePath = findBrowser();
  if (executablePath === undefined) throw new Error(HOW_TO_GET_ONE);
  const { stdout } = await run("sh", ["-c", `${CLOUDINFRA} cost --format html`], { cwd: stack.folder, env: stack.env });
  const browser = await chromium.launch({ executablePath, args: process.getuid?.() === 0 ? ["--no-sandbox"] : [] });
  const page = await browser.newPage({ viewport: { width: PAGE_WIDTH, height: 400 } });
  await page.setContent(stdout);
  await page.locator("main").screenshot({ path: join(ROOT, "docs", picture) });
  await browser.close();
}
