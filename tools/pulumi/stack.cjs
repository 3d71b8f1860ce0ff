// CommonJS, because jest's tests use it beside the demo and the bench.
const { spawn } = require("node:child_process");
const {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

const ROOT = join(__dirname, "..", "..");

/**
 * A Pulumi project with one local stack in its own folder. The real engine, which must be on PATH, runs it. State,
 * plugins, credentials and temporary files are in that folder too, and not with the user's own Pulumi.
 */
class Stack {
  /**
   * `program` is the text of a JavaScript program, `{ resources, outputs }` for a YAML program, or `{ runtime, files }`
   * for another language. All may use the first-class provider of this checkout. `{ folder, entries }` copies these
   * entries of an existing project.
   */
  constructor({
    program,
    project = "test",
    stack = "dev",
    env = {},
    folder = mkdtempSync(join(tmpdir(), "cloudinfra-stack-")),
  }) {
    this.folder = folder;
    this.name = stack;
    this.env = {
      ...process.env,
      PULUMI_HOME: join(folder, ".pulumi-home"),
      PULUMI_BACKEND_URL: `file://${join(folder, "state")}`,
      PULUMI_CONFIG_PASSPHRASE: "test",
      PULUMI_SKIP_UPDATE_CHECK: "1",
      PULUMI_AUTOMATION_API_SKIP_VERSION_CHECK: "1",
      XDG_STATE_HOME: join(folder, "xdg-state"),
      XDG_CACHE_HOME: join(folder, "xdg-cache"),
      TMPDIR: join(folder, "tmp"),
      NO_COLOR: "1",
      ...env,
    };
    this.project = project;
    mkdirSync(join(folder, "state"), { recursive: true });
    // Pulumi's language host leaves its pipes there if the engine kills it.
    mkdirSync(join(folder, "tmp"), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    // The engine keeps the plugin's schema beside the plugin's folder: here it is in the stack's own.
    symlinkSync(join(ROOT, "plugin"), join(folder, "plugin"));
    if (typeof program === "string" || !("entries" in program)) {
      this.write(program);
    } else {
      for (const entry of program.entries) {
        cpSync(join(program.folder, entry), join(folder, entry), { recursive: true });
      }
    }
  }

  /** Replaces the program. */
  write(program, { saysPlugins = true } = {}) {
    const plugins = { providers: [{ name: "cloudinfra", path: join(this.folder, "plugin") }] };
    if (typeof program === "string") {
      writeFileSync(join(this.folder, "index.js"), program);
      writeFileSync(join(this.folder, "package.json"), JSON.stringify({ name: this.project, private: true }));
      const runtime = { name: "nodejs", options: { typescript: false } };
      // Programs of the dynamic provider prove that it needs no plugin.
      const isNative = saysPlugins && program.includes("pulumi-cloudinfra/native");
      return this.#describe({ runtime, main: "index.js", ...(isNative && { plugins }) });
    }
    const { files = {}, ...project } = program;
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.folder, name), text);
    this.#describe({ runtime: "yaml", plugins, ...project });
  }

  /** Writes Pulumi.yaml. JSON is YAML. */
  #describe(project) {
    writeFileSync(join(this.folder, "Pulumi.yaml"), JSON.stringify({ name: this.project, ...project }, undefined, 2));
  }

  /** Makes the stack, and sets its configuration. A value `{ secret }` becomes a secret. */
  async init(config = {}) {
    this.#expect(await this.pulumi(["stack", "init", this.name, "--non-interactive"]));
    for (const [key, value] of Object.entries(config)) await this.setConfig(key, value);
    return this;
  }

  async setConfig(key, value) {
    const isSecret = typeof value === "object";
    // After "--", because a secret of the API may begin with a dash.
    const args = ["config", "set", isSecret ? "--secret" : "--plaintext", "--", key, isSecret ? value.secret : value];
    this.#expect(await this.pulumi(args));
  }

  preview(args = []) {
    return this.pulumi(["preview", "--non-interactive", ...args]);
  }

  up(args = []) {
    return this.pulumi(["up", "--yes", "--non-interactive", ...args]);
  }

  refresh(args = []) {
    return this.pulumi(["refresh", "--yes", "--non-interactive", ...args]);
  }

  destroy(args = []) {
    return this.pulumi(["destroy", "--yes", "--non-interactive", ...args]);
  }

  /**
   * Runs the CLI. Resolves with `{ code, stdout, stderr, output }`: `output` has both in the order of arrival.
   * `onOutput` sees it live. With `onTerminal`, the CLI has the terminal of this process instead.
   */
  pulumi(args, { onOutput, onTerminal = false, env = {} } = {}) {
    return new Promise((resolve, reject) => {
      const child = spawn("pulumi", args, {
        cwd: this.folder,
        env: { ...this.env, ...env },
        stdio: onTerminal ? "inherit" : ["ignore", "pipe", "pipe"],
      });
      this.child = child;
      const texts = { stdout: "", stderr: "", output: "" };
      for (const stream of ["stdout", "stderr"]) {
        child[stream]?.setEncoding("utf8").on("data", (text) => {
          texts[stream] += text;
          texts.output += text;
          onOutput?.(text, stream);
        });
      }
      child.on("error", reject);
      child.on("close", (code) => resolve({ code, ...texts }));
    });
  }

  /** The stack's outputs, with secrets in plain text. */
  async outputs() {
    const { stdout } = this.#expect(await this.pulumi(["stack", "output", "--json", "--show-secrets"]));
    return JSON.parse(stdout);
  }

  /** The resources in the state, by logical name. Secrets are encrypted, unless `showSecrets`. */
  async resources({ showSecrets = false } = {}) {
    const args = ["stack", "export", ...(showSecrets ? ["--show-secrets"] : [])];
    const { deployment } = JSON.parse(this.#expect(await this.pulumi(args)).stdout);
    return Object.fromEntries(
      (deployment.resources ?? []).map((resource) => [resource.urn.split("::").at(-1), resource]),
    );
  }

  /** Imports a state that `stack export` has printed. Secrets in it may be plain text: the import encrypts them. */
  async importState(state) {
    const file = join(this.folder, "import.json");
    writeFileSync(file, JSON.stringify(state));
    this.#expect(await this.pulumi(["stack", "import", "--file", file]));
    rmSync(file);
  }

  /** The text of every file that the engine and the provider have written in the folder, by path. */
  files() {
    const texts = {};
    const walk = (folder) => {
      for (const entry of readdirSync(folder, { withFileTypes: true })) {
        const path = join(folder, entry.name);
        if (entry.isDirectory()) walk(path);
        else if (entry.isFile()) texts[path] = readFileSync(path, "utf8");
      }
    };
    walk(this.folder);
    return texts;
  }

  /** Deletes the folder, but not the stack's objects at the API: destroy first. */
  remove() {
    if (existsSync(this.folder)) rmSync(this.folder, { recursive: true, force: true });
  }

  #expect(result) {
    if (result.code !== 0) throw new Error(`pulumi ended with code ${result.code}:\n${result.output}`);
    return result;
  }
}

/** The environment of a program that uses this simulator. */
function environmentFor({ apiKey, url, projectId, region }) {
  return {
    ...{ CLOUDINFRA_API_KEY: apiKey, CLOUDINFRA_BASE_URL: url },
    ...{ CLOUDINFRA_PROJECT_ID: projectId, CLOUDINFRA_REGION: region },
  };
}

module.exports = { environmentFor, Stack };
