const { callOf } = require("./example-program.cjs");
const { asOutput, capital, isAlwaysShown, map, MODULE, propertyOf, typeOf } = require("./type-schema.cjs");

/**
 * The functions of the package schema, from the descriptions of the lookups. `types` gets the types that they refer to.
 */
function functionSchemas(lookups, descriptions, types) {
  return Object.fromEntries(
    Object.entries(lookups).map(([name, lookup]) => [
      `${MODULE}:${name}`,
      functionOf(name, lookup, descriptions[lookup.result.type], types),
    ]),
  );
}

function functionOf(name, lookup, description, types) {
  const { text, args, argComments, finds } = lookup;
  const required = Object.keys(args).filter((arg) => isRequired(arg, lookup));
  return {
    description: text,
    example: callOf(name, lookup, required),
    inputs: {
      type: "object",
      properties: {
        ...map(args, (arg, field) => propertyOf(field, `${capital(name)}${capital(arg)}`, argComments[arg], types)),
        ...(finds === "byIdOrName" && { id: soughtBy(argComments.id), name: soughtBy(argComments.name) }),
      },
      ...(required.length > 0 && { required }),
    },
    outputs: { type: "object", ...answerOf(name, lookup, description, types) },
  };
}

function soughtBy({ text }) {
  return { type: "string", description: text };
}

function answerOf(name, { finds, result: { type, fields }, resultComments }, description, types) {
  const answer = `${type ?? capital(name)}Result`;
  const shown = { kind: "object", members: fields };
  // On the fields of a resource, its own comments name its kind.
  const ofKind = { ...description?.inputs, ...description?.planned, ...description?.outputs };
  const comment = commentOf(shown, { members: { ...resultComments, ...ofKind } });
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

/** The comments on a value and its members. The quotas have none, but the API's own names. */
function commentOf(type, comment) {
  if (type.kind === "list") return commentOf(type.item, comment);
  const text = comment?.text || "As the API shows it.";
  if (type.kind !== "object") return { text };
  return { text, members: map(type.members, (name, field) => commentOf(field.type, comment?.members?.[name])) };
}

module.exports = { functionSchemas };
