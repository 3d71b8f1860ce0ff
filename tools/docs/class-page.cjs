const { markdownTable } = require("markdown-table");
const { describe, leftOut, typeWords } = require("./field-words.cjs");
const { bullets, COMMAND, join, membersBelow } = require("./page-parts.cjs");

/** The page of a public class that no definition describes. */
function classPage(described, definitions, descriptions) {
  const { name, file, text, example, behaviour, remarks, inputs, sharedInputs, outputs } = described;
  if (!example) throw new Error(`${name} has no @example before its class in ${file}`);
  const shared = sharedInputs.flatMap((picked) => sharedRows(picked, definitions, descriptions));
  return join([
    `# ${name}`,
    `<!-- Made by \`${COMMAND}\` from ${file}: change it there. -->`,
    text,
    "## Example",
    example,
    "## Arguments",
    markdownTable([["Argument", "What it is", "Type", "If left out"], ...inputs.map(argumentRow), ...shared]),
    "## Outputs",
    markdownTable([
      ["Output", "What it is", "Type"],
      ...outputs.map((output) => [code(output.path), said(output), output.type]),
    ]),
    "## Behaviour",
    bullets(behaviour),
    "## Limits",
    bullets(remarks),
  ]);
}

function argumentRow(argument) {
  const [, byDefault] = / ?\bDefault: ([^]+?)\.(?= [A-Z]|$)/.exec(argument.text) ?? [];
  const text = said(argument).replace(/ ?\bDefault: [^]+?\.(?= [A-Z]|$)/, "");
  return [code(argument.path), text, argument.type, argument.isOptional ? (byDefault ?? "none") : "**required**"];
}

/** Arguments that a resource has too: in the words of its own page. */
function sharedRows({ type, names }, definitions, descriptions) {
  const { inputs } = definitions.find((definition) => definition.type === type);
  const row = (path, field, comment) => [
    code(path),
    describe(`${type}.${path}`, field, comment),
    typeWords(field),
    leftOut(field, comment),
  ];
  return names.flatMap((name) => [
    row(name, inputs[name], descriptions[type].inputs[name]),
    ...membersBelow(name, inputs[name].type, descriptions[type].inputs[name]).map((member) => row(...member)),
  ]);
}

function said({ path, text }) {
  if (!text) throw new Error(`${path} has no comment: say before it what it is`);
  return text;
}

function code(text) {
  return `\`${text}\``;
}

module.exports = { classPage };
