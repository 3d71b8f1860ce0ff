const { stringify } = require("yaml");
const { Reference } = require("./example-program.cjs");
const { inGo } = require("./go-example.cjs");
const { MODULE } = require("./type-schema.cjs");

/** A description with a program in each language. Pulumi's generators keep the language of the SDK. */
function withExample({ description, example, ...others }, schema) {
  return { description: `${description}\n\n${exampleUsage(example, schema)}`, ...others };
}

function exampleUsage(program, schema) {
  const blocks = [
    ["typescript", inTypeScript(program)],
    ["python", inPython(program)],
    ["go", inGo(program, schema)],
    ["yaml", inYaml(program)],
  ].map(([language, text]) => `\`\`\`${language}\n${text.trim()}\n\`\`\``);
  const section = ["{{% example %}}", "## Example Usage", ...blocks, "{{% /example %}}"];
  return `{{% examples %}}\n${section.join("\n\n")}\n{{% /examples %}}`;
}

function inYaml({ declarations, outputs }) {
  const names = Object.fromEntries(declarations.map(({ variable, name = variable }) => [variable, name]));
  const plain = (value) => {
    if (value instanceof Reference) return `\${${[names[value.path[0]], ...value.path.slice(1)].join(".")}}`;
    if (Array.isArray(value)) return value.map(plain);
    if (typeof value !== "object") return value;
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plain(member)]));
  };
  const [variables, resources] = [{}, {}];
  for (const { variable, name, type, lookup, args } of declarations) {
    const given = (part) => Object.keys(args).length > 0 && { [part]: plain(args) };
    if (type) resources[name] = { type: `${MODULE}:${type}`, ...given("properties") };
    else variables[variable] = { "fn::invoke": { function: `${MODULE}:${lookup}`, ...given("arguments") } };
  }
  const parts = Object.entries({ variables, resources, outputs: plain(outputs) });
  return stringify(Object.fromEntries(parts.filter(([, part]) => Object.keys(part).length > 0)));
}

function inPython({ declarations, outputs }) {
  const snakeCase = (name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const notation = {
    nameOf: snakeCase,
    keyOf: (key) => `"${snakeCase(key)}"`,
    words: { true: "True", false: "False" },
    space: "",
  };
  const lines = declarations.map(({ variable, name, type, lookup, args }) => {
    const called = type ?? `${snakeCase(lookup)}_output`;
    const given = Object.entries(args).map(([key, value]) => `${snakeCase(key)}=${written(value, notation)}`);
    const all = [...(name ? [JSON.stringify(name)] : []), ...given];
    return `${variable ? `${snakeCase(variable)} = ` : ""}cloudinfra.${called}${enclosed("(", all, ")")}`;
  });
  const exported = Object.entries(outputs).map(
    ([key, value]) => `pulumi.export("${key}", ${written(value, notation)})`,
  );
  const imports = [...(exported.length > 0 ? ["import pulumi"] : []), "import pulumi_cloudinfra as cloudinfra"];
  return [...imports, "", ...lines, ...exported].join("\n");
}

function inTypeScript({ declarations, outputs }) {
  const notation = { nameOf: (name) => name, keyOf: (key) => key, words: {}, space: " " };
  const lines = declarations.map(({ variable, name, type, lookup, args }) => {
    const given = Object.entries(args).map(([key, value]) => `${key}: ${written(value, notation)}`);
    const object = given.length > 0 ? enclosed("{ ", given, " }") : "{}";
    const call = type ? `new cloudinfra.${type}("${name}", ${object})` : `cloudinfra.${lookup}Output(${object})`;
    return `${variable ? `const ${variable} = ` : ""}${call};`;
  });
  const exported = Object.entries(outputs).map(([key, value]) => `export const ${key} = ${written(value, notation)};`);
  return ['import * as cloudinfra from "pulumi-cloudinfra-sdk";', "", ...lines, ...exported].join("\n");
}

/** A value in a language of braces and brackets. */
function written(value, notation) {
  if (value instanceof Reference) return value.path.map(notation.nameOf).join(".");
  if (Array.isArray(value)) return `[${value.map((item) => written(item, notation)).join(", ")}]`;
  if (typeof value !== "object") return notation.words[value] ?? JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${notation.keyOf(key)}: ${written(member, notation)}`);
  return `{${notation.space}${members.join(", ")}${notation.space}}`;
}

/** On one line, or one line for each. */
function enclosed(opening, parts, closing) {
  const line = `${opening}${parts.join(", ")}${closing}`;
  return line.length <= 60 ? line : `${opening.trim()}\n    ${parts.join(",\n    ")},\n${closing.trim()}`;
}

module.exports = { withExample };
