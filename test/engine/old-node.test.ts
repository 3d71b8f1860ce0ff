import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "cloudinfra-old-node-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** The first output of the plugin, run by a Node that says it is old. */
async function firstOutput(cwd: string): Promise<{ readonly stdout: string } | { readonly stderr: string }> {
  const preload = join(project, "old.cjs");
  writeFileSync(
    preload,
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } });`,
  );
  const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
  const script = join(ROOT, "plugin", "pulumi-resource-cloudinfra");
  const plugin = spawn(process.execPath, [script], { cwd, env, detached: true });
  try {
    return await Promise.race([
      once(plugin.stdout, "data").then(([text]) => ({ stdout: String(text) })),
      once(plugin.stderr, "data").then(([text]) => ({ stderr: String(text) })),
    ]);
  } finally {
    // Ctrl-C reaches both processes.
    if (plugin.exitCode === null) process.kill(-plugin.pid!, "SIGINT");
    if (plugin.exitCode === null) await once(plugin, "exit");
  }
}

describe("the plugin in an old Node", () => {
  it("runs in the Node that the project has as a package", async () => {
    mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
    const node = join(project, "node_modules", ".bin", "node");
    writeFileSync(node, `#!/bin/sh\nunset NODE_OPTIONS\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
    const folder = join(project, "program");
    mkdirSync(folder);
    expect(await firstOutput(folder)).toEqual({ stdout: expect.stringMatching(/^\d+\n$/) as string });
  });

  it("without one, says in a line what it needs", async () => {
    const line = /^pulumi-cloudinfra needs Node [\d.]+ or newer, and this is Node 20\.0\.0\. .*\n$/;
    expect(await firstOutput(project)).toEqual({ stderr: expect.stringMatching(line) as string });
  });
});
