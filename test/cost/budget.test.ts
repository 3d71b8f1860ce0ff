import { approvalBreaches, overBudget, type Budget } from "../../src/cost/budget";
import { costDocument } from "../../src/cost/cost-document";
import { jsonReport } from "../../src/cost/json-report";
import { decimal } from "../../src/cost/money";
import { resourceCost } from "../../src/cost/resource-cost";
import { quote, sampleReport, type Sample } from "./sample-reports";

const samples: readonly Sample[] = [
  { name: "big", before: "50", after: "100" },
  { name: "small", after: "20" },
  { name: "kept", operation: "same", before: "5", after: "5" },
  { name: "gone", before: "30", after: undefined },
  { name: "free", after: "0" },
];
const unknown: Sample = { name: "secret", unknown: "the API did not answer" };

const breachesOf = (budget: Budget, more: readonly Sample[] = [], notCounted: readonly string[] = []) =>
  overBudget(sampleReport([...samples, ...more], { notCounted }), budget);
const namesOf = (resources: readonly { readonly name: string }[] = []): string =>
  resources.map(({ name }) => name).join(" ");
const amount = decimal;

// 125 after the change, 40 more than before.
const BOTH = "~ ConnectConnection big $100.00/mo, + ConnectConnection small $20.00/mo";
const MORE = "~ ConnectConnection big +$50.00/mo, + ConnectConnection small +$20.00/mo";
const BIG = "ConnectConnection big would cost $100.00/mo";

const TOTAL = "the total would be $125.00/mo, $0.01/mo over the budget of $124.99/mo";
const INCREASE = "the increase would be +$40.00/mo, $0.01/mo over the budget of $39.99/mo";

it.each<[string, limit: keyof Budget, allowed: string, reasons: readonly string[]]>([
  ["exactly the total", "monthlyTotal", "125", []],
  ["a cent less than the total", "monthlyTotal", "124.99", [`${TOTAL}: ${BOTH}, ConnectConnection kept $5.00/mo`]],
  ["exactly the increase", "monthlyIncrease", "40", []],
  ["a cent less than the increase", "monthlyIncrease", "39.99", [`${INCREASE}: ${MORE}`]],
  ["exactly the most expensive resource", "perResource", "100", []],
  [
    "a cent less than that",
    "perResource",
    "99.99",
    [`${BIG}, $0.01/mo over the budget of $99.99/mo for each resource`],
  ],
  ["less than two", "perResource", "19", [`${BIG}, $81.00/mo over the budget of $19.00/mo for each resource: ${BOTH}`]],
])("names what exceeds a budget of %s", (_case, limit, allowed, reasons) => {
  expect(breachesOf({ [limit]: amount(allowed) }).map(({ reason }) => reason)).toEqual(reasons);
});

it.each([{}, { perResource: amount("100"), monthlyTotal: amount("200") }])(
  "nothing exceeds the budget %j",
  (budget) => {
    expect(breachesOf(budget)).toEqual([]);
  },
);

it.each<[Budget["onUnknown"], readonly string[]]>([
  [undefined, []],
  ["allow", []],
  ["fail", ["the cost of ConnectConnection secret, Vpc late is unknown"]],
])("onUnknown %s applies to unknown costs", (onUnknown, reasons) => {
  expect(breachesOf({ onUnknown }, [unknown], ["Vpc late"]).map(({ reason }) => reason)).toEqual(reasons);
});

const before = { cost: undefined, unpriced: { status: "unknown", reason: "no answer" } } as const;

it("onUnknown has no effect on a deletion of unknown cost", () => {
  const deleted = resourceCost({ urn: "urn:pulumi:dev::p::Vpc::late", operation: "delete", before, after: undefined });
  expect(deleted.status).toBe("unknown");
  expect(overBudget(sampleReport([], { resources: [deleted] }), { onUnknown: "fail" })).toEqual([]);
});

it("counts a known cost after an unknown one", () => {
  const after = { cost: quote("90") };
  const resource = resourceCost({ urn: "urn:pulumi:dev::p::Vpc::late", operation: "update", before, after });
  const limitsOf = (budget: Budget): readonly string[] =>
    overBudget(sampleReport([], { resources: [resource] }), { ...budget, onUnknown: "fail" }).map(({ limit }) => limit);
  expect(limitsOf({ monthlyTotal: amount("50") })).toEqual(["monthlyTotal"]);
  expect(limitsOf({ monthlyIncrease: amount("500") })).toEqual(["onUnknown"]);
});

it("ignores unquoted kinds with onUnknown fail", () => {
  expect(breachesOf({ onUnknown: "fail" }, [{ name: "node", notOffered: true }])).toEqual([]);
});

it("a quote that is no longer offered counts as unknown", () => {
  const lost = { name: "lost", before: "10", notOffered: true } as const;
  const [breach] = breachesOf({ onUnknown: "fail" }, [lost]);
  expect(breach?.reason).toBe("the cost of ConnectConnection lost is unknown");
  const resources = [{ reason: "no quote offered for this kind of resource" }];
  expect(sampleReport([lost])).toMatchObject({ atLeast: true, resources });
});

it("names the three dearest of four, and lists all", () => {
  const more = ["d", "e"].map((name, index): Sample => ({ name, after: String(40 + index) }));
  const [breach] = breachesOf({ perResource: amount("10") }, more);
  expect(breach?.reason).toMatch(/: ~ \w+ big \$100\.00\/mo, \+ \w+ e \$41\.00\/mo, \+ \w+ d \$40\.00\/mo and 1 more$/);
  expect(namesOf(breach?.resources)).toBe("big e d small");
});

it("each breach names limit, amount and resources", () => {
  const limits = { monthlyTotal: amount("100"), monthlyIncrease: amount("10"), perResource: amount("90") };
  const breaches = breachesOf({ ...limits, onUnknown: "fail" }, [unknown]);
  const shown = breaches.map(({ limit, allowed, amount: is, resources }) => [limit, allowed, is, namesOf(resources)]);
  expect(shown).toEqual([
    ["monthlyTotal", "100.00", "125.00", "big small kept"],
    ["monthlyIncrease", "10.00", "40.00", "big small"],
    ["perResource", "90.00", "100.00", "big"],
    ["onUnknown", null, null, "secret"],
  ]);
});

it("orders by the added cost", () => {
  const more: Sample[] = [
    { name: "dear", before: "900", after: "900.5" },
    { name: "cheap", after: "0.75" },
  ];
  const [total] = breachesOf({ monthlyTotal: amount("1") }, more);
  const [increase] = breachesOf({ monthlyIncrease: amount("1") }, more);
  expect([namesOf(total?.resources), namesOf(increase?.resources)]).toEqual([
    "dear big small kept cheap",
    "big small cheap dear",
  ]);
});

it.each([
  ["the approval of its organization", "beta", "20", []],
  ["no approval of another organization", "beta", "10", ["beta"]],
  ["an approval if its name has no organization", undefined, "10", []],
])("compares a stack with %s", (_which, pulumiOrganization, before, differing) => {
  const reportOf = (organization: string | undefined, cost: string) =>
    sampleReport([{ name: "link", operation: "same", before: cost, after: cost }], {
      pulumiOrganization: organization,
    });
  const approved = costDocument.parse(JSON.parse(jsonReport([reportOf("acme", "10"), reportOf("beta", "20")], {})));
  const breaches = approvalBreaches(reportOf(pulumiOrganization, before), approved, "--approved");
  expect(breaches.map(() => pulumiOrganization)).toEqual(differing);
});
