import { loaderOf } from "../../src/state/loader";
import { dynamicToken } from "../../src/engine/urn";
import { v1 } from "../../src/provider";
import { kinds, localKinds } from "../../src/resources/registry";

const types = [...kinds, ...localKinds].map(({ type }) => type);

it.each(types)("keeps the loader text of a %s unchanged", (type) => {
  expect(loaderOf(type)).toBe(`exports.handler = () => require("pulumi-cloudinfra/provider").v1("${type}");`);
  expect(dynamicToken(type)).toBe(`pulumi-nodejs:dynamic/cloudinfra:${type}`);
  expect(Object.keys(v1(type)).sort()).toEqual(["check", "configure", "create", "delete", "diff", "read", "update"]);
});

// States also contain names of kinds. Released names must stay.
it.each(["ApiKey", "ConnectConnection", "CostSummary", "FirewallRule", "RotationSchedule"])(
  "still has the kind %s of released states",
  (type) => expect(types).toContain(type),
);

it("says what to do with a kind of another version", () => {
  expect(() => v1("Nothing")).toThrow(/has no resource Nothing: install the version that wrote this state/);
});
