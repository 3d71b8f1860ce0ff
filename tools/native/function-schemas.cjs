const { capital, map, MODULE, propertyOf, typeOf } = require("./type-schema.cjs");

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
    inputs: {
      type: "object",
      properties: {
        ...map(args, (arg, field) => propertyOf(field, `${capital(name)}${capital(arg)}`, wordsOf(arg, field), types)),
        ...(finds === "sought" && SOUGHT),
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
    properties: map(fields, (field, of) => ({
      ...propertyOf(of, `${answer}${capital(field)}`, comment.members[field], types),
      default: undefined,
      willReplaceOnChanges: undefined,
    })),
    required: Object.keys(fields).filter((field) => isAlwaysShown(fields[field])),
  };
}

/** An object that is looked up may lack what the API shows only sometimes. */
function isAlwaysShown({ presence, shown }) {
  return presence !== "optional" && shown !== "never" && shown !== "maybe";
}

function isRequired(arg, { args, finds, path }) {
  return args[arg].presence === "required" && (finds !== "sought" || path.includes(`{${arg}}`));
}

const SOUGHT = {
  id: { type: "string", description: "Its id. Give this, or the name." },
  name: { type: "string", description: "Its whole name, in the case that it is written in." },
};

function wordsOf(arg, { configured, presence }) {
  if (configured !== undefined) return { text: `Default: the setting \`cloudinfra:${configured}\`.` };
  if (arg === "organizationId") return { text: "Default: the one organization that the API key reaches." };
  return { text: presence === "required" ? "Says which." : "A filter. The API decides what it means." };
}

/** The fields of a resource have comments. Others have the API's own names. */
function commentOf(type, comment) {
  if (type.kind === "list") return commentOf(type.item, comment);
  const text = comment?.text ?? "As the API shows it.";
  if (type.kind !== "object") return { text };
  return { text, members: map(type.members, (name, field) => commentOf(field.type, comment?.members?.[name])) };
}

module.exports = { functionSchemas };
