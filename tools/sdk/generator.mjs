import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goProgram } from "../engine/build-engine.mjs";
import { PULUMI_VERSION } from "../engine/versions.mjs";
import readmes from "../native/sdk-readmes.cjs";
import { runQuietly, SetupError } from "../setup/child.mjs";
import { ROOT } from "../setup/paths.mjs";

/** The languages that SDKs can be generated for. */
export const LANGUAGES = ["python", "go", "nodejs"];

const MODULE = "sdk-generator";
const COMMAND = "generate-sdk";

/** Builds the generator once for each version: `{ folder }`, or `{ problem }` if there is no Go. */
export function sdkGenerator(step) {
  const source = readFileSync(join(ROOT, "tools", "engine", "modules", MODULE, "main.go"));
  const hash = createHash("sha256").update(source).digest("hex").slice(0, 8);
  const version = `${PULUMI_VERSION}-${hash}`;
  // Measured on two cores, after the engine, which has most of its packages.
  return goProgram({ name: MODULE, version, command: COMMAND, source: ".", cpuMs: 30_000 }, step);
}

/**
 * Writes the SDKs of the package schema into `<folder>/<language>`. Without a language, only checks the schema. If the
 * schema is wrong, fails with Pulumi's message.
 */
export async function generateSdks({ generator, folder, languages }) {
  const schema = join(ROOT, "plugin", "schema.json");
  const { code, tail } = await runQuietly(join(generator, COMMAND), [schema, folder, ...languages]);
  if (code !== 0) throw new SetupError(`The SDKs could not be generated: ${tail}`);
  // Pulumi's generator for Go writes no README.
  if (languages.includes("go")) writeFileSync(join(folder, "go", "cloudinfra", "README.md"), readmes.SDK_READMES.go);
}
