import { exampleOf } from "../../src/definition/examples";
import { words } from "../../src/definition/enumeration";
import { flag, instant, integer, list, object, oneOf, text } from "../../src/definition/field";

const NOW = Date.parse("2026-03-01T12:00:00Z");

it.each([
  ["a text that is at most three long", text({ max: 3 }), "exa"],
  ["a text that is at least ten long", text({ min: 10 }), "example000"],
  ["a number with a least value", integer({ min: 50 }), 50],
  ["any number", integer(), 1],
  ["one of several", oneOf(words("Protocol", "A protocol.", { tcp: "TCP.", udp: "UDP." })), "tcp"],
  ["a flag", flag(), false],
  ["a time", instant(), "2026-03-31T12:00:00.000Z"],
  ["a field with an example", text({ example: "web" }), "web"],
  ["a field with a default", text({ default: "none" }), "none"],
  ["a field that may be left out", text({ optional: true }), undefined],
  ["a field that the API does not have", text({ local: true }), undefined],
  ["an object", object({ size: integer({ min: 20 }), note: text({ optional: true }) }), { size: 20 }],
  ["a list that may be empty", list(text()), []],
  ["a list of two at least", list(text({ max: 3 }), { min: 2 }), ["exa", "exa"]],
])("makes a valid example for %s", (_, field, value) => {
  expect(exampleOf(field, NOW)).toEqual(value);
});
