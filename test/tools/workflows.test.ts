import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";

const FOLDER = join(ROOT, ".github", "workflows");
const text = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const files = readdirSync(FOLDER);

it.each(files)("calls existing files and folders only: workflow %s", (file) => {
  const paths = Array.from(text(file).matchAll(/(?<=[ =])(?:\.ci|tools|bin|test)\/[\w./-]*\w/g), ([path]) => path);
  expect(paths.length).toBeGreaterThan(0);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

it.each(files)("workflow %s only reads, and pins its actions", (file) => {
  expect(text(file)).toMatch(/^permissions:\n {2}contents: read$/m);
  const actions = Array.from(text(file).matchAll(/uses: (\S+)/g), ([, action]) => action);
  expect(actions.filter((action) => !/@v\d+/.test(action ?? ""))).toEqual([]);
});

it.each(files)("gives jest no path as a project in workflow %s", (file) => {
  expect(text(file)).not.toMatch(/--selectProjects .*test\//);
});

it("tests every supported system and Node version", () => {
  expect(text("ci.yml")).toContain("os: [ubuntu-latest, macos-latest, windows-latest]");
  expect(text("ci.yml")).toContain("node: [22, 24]");
});

it("publishes what a job without rights has tested and packed", () => {
  const [pack = "", publish = ""] = text("release.yml").split(/^ {2}publish:$/m);
  expect(pack).toMatch(/run: \.ci\/run$[^]*run: npm pack$[^]*upload-artifact[^]*name: package$/m);
  expect(pack).not.toMatch(/: write/);
  expect(publish).toMatch(
    /needs: pack$[^]*id-token: write[^]*download-artifact[^]*name: package$[^]*npm publish \.\/\*\.tgz --ignore-scripts --provenance/m,
  );
  expect(publish).not.toMatch(/actions\/checkout|npm (ci|install)|\.ci\/run/);
});
