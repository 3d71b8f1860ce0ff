import { join } from "node:path";
import { CONFIG_KEYS, environmentName, SETTINGS } from "../../src/engine/settings-list";
import { outputNames } from "../../src/definition/definition";
import { listMember } from "../../src/functions/lookup";
import { lookups as bare } from "../../src/functions/lookups/lookup-registry";
import { kinds } from "../../src/resources/registry";
import { version } from "../../src/process/version";
import { classDescriptions } from "../../tools/docs/class-description.cjs";
import { descriptionsIn } from "../../tools/docs/descriptions.cjs";
import { describedLookups } from "../../tools/docs/lookup-comments.cjs";
import { COMMAND } from "../../tools/docs/resource-pages.cjs";
import { packageSchema } from "../../tools/native/package-schema.cjs";
import { settingDescriptions } from "../../tools/native/settings-schema.cjs";
import { schema as written, type PropertySchema } from "../support/package-schema";

const ROOT = join(__dirname, "../..");
const lookups = describedLookups(ROOT, bare);
const descriptions = descriptionsIn(join(ROOT, "src", "resources"));
const settings = {
  settings: SETTINGS,
  environmentName,
  descriptions: settingDescriptions(ROOT, CONFIG_KEYS),
};
const classes = classDescriptions(ROOT);
const made = packageSchema({ definitions: kinds, lookups, classes, descriptions, settings, version });

it(`the schema says what the definitions say (if not, run: ${COMMAND})`, () => {
  expect(written).toEqual(JSON.parse(JSON.stringify(made)));
});

it.each(kinds)("describes every argument and output of $type", (definition) => {
  const { inputProperties, properties } = written.resources[`cloudinfra:index:${definition.type}`]!;

  expect(Object.keys(inputProperties).sort()).toEqual([...Object.keys(definition.inputs), "adopt"].sort());
  expect(Object.keys(properties).sort()).toEqual([...outputNames(definition), "cost"].sort());
  for (const { description } of Object.values({ ...inputProperties, ...properties })) expect(description).not.toBe("");
});

it.each(Object.entries(lookups))(
  "the schema has %s, with arguments and result",
  (name, { text, args, result, finds }) => {
    const { description, inputs, outputs } = written.functions[`cloudinfra:index:${name}`]!;
    expect(description.startsWith(`${text}\n\n`)).toBe(true);
    const ofItem = finds === "byIdOrName" ? ["id", "name"] : [];
    expect(Object.keys(inputs.properties).sort()).toEqual([...Object.keys(args), ...ofItem].sort());
    expect(Object.keys(outputs.properties)).toEqual(finds === "all" ? [listMember(name)] : Object.keys(result.fields));
  },
);

it("describes arguments and fields in the words of the comments", () => {
  const { inputs, outputs } = written.functions["cloudinfra:index:getVmMetrics"]!;
  expect(inputs.properties["period"]?.description).toBe("The length of a period: `5m`, `15m`, `1h`, `6h` or `24h`.");
  expect(outputs.properties["endTime"]?.description).toBe("The end, exclusive: ISO 8601, UTC.");
  const point = written.types["cloudinfra:index:GetVmMetricsResultMetricPoint"]!;
  expect(point.properties?.["value"]?.description).toBe("The value, in `unit`. Undefined if the VM reported nothing.");
});

const single = Object.entries(lookups).filter(([, { finds }]) => finds === "byIdOrName");
it.each(single)("%s says when it rejects", (_name, { text }) => {
  expect(text).toMatch(/, by its id or by its exact name \(case matters\)\. Rejects if none or several match\.$/);
});

it("refers only to types that exist", () => {
  const references = JSON.stringify(written).matchAll(/"#\/types\/([^"]+)"/g);
  expect(Object.keys(written.types)).toEqual(expect.arrayContaining(Array.from(references, ([, type]) => type)));
});

it("the schema describes each type, member, setting and resource", () => {
  const all = [
    ...Object.values(written.resources),
    ...Object.values(written.types),
    ...Object.values(written.types).flatMap(({ properties = {} }) => Object.values(properties)),
    ...Object.values(written.config.variables),
    ...Object.values(written.provider.inputProperties),
  ];
  expect(all.filter(({ description = "" }) => description === "")).toEqual([]);
});

it("each closed enumeration has one type", () => {
  const { inputProperties, properties } = written.resources["cloudinfra:index:Volume"]!;
  const bootVolume = written.types["cloudinfra:index:VmBootVolume"]!;
  const pool = written.types["cloudinfra:index:NksNodePoolNodeConfigBootVolume"]!;
  const oneOf = [{ type: "string" }, { $ref: "#/types/cloudinfra:index:VolumeType" }];
  for (const fields of [inputProperties, properties, bootVolume.properties, pool.properties])
    expect(fields?.["type"]).toMatchObject({ oneOf });
  const enumerations = Object.values(written.types).flatMap((type) => (type.enum === undefined ? [] : [type.enum]));
  const sets = enumerations.map((values) => values.map(({ value }) => value).join());
  expect(new Set(sets).size).toBe(sets.length);
});

it("names and describes each value of a closed enumeration", () => {
  for (const { enum: values = [] } of Object.values(written.types))
    for (const { name, description } of values) expect(`${name}: ${description}`).toMatch(/^[A-Z]\w+: .*\.$/);
  const { type, enum: values } = written.types["cloudinfra:index:ConnectBandwidthMbps"]!;
  expect(type).toBe("integer");
  expect(values).toContainEqual({ name: "Mbps50", value: 50, description: "50 Mbps." });
});

it("has the required inputs to list each resource", () => {
  const needs = (type: string) => {
    const { properties, required } = written.resources[`cloudinfra:index:${type}`]!.listInputs!;
    return [Object.keys(properties), required];
  };
  expect(needs("ApiKey")).toEqual([[], []]);
  expect(needs("Volume")).toEqual([["projectId"], []]);
  expect(needs("FirewallRule")).toEqual([["vpcId"], ["vpcId"]]);
});

it("the schema has the pair of keys as a component", () => {
  const pair = written.resources["cloudinfra:index:RotatingApiKey"]!;
  const key = written.resources["cloudinfra:index:ApiKey"]!;
  expect(pair.isComponent).toBe(true);
  expect(pair.requiredInputs).toEqual(["period", "permissions"]);
  const { projectIds, permissions, sourceIpRule, tags } = key.inputProperties;
  expect(pair.inputProperties).toMatchObject({ projectIds, permissions, sourceIpRule, tags });
  expect(pair.inputProperties["slotA"]).toMatchObject({ $ref: "#/types/cloudinfra:index:MovedInKey" });
  expect(Object.keys(pair.properties)).toEqual(["current", "previous", "nextRotation"]);
  expect(pair.properties["current"]?.$ref).toBe(pair.properties["previous"]?.$ref);
  const { properties, required } = written.types["cloudinfra:index:RotatingKey"]!;
  expect(properties?.["key"]).toMatchObject({ type: "string", secret: true });
  expect(required).toEqual(["id", "expiresAt"]);
});

const SECRET = { type: "string", secret: true };
const PREFLIGHT = { oneOf: [{ type: "string" }, { $ref: "#/types/cloudinfra:index:Preflight" }] };
const kind = (type: string) => written.resources[`cloudinfra:index:${type}`]!;
const { inputProperties: settingsOfProvider } = written.provider;

it.each<[what: string, property: PropertySchema | undefined, has: object, lacks?: string]>([
  ["a secret result", written.functions["cloudinfra:index:getNksKubeconfig"]?.outputs.properties["kubeconfig"], SECRET],
  ["a secret output", kind("ApiKey").properties["key"], SECRET],
  [
    "an open enumeration",
    kind("Volume").properties["status"],
    { type: "string", description: expect.stringContaining("`ready`") as string },
  ],
  ["an input that replaces the object", kind("Volume").inputProperties["type"], { willReplaceOnChanges: true }],
  ["an input that changes in place", kind("Volume").inputProperties["size"], {}, "willReplaceOnChanges"],
  ["an output with such an input", kind("Vm").properties["region"], {}, "willReplaceOnChanges"],
  [
    "a member that replaces the object",
    written.types["cloudinfra:index:VmBootVolume"]?.properties?.["type"],
    { willReplaceOnChanges: true },
  ],
  ["a simple input", kind("Vm").inputProperties["publicIpEnabled"], { default: false }],
  ["an output with a default", kind("Vm").properties["publicIpEnabled"], {}, "default"],
  ["a list with a default", kind("Vm").inputProperties["tags"], {}, "default"],
  [
    "the secret setting",
    written.config.variables["apiKey"],
    { ...SECRET, defaultInfo: { environment: ["CLOUDINFRA_API_KEY"] } },
  ],
  ["the secret setting of a provider", settingsOfProvider["apiKey"], SECRET, "defaultInfo"],
  ["a setting of several values", written.config.variables["preflight"], { ...PREFLIGHT, default: "fail" }],
  ["a setting that is a flag", written.config.variables["costQuotes"], { type: "boolean", default: true }],
  ["a setting that is a time", written.config.variables["requestTimeout"], { type: "string", default: "30s" }],
  [
    "a setting of a provider",
    settingsOfProvider["preflight"],
    { ...PREFLIGHT, description: expect.stringContaining("Default: `fail`.") as string },
    "default",
  ],
  ["a flag of a provider", settingsOfProvider["costQuotes"], { type: "boolean" }],
])("describes %s", (_case, property, has, lacks = "nothing") => {
  expect(property).toMatchObject(has);
  expect(property).not.toHaveProperty(lacks);
});

it("requires the inputs that a definition requires", () => {
  expect(kind("Volume").requiredInputs).toEqual(["size", "type"]);
});
