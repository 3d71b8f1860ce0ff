const { readFileSync } = require("node:fs");
const { basename, join } = require("node:path");
const ts = require("typescript");
const { commentOf } = require("./descriptions.cjs");

/** The public classes that no definition describes, and the file of each. */
const CLASSES = { CostSummary: "src/resources/cost-summary.ts", RotatingApiKey: "src/resources/rotating-api-key.ts" };

/**
 * What the types and comments say of each class. `root` is the folder of the repository.
 *
 * @returns {{ name: string, example?: string, portableExample?: string }[]}
 */
function classDescriptions(root) {
  return Object.entries(CLASSES).map(([name, file]) =>
    descriptionOf(name, file, readFileSync(join(root, file), "utf8")),
  );
}

function descriptionOf(name, file, source) {
  const { statements } = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const named = (text) => statements.find((statement) => statement.name?.text === text);
  const interfaces = (text) => {
    const found = named(text);
    return found && ts.isInterfaceDeclaration(found) ? found : undefined;
  };
  const [own, args] = [named(name), interfaces(`${name}Args`)];
  return {
    name,
    file,
    page: `${basename(file, ".ts")}.md`,
    isComponent: own.heritageClauses[0].types[0].getText() === "pulumi.ComponentResource",
    ...commentOf(own),
    inputs: membersOf(args, interfaces),
    sharedInputs: (args.heritageClauses ?? []).flatMap(({ types }) => types.map(pickedOf)),
    outputs: membersOf(own, interfaces),
  };
}

/**
 * The properties of a class or interface, each followed by the members of its own type: path, text, type and presence.
 */
function membersOf(node, interfaces, prefix = "") {
  return node.members
    .filter((member) => ts.isPropertyDeclaration(member) || ts.isPropertySignature(member))
    .filter(({ modifiers = [] }) => !modifiers.some(({ kind }) => kind === ts.SyntaxKind.StaticKeyword))
    .flatMap((member) => {
      const { words, below, suffix } = typeOf(member.type, interfaces);
      const path = `${prefix}${member.name.text}`;
      const { text, isSecret } = commentOf(member);
      return [
        { path, text, type: words, ...interfaceOf(below), isSecret, isOptional: member.questionToken !== undefined },
        ...(below ? membersOf(below, interfaces, `${path}${suffix}.`) : []),
      ];
    });
}

/** The name and the comment of an interface. An object without one has neither. */
function interfaceOf(node) {
  if (!node || !ts.isInterfaceDeclaration(node)) return {};
  return { typeName: node.name.text.replace(/Args$/, ""), typeText: commentOf(node).text };
}

/** A type in words, and the interface that it is made of. */
function typeOf(type, interfaces) {
  if (ts.isTypeOperatorNode(type)) return typeOf(type.type, interfaces);
  if (ts.isArrayTypeNode(type)) {
    const { words, below } = typeOf(type.elementType, interfaces);
    return { words: `list: ${words}`, below, suffix: "[]" };
  }
  if (ts.isUnionTypeNode(type)) {
    const isUndefined = (part) => part.kind === ts.SyntaxKind.UndefinedKeyword;
    const words = type.types.filter((part) => !isUndefined(part)).map((part) => typeOf(part, interfaces).words);
    return { words: [...words, ...(type.types.some(isUndefined) ? ["or undefined"] : [])].join(", ") };
  }
  if (ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal)) return { words: `\`${type.literal.text}\`` };
  if (ts.isLiteralTypeNode(type)) return { words: `\`${type.getText()}\`` };
  if (ts.isTypeLiteralNode(type)) return { words: "object", below: type, suffix: "" };
  if (type.kind === ts.SyntaxKind.UnknownKeyword) return { words: "any value" };
  if (!ts.isTypeReferenceNode(type)) return { words: type.getText() };
  const name = type.typeName.getText();
  if (name === "pulumi.Input" || name === "pulumi.Output") return typeOf(type.typeArguments[0], interfaces);
  const below = interfaces(name);
  return below ? { words: "object", below, suffix: "" } : { words: `\`${name}\`` };
}

/** The arguments that `extends Pick<ApiKeyArgs, "a" | "b">` takes from another resource. */
function pickedOf({ typeArguments = [] }) {
  const [from, names] = typeArguments;
  return {
    type: from.getText().replace(/Args$/, ""),
    names: names.types.map(({ literal }) => literal.text),
  };
}

module.exports = { classDescriptions };
