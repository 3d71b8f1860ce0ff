import { saidOf } from "../../support/output";
import { declare } from "../../support/programs";
import { preview, up, type Played, type Scenario } from "../scenario";

const NOWHERE = "http://127.0.0.1:9";
const summary = (budget: object): string =>
  `const sum = new cloudinfra.CostSummary("sum", { budget: ${JSON.stringify(budget)} });`;

/** What is said of a resource under Diagnostics matches each of these. */
const says =
  (name: string, ...texts: readonly RegExp[]) =>
  ({ output }: Played): void => {
    for (const text of texts) expect(saidOf(output, name)).toMatch(text);
  };

/** What cannot work or is set wrong. Nothing of it is made. */
export const refusals: Scenario = {
  title: "what is refused, and what is warned of",
  options: { config: { "cloudinfra:regoin": "us-sva-2" } },
  steps: [
    {
      when: "several arguments of a connection are wrong",
      program: [
        declare("ConnectConnection", "link", {
          ...{ bandwidthMbps: 100, cidrs: ["10.0.0.1/25"], providerCidrs: [] },
          externalProvider: { accountId: "12345", region: "us-west-2" },
          tags: Array.from({ length: 51 }, (_, index) => `t${index}`),
        }),
      ],
      run: preview,
      fails: true,
      shows: (played) => {
        says(
          "link",
          /bandwidthMbps: must be one of 50, 200, 500, 1000, 2000/,
          /cidrs\[0\]: must be network-aligned and in canonical form: 10\.0\.0\.0\/25/,
          /providerCidrs: must have at least 1 item/,
          /externalProvider\.accountId: must have exactly 12 characters \(has 5\)/,
          /tags: must have at most 50 items \(has 51\)/,
        )(played);
        expect(played.output).toContain("Did you mean cloudinfra:region?");
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "several arguments of a key are wrong",
      program: [
        declare("ApiKey", "deployer", {
          permissions: [{ resourceType: "vm", permission: "write" }],
          ...{ expiresAt: "2020-01-01T00:00:00Z", name: "" },
        }),
      ],
      run: preview,
      fails: true,
      shows: (played) => {
        says(
          "deployer",
          /permissions\[0\]\.permission: must be one of read, edit/,
          /expiresAt: must be in the future/,
          /name: must have 1 to 255 characters \(has 0\)/,
        )(played);
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "several arguments of a rule are wrong",
      program: [
        declare("FirewallRule", "https", { protocol: "icmp", sourceAddress: "0.0.0.0/8", destinationPorts: "443" }),
      ],
      run: preview,
      fails: true,
      shows: (played) => {
        says(
          "https",
          /protocol: must be one of tcp, udp/,
          /sourceAddress: 0\.0\.0\.0 is allowed with mask 0 only/,
          /destinationPorts: must be a list/,
        )(played);
        expect(played.requests).toEqual([]);
      },
    },
    {
      when: "the API has no image of that name",
      program: [declare("Vm", "web", { osImageName: "ubuntu-nobel-2026-05-18" })],
      run: preview,
      fails: true,
      shows: says("web", /osImageName: .*; the closest to "ubuntu-nobel-2026-05-18" are ubuntu-noble-2026-05-18, /),
    },
    {
      when: "there is no room for a volume, and an advisory budget is exceeded",
      program: [declare("Volume", "data", { size: 20_000 }), summary({ monthlyTotal: "500", enforce: "advisory" })],
      run: preview,
      shows: (played) => {
        says("data", /warning: the API could not do it now: .* was answered 409 /)(played);
        says("sum", /warning: budget: the total would be \$2,000\.00\/mo/)(played);
        expect(played.output).toMatch(/ABS storage \(GB\) +10000 +0 +20000 +10000/);
      },
    },
    {
      when: "a mandatory budget is exceeded",
      program: [declare("ConnectConnection", "link", { bandwidthMbps: 500 }), summary({ monthlyTotal: "500" })],
      run: preview,
      fails: true,
      shows: says("sum", /budget: the total would be \$781\.25\/mo, \$281\.25\/mo over the budget of \$500\.00\/mo/),
    },
    {
      when: "the API refuses what only it can judge",
      program: [declare("FirewallRule", "https", { destinationAddress: "192.0.2.0/24" })],
      run: preview,
      fails: true,
      shows: says("https", /destinationAddress: must be the CIDR of the VPC/),
    },
    {
      when: "nobody has looked at the preview of it",
      run: up,
      fails: true,
      shows: async (played) => {
        says("https", /create firewall rule "https".*was answered 400 VALIDATION_ERROR/, /destination_address/)(played);
        await played.session.expectAgreement();
      },
    },
    {
      when: "the API does not know the key",
      program: [declare("ConnectConnection", "link")],
      first: ({ session }) =>
        Promise.resolve(void (session.stack.env["CLOUDINFRA_API_KEY"] = "a-key-that-nobody-knows")),
      run: preview,
      fails: true,
      shows: (played) => {
        says("link", /answered 401/, /the environment variable CLOUDINFRA_API_KEY/)(played);
        expect(played.output).not.toContain("a-key-that-nobody-knows");
      },
    },
    {
      when: "nothing listens at the base URL",
      first: ({ session }) => Promise.resolve(void (session.stack.env["CLOUDINFRA_BASE_URL"] = NOWHERE)),
      run: preview,
      shows: ({ output }) => expect(output).toContain("(connection refused). Check the base URL"),
    },
  ],
};
