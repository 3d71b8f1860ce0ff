import { join } from "node:path";
import { userPath } from "../setup/paths.mjs";
import { engineFolder } from "./cache-folder.mjs";
import { isExecutable, probe } from "./probe.mjs";

/** Looks on PATH, then in the cache: `{ engine, problems }`, the problems being of what was found and will not do. */
export async function search(env = process.env) {
  const problems = [];
  for (const folder of userPath(env)) {
    if (!isExecutable(join(folder, "pulumi"))) continue;
    const { problem, ...found } = await probe(folder, env);
    if (!problem) return { engine: { source: "path", ...found }, problems };
    problems.push(problem);
  }
  const cached = join(engineFolder(env), "bin");
  if (isExecutable(join(cached, "pulumi"))) {
    const { problem, ...found } = await probe(cached, env);
    if (!problem) return { engine: { source: "cache", ...found }, problems };
    problems.push(problem);
  }
  return { engine: undefined, problems };
}
