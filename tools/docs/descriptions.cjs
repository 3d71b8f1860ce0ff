const { readdirSync, readFileSync } = require("node:fs");
const { join } = require("node:path");
const ts = require("typescript");

// The comments in src/resources are the one description of a resource: on hover, in the published types, and, read
// here, in whatever else is made from the definitions. Fields that most kinds have are described once, in
// STANDARD_FIELDS.

const STANDARD_FIELDS = join(__dirname, "..", "..", "src", "definition", "standard-fields.ts");
const standardFields = ts.createSourceFile("x.ts", readFileSync(STANDARD_FIELDS, "utf8"), ts.ScriptTarget.Latest, true);

/**
 * What the comments in a folder of definitions say, by type.
 *
 * @returns {Record<string, { file: string, example?: string }>}
 */
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
    const word = parts.noun.text.split(" ").at(-1);
    const fields = ["inputs", "planned", "outputs"].map((part) => [
      part,
      parts[part] ? fieldsOf(parts[part], word) : {},
    ]);
    return [[parts.type.text, { file, ...commentOf(ofClass), ...Object.fromEntries(fields) }]];
  });
}

function membersOf(literal) {
  const members = literal.properties.filter(ts.isPropertyAssignment);
  return Object.fromEntries(members.map(({ name, initializer }) => [name.getText(), initializer]));
}

/**
 * The comment of each field, and of the members of each that is an object or a list of objects. `word` is the kind's,
 * in place of "the object" in the comments of standard fields.
 */
function fieldsOf(literal, word) {
  return Object.fromEntries(
    literal.properties.flatMap((field) => {
      if (ts.isSpreadAssignment(field)) return Object.entries(standardOf(field.expression, word));
      if (!ts.isPropertyAssignment(field)) return [];
      return [[field.name.getText(), { text: commentOf(field).text, members: objectMembersOf(field.initializer) }]];
    }),
  );
}

/** The comments of `...times` or `...named({ … })`. */
function standardOf(expression, word) {
  const name = (ts.isCallExpression(expression) ? expression.expression : expression).getText();
  let literal;
  const find = (node) => {
    if (ts.isObjectLiteralExpression(node)) literal ??= node;
    else ts.forEachChild(node, find);
  };
  for (const statement of standardFields.statements) {
    const declared = ts.isVariableStatement(statement) ? statement.declarationList.declarations[0] : statement;
    if (declared.name?.getText() === name) find(declared);
  }
  if (!literal) throw new Error(`${name} is not in ${STANDARD_FIELDS}`);
  return Object.fromEntries(
    Object.entries(fieldsOf(literal)).map(([field, comment]) => [
      field,
      { ...comment, text: comment.text.replaceAll("the object", `the ${word}`) },
    ]),
  );
}

function objectMembersOf(call) {
  if (!ts.isCallExpression(call)) return {};
  const [first] = call.arguments;
  if (first && ["object", "objectOr"].includes(call.expression.getText()) && ts.isObjectLiteralExpression(first))
    return fieldsOf(first);
  return first ? objectMembersOf(first) : {};
}

/**
 * The text of a JSDoc comment on one line, its example, its sentences on behaviour, its remarks, and whether it has
 * `@secret`.
 */
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
