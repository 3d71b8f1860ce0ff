import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { ROOT } from "../docs/support/markdown";
import { examples } from "./support/examples";

const { version } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { version: string };

/** All examples share these declarations, so they are read once. */
const sources = new Map<string, ts.SourceFile | undefined>();

function hostOf(options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  return {
    ...host,
    getSourceFile: (file, ...how) => {
      const key = `${file} ${JSON.stringify(how[0])}`;
      if (!sources.has(key)) sources.set(key, host.getSourceFile(file, ...how));
      return sources.get(key);
    },
  };
}

describe.each(examples())("the example %s", (name) => {
  const folder = join(ROOT, "examples", name);
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");

  it("is a Pulumi project with a page of documentation", () => {
    expect(read("Pulumi.yaml")).toMatch(new RegExp(`^name: ${name}$`, "m"));
    expect(JSON.parse(read("package.json"))).toMatchObject({
      name,
      private: true,
      dependencies: { "pulumi-cloudinfra": `^${version}` },
    });
    expect(existsSync(join(folder, "README.md"))).toBe(true);
  });

  it("explains exactly the configuration that its project declares", () => {
    const [, config = ""] = /^config:\n((?: .*\n)*)/m.exec(read("Pulumi.yaml")) ?? [];
    const declared = Array.from(config.matchAll(/^ {2}(\w+):$/gm), ([, key]) => key);
    const explained = Array.from(read("README.md").matchAll(/^\| `(\w+)`/gm), ([, key]) => key);
    expect(explained).toEqual(declared);
  });

  if (!existsSync(join(folder, "tsconfig.json"))) return;
  it("passes the compiler against the built types", () => {
    const { config } = ts.readConfigFile(join(folder, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
      config: unknown;
    };
    const { fileNames, options, errors } = ts.parseJsonConfigFileContent(config, ts.sys, folder);
    const wanted = { ...options, noEmit: true };
    const program = ts.createProgram(fileNames, wanted, hostOf(wanted));
    const problems = [...errors, ...ts.getPreEmitDiagnostics(program)];
    expect(problems.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"))).toEqual([]);
  });
});
