const { Reference } = require("./example-program.cjs");
const { capital, MODULE } = require("./type-schema.cjs");

const GO_MODULE = "github.com/pulumi-cloudinfra/pulumi-cloudinfra/sdk/go/cloudinfra";
const SCALARS = { string: "String", integer: "Int", number: "Float64", boolean: "Bool" };

/** The example as a Go program. Go has a type for each value: those of the package schema. */
function inGo({ declarations, outputs }, schema) {
  const used = new Set([...declarations.map(({ args }) => args), outputs].flatMap(variablesIn));
  const sources = Object.fromEntries(declarations.map((declared) => [declared.variable, declared]));
  const written = (value, property) => valueOf(value, property, { schema, sources });
  const exported = { ...outputs };
  let isFirst = true;
  const lines = declarations.flatMap(({ variable, name, type, lookup, args }) => {
    const { inputProperties, inputs } =
      schema.resources[`${MODULE}:${type}`] ?? schema.functions[`${MODULE}:${lookup}`];
    const given = membersOf(args, inputProperties ?? inputs.properties, written);
    if (lookup) {
      // Go refuses a variable that nothing uses.
      if (!used.has(variable)) exported[variable] = new Reference([variable]);
      const called = `${functionName(lookup, schema)}Output`;
      return `${variable} := cloudinfra.${called}(ctx, cloudinfra.${called}Args${given})`;
    }
    const isUsed = used.has(variable);
    const sign = isFirst || isUsed ? ":=" : "=";
    isFirst = false;
    const call = `cloudinfra.New${type}(ctx, "${name}", ${given === "{}" ? "nil" : `&cloudinfra.${type}Args${given}`})`;
    return [`${isUsed ? variable : "_"}, err ${sign} ${call}`, "if err != nil {", "\treturn err", "}"];
  });
  for (const [key, value] of Object.entries(exported)) lines.push(`ctx.Export("${key}", ${written(value)})`);
  const imports = [GO_MODULE, "github.com/pulumi/pulumi/sdk/v3/go/pulumi"].map((path) => `\t"${path}"`);
  const body = [...lines, "return nil"].join("\n").replace(/^/gm, "\t\t");
  return [
    ...["package main", "", "import (", ...imports, ")", ""],
    ...["func main() {", "\tpulumi.Run(func(ctx *pulumi.Context) error {", body, "\t})", "}"],
  ].join("\n");
}

/** The variables that a value refers to. */
function variablesIn(value) {
  if (value instanceof Reference) return [value.path[0]];
  return typeof value === "object" ? Object.values(value).flatMap(variablesIn) : [];
}

/** Pulumi's generator avoids the names of types, and the functions that read a resource: these are called Get. */
function functionName(lookup, { resources, types }) {
  const name = capital(lookup);
  const isTaken = `${MODULE}:${name.slice(3)}` in resources || `${MODULE}:${name}Result` in types;
  return isTaken ? `Lookup${name.slice(3)}` : name;
}

function valueOf(value, property, context) {
  if (value instanceof Reference) return referenceOf(value, context.sources);
  const { type, items, $ref, oneOf } = property;
  if (oneOf) return valueOf(value, oneOf.at(-1), context);
  const written = (inner, of) => valueOf(inner, of, context);
  if (items) return `${arrayOf(items)}{${value.map((item) => written(item, items)).join(", ")}}`;
  if (!$ref) return `pulumi.${SCALARS[type]}(${JSON.stringify(value)})`;
  const { properties, enum: values } = context.schema.types[$ref.replace("#/types/", "")];
  const name = `cloudinfra.${nameOf($ref)}`;
  if (values) return `${name}${values.find((one) => one.value === value).name}`;
  return `&${name}Args${membersOf(value, properties, written)}`;
}

function arrayOf({ type, $ref, oneOf }) {
  if (oneOf) return arrayOf(oneOf[0]);
  return $ref ? `cloudinfra.${nameOf($ref)}Array` : `pulumi.${SCALARS[type]}Array`;
}

/** The fields of a struct, each on its own line. As gofmt does, it aligns lines that follow each other. */
function membersOf(values, properties, written) {
  const members = Object.entries(values).map(([name, value]) => [
    `${capital(name)}:`,
    written(value, properties[name]),
  ]);
  if (members.length === 0) return "{}";
  const runs = [[]];
  for (const member of members) {
    if (member[1].includes("\n")) runs.push([member], []);
    else runs.at(-1).push(member);
  }
  const lines = runs.flatMap((run) => {
    const width = Math.max(...run.map(([name]) => name.length));
    return run.map(([name, text]) => `\t${name.padEnd(width)} ${text.replaceAll("\n", "\n\t")},`);
  });
  return `{\n${lines.join("\n")}\n}`;
}

/** A value of a resource is a field, and what is inside it a method. The answer of a function has methods only. */
function referenceOf({ path: [variable, member, ...inner] }, sources) {
  if (member === undefined) return variable;
  const own = sources[variable].type
    ? ({ id: "ID()", urn: "URN()" }[member] ?? capital(member))
    : `${capital(member)}()`;
  return [variable, own, ...inner.map((name) => `${capital(name)}()`)].join(".");
}

function nameOf($ref) {
  return $ref.split(":").at(-1);
}

module.exports = { GO_MODULE, inGo };
