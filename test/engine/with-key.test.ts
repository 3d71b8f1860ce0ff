import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { forSuite } from "../support/suite";
import { cloudinfra } from "./support/command";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import type { WireObject } from "../support/simulator-client";

const session = forSuite(() => Session.start(program(declare("Volume", "data"))));

const withKey = (permissions: string, ...command: readonly string[]): ReturnType<typeof cloudinfra> =>
  cloudinfra(session, ["with-key", "--permissions", permissions, "--for", "15m", "--", ...command]);
const keys = async (): Promise<readonly WireObject[]> => (await session.api.held())["apiKeys"];
/** Starts `cloudinfra with-key` with a Node script as its command. */
function started(script: string): { child: ChildProcessWithoutNullStreams; output: () => string } {
  const bin = join(ROOT, "bin", "cloudinfra.js");
  const flags = ["with-key", "--permissions", "vm:read", "--for", "15m", "--", process.execPath, "-e", script];
  const child = spawn(process.execPath, [bin, ...flags], { cwd: session.stack.folder, env: session.stack.env });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  return { child, output: () => output };
}
const update = ["pulumi", "up", "--yes", "--skip-preview", "--non-interactive"];

describe("cloudinfra with-key", () => {
  it("gives a command its key, and deletes the key afterwards", async () => {
    const lacking = await withKey("volume:read", ...update);
    expect([lacking.code === 0, lacking.stdout]).toEqual([false, expect.stringContaining("403")]);
    expect((await withKey("volume:edit", ...update)).code).toBe(0);
    expect((await session.api.held())["volumes"]).toHaveLength(1);
    expect(await keys()).toEqual([]);
    const { stdout } = await cloudinfra(session, ["doctor"]);
    expect(stdout).not.toContain("with-key");
  });

  it("limits the key, and passes on the exit code", async () => {
    const script = `
      const { CLOUDINFRA_API_KEY: key, NIRVANA_LABS_API_KEY: same } = process.env;
      const { CLOUDINFRA_BASE_URL: url, NIRVANA_LABS_BASE_URL: sameUrl } = process.env;
      const ask = (path) => fetch(url + path, { headers: { authorization: "Bearer " + key } }).then(({ status }) => status);
      Promise.all([ask("/v1/regions"), ask("/v1/api_keys")]).then((answers) => {
        console.log(JSON.stringify([key === same && url === sameUrl, ...answers]));
        process.exitCode = 9;
      });`;
    const { code, stdout } = await withKey("vm:read,vpc:edit", process.execPath, "-e", script);
    expect([code, JSON.parse(stdout)]).toEqual([9, [true, 200, 403]]);
    expect(await keys()).toEqual([]);
  });

  it("writes the key to no file and no command line", async () => {
    const script = `echo "$CLOUDINFRA_API_KEY" > shown
      grep --recursive --files-with-matches --fixed-strings -e "$CLOUDINFRA_API_KEY" .
      ps -ww -o args= -p $PPID | grep --fixed-strings -e "$CLOUDINFRA_API_KEY"`;
    const args = ["with-key", "--permissions", "vm:read", "--for", "15m", "--", "sh", "-c", script];
    const ended = await cloudinfra(session, args);
    expect(ended).toEqual({ stdout: "./shown\n", code: 1, stderr: "" }); // the last grep finds nothing
  });

  it("deletes the key if the command cannot be started", async () => {
    const { code, stderr } = await withKey("vm:read", "no-such-command");
    expect([code, stderr]).toEqual([1, "error: no-such-command cannot be started: there is no such command.\n"]);
    expect(await keys()).toEqual([]);
  });

  it.each([
    ["SIGTERM", false],
    ["SIGKILL", true],
  ] as const)("names the key that stays after %s: %s", async (signal, isLeft) => {
    const { child } = started("console.log('runs'); process.stdin.resume()");
    await once(child.stdout, "data");
    const [key] = await keys();
    expect(key).toMatchObject({ source_ip_rule: { allowed: ["127.0.0.1/32"], blocked: [] } });
    child.kill(signal);
    await once(child, "exit");
    child.stdin.end(); // of the command too, if it still runs
    expect((await keys()).map(({ id }) => id)).toEqual(isLeft ? [key!.id] : []);
    const { stdout } = await cloudinfra(session, ["doctor"]);
    expect(stdout.includes(key!.id)).toBe(isLeft);
  });
});
