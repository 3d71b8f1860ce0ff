const { programOf } = require("./example-program.cjs");
const { capital, named, propertyOf } = require("./type-schema.cjs");

/** The types of words that only programs in TypeScript have. */
const IN_OTHER_LANGUAGES = {
  "list: `pulumi.CustomResource`": {
    schema: { type: "array", items: { type: "string" } },
    description: "The URNs of the resources to count.",
    isRequired: true,
  },
  "list: `pulumi.URN`, `pulumi.Alias`": {
    schema: { type: "array", items: { type: "string" } },
    description:
      "The URN that it has had in the program: `urn:pulumi:<stack>::<project>::cloudinfra:index:ApiKey::<logical name>`.",
    isRequired: true,
  },
};

/**
 * The schema of a class that no definition describes, from its types and comments. `resources` has the definitions and
 * their comments.
 */
function classSchema({ name, text, portableExample, inputs, sharedInputs, outputs, isComponent }, types, resources) {
  const given = objectOf(inputs, "", name, types);
  const shared = sharedInputs.map((picked) => sharedProperties(picked, types, resources));
  const shown = objectOf(outputs, "", name, types);
  return {
    description: text,
    example: programOf(portableExample),
    ...(isComponent && { isComponent }),
    inputProperties: Object.assign({}, given.properties, ...shared.map(({ properties }) => properties)),
    requiredInputs: [...given.required, ...shared.flatMap(({ required }) => required)],
    properties: shown.properties,
    required: shown.required,
    // A component has the same type in both fronts.
    ...(!isComponent && { aliases: [{ type: `pulumi-nodejs:dynamic/cloudinfra:${name}` }] }),
  };
}

/** Arguments that a resource has too: its own types, and its own words. */
function sharedProperties({ type, names }, types, { definitions, descriptions }) {
  const { inputs } = definitions.find((definition) => definition.type === type);
  const schemaOf = (name) =>
    propertyOf(inputs[name], `${type}${capital(name)}`, descriptions[type].inputs[name], types);
  return {
    properties: Object.fromEntries(names.map((name) => [name, schemaOf(name)])),
    required: names.filter((name) => inputs[name].presence === "required"),
  };
}

/** The members whose paths are one step longer than `prefix`. */
function objectOf(members, prefix, name, types) {
  const own = members.filter(({ path }) => path.startsWith(prefix) && !path.slice(prefix.length).includes("."));
  const entries = own.map((member) => {
    const key = member.path.slice(prefix.length);
    const other = IN_OTHER_LANGUAGES[member.type];
    const schema = other?.schema ?? typeOf(member, members, `${name}${capital(key)}`, types);
    return {
      key,
      isRequired: other?.isRequired ?? !(member.isOptional || OR_UNDEFINED.test(member.type)),
      schema: { ...schema, description: other?.description ?? member.text, ...(member.isSecret && { secret: true }) },
    };
  });
  return {
    properties: Object.fromEntries(entries.map(({ key, schema }) => [key, schema])),
    required: entries.filter(({ isRequired }) => isRequired).map(({ key }) => key),
  };
}

const OR_UNDEFINED = /, or undefined$/;

/** A type with an interface has its name. Others are called by the way to them. */
function typeOf({ path, text, type: words, typeName, typeText }, members, wayName, types) {
  const type = words.replace(OR_UNDEFINED, "");
  const name = typeName ?? wayName;
  if (type === "string" || type === "boolean") return { type };
  if (type === "`pulumi.ID`") return { type: "string" };
  if (type === "any value") return { $ref: "pulumi.json#/Any" };
  if (type === "`true`") return { type: "boolean" };
  if (/^`\w+`(, `\w+`)*$/.test(type)) return { type: "string" };
  const objectAt = (prefix) =>
    named(name, { type: "object", description: typeText ?? text, ...objectOf(members, prefix, name, types) }, types);
  if (type === "object") return objectAt(`${path}.`);
  if (type === "list: object") return { type: "array", items: objectAt(`${path}[].`) };
  throw new Error(`the package schema has no type for ${path}: ${type}`);
}

module.exports = { classSchema };
