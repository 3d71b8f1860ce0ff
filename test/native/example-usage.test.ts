import { parse } from "yaml";
import { exampleIn, schema, type ObjectSchema, type PropertySchema } from "../support/package-schema";

interface Program {
  readonly variables?: Readonly<Record<string, { readonly "fn::invoke": { function: string; arguments?: object } }>>;
  readonly resources?: Readonly<Record<string, { readonly type: string; readonly properties?: object }>>;
  readonly outputs?: Readonly<Record<string, string>>;
}

const described = Object.entries({ ...schema.resources, ...schema.functions });

it.each(described)("%s has an example in each language", (_, { description }) => {
  for (const language of ["typescript", "python", "go", "yaml"]) expect(exampleIn(description, language)).not.toBe("");
});

it.each(described)("the YAML example of %s is complete and correct", (token, of) => {
  const { variables = {}, resources = {}, outputs = {} } = parse(exampleIn(of.description, "yaml")) as Program;
  const calls = Object.values(variables).map((variable) => variable["fn::invoke"]);
  const used = [...Object.values(resources).map(({ type }) => type), ...calls.map((call) => call.function)];
  expect(used).toContain(token);

  for (const { type, properties } of Object.values(resources)) {
    const { inputProperties, requiredInputs } = schema.resources[type]!;
    expect(faultsOf(type, properties, { properties: inputProperties, required: requiredInputs })).toEqual([]);
  }
  for (const call of calls)
    expect(faultsOf(call.function, call.arguments, schema.functions[call.function]!.inputs)).toEqual([]);
  const references = JSON.stringify([variables, resources, outputs]).matchAll(/\$\{([^.}]+)/g);
  expect(Object.keys({ ...variables, ...resources })).toEqual(
    expect.arrayContaining([...references].map(([, name]) => name)),
  );
});

/** The unknown and the missing members of an object, at all levels. */
function faultsOf(
  path: string,
  given: object = {},
  { properties = {}, required = [] }: Partial<ObjectSchema>,
): string[] {
  const missing = required.filter((name) => !(name in given)).map((name) => `${path}.${name} is missing`);
  const inside = Object.entries(given).flatMap(([name, value]) => {
    const property = properties[name];
    return property === undefined ? [`${path}.${name} is unknown`] : faultsIn(`${path}.${name}`, value, property);
  });
  return [...missing, ...inside];
}

function faultsIn(path: string, value: unknown, property: Omit<PropertySchema, "description">): string[] {
  const { items, oneOf = [], $ref = "" } = property;
  if (Array.isArray(value)) return value.flatMap((item, index) => faultsIn(`${path}[${index}]`, item, items!));
  if (typeof value === "object") return faultsOf(path, value!, schema.types[$ref.replace("#/types/", "")]!);
  const values = oneOf.flatMap((one) => schema.types[one.$ref?.replace("#/types/", "") ?? ""]?.enum ?? []);
  const isValue = values.length === 0 || values.some((one) => one.value === value);
  return isValue ? [] : [`${path} has no value ${JSON.stringify(value)}`];
}
