import { withIgnored } from "../../src/native/ignored-changes";

const state = {
  a: { b: 1, "c d": 2 },
  list: [
    { x: 1, y: 1 },
    { x: 2, y: 2 },
  ],
  key: "made",
};
const news = { a: { b: 8, "c d": 9 }, list: [{ x: 8, y: 8 }], given: true };

it.each<[path: string, inputs: object]>([
  ["a", { ...news, a: state.a }],
  ["a.b", { ...news, a: { b: 1, "c d": 9 } }],
  ['a["c d"]', { ...news, a: { b: 8, "c d": 2 } }],
  ['["a"].*', { ...news, a: state.a }],
  ["list[0].x", { ...news, list: [{ x: 1, y: 8 }] }],
  ["list[*].y", { ...news, list: [{ x: 8, y: 1 }] }],
  ["list[1]", news],
  ["given", { a: news.a, list: news.list }],
  ["given.b", news],
  ["key.b", news],
  ["*", { a: state.a, list: state.list }],
])("resets the path %s", (path, inputs) => {
  expect(withIgnored([path], news, state)).toEqual(inputs);
});
