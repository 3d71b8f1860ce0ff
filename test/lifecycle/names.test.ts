import { autoName } from "../../src/lifecycle/kind/auto-name";
import { urnOf } from "../support/lifecycle";

const [dynamic, native] = ["pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:"];
const pair = `${native}RotatingApiKey`;
const under = (...tokens: string[]): string => `urn:pulumi:dev::test::${tokens.join("$")}::web`;

it.each([
  ["alone", `urn:pulumi:dev::test::${dynamic}ConnectConnection::link`, "link-3e15277"],
  ["in another resource", under(`${dynamic}Vpc`, `${dynamic}Volume`), "web-75d3f10"],
  ["in a pair of keys", `urn:pulumi:dev::test::${pair}$${dynamic}ApiKey::ci-a`, "ci-a-758d4de"],
  ["in a user's component", under(`${native}Mine`, `${dynamic}Volume`), "web-94df2cb"],
])("a resource %s has the same name in every version", (_where, urn, name) => {
  expect(autoName(urn, 0)).toBe(name);
});

it.each([
  ["alone", under(`${dynamic}Volume`), under(`${native}Volume`)],
  ["in another resource", under(`${dynamic}Vpc`, `${dynamic}Volume`), under(`${native}Vpc`, `${native}Volume`)],
  ["in a pair of keys", under(pair, `${dynamic}ApiKey`), under(pair, `${native}ApiKey`)],
])("both providers choose the same name: %s", (_where, before, after) => {
  expect(autoName(after, 1)).toBe(autoName(before, 1));
});

it.each([0, 1])("cuts no surrogate pair in half (shift %i)", (shift) => {
  const name = autoName(urnOf("FirewallRule", "a".repeat(shift) + "\u{1f600}".repeat(200)), 0);
  expect(Buffer.from(name).toString()).toBe(name); // half a character does not survive it
  expect(name.length).toBeLessThanOrEqual(255);
  expect(name.length).toBeGreaterThanOrEqual(253);
});
