import { UNKNOWN } from "../../src/engine/values";
import { lockOut } from "../../src/resources/api-key-credential";

const own = {
  permissions: [{ resourceType: "api_key", permission: "edit" }],
  projectIds: ["p-1", "p-2"],
  sourceIpRule: { allowed: [], blocked: [] },
};
const V4 = "192.0.2.7";
const V6 = "2001:db8::7";

const lockOutOf = (outputs: object, inputs: object, address?: string) =>
  lockOut({ ...own, ...outputs }, { ...own, ...inputs }, { type: "ApiKey", address, now: 0 });
const findingsOf = (change: object, address?: string): string[] =>
  lockOutOf({}, change, address).map(({ severity, field }) => `${severity} ${field}`);
const SHUT_OUT = ["failure sourceIpRule"];
const NOT_KNOWN = ["warning sourceIpRule"];

it.each([
  ["the address is allowed", { allowed: [V4] }, V4, []],
  ["its network is allowed", { allowed: ["192.0.2.0/24"] }, V4, []],
  ["a neighbour is allowed", { allowed: ["192.0.2.8"] }, V4, SHUT_OUT],
  ["the address is blocked", { blocked: [V4] }, V4, SHUT_OUT],
  ["a neighbour is blocked", { blocked: ["192.0.2.8"] }, V4, []],
  ["its network is allowed, and another is blocked", { allowed: ["192.0.2.0/24"], blocked: ["10.0.0.0/8"] }, V4, []],
  ["its network is allowed, and the address blocked", { allowed: ["192.0.2.0/24"], blocked: [V4] }, V4, SHUT_OUT],
  ["other addresses are allowed and blocked", { allowed: ["10.0.0.0/8"], blocked: ["10.0.0.9"] }, V4, SHUT_OUT],
  ["the second of two networks contains the address", { allowed: ["10.0.0.0/8", "192.0.2.0/24"] }, V4, []],
  ["all of IPv4 is allowed, but IPv6 is used", { allowed: ["0.0.0.0/0"] }, V6, SHUT_OUT],
  ["all of IPv4 is blocked, but IPv6 is used", { blocked: ["0.0.0.0/0"] }, V6, []],
  ["its IPv6 network is allowed", { allowed: ["2001:db8::/32"] }, V6, []],
  ["its own IPv6 address is allowed", { allowed: [V6] }, V6, []],
  ["a neighbour's IPv6 address is allowed", { allowed: ["2001:db8::8"] }, V6, SHUT_OUT],
  ["an allowed IPv4 address is written as IPv6", { allowed: ["192.0.2.0/24"] }, `::ffff:${V4}`, []],
  ["an allowed entry is not an address", { allowed: ["home"] }, V4, SHUT_OUT],
  ["nothing is allowed or blocked", { allowed: [], blocked: [] }, V4, []],
  ["something is allowed, and its address is unknown", { allowed: [V4] }, undefined, NOT_KNOWN],
  ["something is blocked, and its address is unknown", { blocked: [V4] }, undefined, NOT_KNOWN],
  ["nothing is restricted, and its address is unknown", { allowed: [], blocked: [] }, undefined, []],
  ["the rule is not known yet", { allowed: [UNKNOWN] }, V4, []],
])("checks the IP rule if %s", (_case, rule, address, findings) => {
  expect(findingsOf({ sourceIpRule: rule }, address)).toEqual(findings);
});

it("does not check an unchanged IP rule", () => {
  const rule = { allowed: ["10.0.0.0/8"], blocked: [] };
  expect(lockOutOf({ sourceIpRule: rule }, { sourceIpRule: rule }, V4)).toEqual([]);
});

it.each([
  ["api_key:edit stays among others", [...own.permissions, { resourceType: "vm", permission: "edit" }], []],
  ["only api_key:read is left", [{ resourceType: "api_key", permission: "read" }], ["failure permissions"]],
  ["only another edit is left", [{ resourceType: "vm", permission: "edit" }], ["failure permissions"]],
  ["they are not known yet", UNKNOWN, []],
])("warns only of a real loss: %s", (_case, permissions, findings) => {
  expect(findingsOf({ permissions })).toEqual(findings);
});

it("reports no lock-out for a key without api_key:edit", () => {
  expect(lockOutOf({ permissions: [] }, { permissions: [] })).toEqual([]);
});

it.each([
  [["p-1", "p-2", "p-3"], []],
  [["p-1"], ["it would lose p-2"]],
  [["p-3"], ["it would lose p-1, p-2"]],
  [[UNKNOWN], []],
])("names lost projects when they become %p", (projectIds, reasons) => {
  expect(lockOutOf({}, { projectIds }).map(({ reason }) => reason)).toEqual(reasons);
});
