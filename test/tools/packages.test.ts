import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

const LOCKED = {
  "": { name: "x" },
  "node_modules/a": { version: "1.2.3", integrity: "sha512-a" },
  "node_modules/for-another-platform": { version: "1.0.0", optional: true },
};
const lock = (file: string, packages: object) => sandbox.write(file, JSON.stringify({ packages }));

/** An npm that records its calls, and then runs this. */
function addNpm(body: string) {
  sandbox.script(join(sandbox.bin, "npm"), `echo "$*" >> ${sandbox.root}/npm.log\n${body}`);
}

function ensurePackages() {
  lock("package-lock.json", LOCKED);
  return sandbox.evaluate(
    'import { ensurePackages } from "@/setup/npm-packages.mjs"; import { inStep } from "@/setup/progress.mjs";',
    `await inStep("packages", (step) => ensurePackages(${JSON.stringify(sandbox.root)}, step));`,
  );
}

describe("package-lock.json", () => {
  interface Entry {
    readonly version?: string;
    readonly resolved?: string;
    readonly optionalDependencies?: Readonly<Record<string, string>>;
  }
  const text = readFileSync(join(ROOT, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as { readonly packages: Readonly<Record<string, Entry>> };

  it("locks every optional package, of other platforms too", () => {
    const optional = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}));
    const missing = optional.filter(
      (name) => !Object.keys(packages).some((path) => path.endsWith(`node_modules/${name}`)),
    );
    expect(optional.length).toBeGreaterThan(20);
    expect(missing).toEqual([]);
  });

  it("lists package.json's direct packages and no registry", () => {
    const own = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as Record<string, unknown>;
    expect(packages[""]).toMatchObject({ dependencies: own["dependencies"], devDependencies: own["devDependencies"] });
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined && resolved !== "")).toEqual([]);
    expect(text).not.toMatch(/https?:[^"]*\.tgz/);
  });
});

describe("the npm packages", () => {
  it("starts no npm if the packages are there", async () => {
    lock("node_modules/.package-lock.json", { "node_modules/a": LOCKED["node_modules/a"] });
    addNpm("exit 1");
    const { code, stderr } = await ensurePackages();
    expect({ code, stderr }).toEqual({ code: 0, stderr: "packages  up to date\n" });
    expect(sandbox.lines("npm.log")).toEqual([]);
  });

  it.each([
    ["there are none", undefined],
    ["one is of another version", { "node_modules/a": { version: "1.2.2", integrity: "sha512-b" } }],
    ["one is missing", {}],
  ])("installs the locked packages if %s", async (_case, there) => {
    if (there) lock("node_modules/.package-lock.json", there);
    addNpm("echo chatter");
    const { code, stderr } = await ensurePackages();
    expect(code).toBe(0);
    expect(stderr).toMatch(/^packages {2}installing \(about 25 s\)\npackages {2}installed/);
    expect(stderr).not.toContain("chatter");
    expect(sandbox.lines("npm.log")).toEqual([expect.stringMatching(/^ci .*--include=dev/)]);
  });

  it("shows the last words of a failing npm", async () => {
    addNpm("echo 'npm error network is down' >&2; exit 1");
    const { code, stderr } = await ensurePackages();
    expect(code).toBe(1);
    expect(stderr).toMatch(/packages {2}failed[^]*network is down[^]*could not be installed/);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  it("reports a missing npm", async () => {
    const { code, stderr } = await ensurePackages();
    expect(code).toBe(1);
    expect(stderr).toContain("npm is not on PATH");
  });
});
