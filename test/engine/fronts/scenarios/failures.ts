import { killedAtFirstObject, openEntries } from "../../support/interruption";
import { counts, diagnosticsOf, succeeded } from "../../support/output";
import { declare } from "../../support/programs";
import { paths } from "../../support/simulated-api";
import type { Session } from "../../support/session";
import { destroy, preview, repeatedUnderStack, up, type Inherent, type Scenario } from "../scenario";

const all = (tags: readonly string[]): readonly string[] => [
  declare("Volume", "data", { tags }),
  declare("Vpc", "net", { tags }),
  declare("ConnectConnection", "link", { tags }),
  declare("ApiKey", "deployer", { tags }),
  declare("FirewallRule", "https", { tags }),
];
const keepGoing = ["--continue-on-error"];

const replaced = (field: string): readonly string[] => [
  ` ++ ConnectConnection link created replacement [diff: ~${field}]; it was never ready, and has failed`,
  ` +- ConnectConnection link replaced [diff: ~${field}]; it was never ready, and has failed`,
];
const DELETION = "test-dev: delete failed: the resource's own line says why";

/** The connection is replaced because its operation has failed. */
const replacedForItsStatus: Inherent = {
  reason:
    "A dynamic provider cannot name what has changed: the engine compares inputs, of which only the chosen name is another.",
  lines: { screen: { dynamic: replaced("name"), native: replaced("status") } },
};

/** An API that fails half-way, and the next run. */
export const failures: Scenario = {
  title: "an API that fails",
  steps: [
    {
      title: "after failed creations, the state has all existing objects",
      program: all([]),
      first: async ({ session: { api } }) => {
        await api.fault({ method: "POST", path: "/volumes$", status: 500 });
        await api.fault({ method: "POST", path: "/vpcs$", drop: "after" });
        await api.fault({ method: "POST", path: `^${paths.connections}$`, operation: "fail" });
        await api.fault({ method: "POST", path: `^${paths.apiKeys}$`, status: 429, headers: { "retry-after": "0" } });
      },
      run: (session) => session.up(keepGoing),
      fails: true,
      shows: async ({ session, output }) => {
        expect(diagnosticsOf(output, "data")).toMatch(/create volume "data" \(POST .*\) failed: 500/);
        expect(diagnosticsOf(output, "link")).toMatch(/the API accepted it, but create connect_connection .* failed/);
        expect(session.one("link").initErrors).toHaveLength(1);
        expect(await session.api.heldIds()).toEqual(session.keptIds());
      },
    },
    {
      title: "the next run creates the missing objects",
      run: up,
      shows: async ({ session }) => {
        await session.expectAgreement();
        expect(session.kept()).toHaveLength(5);
      },
      differs: replacedForItsStatus,
    },
    {
      title: "a failed change does not reach the state",
      program: all(["new"]),
      first: async ({ session: { api } }) => {
        await api.fault({ method: "PATCH", path: "/firewall_rules/", status: 500 });
        await api.fault({ method: "PATCH", path: `${paths.connections}/`, operation: "fail" });
      },
      run: (session) => session.up(keepGoing),
      fails: true,
      shows: ({ session, output }) => {
        expect(diagnosticsOf(output, "https")).toMatch(/update firewall rule "https".*failed: 500/);
        expect(session.one("https").outputs["tags"] ?? []).toEqual([]);
      },
    },
    {
      title: "objects stay in the state if their deletion fails",
      first: async ({ session: { api } }) => {
        await api.fault({ method: "DELETE", path: "/volumes/", status: 500, every: 1 });
        await api.fault({ method: "DELETE", path: `${paths.connections}/`, operation: "fail" });
      },
      run: (session) => session.destroy(keepGoing),
      fails: true,
      shows: ({ session, output }) => {
        expect(diagnosticsOf(output, "link")).toMatch(/delete connect connection "link": .* failed/);
        expect(session.kept()).toHaveLength(2);
      },
      differs: repeatedUnderStack(DELETION, DELETION),
    },
    {
      title: "the next destroy deletes the remaining objects",
      first: ({ session }) => session.api.clearFaults(),
      run: destroy,
      shows: async ({ session }) => expect(await session.api.heldIds()).toEqual([]),
    },
  ],
};

const priced = (session: Session): readonly unknown[] => session.kept().filter(({ outputs }) => outputs?.["cost"]);

/** A limit for one route, as gateways have. */
export const limitedAdvice: Scenario = {
  title: "an API that limits only quotes and availability",
  steps: [
    {
      title: "creates objects while the API limits its quotes",
      program: [declare("Volume", "data"), declare("Vpc", "net")],
      first: async ({ session: { api } }) => {
        for (const path of ["/cost$", "/availability$"])
          await api.fault({ path, status: 429, headers: { "retry-after": "120" }, every: 1 });
      },
      run: up,
      shows: async ({ session }) => {
        await session.expectAgreement();
        expect(session.kept()).toHaveLength(2);
        expect(priced(session)).toHaveLength(0);
      },
    },
    {
      title: "the next run adds the prices to the state",
      first: ({ session }) => session.api.clearFaults(),
      run: up,
      shows: ({ session }) => expect(priced(session)).toHaveLength(2),
    },
  ],
};

const KEY = "a-key-in-plain-text";

/** The CLI is killed after the API has made an object, and before it has answered. */
export const kills: Scenario = {
  title: "a run that is killed",
  options: { simulator: { apiKey: KEY }, config: { "cloudinfra:apiKey": KEY } },
  steps: [
    {
      title: "a run killed during a creation leaves an entry",
      program: [declare("FirewallRule", "https")],
      first: ({ session: { api } }) => api.fault({ method: "POST", path: `^${api.rules}$`, delay: "10m" }),
      run: killedAtFirstObject,
      isCut: true,
      shows: ({ session }) => expect(openEntries(session)).toHaveLength(1),
    },
    {
      title: "the next preview warns of the interrupted run",
      first: async ({ session }) => {
        await session.api.clearFaults();
        succeeded(await session.stack.pulumi(["cancel", "--yes"]));
      },
      run: preview,
      shows: ({ output }) => {
        expect(output).toContain("An earlier run failed or was interrupted");
        expect(output.match(/warning: The API key is in plain text/g)).toHaveLength(2); // as a row, and below
      },
    },
    {
      title: "the next update takes over the created object",
      run: up,
      shows: async ({ session, output }) => {
        expect(diagnosticsOf(output, "https")).toMatch(/It had made .*\. This run takes it over\./);
        await session.expectAgreement();
        expect(session.kept()).toHaveLength(1);
      },
    },
    {
      title: "a further update changes nothing and ends the entry",
      run: up,
      shows: ({ session, output }) => {
        expect(counts(output)).toEqual(["2 unchanged"]);
        expect(openEntries(session)).toEqual([]);
      },
    },
  ],
};
