import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, sep } from "node:path";
import { build } from "esbuild";
import { ROOT } from "../setup/paths.mjs";

const DIST = join(ROOT, "dist");
const PULUMI = dirname(createRequire(import.meta.url).resolve("@pulumi/pulumi/package.json"));

/** Writes one script with everything that the plugin loads from dist/ and node_modules to `outfile`. */
export async function bundlePlugin(outfile) {
  await build({
    entryPoints: [join(DIST, "native", "server.js")],
    outfile,
    bundle: true,
    platform: "node",
    target: "node24",
    format: "cjs",
    legalComments: "none",
    logLevel: "error",
    plugins: [withoutFiles],
  });
}

/**
 * The executable has no files beside it. So the script includes what the plugin reads from its package, or loads from
 * Pulumi's SDK.
 */
const withoutFiles = {
  name: "without-files",
  setup({ onLoad }) {
    const replace = (file, contents, resolveDir = ROOT) =>
      onLoad({ filter: new RegExp(`${join(DIST, file).replaceAll(/[\\.]/g, "\\$&")}$`) }, () => ({
        contents,
        resolveDir,
      }));
    replace(join("process", "version.js"), text({ version: packageJson.version, issuesUrl: packageJson.bugs.url }));
    const schema = readFileSync(join(ROOT, "plugin", "schema.json"), "utf8");
    replace(join("native", "schema-text.js"), `exports.schemaText = () => ${JSON.stringify(schema)};`);
    replace(join("engine", "pulumi-modules.js"), pulumiModules(), PULUMI);
  },
};

const packageJson = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));

function text(values) {
  return `module.exports = ${JSON.stringify(values)};`;
}

/** Gives `pulumiRequire` every module that the sources load with it. */
function pulumiModules() {
  const sources = readdirSync(DIST, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".js") && !name.startsWith(`simulator${sep}`))
    .map((name) => readFileSync(join(DIST, name), "utf8"));
  const ids = new Set(
    sources.flatMap((source) => Array.from(source.matchAll(/pulumiRequire\)?\("([^"]+)"\)/g), ([, id]) => id)),
  );
  const loaders = [...ids].map((id) => `${JSON.stringify(id)}: () => require(${JSON.stringify(id)})`);
  return `const loaders = { ${loaders.join(", ")} };\nexports.pulumiRequire = (id) => loaders[id]();`;
}
