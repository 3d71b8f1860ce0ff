/** The sentence of a comment that says what holds if the program gives no value. */
const DEFAULT = /^Default: (.+)\.$/;

/** Sentences that a comment says on hover and that a column says here; the definition must agree with each of them. */
const SAID_BY_COLUMNS = [
  [DEFAULT, () => true], // of an optional field, only the comment knows it: `leftOut` takes it from there
  [/^Changing (?:it|them) replaces /, (field) => field.change === "replace"],
  [/^Changed in place\.$/, (field) => field.change !== "replace"],
  [/^The price depends on it\.$/, (field) => field.priced === true],
  [/^At most (\d+)(?: characters)?\.$/, ({ type }, most) => type.max === Number(most)],
  [/^At least one\.$/, ({ type }) => type.min === 1],
  [/^Their order does not matter\.$/, (field) => field.unordered === true],
];

/**
 * What the comment says of a field that its columns do not. Throws if there is no comment, or the definition
 * contradicts it.
 */
function describe(path, field, comment) {
  if (!comment?.text) throw new Error(`${path} has no comment: say before the field what it is`);
  return sentencesOf(comment.text)
    .filter((sentence) => !isSaidByColumns(path, field, sentence))
    .join(" ");
}

function sentencesOf(text) {
  return text.split(/(?<=\.) (?=[A-Z`])/);
}

function isSaidByColumns(path, field, sentence) {
  const [pattern, agrees] = SAID_BY_COLUMNS.find(([said]) => said.test(sentence)) ?? [];
  if (!agrees) return false;
  if (agrees(field, pattern.exec(sentence)[1])) return true;
  throw new Error(`${path}: the comment says "${sentence}", and the definition does not`);
}

/**
 * The type and its limits.
 *
 * @param {import("../../src/definition/types").Field} field
 */
function typeWords({ type, unordered }) {
  return wordsOf(type) + (unordered ? "; in any order" : "");
}

function wordsOf(type) {
  const limits = limitWords(type);
  switch (type.kind) {
    case "text":
      return `string${limits && `, ${limits} characters`}${type.pattern ? `: ${type.pattern.words}` : ""}`;
    case "oneOf":
      return type.values.map((value) => `\`${value}\`${formerly(type, value)}`).join(", ");
    case "integer":
      return `whole number${limits && `, ${limits}`}`;
    case "number":
      return "number";
    case "boolean":
      return "boolean";
    case "instant":
      return "date and time, ISO 8601";
    case "cidr":
      return "CIDR, canonical";
    case "ports":
      return "port or range";
    case "ipv4Source":
      return "IPv4 address or CIDR";
    case "list":
      return `list: ${wordsOf(type.item)}${limits && `; ${limits} items`}`;
    case "object":
      return [...(type.orWord?.enumeration.values ?? []).map((value) => `\`${value}\``), "object"].join(", ");
    case "anything":
      return "any value";
  }
  throw new Error(`no words for the type ${type.kind}`);
}

/** The former names of a value. */
function formerly({ enumeration }, value) {
  const names = Object.entries(enumeration?.renamed ?? {}).filter(([, present]) => present === value);
  return names.length === 0 ? "" : ` (formerly ${names.map(([name]) => `\`${name}\``).join(", ")})`;
}

function limitWords({ min, max }) {
  if (min === undefined && max === undefined) return "";
  if (min === max) return `exactly ${min}`;
  if (max === undefined) return `${min} or more`;
  return min === undefined ? `at most ${max}` : `${min} to ${max}`;
}

/** What holds if the program gives no value: by the definition, or else by the comment. */
function leftOut(field, comment) {
  if (field.presence === "required") return "**required**";
  if (field.configured) return `\`cloudinfra:${field.configured}\`; without it, **required**`;
  if (field.initially) return `the value of \`${field.initially}\`, once`;
  if (field.chosen) return "the logical name and seven hex characters";
  if (field.default !== undefined) return defaultWords(field.default);
  return defaultIn(comment.text) ?? "none";
}

function defaultIn(text) {
  return sentencesOf(text)
    .map((sentence) => DEFAULT.exec(sentence)?.[1])
    .find((words) => words !== undefined);
}

function defaultWords(value) {
  if (Array.isArray(value) && value.length === 0) return "empty";
  const isEmpty =
    typeof value === "object" && value !== null && Object.values(value).every((part) => defaultWords(part) === "empty");
  return isEmpty ? "empty" : `\`${JSON.stringify(value)}\``;
}

/** The effect of a new value. */
function changeOf({ change, growsOnly, local, actions }) {
  if (change === "replace") return "**replaces**";
  if (growsOnly) return "grows in place";
  return local && !actions ? "nothing at the API" : "in place";
}

module.exports = { changeOf, describe, leftOut, typeWords };
