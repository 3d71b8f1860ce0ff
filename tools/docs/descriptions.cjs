const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const ts = require("typescript");

// The comments in src/resources are the one description of a resource: on hover, in the published types, and, read here, in
// whatever else is made from the definitions.

/** What the comments in a folder of definitions say, by type. */
function descriptionsIn(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Object.fromEntries(files.flatMap((name) => descriptionsOf(readFileSync(join(folder, name), "utf8"), name)));
}

/** What the comments of one file say: `[type, description]` for each of its definitions. */
function descriptionsOf(source, file) {
  const { statements } = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const variables = statements
    .filter(ts.isVariableStatement)
    .flatMap(({ declarationList }) => declarationList.declarations);
  return variables.flatMap(({ name, initializer }) => {
    if (!initializer || !ts.isCallExpression(initializer) || initializer.expression.getText() !== "define") return [];
    const parts = membersOf(initializer.arguments[0]);
    const ofClass = variables.find((other) => other.initializer?.getText() === `resource(${name.getText()})`);
    const fields = ["inputs", "planned", "outputs"].map((part) => [part, parts[part] ? fieldsOf(parts[part]) : {}]);
    return [[parts.type.text, { file, ...commentOf(ofClass), ...Object.fromEntries(fields) }]];
  });
}

function membersOf(literal) {
  const members = literal.properties.filter(ts.isPropertyAssignment);
  return Object.fromEntries(members.map(({ name, initializer }) => [name.getText(), initializer]));
}

/** The comment of each field, and of the members of each that is an object or a list of objects. */
function fieldsOf(literal) {
  const fields = literal.properties.filter(ts.isPropertyAssignment);
  return Object.fromEntries(
    fields.map((field) => [
      field.name.getText(),
      { text: commentOf(field).text, members: objectMembersOf(field.initializer) },
    ]),
  );
}

function objectMembersOf(call) {
  if (!ts.isCallExpression(call)) return {};
  const [first] = call.arguments;
  if (first && call.expression.getText() === "object" && ts.isObjectLiteralExpression(first)) return fieldsOf(first);
  return first ? objectMembersOf(first) : {};
}

/** The text of a JSDoc comment on one line, its example, its sentences on behaviour, its remarks, and whether it has `@secret`. */
function commentOf(node) {
  const [comment] = node ? ts.getJSDocCommentsAndTags(node).filter(ts.isJSDoc) : [];
  const tagged = (tagName) =>
    (comment?.tags ?? []).filter((tag) => tag.tagName.text === tagName).map(({ comment: text }) => textOf(text));
  const examples = tagged("example");
  const [text, behaviour, remarks] = [textOf(comment?.comment), tagged("behaviour"), tagged("remarks")];
  const isSecret = tagged("secret").length > 0;
  return {
    text: oneLine(text),
    ...{ example: examples[0], portableExample: examples.at(-1) },
    ...{ behaviour: behaviour.map(oneLine), remarks: remarks.map(oneLine), isSecret },
  };
}

function textOf(comment) {
  return (ts.getTextOfJSDocComment(comment) ?? "").trim();
}

function oneLine(text) {
  return text.replace(/\s+/g, " ");
}

module.exports = { commentOf, descriptionsIn };
