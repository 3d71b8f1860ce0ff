/** The command that writes the pages. */
const COMMAND = "node tools/docs/resources.mjs";

/** The members of an object, or of the objects in a list: path, field and comment of each. */
function membersBelow(path, type, comment) {
  if (type.kind === "list") return membersBelow(`${path}[]`, type.item, comment);
  if (type.kind !== "object") return [];
  return Object.entries(type.members).flatMap(([name, field]) => [
    [`${path}.${name}`, field, comment?.members[name]],
    ...membersBelow(`${path}.${name}`, field.type, comment?.members[name]),
  ]);
}

function bullets(texts) {
  const linked = texts.map((text) => text.replace(/\bdocs\/([\w-]+\.md)/g, "[docs/$1](../$1)"));
  return linked.map((text) => `- ${text}`).join("\n");
}

function join(parts) {
  return `${parts.join("\n\n")}\n`;
}

module.exports = { bullets, COMMAND, join, membersBelow };
