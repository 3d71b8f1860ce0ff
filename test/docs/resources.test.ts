import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import ts from "typescript";
import * as cloudinfra from "../../src/index";
import { kinds } from "../../src/resources/registry";
import { classDescriptions } from "../../tools/docs/class-description.cjs";
import { descriptionsIn } from "../../tools/docs/descriptions.cjs";
import { describedLookups } from "../../tools/docs/lookup-comments.cjs";
import { lookups as bare } from "../../src/functions/lookups/lookup-registry";
import { lookupsPage } from "../../tools/docs/lookups-page.cjs";
import { COMMAND, resourcePages } from "../../tools/docs/resource-pages.cjs";
import { ROOT } from "./support/markdown";

const folder = join(ROOT, "docs", "resources");
const lookups = describedLookups(ROOT, bare);
const descriptions = descriptionsIn(join(ROOT, "src", "resources"));
const classes = classDescriptions(ROOT);
const made = resourcePages(kinds, descriptions, classes);
const examples = [
  ...kinds.map(({ type }): [string, string | undefined] => [type, descriptions[type]?.example]),
  ...classes.map(({ name, example }): [string, string | undefined] => [name, example]),
];

describe("docs/resources", () => {
  it("generates one page per class, and no other page", () => {
    expect(Object.keys(made)).toHaveLength(examples.length + 1);
    expect(readdirSync(folder).sort()).toEqual(Object.keys(made).sort());
  });

  it.each(Object.entries(made))(`%s says what its source does (if not, run: ${COMMAND})`, (name, page) => {
    expect(readFileSync(join(folder, name), "utf8")).toBe(page);
  });

  it("the examples compile", () => {
    const portable = classes.map(({ name, portableExample }) => [`${name}-elsewhere`, portableExample] as const);
    const programs = [...examples, ...portable].map(([name, example = ""]): [string, string] => [
      join(ROOT, "test", "docs", `example-of-${name}.ts`),
      example.replace(/^```\w*$/gm, ""),
    ]);
    for (const [index, [name]] of examples.entries()) {
      expect(programs[index]?.[1]).toContain(`new cloudinfra.${name}(`);
    }
    expect(problemsOf(new Map(programs))).toEqual([]);
  });
});

it("documents each public resource class", () => {
  const isResource = (value: unknown): boolean =>
    typeof value === "function" && value.prototype instanceof pulumi.Resource;
  const resources = Object.entries(cloudinfra).flatMap(([name, value]) => (isResource(value) ? [name] : []));
  expect(resources.sort()).toEqual(examples.map(([name]) => name).sort());
});

describe("docs/functions.md", () => {
  it(`says what the lookups do (if not, run: ${COMMAND})`, () => {
    const files = Object.entries(descriptions).map(([type, { file }]) => [type, file.replace(/\.ts$/, ".md")]);
    const page = lookupsPage(lookups, Object.fromEntries(files) as Record<string, string>);
    expect(readFileSync(join(ROOT, "docs", "functions.md"), "utf8")).toBe(page);
  });
});

it("the compiler names the argument type of a misspelled argument", () => {
  const types = kinds.map(({ type }) => type);
  const programs = types.map((type): [string, string] => [
    join(ROOT, `misspelled-${type}.ts`),
    `import { ${type} } from "pulumi-cloudinfra";\nnew ${type}("x", { strange: 1 });`,
  ]);
  expect(problemsOf(new Map(programs))).toEqual(
    types.map((type) => expect.stringMatching(new RegExp(`'strange' does not exist in type '${type}Args'`)) as string),
  );
});

/** What the compiler reports about programs in memory, which import the package's sources. */
function problemsOf(programs: ReadonlyMap<string, string>): string[] {
  const { config } = ts.readConfigFile(join(ROOT, "tsconfig.json"), (file) => ts.sys.readFile(file)) as {
    config: { compilerOptions: object };
  };
  const { options } = ts.convertCompilerOptionsFromJson(
    { ...config.compilerOptions, rootDir: ROOT, paths: { "pulumi-cloudinfra": [join(ROOT, "src/index.ts")] } },
    ROOT,
  );
  const disk = ts.createCompilerHost(options);
  const host: ts.CompilerHost = {
    ...disk,
    fileExists: (file) => programs.has(file) || disk.fileExists(file),
    readFile: (file) => programs.get(file) ?? disk.readFile(file),
    getSourceFile: (file, languageVersion) => {
      const source = programs.get(file);
      if (source === undefined) return disk.getSourceFile(file, languageVersion);
      return ts.createSourceFile(file, source, languageVersion);
    },
  };
  const program = ts.createProgram([...programs.keys()], options, host);
  return [...programs.keys()]
    .flatMap((file) => [
      ...program.getSyntacticDiagnostics(program.getSourceFile(file)),
      ...program.getSemanticDiagnostics(program.getSourceFile(file)),
    ])
    .map(({ file, messageText }) => `${file?.fileName ?? ""}: ${ts.flattenDiagnosticMessageText(messageText, "\n")}`);
}
