import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type typescript from "typescript";

const ROOT = join(__dirname, "..", "..", "..");

/**
 * The engine loads the provider from dist/, as users' engines do, so an outdated dist/ would prove nothing. Throws one
 * sentence if dist/ is missing or was built from other sources.
 */
export function assertBuilt(root = ROOT): void {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  const stale = sources.find(
    (name) => !isBuilt(join(root, "src", name), join(root, "dist", `${name.slice(0, -3)}.js`)),
  );
  if (stale !== undefined)
    throw new Error(`dist/ is not made from the present src/${stale}: run "npm run build" first.`);
}

/** Throws one sentence if there is no engine to run the stacks with. */
export function assertEngine(path = process.env["PATH"] ?? ""): void {
  if (path.split(delimiter).some((folder) => existsSync(join(folder, "pulumi")))) return;
  throw new Error(`pulumi is not on PATH: run "npm test", which finds it or builds it.`);
}

/** Newer outputs are valid. Older ones are compared, because a checkout touches files without changing them. */
function isBuilt(source: string, output: string): boolean {
  if (!existsSync(output)) return false;
  if (statSync(output).mtimeMs >= statSync(source).mtimeMs) return true;
  // The compiler is large, and rarely needed here.
  const ts = jest.requireActual<typeof typescript>("typescript");
  const { outputText } = ts.transpileModule(readFileSync(source, "utf8"), {
    fileName: source,
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.CommonJS, esModuleInterop: true },
  });
  return outputText === readFileSync(output, "utf8");
}
