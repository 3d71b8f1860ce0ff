import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CONFIG_KEYS } from "../../src/config-keys";
import { outputNames } from "../../src/definition/definition";
import { definitions } from "../../src/resources/registry";
import { version } from "../../src/version";
import { descriptionsIn } from "../../tools/docs/descriptions.cjs";
import { COMMAND } from "../../tools/docs/resource-pages.cjs";
import { packageSchema, type PackageSchema } from "../../tools/native/package-schema.cjs";

jest.setTimeout(120_000);

const ROOT = join(__dirname, "../..");
const descriptions = descriptionsIn(join(ROOT, "src", "resources"));
const made = packageSchema({ definitions, descriptions, configKeys: CONFIG_KEYS, version });
const written = JSON.parse(readFileSync(join(ROOT, "plugin", "schema.json"), "utf8")) as PackageSchema;

describe("the package schema of the first-class provider", () => {
  it(`says what the definitions say (if not, run: ${COMMAND})`, () => {
    expect(written).toEqual(JSON.parse(JSON.stringify(made)));
  });

  it.each(definitions)("has every argument and output of $type, each with a description", (definition) => {
    const { inputProperties, properties } = written.resources[`cloudinfra:index:${definition.type}`]!;

    expect(Object.keys(inputProperties).sort()).toEqual([...Object.keys(definition.inputs), "adopt"].sort());
    expect(Object.keys(properties).sort()).toEqual([...outputNames(definition), "cost"].sort());
    for (const { description } of Object.values({ ...inputProperties, ...properties }))
      expect(description).not.toBe("");
  });

  it("refers to types that it has", () => {
    const references = JSON.stringify(written).matchAll(/"#\/types\/([^"]+)"/g);
    expect(Object.keys(written.types)).toEqual(expect.arrayContaining(Array.from(references, ([, type]) => type)));
  });

  it("says which outputs are secret, and which change replaces", () => {
    const key = written.resources["cloudinfra:index:ApiKey"]!;
    expect(key.properties["key"]).toMatchObject({ type: "string", secret: true });
    const volume = written.resources["cloudinfra:index:Volume"]!;
    expect(volume.inputProperties["type"]).toMatchObject({ willReplaceOnChanges: true });
    expect(volume.inputProperties["size"]).not.toHaveProperty("willReplaceOnChanges");
    expect(volume.requiredInputs).toEqual(["size", "type"]);
  });
});
