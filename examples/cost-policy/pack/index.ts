import { PolicyPack, type PolicyResource } from "@pulumi/policy";
import { Decimal } from "decimal.js";

// Amounts are decimal strings, as in the output `cost`. The sum is exact; only the printed text is rounded.
const amount = { type: "string", pattern: "^\\d+(\\.\\d+)?$" } as const;
const NAMED_CONTRIBUTORS = 3;

interface Budget {
  monthlyTotal?: string;
  perResource?: string;
}

interface Priced {
  readonly label: string;
  readonly monthly: Decimal;
}

new PolicyPack("cost-policy", {
  policies: [
    {
      name: "cost-budget",
      description: "Limits the monthly cost of the stack and of each resource.",
      enforcementLevel: "mandatory",
      configSchema: {
        properties: {
          monthlyTotal: { ...amount, description: "US dollars a month for the stack." },
          perResource: { ...amount, description: "US dollars a month for one resource." },
        },
      },
      validateStack: (stack, reportViolation) => {
        const { monthlyTotal, perResource } = stack.getConfig<Budget>();
        const priced = stack.resources.flatMap(pricedOf).sort(largestFirst);
        const total = Decimal.sum(0, ...priced.map(({ monthly }) => monthly));
        if (monthlyTotal !== undefined && total.greaterThan(monthlyTotal)) {
          reportViolation(
            `The stack would cost ${dollars(total)} a month, and its budget is ${dollars(monthlyTotal)}. ` +
              `The largest: ${listed(priced)}.`,
          );
        }
        const tooDear = priced.filter(({ monthly }) => perResource !== undefined && monthly.greaterThan(perResource));
        if (perResource !== undefined && tooDear.length > 0) {
          reportViolation(
            `One resource may cost ${dollars(perResource)} a month. These cost more: ${listed(tooDear)}.`,
          );
        }
      },
    },
  ],
});

/** What the types of the dynamic and of the first-class provider begin with. */
const PROVIDERS = ["pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:"];

/** A resource whose cost is known. Resources with an unknown cost are not counted. */
function pricedOf({ type, name, props }: PolicyResource): Priced[] {
  const { cost } = props as { cost?: { monthlyTotal: string } };
  if (!PROVIDERS.some((provider) => type.startsWith(provider)) || cost?.monthlyTotal === undefined) return [];
  return [{ label: `${type.slice(type.lastIndexOf(":") + 1)} ${name}`, monthly: new Decimal(cost.monthlyTotal) }];
}

function largestFirst(a: Priced, b: Priced): number {
  return b.monthly.comparedTo(a.monthly) || (a.label < b.label ? -1 : 1);
}

function listed(priced: readonly Priced[]): string {
  const named = priced.slice(0, NAMED_CONTRIBUTORS).map(({ label, monthly }) => `${label} ${dollars(monthly)}`);
  const others = priced.length - named.length;
  return named.join(", ") + (others > 0 ? ` and ${others} more` : "");
}

function dollars(value: Decimal.Value): string {
  return `$${new Decimal(value).toFixed(2, Decimal.ROUND_HALF_UP)}`;
}
