import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { failed, succeeded } from "./support/output";
import { Session } from "./support/session";
import { describeYaml, yaml } from "./support/yaml";
import { basicsOf } from "./support/programs";
import { forSuite } from "../support/suite";

let project: string;
beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), "cloudinfra-old-node-"));
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

/** A module that makes the loading Node report an old version. */
function oldNode(): string {
  const preload = join(project, "old.cjs");
  const versions = `{ value: { ...process.versions, node: "20.0.0" } }`;
  writeFileSync(preload, `Object.defineProperty(process, "versions", ${versions});`);
  return preload;
}

/** The first output of the plugin, run by a Node that reports an old version. */
async function firstOutput(cwd: string): Promise<{ readonly stdout: string } | { readonly stderr: string }> {
  const env = { ...process.env, NODE_OPTIONS: `--require ${oldNode()}` };
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
  it("runs in the Node of the project's package", async () => {
    mkdirSync(join(project, "node_modules", ".bin"), { recursive: true });
    const node = join(project, "node_modules", ".bin", "node");
    writeFileSync(node, `#!/bin/sh\nunset NODE_OPTIONS\nexec "${process.execPath}" "$@"\n`, { mode: 0o755 });
    const folder = join(project, "program");
    mkdirSync(folder);
    expect(await firstOutput(folder)).toEqual({ stdout: expect.stringMatching(/^\d+\n$/) as string });
  });
});

describeYaml("a YAML program whose Node is old, in a project without another", () => {
  const refusal = /pulumi-cloudinfra needs Node [\d.]+ or newer, and this is Node 20\.0\.0\./g;
  const volume = yaml("Volume", basicsOf("Volume"));
  const session = forSuite(() => Session.start({ resources: { one: volume, other: volume } }));
  beforeAll(async () => {
    rmSync(join(session.stack.folder, "node_modules"));
    succeeded(await session.up());
  });

  it.each([["preview"], ["up", "--yes"], ["refresh", "--yes"], ["destroy", "--yes"]])(
    "pulumi %s says once which Node it needs",
    async (...command) => {
      const env = { NODE_OPTIONS: `--require ${oldNode()}` };
      const output = failed(await session.stack.pulumi([...command, "--non-interactive"], { env }));
      // The row repeats the line under Diagnostics.
      const diagnostics = output.split(/^Diagnostics:$/m).at(-1)!;
      expect(diagnostics.match(refusal)).toHaveLength(1);
      expect(output).not.toContain("bug in the provider");
      expect(await session.api.heldIds()).toHaveLength(2);
    },
  );
});
