const ts = require("typescript");

/** A value of another declaration, by the variable and its members: `["network", "subnet", "id"]`. */
class Reference {
  constructor(path) {
    this.path = path;
  }
}

/** The program in an `@example`: what it declares and what it exports, for a writer of any language. */
function programOf(example) {
  const text = example.replace(/^```\w*$/gm, "");
  const { statements } = ts.createSourceFile("example.ts", text, ts.ScriptTarget.Latest, true);
  const [declarations, outputs] = [[], {}];
  for (const statement of statements.filter((other) => !ts.isImportDeclaration(other))) {
    const [{ name, initializer }] = statement.declarationList?.declarations ?? [{ initializer: statement.expression }];
    if (statement.modifiers === undefined) declarations.push({ variable: name?.text, ...declared(initializer) });
    // A function of the language itself, such as a lambda, is not for other languages.
    else if (ts.isPropertyAccessExpression(initializer)) outputs[name.text] = valueOf(initializer);
  }
  return { declarations, outputs };
}

function declared({ kind, expression, arguments: given }) {
  const called = expression.name.text;
  if (kind !== ts.SyntaxKind.NewExpression) return { lookup: called.replace(/Output$/, ""), args: valueOf(given[0]) };
  return { type: called, name: given[0].text, args: valueOf(given[1]) };
}

function valueOf(node) {
  if (ts.isObjectLiteralExpression(node))
    return Object.fromEntries(node.properties.map(({ name, initializer }) => [name.text, valueOf(initializer)]));
  if (ts.isArrayLiteralExpression(node)) return node.elements.map(valueOf);
  if (ts.isPropertyAccessExpression(node)) return new Reference(node.getText().split("."));
  // Programs in other languages give the URN of a resource, and not the resource.
  if (ts.isIdentifier(node)) return new Reference([node.text, "urn"]);
  return JSON.parse(node.getText());
}

const AN_ID = "123e4567-e89b-12d3-a456-426614174000";

/** The program that calls a function of the schema with what it needs. */
function callOf(name, { args, finds, result }, required) {
  const value = (arg, { example, type }) => {
    const found = example ?? type.values?.[0] ?? (arg.endsWith("Id") ? AN_ID : undefined);
    if (found === undefined) throw new Error(`${name} has no example of its argument ${arg}: give the field one`);
    return [arg, found];
  };
  const given = Object.fromEntries([
    ...required.map((arg) => value(arg, args[arg])),
    ...(finds === "byIdOrName" ? [value("name", result.fields.name)] : []),
  ]);
  const variable = name.charAt(3).toLowerCase() + name.slice(4);
  return { declarations: [{ variable, lookup: name, args: given }], outputs: {} };
}

module.exports = { callOf, programOf, Reference };
