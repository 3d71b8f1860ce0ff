import { spawn } from "node:child_process";
import { ROOT } from "../../setup/paths.mjs";

/**
 * Runs node with these arguments, at the root of the clone; resolves with `{ wallMs, answer }`, `answer` being the JSON of the last line
 * that it printed. Fails where it does not end well.
 */
export function runNode(args, env = {}) {
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  return new Promise((resolve, reject) => {
    let stdout = "";
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.once("error", reject);
    child.once("close", (code) => {
      const wallMs = performance.now() - startedAt;
      if (code === 0) resolve({ wallMs, answer: JSON.parse(stdout.trim().split("\n").at(-1)) });
      else reject(new Error(`node ${args.join(" ")} ended with code ${code}`));
    });
  });
}
