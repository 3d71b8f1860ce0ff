import { diagnosticsOf, succeeded } from "../../support/output";
import { declare } from "../../support/programs";
import { preview, expectDiagnostics, type StepResult, type Scenario } from "../scenario";
import { storage } from "../../../kinds/volume";

const unknownSetting =
  "There is no setting cloudinfra:regoin. Did you mean cloudinfra:region? Set that with " +
  '"pulumi config set cloudinfra:region <value>", and remove this one with "pulumi config rm cloudinfra:regoin".';
const summary = (budget: object): string =>
  `const sum = new cloudinfra.CostSummary("sum", { budget: ${JSON.stringify(budget)} });`;

/** Expects that only one of two resources says why there is no answer, and what to do. */
const tellsOnce =
  (reason: string) =>
  ({ output }: StepResult): void =>
    expect(output.split(/^Diagnostics:$/m)[1]?.split(reason)).toHaveLength(2);

/** Programs and settings that cannot work. Nothing is created. */
export const refusals: Scenario = {
  title: "refusals and warnings",
  steps: [
    {
      title: "a misspelled setting fails the preview without a request",
      program: [declare("Volume", "data")],
      first: ({ session }) => session.stack.setConfig("cloudinfra:regoin", "us-sva-2"),
      run: preview,
      fails: true,
      shows: (played) => {
        expect(played.output).toContain(unknownSetting);
        expect(played.requests).toEqual([]);
      },
      differs: {
        reason: "The first-class provider checks its settings itself. For dynamic providers, the program does.",
        lines: {
          screen: {
            dynamic: [`test-dev: error: ${unknownSetting}`],
            native: [
              "    pulumi:providers:cloudinfra default_0_1_0  1 error",
              `default_0_1_0: error: pulumi:providers:cloudinfra resource 'default_0_1_0' has a problem: ${unknownSetting}`,
            ],
          },
        },
      },
    },
    {
      title: "an unknown image name lists the valid names",
      first: async ({ session }) => {
        succeeded(await session.stack.pulumi(["config", "rm", "cloudinfra:regoin"]));
      },
      program: [declare("Vm", "web", { osImageName: "ubuntu-nobel-2026-05-18" })],
      run: preview,
      fails: true,
      shows: (played) => {
        expectDiagnostics(
          "web",
          /osImageName: .*must be one of .* \(is "ubuntu-nobel-2026-05-18"\)\. Correct it/,
        )(played);
        expect(diagnosticsOf(played.output, "web").match(/ubuntu-noble-2026-05-18/g)).toHaveLength(1);
        expect(played.output).not.toContain("preflight");
      },
    },
    {
      title: "the preview warns of exceeded quotas and advisory budgets",
      program: [declare("Volume", "data", { size: 7_000 }), summary({ monthlyTotal: "500", enforce: "advisory" })],
      first: async ({ session: { api }, ids }) => {
        const { projectId, region } = api.simulator;
        const theirs = { name: "theirs", project_id: projectId, region, size: 6_000, type: storage, tags: [] };
        ids["theirs"] = String((await api.call("POST", "/v1/compute/volumes", theirs))["resource_id"]);
      },
      run: preview,
      shows: (played) => {
        expectDiagnostics("data", /warning: the API could not do it now: 409 /)(played);
        expectDiagnostics("sum", /warning: budget: the total would be \$700\.00\/mo/)(played);
        expect(played.output).toMatch(/ABS storage \(GB\) +10000 +6000 +7000 +3000/);
        expect(played.output).not.toContain("does not fit into");
      },
    },
    {
      title: "an exceeded mandatory budget fails the preview",
      first: ({ session: { api }, ids }) => api.takeAway("volumes", ids["theirs"]!),
      program: [declare("ConnectConnection", "link", { bandwidthMbps: 500 }), summary({ monthlyTotal: "500" })],
      run: preview,
      fails: true,
      shows: expectDiagnostics(
        "sum",
        /budget: the total would be \$781\.25\/mo, \$281\.25\/mo over the budget of \$500\.00\/mo/,
      ),
    },
    {
      title: "an address that the API refuses fails the preview",
      program: [declare("FirewallRule", "https", { destinationAddress: "192.0.2.0/24" })],
      run: preview,
      fails: true,
      shows: expectDiagnostics("https", /destinationAddress: must be the CIDR of the VPC/),
    },
    {
      title: "an unknown API key fails without being shown",
      program: [declare("ConnectConnection", "link")],
      first: ({ session }) =>
        Promise.resolve(void (session.stack.env["CLOUDINFRA_API_KEY"] = "a-key-that-nobody-knows")),
      run: preview,
      fails: true,
      shows: (played) => {
        expectDiagnostics("link", /failed: 401/, /the environment variable CLOUDINFRA_API_KEY/)(played);
        expect(played.output).not.toContain("a-key-that-nobody-knows");
      },
    },
    {
      title: "an unreachable API is reported once",
      program: [declare("ConnectConnection", "link"), declare("FirewallRule", "https", {}, "{ dependsOn: link }")],
      first: ({ session }) => Promise.resolve(void (session.stack.env["CLOUDINFRA_BASE_URL"] = "http://127.0.0.1:9")),
      run: preview,
      shows: tellsOnce("(connection refused). Check the base URL, and that the API or the simulator runs."),
    },
  ],
};
