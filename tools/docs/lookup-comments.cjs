const { join } = require("node:path");
const ts = require("typescript");

/**
 * The lookups with the comments that an editor shows: `text` on the function, `about` is its first sentence,
 * `argComments` on the arguments and `resultComments` on the fields of the result. `root` is the folder of the
 * repository.
 *
 * @template Lookup
 * @param {Readonly<Record<string, Lookup>>} lookups
 * @returns {Record<string, Lookup & { about: string, text: string }>}
 */
function describedLookups(root, lookups) {
  const file = join(root, "src", "functions", "lookups", "index.ts");
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), (name) => ts.sys.readFile(name));
  const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);
  const program = ts.createProgram([file], options);
  const checker = program.getTypeChecker();
  const functions = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(file)));
  const described = Object.entries(lookups).map(([name, lookup]) => {
    const comments = commentsOn(
      functions.find((each) => each.name === name),
      lookup,
      checker,
    );
    return [name, { ...lookup, ...comments }];
  });
  return Object.fromEntries(described);
}

function commentsOn(declared, { args, result, finds }, checker) {
  const [signature] = checker.getTypeOfSymbol(declared).getCallSignatures();
  const given = signature.getParameters().find(({ name }) => name === "args");
  const [answer] = checker.getTypeArguments(signature.getReturnType());
  const text = textOf(declared, checker);
  const names = [...Object.keys(args), ...(finds === "byIdOrName" ? ["id", "name"] : [])];
  return {
    text,
    about: text.split(/(?<=\.) (?=[A-Z])/)[0],
    argComments: given ? memberComments(checker.getTypeOfSymbol(given), names, args, checker) : {},
    resultComments: memberComments(itemOf(answer, checker), Object.keys(result.fields), result.fields, checker),
  };
}

/** The comments on members of a type, and on the members below them, by the types of their fields. */
function memberComments(type, names, fields, checker) {
  const known = checker.getNonNullableType(type);
  const comments = names.map((name) => {
    const member = checker.getPropertyOfType(known, name);
    const below = innermost(fields[name]?.type);
    const ofMember = itemOf(checker.getTypeOfSymbol(member), checker);
    return [
      name,
      {
        text: textOf(member, checker),
        ...(below && { members: memberComments(ofMember, Object.keys(below), below, checker) }),
      },
    ];
  });
  return Object.fromEntries(comments);
}

/** The members of an object, or of the objects of a list. */
function innermost(type) {
  return type?.kind === "list" ? innermost(type.item) : type?.members;
}

function itemOf(type, checker) {
  const known = checker.getNonNullableType(type);
  return checker.isArrayType(known) ? checker.getTypeArguments(known)[0] : known;
}

function textOf(symbol, checker) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, " ");
}

module.exports = { describedLookups };
