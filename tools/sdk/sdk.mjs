#!/usr/bin/env node
import { rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { readCommandLine, refuseUsage } from "../help.mjs";
import { SetupError } from "../setup/child.mjs";
import { isMain, runMain } from "../setup/main.mjs";
import { inStep } from "../setup/progress.mjs";
import { generateSdks, LANGUAGES, sdkGenerator } from "./generator.mjs";

/** Writes an SDK for each language that is named, or for all, into its own folder. */
async function main() {
  const { out, languages } = commandLine();
  const { folder: generator, problem } = await inStep("sdk", (step) => sdkGenerator(step));
  if (problem)
    throw new SetupError(`SDKs cannot be generated: ${problem}. Install Go, https://go.dev/dl/, and run this again.`);
  for (const language of languages) rmSync(join(out, language), { recursive: true, force: true });
  await generateSdks({ generator, folder: out, languages });
  for (const language of languages) console.log(relative(process.cwd(), join(out, language)));
}

function commandLine() {
  const options = { out: { type: "string", default: "sdk" } };
  const { out, positionals } = readCommandLine("sdk", options, { allowPositionals: true });
  const unknown = positionals.find((language) => !LANGUAGES.includes(language));
  if (unknown !== undefined) refuseUsage("sdk", `There is no generator for ${unknown}`);
  return { out: resolve(out), languages: positionals.length > 0 ? positionals : LANGUAGES };
}

if (isMain(import.meta.url)) runMain(main);
