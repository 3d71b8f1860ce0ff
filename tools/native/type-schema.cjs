const MODULE = "cloudinfra:index";

/**
 * The schema of a value. `types` gets the named types that it refers to: objects, and enumerations that are closed.
 * `name` is the one that such a type gets, `comment` its description.
 */
function typeOf(type, name, comment, types) {
  switch (type.kind) {
    case "integer":
      return { type: "integer" };
    case "number":
      return { type: "number" };
    case "boolean":
      return { type: "boolean" };
    case "anything":
      return { $ref: "pulumi.json#/Any" };
    case "list":
      return { type: "array", items: typeOf(type.item, singular(name), comment, types) };
    case "object":
      return objectOr(type, name, comment, types);
    case "oneOf":
      return type.open ? { type: "string" } : closed(type.enumeration, types);
    case "text":
    case "instant":
    case "cidr":
    case "ports":
    case "ipv4Source":
      return { type: "string" };
  }
  throw new Error(`the package schema has no type for ${type.kind}`);
}

/** The schema of a field: type, description and constraints. */
function propertyOf(field, name, comment, types) {
  if (!comment?.text) throw new Error(`${name} has no comment: say before the field what it is`);
  return {
    ...typeOf(field.type, name, comment, types),
    description: comment.text + valuesOf(field.type),
    ...(field.secret === true && { secret: true }),
    ...(field.change === "replace" && { willReplaceOnChanges: true }),
    ...(isScalar(field.default) && { default: field.default }),
  };
}

/** An object type with its own name. Its descriptions are those of its members. */
function objectType(members, name, comment, types) {
  return {
    type: "object",
    ...(comment?.text && { description: comment.text }),
    properties: map(members, (member, field) =>
      propertyOf(field, `${name}${capital(member)}`, comment?.members?.[member], types),
    ),
    required: Object.keys(members).filter((member) => members[member].presence === "required"),
  };
}

/**
 * An object, or a word in its place. The generators for Python and Go accept no object beside a named word, so the
 * words have no names.
 */
function objectOr({ members, orWord }, name, comment, types) {
  const own = orWord?.name ?? name;
  const object = named(own, objectType(members, own, comment, types), types);
  return orWord ? { oneOf: [{ type: "string" }, object] } : object;
}

/** Allows a value itself beside its name, so that type checkers accept both. */
function closed({ name, description, unit, described, renamed = {} }, types) {
  const type = unit === undefined ? "string" : "integer";
  const values = described.map(({ value, description }) => ({
    name: unit === undefined ? pascalCase(value) : `${unit}${value}`,
    value,
    description,
  }));
  for (const [former, present] of Object.entries(renamed))
    values.push({
      name: pascalCase(former),
      value: former,
      description: `The former name of \`${present}\`.`,
      deprecationMessage: `Write \`${present}\`.`,
    });
  return { oneOf: [{ type }, named(name, { type, description, enum: values }, types)] };
}

/** The name of a value in programs: `rpc_node_flex` is `RpcNodeFlex`. */
function pascalCase(value) {
  return value.split("_").map(capital).join("");
}

/** An enumeration that is open is a string to the compiler of a program. */
function valuesOf(type) {
  if (type.kind !== "oneOf" || !type.open) return "";
  return ` One of ${type.values.map((value) => `\`${value}\``).join(", ")}; the API may add others.`;
}

function named(name, schema, types) {
  const token = `${MODULE}:${name}`;
  const known = types[token];
  if (known && JSON.stringify(known) !== JSON.stringify(schema)) throw new Error(`two types would be called ${token}`);
  types[token] = schema;
  return { $ref: `#/types/${token}` };
}

/** The schema has defaults for values of simple types only. Other defaults are empty. */
function isScalar(value) {
  return ["string", "number", "boolean"].includes(typeof value);
}

/** The name of an item: lists are called by their plural. */
function singular(name) {
  return name.replace(/s$/, "");
}

/** An output has no default, and nobody changes it. */
function asOutput(property) {
  return { ...property, default: undefined, willReplaceOnChanges: undefined };
}

/** A field that the API shows only sometimes may be absent: after an adoption, or in an object that is looked up. */
function isAlwaysShown({ presence, shown }) {
  return presence !== "optional" && shown !== "never" && shown !== "maybe";
}

function map(fields, make) {
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, make(name, field)]));
}

function capital(name) {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

module.exports = { asOutput, capital, closed, isAlwaysShown, map, MODULE, named, propertyOf, typeOf };
