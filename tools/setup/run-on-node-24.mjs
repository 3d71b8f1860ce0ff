import { fileURLToPath } from "node:url";
import { Interrupted, start } from "./child.mjs";
import { NODE_24, ROOT } from "./paths.mjs";

const DIE_WITH_PARENT = fileURLToPath(new URL("die-with-parent.cjs", import.meta.url));

/** Runs Node 24 with these arguments, on this terminal; resolves to its exit code, and dies of the signal it died of. */
export async function runOnNode24(args, env) {
  const options = {
    cwd: ROOT,
    env: { ...env, CLOUDINFRA_DIE_WITH_PARENT: "1" },
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  };
  const { code, signal } = await start(NODE_24, ["--require", DIE_WITH_PARENT, ...args], options);
  if (signal) throw new Interrupted(signal);
  return code;
}
