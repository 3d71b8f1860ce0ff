const { capital, named } = require("./type-schema.cjs");

/** The types of words that only programs in TypeScript have. */
const IN_OTHER_LANGUAGES = {
  "list: `pulumi.CustomResource`": {
    schema: { type: "array", items: { type: "string" } },
    description: "The URNs of the resources to count.",
    isRequired: true,
  },
};

/** The schema of a class that no definition describes, from its types and comments: `CostSummary`. */
function classSchema({ name, text, inputs, outputs }, types) {
  const given = objectOf(inputs, "", name, types);
  const shown = objectOf(outputs, "", name, types);
  return {
    description: text,
    inputProperties: given.properties,
    requiredInputs: given.required,
    properties: shown.properties,
    required: shown.required,
    aliases: [{ type: `pulumi-nodejs:dynamic/cloudinfra:${name}` }],
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
      isRequired: other?.isRequired ?? !member.isOptional,
      schema: { ...schema, description: other?.description ?? member.text },
    };
  });
  return {
    properties: Object.fromEntries(entries.map(({ key, schema }) => [key, schema])),
    required: entries.filter(({ isRequired }) => isRequired).map(({ key }) => key),
  };
}

function typeOf({ path, text, type }, members, name, types) {
  if (type === "string" || type === "boolean") return { type };
  if (type === "`true`") return { type: "boolean" };
  if (/^`\w+`(, `\w+`)*$/.test(type)) return { type: "string" };
  if (type === "object")
    return named(name, { type: "object", description: text, ...objectOf(members, `${path}.`, name, types) }, types);
  if (type === "list: object") {
    const item = named(
      `${name}Item`,
      { type: "object", description: text, ...objectOf(members, `${path}[].`, `${name}Item`, types) },
      types,
    );
    return { type: "array", items: item };
  }
  throw new Error(`the package schema has no type for ${path}: ${type}`);
}

module.exports = { classSchema };
