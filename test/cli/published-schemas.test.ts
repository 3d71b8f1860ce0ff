import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { doctorDocument } from "../../src/cli/doctor/doctor-document";
import { rotateDocument } from "../../src/cli/rotate/rotate-document";
import { costDocument } from "../../src/cost/cost-document";

describe("a schema that the package publishes", () => {
  it.each([
    ["cost", costDocument],
    ["doctor", doctorDocument],
    ["rotate", rotateDocument],
  ])("docs/%s.schema.json matches the JSON output", (name, shape) => {
    const file = join(__dirname, `../../docs/${name}.schema.json`);
    const made = z.toJSONSchema(shape);
    if (process.env["UPDATE_GOLDEN"] === "true") writeFileSync(file, JSON.stringify(made, undefined, 2));

    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(JSON.parse(JSON.stringify(made)));
  });
});
