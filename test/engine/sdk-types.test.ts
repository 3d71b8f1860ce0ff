import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { goEnvironment } from "../../tools/sdk/go-environment.cjs";
import { pythonEnvironment } from "../../tools/sdk/python-environment.cjs";
import { blocksOf, pages, ROOT } from "../docs/support/markdown";
import { exampleIn, schema } from "../support/package-schema";
import { moduleWith } from "./support/languages/go";
import { generateSdk } from "./support/languages/generated-sdk";
import { describeWithHost } from "./support/languages/hosts";
import { storage } from "../kinds/volume";
import { folderForSuite } from "../support/suite";

const folder = folderForSuite("types");

const IMPORTS = "import pulumi\nimport pulumi_cloudinfra as cloudinfra\n";

describeWithHost("python")("an SDK in the hands of a programmer", () => {
  let env: Readonly<Record<string, string>>;
  beforeAll(async () => {
    env = pythonEnvironment(await generateSdk("python", folder), join(folder, "site"));
  });

  /** The output of the type checker. */
  async function check(program: string): Promise<string> {
    const file = join(folder, "program.py");
    writeFileSync(file, program);
    const options = { env: { ...process.env, ...env }, cwd: folder };
    const run = promisify(execFile)("python3", ["-m", "mypy", "--strict", "program.py"], options);
    return run.then(
      () => "",
      (error: unknown) => (error as { readonly stdout: string }).stdout,
    );
  }

  it("passes mypy in every documented Python program", async () => {
    const blocks = pages()
      .flatMap(blocksOf)
      .filter(({ language }) => language === "python")
      .map(({ text }) => text);
    expect(blocks).not.toHaveLength(0);
    const example = readFileSync(join(ROOT, "examples/python/__main__.py"), "utf8");
    for (const program of [...blocks, example]) expect(await check(program)).toBe("");
  });

  it("passes mypy in the example of every resource", async () => {
    const described = Object.values({ ...schema.resources, ...schema.functions });
    const bodies = described.map(({ description }, index) => {
      const lines = exampleIn(description, "python").replace(/^import .*\n/gm, "");
      return `def example_${index}() -> None:${lines.replace(/^(?=.)/gm, "    ")}`;
    });
    expect(await check(`${IMPORTS}${bodies.join("\n")}`)).toBe("");
  });

  it("the Python, Node and Go SDKs have their own examples", async () => {
    const textOf = async (language: string, path: string): Promise<string> =>
      readFileSync(join(await generateSdk(language, folder), path), "utf8");
    const python = await textOf("python", "pulumi_cloudinfra/volume.py");
    expect(python).toContain('cloudinfra.Volume("data", size=100');
    expect(python).not.toContain("fn::invoke");
    expect(python).not.toContain("new cloudinfra.Volume(");
    expect(await textOf("nodejs", "volume.ts")).toContain('new cloudinfra.Volume("data", { size: 100');
    const go = await textOf("go", "cloudinfra/volume.go");
    expect(go).toContain('cloudinfra.NewVolume(ctx, "data"');
    expect(go).not.toContain("fn::invoke");
  });

  it("each SDK has a README with an example", async () => {
    const readme = async (language: string, path: string): Promise<string> =>
      readFileSync(join(await generateSdk(language, folder), path), "utf8");
    expect(await readme("python", "pulumi_cloudinfra/README.md")).toContain("cloudinfra.Volume(");
    expect(await readme("go", "cloudinfra/README.md")).toContain("cloudinfra.NewVolume(");
    expect(await readme("nodejs", "README.md")).toContain("new cloudinfra.Volume(");
  });

  it("takes an enumeration's values and names", async () => {
    const given = (type: string): string => `${IMPORTS}cloudinfra.Volume("data", size=100, type=${type})\n`;
    expect(await check(given(`"${storage}"`))).toBe("");
    expect(await check(given(`cloudinfra.VolumeType.${storage.toUpperCase()}`))).toBe("");
    expect(await check(given("7"))).toContain("No overload variant");
  });
});

describeWithHost("go")("the SDK for Go", () => {
  // The first time, Go compiles Pulumi's SDK for half a minute, or longer on a busy machine.
  const COMPILE_MS = 600_000;

  it(
    "compiles and formats all examples of the Go SDK",
    async () => {
      const programs = join(folder, "programs");
      const files = Object.entries({ ...schema.resources, ...schema.functions }).map(
        ([token, { description }]) => [`${token.split(":").at(-1)!}/main.go`, exampleIn(description, "go")] as const,
      );
      for (const [path, text] of [...files, ...Object.entries(moduleWith(await generateSdk("go", folder)))]) {
        mkdirSync(dirname(join(programs, path)), { recursive: true });
        writeFileSync(join(programs, path), text);
      }
      const options = { cwd: programs, env: { ...process.env, ...goEnvironment() } };
      expect((await promisify(execFile)("gofmt", ["-l", "."], options)).stdout).toBe("");
      await promisify(execFile)("go", ["vet", "./..."], options);
    },
    COMPILE_MS,
  );
});
