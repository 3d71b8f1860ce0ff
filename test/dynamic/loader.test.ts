import { loaderOf, tokenOf } from "../../src/dynamic/resource";
import { v1 } from "../../src/provider";
import { kinds, localKinds } from "../../src/resources/registry";

// These texts stand in users' states: they are frozen for ever.
const frozen = [
  ["ApiKey", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("ApiKey");`],
  ["ConnectConnection", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("ConnectConnection");`],
  ["CostSummary", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("CostSummary");`],
  ["FirewallRule", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("FirewallRule");`],
  ["Project", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("Project");`],
  ["RpcNodeFlex", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("RpcNodeFlex");`],
  ["Vm", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("Vm");`],
  ["Volume", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("Volume");`],
  ["Vpc", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("Vpc");`],
  ["RotationSchedule", `exports.handler = () => require("pulumi-cloudinfra/provider").v1("RotationSchedule");`],
] as const;

it("every kind of the registry has its loader here", () => {
  expect(frozen.map(([type]) => type).sort()).toEqual([...kinds, ...localKinds].map(({ type }) => type).sort());
});

it.each(frozen)("the loader of %s is the text that states hold, and the provider knows it", (type, text) => {
  expect(loaderOf(type)).toBe(text);
  expect(tokenOf(type)).toBe(`pulumi-nodejs:dynamic/cloudinfra:${type}`);
  expect(Object.keys(v1(type)).sort()).toEqual(["check", "configure", "create", "delete", "diff", "read", "update"]);
});

it("when a state names a kind that this version does not have, the message says what to do", () => {
  expect(() => v1("Nothing")).toThrow(/has no resource Nothing: install the version that wrote this state/);
});
