// Runs a command with the stack's key in its environment only. The key is not on the disk, and not on a command line, which
// every user of the machine can read.
import { execFileSync, spawnSync } from "node:child_process";

const [command, ...args] = process.argv.slice(2);
if (command === undefined) {
  console.error("usage: node with-key.mts <command> [argument...]");
  process.exit(2);
}

const show = ["stack", "output", "apiKey", "--show-secrets", "--non-interactive"];
const key = execFileSync("pulumi", show, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] }).trim();

const ended = spawnSync(command, args, { stdio: "inherit", env: { ...process.env, CLOUDINFRA_API_KEY: key } });
if (ended.error) console.error(`${command} cannot be run: ${ended.error.message}`);
process.exitCode = ended.status ?? 1;
