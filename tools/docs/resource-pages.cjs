const { markdownTable } = require("markdown-table");
const { classPage } = require("./class-page.cjs");
const { changeOf, describe, leftOut, typeWords } = require("./field-words.cjs");
const { bullets, COMMAND, join, membersBelow } = require("./page-parts.cjs");

/**
 * Every page of docs/resources, by its file's name: one for each definition, one for each class above them, and the
 * index.
 *
 * @param {readonly object[]} classes
 * @returns {Record<string, string>}
 */
function resourcePages(kinds, descriptions, classes = []) {
  const pages = kinds.map((definition) => {
    const description = descriptions[definition.type];
    if (!description) throw new Error(`${definition.type} is in no file of src/resources`);
    return [description.file.replace(/\.ts$/, ".md"), definition, description];
  });
  return {
    "README.md": indexPage(pages, classes),
    ...Object.fromEntries(pages.map(([name, ...of]) => [name, resourcePage(...of)])),
    ...Object.fromEntries(classes.map((described) => [described.page, classPage(described, kinds, descriptions)])),
  };
}

function indexPage(pages, classes) {
  const rows = pages.map(([name, { type, nouns }, { text }]) => [`[${type}](${name})`, nouns, text]);
  return join([
    "# Resources",
    `<!-- Made by \`${COMMAND}\` from src/resources. -->`,
    markdownTable([["Resource", "Manages", "What it is"], ...rows]),
    "Each page has an example, the arguments, the outputs, the price, and how to adopt what exists.",
    "These classes use the resources above:",
    markdownTable([["Class", "What it is"], ...classes.map(({ name, page, text }) => [`[${name}](${page})`, text])]),
  ]);
}

function resourcePage(definition, description) {
  const { type, noun } = definition;
  if (!description.example) throw new Error(`${type} has no @example before its class in ${description.file}`);
  return join([
    `# ${type}`,
    `<!-- Made by \`${COMMAND}\` from src/resources/${description.file}: change it there. -->`,
    description.text,
    "## Example",
    description.example,
    "## Arguments",
    markdownTable([
      ["Argument", "What it is", "Type and limits", "If left out", "A change"],
      ...argumentRows(definition, description),
    ]),
    meaningOf(definition) + `\`adopt\` takes the id of an existing ${noun}: [see below](#adoption).`,
    "## Outputs",
    "Every argument is an output too. In addition:",
    markdownTable([["Output", "What it is", "Type"], ...outputRows(definition, description)]),
    "## Price",
    ...priceOf(definition),
    "## Adoption",
    ...adoptionOf(definition),
    ...(description.remarks.length > 0 ? ["## Limits", bullets(description.remarks)] : []),
  ]);
}

function meaningOf({ inputs, discovery }) {
  if (Object.values(inputs).every(({ change }) => change !== "replace")) return "";
  if (discovery)
    return "**Replaces** means: the resource takes another object over, then gives the old one back as it was. ";
  return "**Replaces** means: Pulumi creates the new object, updates what depends on it, then deletes the old object. ";
}

function argumentRows({ type, inputs }, description) {
  const row = (path, field, comment, change) => [
    `\`${path}\``,
    describe(`${type}.${path}`, field, comment),
    typeWords(field),
    leftOut(field, comment),
    change,
  ];
  return Object.entries(inputs).flatMap(([name, field]) => [
    row(name, field, description.inputs[name], changeOf(field)),
    // A part has its own endpoints: its members change one by one.
    ...membersBelow(name, field.type, description.inputs[name]).map((member) =>
      row(...member, field.part ? changeOfPart(field, member[1]) : ""),
    ),
  ]);
}

function changeOfPart({ type }, member) {
  return type.kind === "list" && member.change === "replace" ? "not possible" : changeOf(member);
}

function outputRows({ type, planned = {}, outputs }, description) {
  const comments = { ...description.planned, ...description.outputs };
  const row = (path, field, comment) => [
    `\`${path}\``,
    describe(`${type}.${path}`, field, comment),
    typeWords(field) + (field.presence === "optional" ? ", or undefined" : "") + (field.secret ? "; secret" : ""),
  ];
  return [
    ...Object.entries({ ...planned, ...outputs }).flatMap(([name, field]) => [
      row(name, field, comments[name]),
      ...membersBelow(name, field.type, comments[name]).map((member) => row(...member)),
    ]),
    ["`cost`", "The monthly cost. Known in preview.", "[object](../cost.md#the-output-cost), or undefined"],
  ];
}

function priceOf({ inputs, pricedFields, path, nouns, isQuoted, unquotedIn = [] }) {
  if (isQuoted === false)
    return [`The API quotes no price for ${nouns}: the preview asks for none, and \`cost\` is undefined.`];
  const priced = Object.keys(inputs).filter((name) => name in pricedFields && !path.includes(`{${name}}`));
  return [
    "The preview shows [what it costs a month](../cost.md), by the API's own quote. " +
      (priced.length > 0
        ? `The price can depend on ${enumerate(priced)}: if one of them changes, the preview asks for a new quote.`
        : "No argument changes the price."),
    ...unquotedIn.map((name) => `A service of the dialect \`${name}\` offers no quote for ${nouns}.`),
  ];
}

function adoptionOf({ type, noun, path, inputs, outputs, discovery }) {
  const own = `${type.charAt(0).toLowerCase()}${type.slice(1)}Id`;
  const parents = Array.from(path.matchAll(/\{(\w+)\}/g), ([, name]) => name);
  const id = [...parents, own].map((name) => `<${name}>`).join("/");
  const secrets = Object.keys(outputs).filter((name) => outputs[name].secret && !outputs[name].readSeparately);
  const hidden = Object.entries(inputs)
    .flatMap(([name, field]) => [[name, field], ...membersBelow(name, field.type)])
    .filter(([, { shown }]) => shown === "never")
    .map(([name]) => name);
  return [
    `\`adopt: "${id}"\` brings an existing ${noun} under management. The preview lists what differs from the program, and the ` +
      "update changes it in place. If a difference needs a replacement, the preview fails and names the argument. After that, the stack " +
      `manages the object, and a ${discovery ? "destroy gives it back as it was" : "replacement or a destroy deletes it"}. \`adopt\` works once; you may ` +
      "leave it in the program.",
    ...(secrets.length > 0
      ? [
          `The API shows ${enumerate(secrets)} at creation only. If you have the value, adopt with ` +
            `\`adopt: { id, ${secrets.join(", ")} }\`; without it the output is undefined.`,
        ]
      : []),
    ...(hidden.length > 0
      ? [`The API never shows ${enumerate(hidden)}. An adoption takes the program's value and cannot compare it.`]
      : []),
    `\`${type}.get("name", "${id}")\` reads an existing ${noun} and never manages it.`,
  ];
}

function enumerate(names) {
  const quoted = names.map((name) => `\`${name}\``);
  return quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} and ${quoted.at(-1)}` : quoted.join("");
}

module.exports = { COMMAND, resourcePages };
