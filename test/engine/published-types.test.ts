import { cpSync, mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { definitions } from "../../src/resources/definitions";
import { descriptionsIn } from "../../tools/docs/descriptions.cjs";
import { describedLookups } from "../../tools/docs/lookup-comments.cjs";
import { ROOT } from "../docs/support/markdown";
import { folderForSuite, forSuite } from "../support/suite";
import { assertBuilt } from "./support/built";

// What the compiler and the editor of a user make of the published types, in a project that has the package installed.

assertBuilt();

const OPTIONS: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.Node16,
  ...{ strict: true, declaration: true, skipLibCheck: true, types: ["node"] },
};

/** A project with one file, `index.ts`. */
class Project {
  readonly file: string;
  readonly #service: ts.LanguageService;
  #source = "";
  #version = 0;

  constructor(folder: string) {
    this.file = join(folder, "index.ts");
    const installed = join(folder, "node_modules", "pulumi-cloudinfra");
    const isFor = (path: string): boolean => !/\.js$/.test(path);
    cpSync(join(ROOT, "dist"), join(installed, "dist"), { recursive: true, filter: isFor });
    cpSync(join(ROOT, "package.json"), join(installed, "package.json"));
    for (const name of ["@pulumi", "@types"])
      symlinkSync(join(ROOT, "node_modules", name), join(folder, "node_modules", name));
    this.#service = ts.createLanguageService({
      getCompilationSettings: () => OPTIONS,
      getScriptFileNames: () => [this.file],
      getScriptVersion: (name) => (name === this.file ? `${this.#version}` : "0"),
      getScriptSnapshot: (name) => {
        const text = name === this.file ? this.#source : ts.sys.readFile(name);
        return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
      },
      fileExists: (name) => name === this.file || ts.sys.fileExists(name),
      readFile: (name) => ts.sys.readFile(name),
      directoryExists: (name) => ts.sys.directoryExists(name),
      getDirectories: (name) => ts.sys.getDirectories(name),
      realpath: (name) => ts.sys.realpath?.(name) ?? name,
      getCurrentDirectory: () => folder,
      getDefaultLibFileName: ts.getDefaultLibFilePath,
    });
  }

  #write(source: string): ts.Program {
    this.#source = source;
    this.#version += 1;
    return this.#service.getProgram()!;
  }

  /** The errors of the compiler, and the declarations that it writes. */
  compile(source: string): { readonly errors: readonly string[]; readonly declarations: string } {
    const program = this.#write(source);
    const written = program.getSourceFile(this.file)!;
    const found = [...program.getSemanticDiagnostics(written), ...program.getDeclarationDiagnostics(written)];
    const { outputFiles } = this.#service.getEmitOutput(this.file, true);
    return {
      errors: found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n")),
      declarations: outputFiles.map(({ text }) => text).join(""),
    };
  }

  /** The documentation that the editor shows on each name with `[[` before it, in their order. */
  documentation(source: string): readonly string[] {
    const [start = "", ...rest] = source.split("[[");
    this.#write([start, ...rest].join(""));
    let position = start.length;
    return rest.map((text) => {
      const info = this.#service.getQuickInfoAtPosition(this.file, position);
      position += text.length;
      return ts.displayPartsToString(info?.documentation).replace(/\s+/g, " ");
    });
  }
}

const folder = folderForSuite("published-types");
const project = forSuite(() => {
  mkdirSync(join(folder, "node_modules"));
  return new Project(folder);
});

const IMPORT = 'import * as cloudinfra from "pulumi-cloudinfra";';

type Described = Readonly<Record<string, { readonly text: string }>>;
type DescribedLookups = Readonly<Record<string, { readonly argComments: Described }>>;
const described = describedLookups(ROOT, lookups) as unknown as DescribedLookups;
const descriptions = descriptionsIn(join(ROOT, "src", "resources")) as unknown as Described;
const names = Object.keys(lookups);

const withArgs = names.filter(
  (name) => lookups[name]!.finds === "byIdOrName" || Object.keys(lookups[name]!.args).length > 0,
);

/** Exports each thing that a library of components may export, without a written type. */
const LIBRARY = `
  import * as pulumi from "@pulumi/pulumi";
  declare const input: any;
  export const functions = [${names.map((name) => `cloudinfra.${name}, cloudinfra.${name}Output`).join(", ")}] as const;
  export const known = [${names.map((name) => `cloudinfra.${name}(input)`).join(", ")}] as const;
  export const outputs = [${names.map((name) => `cloudinfra.${name}Output(input)`).join(", ")}] as const;
  export const subnet = cloudinfra.getVpcOutput({ name: "default" }).subnet;
  ${definitions
    .map(
      ({ type, inputs, planned, outputs }) => `
  export const Own${type} = cloudinfra.${type};
  export const my${type} = new cloudinfra.${type}("sample", input);
  export const membersOf${type} = [
    ${Object.keys({ ...inputs, ...planned, ...outputs })
      .map((name) => `my${type}.${name}`)
      .join(", ")}
  ] as const;`,
    )
    .join("")}
  export class Site extends pulumi.ComponentResource {
    readonly vpc = cloudinfra.getVpcOutput({ name: "default" });
    readonly subnet = new cloudinfra.Vpc("site").subnet;
  }`;

it.each(["pulumi-cloudinfra", "pulumi-cloudinfra/native"])("a library may export the values of %s", (entry) => {
  const { errors, declarations } = project.compile(`import * as cloudinfra from "${entry}"; ${LIBRARY}`);
  expect(errors).toEqual([]);
  expect(declarations).not.toMatch(/\/dist\/|: any;/);
});

it("every argument type of a lookup has a name", () => {
  const functions = withArgs.flatMap((name) => [name, `${name}Output`]);
  const typeOf = (name: string): string => `cloudinfra.${name[0]!.toUpperCase()}${name.slice(1)}Args`;
  const statements = functions.map(
    (name) => `
    export const to_${name}: Parameters<typeof cloudinfra.${name}>[0] = {} as ${typeOf(name)};
    export const of_${name}: ${typeOf(name)} = {} as NonNullable<Parameters<typeof cloudinfra.${name}>[0]>;`,
  );
  const { errors } = project.compile(`${IMPORT} ${statements.join("")}`);
  expect(errors).toEqual([]);
});

it("the editor shows the documentation of every class", () => {
  const uses = definitions.map(({ type }) => `new cloudinfra.[[${type}("sample", {} as any);`);
  const shown = project.documentation(`${IMPORT} ${uses.join("\n")}`);
  expect(shown).toEqual(definitions.map(({ type }) => descriptions[type]!.text));
});

it("the editor shows the documentation of all outputs", () => {
  const uses = definitions.flatMap(({ type, inputs, planned, outputs }) =>
    Object.keys({ ...inputs, ...planned, ...outputs }).map((name) => `({} as cloudinfra.${type}).[[${name};`),
  );
  const shown = project.documentation(`${IMPORT} ${uses.join("\n")}`);
  expect(uses.filter((_use, index) => shown[index] === "")).toEqual([]);
});

it("the editor shows the documentation of all results that are resources", () => {
  const ofResources = names.filter((name) => lookups[name]!.result.type !== undefined);
  const uses = ofResources.flatMap((name) => {
    const { finds, result } = lookups[name]!;
    const object = `({} as Awaited<ReturnType<typeof cloudinfra.${name}>>)${finds === "all" ? "[0]!" : ""}`;
    return Object.keys(result.fields).map((field) => `${object}.[[${field};`);
  });
  const shown = project.documentation(`${IMPORT} ${uses.join("\n")}`);
  expect(uses.filter((_use, index) => shown[index] === "")).toEqual([]);
});

it.each(["", "Output"])("the editor shows the documentation of all arguments of get…%s", (form) => {
  const all = Object.entries(described).flatMap(([name, { argComments }]) =>
    Object.entries(argComments).map(([arg, { text }]) => ({ call: `cloudinfra.${name}${form}`, arg, text })),
  );
  const calls = all.map(({ call, arg }) => `${call}({ [[${arg}: "" as any });`);
  const shown = project.documentation(`${IMPORT} ${calls.join("\n")}`);
  expect(all.map((each, index) => ({ ...each, text: shown[index] }))).toEqual(all);
});
