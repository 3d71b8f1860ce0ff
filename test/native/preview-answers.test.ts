import { differencesIn, differencesOf, pathText, type PropertyDifference } from "../../src/native/preview-answers";
import { replacingMembers } from "../../src/lifecycle/kind/changed-fields";
import { kinds } from "../../src/resources/registry";

const kindOf = (type: string): (typeof kinds)[number] => kinds.find((kind) => kind.type === type)!;
const texts = (differences: readonly PropertyDifference[]): string[] =>
  differences.map(
    ({ path, kind, replaces, isInput }) =>
      `${kind} ${pathText(path)}${replaces ? ", replaces" : ""}${isInput ? "" : ", of the object"}`,
  );

it.each<[string, Record<string, unknown>, Record<string, unknown>, string[]]>([
  ["a new value", {}, { size: 1 }, ["ADD size"]],
  ["another value", { size: 1 }, { size: 2 }, ["UPDATE size"]],
  ["a value that is gone", { size: 1 }, {}, ["DELETE size"]],
  ["null, which counts as absent", { size: 1, name: null }, { size: null }, ["DELETE size"]],
  ["the end of a longer list", { tags: ["a", "b"] }, { tags: ["a"] }, ["DELETE tags[1]"]],
  ["a member in a list", { rules: [{ port: 1 }] }, { rules: [{ port: 2 }] }, ["UPDATE rules[0].port"]],
  ["a list instead of an object", { it: { 0: "a" } }, { it: ["a"] }, ["UPDATE it"]],
  ["a key that is no name", { labels: {} }, { labels: { "a.b/c": "d" } }, ['ADD labels["a.b/c"]']],
  ["nothing", { size: 1, tags: ["a"] }, { size: 1, tags: ["a"] }, []],
])("a detailed diff shows %s", (_case, before, after, expected) => {
  expect(texts(differencesIn(before, after))).toEqual(expected);
});

it("compares with the object if the inputs are equal", () => {
  const same = { size: 100, tags: ["a"] };
  const compared = { inputs: same, outputs: { size: 90, tags: ["b"], status: "error" }, news: same };
  const found = { changed: ["size"], replaces: ["status"] };
  expect(texts(differencesOf(kindOf("Volume"), compared, found))).toEqual([
    "UPDATE size, of the object",
    "UPDATE status, replaces, of the object",
  ]);
});

it("lists a field once if inputs and object differ", () => {
  const compared = { inputs: { type: "first" }, outputs: { type: "second" }, news: { type: "third" } };
  const found = { changed: ["type"], replaces: ["type"] };
  expect(texts(differencesOf(kindOf("Volume"), compared, found))).toEqual(["UPDATE type, replaces"]);
});

it("replaces only for the members that require it", () => {
  const [kind, field, members] = kinds
    .flatMap((each) => Object.entries(each.fields).map(([name, of]) => [each, name, replacingMembers(of)] as const))
    .find(([, , names]) => names.length > 0)!;
  const replacing = members[0]!;
  const compared = {
    inputs: { [field]: { [replacing]: 1, other: 1 } },
    outputs: {},
    news: { [field]: { [replacing]: 2, other: 2 } },
  };
  expect(texts(differencesOf(kind, compared, { replaces: [field] }))).toEqual([
    `UPDATE ${field}.${replacing}, replaces`,
    `UPDATE ${field}.other`,
  ]);
});
