import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { doctorDocument } from "../../src/cli/doctor/doctor-report";
import { rotateDocument } from "../../src/cli/rotate/rotate-document";
import { costDocument } from "../../src/cost/cost-document";

const ROOT = join(__dirname, "../..");

it.each([
  ["cost", costDocument],
  ["doctor", doctorDocument],
  ["rotate", rotateDocument],
])("the package exports a JSON schema of the output of %s", (name, shape) => {
  const made = z.toJSONSchema(shape);
  const file = join(ROOT, `docs/${name}.schema.json`);
  if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(file, JSON.stringify(made, undefined, 2));
  const script = `console.log(JSON.stringify(require("pulumi-cloudinfra/schemas/${name}.json")))`;
  const { stdout } = spawnSync(process.execPath, ["-e", script], { cwd: ROOT, encoding: "utf8" });
  expect(JSON.parse(stdout)).toEqual(JSON.parse(JSON.stringify(made)));
});
