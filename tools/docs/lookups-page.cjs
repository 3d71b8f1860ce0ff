const { markdownTable } = require("markdown-table");
const { COMMAND, join } = require("./page-parts.cjs");

/** docs/functions.md, from the descriptions of the lookups. `files`: the page of each resource. */
function lookupsPage(lookups, files) {
  const rows = Object.entries(lookups).sort(([one], [other]) => (one < other ? -1 : 1));
  return join([
    "# Functions",
    `<!-- Made by \`${COMMAND}\` from src/functions/lookups: change it there. -->`,
    "A function looks up existing objects. Each has an output form, which takes and returns outputs: `getVpc` and `getVpcOutput`.",
    '```ts\nconst vpc = cloudinfra.getVpcOutput({ name: "default" });\nexport const cidr = vpc.subnet.cidr;\n```',
    "<!-- functions -->",
    markdownTable([
      ["Function", "Returns", "Arguments", "Fields"],
      ...rows.map(([name, lookup]) => [`\`${name}\``, lookup.about, argumentsOf(lookup), fieldsOf(lookup, files)]),
    ]),
    "**Bold** arguments are required. Those in _italics_ default to the configuration. [All arguments](#arguments) are below.",
    "A function that takes an `id` or a `name` finds exactly one: the exact name, and its case matters. If none or several match, it fails, " +
      "and the error lists those that exist.",
    "A list returns all pages. A lookup of a resource returns the fields of the resource, except those that the API does not show there.",
    "The last argument takes Pulumi's invoke options. With `{ dependsOn: [vpc] }`, an output form waits until the resource exists. The answer of " +
      "`getNksKubeconfigOutput` is a secret, that of `getNksKubeconfig` is plain text: Pulumi marks only outputs.",
    "The [first-class provider](native.md#functions) has the same functions in every language, with the settings of the provider that they are " +
      "given.",
    "To read an object by its id as a resource, use its `get`: see its page in [resources](resources/README.md).",
    "## Arguments",
    "Filters go to the API, which decides what matches.",
    markdownTable([["Argument", "What it is", "Functions"], ...argumentRows(rows)]),
  ]);
}

/** Each argument once for all functions in which it means the same. */
function argumentRows(rows) {
  const uses = rows.flatMap(([name, { argComments }]) =>
    Object.entries(argComments).map(([arg, { text }]) => ({ key: JSON.stringify([arg, text]), name })),
  );
  const byKey = Map.groupBy(uses, ({ key }) => key);
  return [...byKey.entries()].sort().map(([key, of]) => {
    const [arg, text] = JSON.parse(key);
    return [`\`${arg}\``, text, of.map(({ name }) => `\`${name}\``).join(", ")];
  });
}

function argumentsOf({ args, path, finds }) {
  const isRequired = (arg) => args[arg].presence === "required";
  const wordOf = (arg) => {
    if (args[arg].configured !== undefined) return `_\`${arg}\`_`;
    return isRequired(arg) ? `**\`${arg}\`**` : `\`${arg}\``;
  };
  const words = Object.keys(args).map(wordOf);
  if (finds !== "byIdOrName") return words.length === 0 ? "none" : words.join(", ");
  const inPath = words.filter((_, nth) => path.includes(`{${Object.keys(args)[nth]}}`));
  const others = words.filter((word) => !inPath.includes(word));
  const byName = others.length === 0 ? "`name`" : `\`name\` with or without ${others.join(", ")}`;
  return [...inPath, `\`id\`, or ${byName}`].join(", ");
}

function fieldsOf({ result: { type, fields } }, files) {
  if (type !== undefined) return `those of [${type}](resources/${files[type]})`;
  return Object.entries(fields)
    .map(([name, field]) =>
      field.type.kind === "object" || field.type.kind === "list" ? membersOf(name, field.type) : `\`${name}\``,
    )
    .join(", ");
}

function membersOf(name, type) {
  if (type.kind === "list") return membersOf(`${name}[]`, type.item);
  if (type.kind !== "object") return `\`${name}\``;
  return `\`${name}\` (${Object.keys(type.members).join(", ")})`;
}

module.exports = { lookupsPage };
