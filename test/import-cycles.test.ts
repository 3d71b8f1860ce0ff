import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import ts from "typescript";

const SRC = resolve("src");

/** The files of src that a file imports, including types. */
function importsOf(file: string): readonly string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(file, "utf8"));
  return importedFiles
    .filter(({ fileName }) => fileName.startsWith("."))
    .map(({ fileName }) => resolve(dirname(file), fileName))
    .flatMap((path) => [`${path}.ts`, join(path, "index.ts")].filter(existsSync).slice(0, 1));
}

/** The folder of src that a file is in, or src itself. */
function folderOf(file: string): string {
  const [folder = "", ...rest] = relative(SRC, file).split("/");
  return rest.length === 0 ? SRC : join(SRC, folder);
}

/** Every cycle of imports that contains a file, each named once. */
function cyclesOf(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  const follow = (file: string, way: readonly string[]): void => {
    const start = way.indexOf(file);
    if (start >= 0) {
      cycles.push([...way.slice(start), file].map((each) => relative(SRC, each)).join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const next of imports.get(file) ?? []) follow(next, [...way, file]);
    done.add(file);
  };
  for (const file of imports.keys()) follow(file, []);
  return cycles;
}

const files = globSync("**/*.ts", { cwd: SRC }).map((name) => join(SRC, name));
const imports = new Map(files.map((file) => [file, importsOf(file)]));

it("has no import cycles among files of src", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(cyclesOf(imports)).toEqual([]);
});

it("has no import cycles among folders of src", () => {
  const folders = new Map<string, string[]>();
  for (const [file, imported] of imports)
    for (const folder of imported.map(folderOf))
      if (folder !== folderOf(file)) folders.set(folderOf(file), [...(folders.get(folderOf(file)) ?? []), folder]);
  // Files outside the folders may be imported by all of them.
  folders.delete(SRC);
  expect(folders.size).toBeGreaterThan(5);
  expect(cyclesOf(folders)).toEqual([]);
});
