const { callOf } = require("./example-program.cjs");
const { asOutput, capital, isAlwaysShown, map, MODULE, propertyOf, typeOf } = require("./type-schema.cjs");

/** The functions of the package schema, from the descriptions of the lookups. `types` gets the types that they refer to. */
function functionSchemas(lookups, descriptions, types) {
  return Object.fromEntries(
    Object.entries(lookups).map(([name, lookup]) => [
      `${MODULE}:${name}`,
      functionOf(name, lookup, descriptions[lookup.result.type], types),
    ]),
  );
}

function functionOf(name, lookup, description, types) {
  const { about, args, finds } = lookup;
  const required = Object.keys(args).filter((arg) => isRequired(arg, lookup));
  return {
    description: about,
    example: callOf(name, lookup, required),
    inputs: {
      type: "object",
      properties: {
        ...map(args, (arg, field) =>
          propertyOf(field, `${capital(name)}${capital(arg)}`, wordsOf(arg, field, lookup), types),
        ),
        ...(finds === "byIdOrName" && SOUGHT),
      },
      ...(required.length > 0 && { required }),
    },
    outputs: { type: "object", ...answerOf(name, lookup, description, types) },
  };
}

function answerOf(name, { finds, result: { type, fields } }, description, types) {
  const answer = `${type ?? capital(name)}Result`;
  const shown = { kind: "object", members: fields };
  const comment = commentOf(shown, {
    members: { ...description?.inputs, ...description?.planned, ...description?.outputs },
  });
  if (finds === "all") {
    const member = name.charAt(3).toLowerCase() + name.slice(4);
    const items = typeOf(shown, answer, comment, types);
    return { properties: { [member]: { type: "array", items, description: "All of them." } }, required: [member] };
  }
  return {
    properties: map(fields, (field, of) =>
      asOutput(propertyOf(of, `${answer}${capital(field)}`, comment.members[field], types)),
    ),
    required: Object.keys(fields).filter((field) => isAlwaysShown(fields[field])),
  };
}

function isRequired(arg, { args, finds, path }) {
  return args[arg].presence === "required" && (finds !== "byIdOrName" || path.includes(`{${arg}}`));
}

const SOUGHT = {
  id: { type: "string", description: "Its id. Give this, or the name." },
  name: { type: "string", description: "Its whole name, in the case that it is written in." },
};

/** Filters that many lists have. */
const FILTERS = {
  name: "Only those with this in their names, in any case.",
  tags: "Only those with all of these tags.",
  status: "Only those in this state, such as `ready`.",
  sort: "The order: `name:asc`, or several of these with commas between them.",
};

/** Other filters have the name of the field that they look at. */
function filterWords(arg, { type }) {
  if (FILTERS[arg]) return FILTERS[arg];
  const [, field, end] = /^(.+)(Min|Max)$/.exec(arg) ?? [];
  if (end) return `Only those whose \`${field}\` is at ${end === "Min" ? "least" : "most"} this.`;
  if (type.kind === "boolean") return `Only those whose \`${arg}\` is true, or only the others.`;
  return `Only those whose \`${arg}\` is ${type.kind === "list" ? "one of these" : "this"}.`;
}

function wordsOf(arg, field, { finds }) {
  const { configured, presence } = field;
  if (configured !== undefined) return { text: `Default: the setting \`cloudinfra:${configured}\`.` };
  if (arg === "organizationId") return { text: "Default: the one organization that the API key reaches." };
  if (presence === "required") return { text: "Says which." };
  return { text: finds === "all" ? filterWords(arg, field) : `The API's \`${arg}\`. The API decides what it means.` };
}

/** The fields of a resource have comments. Others have the API's own names. */
function commentOf(type, comment) {
  if (type.kind === "list") return commentOf(type.item, comment);
  const text = comment?.text ?? "As the API shows it.";
  if (type.kind !== "object") return { text };
  return { text, members: map(type.members, (name, field) => commentOf(field.type, comment?.members?.[name])) };
}

module.exports = { functionSchemas };
