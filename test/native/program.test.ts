import ts from "typescript";
import * as dynamic from "../../src";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import * as native from "../../src/native/program";
import { definitions } from "../../src/resources/definitions";
import packageJson from "../../package.json";

const both = { "pulumi-cloudinfra": dynamic, "pulumi-cloudinfra/native": native };

it("refuses the name of the stack's own provider for an explicit one", () => {
  expect(() => new native.Provider("default")).toThrow(/^The provider "default" has a name .* Give it another name\.$/);
});

it("exports the dynamic entry's names and Provider", () => {
  expect(Object.keys(native).sort()).toEqual([...Object.keys(dynamic), "Provider"].sort());
  expect(Object.entries(native).filter(([, value]) => typeof value !== "function")).toEqual([]);
});

it.each(Object.entries(both))("%s has every resource and each lookup in both forms", (_name, entry) => {
  const classes = [...definitions.map(({ type }) => type), "CostSummary", "RotatingApiKey"];
  expect(Object.keys(entry)).toEqual(expect.arrayContaining(classes));
  const functions = Object.keys(entry).filter((name) => name.startsWith("get"));
  expect(functions.sort()).toEqual(
    Object.keys(lookups)
      .flatMap((name) => [name, `${name}Output`])
      .sort(),
  );
});

it("exports functions with the dynamic entry's arguments", () => {
  for (const name of Object.keys(lookups)) {
    const takesArgs = (entry: object): boolean => (entry as Record<string, { length: number }>)[name]!.length !== 1;
    expect([name, takesArgs(native)]).toEqual([name, takesArgs(dynamic)]);
  }
});

const resolutions: [string, ts.ModuleResolutionKind][] = [
  ["node16", ts.ModuleResolutionKind.Node16],
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- Pulumi's templates have it
  ["node10, without exports", ts.ModuleResolutionKind.Node10],
  ["bundler", ts.ModuleResolutionKind.Bundler],
];

it.each(resolutions)("lets the compiler find its types by %s", (_name, moduleResolution) => {
  expect(typesOf("pulumi-cloudinfra/native", moduleResolution)).toBe("dist/native/program/types.d.ts");
});

it.each(resolutions)("hides the types of the frozen entry by %s", (_name, moduleResolution) => {
  expect(typesOf("pulumi-cloudinfra/provider", moduleResolution)).toBeUndefined();
});

/** The file of the package in which the compiler finds the types of an entry. */
function typesOf(entry: string, moduleResolution: ts.ModuleResolutionKind): string | undefined {
  const root = "/project/node_modules/pulumi-cloudinfra/";
  const files = new Map([[`${root}package.json`, JSON.stringify(packageJson)]]);
  for (const file of ["native/program/types", "provider"])
    for (const ending of ["d.ts", "js"]) files.set(`${root}dist/${file}.${ending}`, "");
  const host = { fileExists: (file: string) => files.has(file), readFile: (file: string) => files.get(file) };
  const { resolvedModule } = ts.resolveModuleName(entry, "/project/index.ts", { moduleResolution }, host);
  return resolvedModule?.resolvedFileName.slice(root.length);
}
