import { loaderOf } from "../../src/state/loader";
import { dynamicToken } from "../../src/engine/urn";
import { v1 } from "../../src/provider";
import { kinds, localKinds } from "../../src/resources/registry";

const types = [...kinds, ...localKinds].map(({ type }) => type);

it.each(types)(
  "the loader of a %s is the text that states hold, frozen for ever, and the provider knows it",
  (type) => {
    expect(loaderOf(type)).toBe(`exports.handler = () => require("pulumi-cloudinfra/provider").v1("${type}");`);
    expect(dynamicToken(type)).toBe(`pulumi-nodejs:dynamic/cloudinfra:${type}`);
    expect(Object.keys(v1(type)).sort()).toEqual(["check", "configure", "create", "delete", "diff", "read", "update"]);
  },
);

// Names of kinds stand in states too: those that have been released stay.
it.each(["ApiKey", "ConnectConnection", "CostSummary", "FirewallRule", "RotationSchedule"])(
  "%s, which states of releases name, is a kind",
  (type) => expect(types).toContain(type),
);

it("when a state names a kind that this version does not have, the message says what to do", () => {
  expect(() => v1("Nothing")).toThrow(/has no resource Nothing: install the version that wrote this state/);
});
