import { counts, rowOf, diagnosticsOf } from "../../support/output";
import { inDays, names, oneOfEach, types } from "../../support/programs";
import type { Session } from "../../support/session";
import { descriptorOf, harmless, withTwins } from "../../../kinds";
import { destroy, preview, previewAndUp, refresh, unknownSecret, up, type Scenario } from "../scenario";

const rotating = (more: string): string => `const ci = new cloudinfra.RotatingApiKey("ci", {
  permissions: [{ resourceType: "vm", permission: "edit" }], period: "30d", ${more} });`;
const summary = `const sum = new cloudinfra.CostSummary("sum");`;
const outputs = `module.exports = { link: link.cost, before: sum.before, after: sum.after, delta: sum.delta,
  secret: deployer.key, rotation: ci.nextRotation, made: data.createdAt, cpu: web.cpuConfig };`;

const program = (args: Readonly<Record<string, object>>, more = ""): readonly string[] => [
  oneOfEach(args),
  rotating(more),
  summary,
  outputs,
];

/** A kind without tags changes its name, from a given one: an automatic one is a hidden input of one provider. */
const named = types.flatMap((type) => ("name" in harmless(type, "first") ? [[type, harmless(type, "first")]] : []));
const first = {
  ...(Object.fromEntries(named) as Readonly<Record<string, object>>),
  ...{ ConnectConnection: { tags: ["a"] }, FirewallRule: { tags: ["old"] } },
};
/** Every kind changes: two are replaced, the others change in place. */
const second = {
  ...Object.fromEntries(types.map((type) => [type, harmless(type, "changed")])),
  ...{ Volume: { size: 250 }, FirewallRule: { tags: [], destinationPorts: ["443", "8443"] }, Vpc: { tags: ["new"] } },
  ...{ Vm: { instanceType: "n1-standard-4" }, NksNodePool: { nodeCount: 3 } },
  ...{ ConnectConnection: { bandwidthMbps: 500 }, ApiKey: { expiresAt: inDays(100), tags: ["replaced"] } },
};

/** `--replace` reuses the inputs of the first object, so the new one gets its name. That fails if names are unique. */
const twins = withTwins.map((type) => descriptorOf(type).name);

/** The state has every object. It also has a summary and a schedule, which are not objects. */
async function expectEverythingKept(session: Session): Promise<void> {
  expect(session.kept().map(({ id }) => id)).toEqual(expect.arrayContaining(await session.api.heldIds()));
}

/** One of each kind, a rotating key and a cost summary. */
export const life: Scenario = {
  title: "the life of each kind, from preview to destroy",
  steps: [
    {
      title: "previews new objects and creates none",
      program: program(first),
      run: preview,
      shows: async ({ session, output }) => {
        expect(rowOf(output, "link")).toMatch(/create \+\$78\.13\/mo$/);
        expect(await session.api.heldIds()).toEqual([]);
      },
      differs: unknownSecret("secret  "),
    },
    {
      title: "creates every object and saves it in the state",
      run: up,
      shows: async ({ session }) => {
        await expectEverythingKept(session);
        expect(session.outputs()).toMatchObject({ before: "0.00", link: { monthlyTotal: "78.125" } });
        expect(session.outputs()["secret"]).toHaveProperty("ciphertext");
        // The position of each resource is the line of its declaration.
        const sourcePosition: unknown = expect.stringMatching(/^project:\/\/\/index\.js#/);
        for (const name of ["sum", "ci", "link"]) expect(session.one(name)).toMatchObject({ sourcePosition });
      },
    },
    {
      title: "a preview without changes asks only for the time",
      run: preview,
      shows: ({ output, requests }) => {
        expect(counts(output)).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
        expect(requests).toEqual(["GET /v1/regions"]); // for the API's time, which the rotation needs
      },
    },
    {
      title: "preview --diff shows the changed fields",
      program: program(second),
      run: ({ stack }) => stack.preview(["--diff"]),
      shows: ({ output }) => expect(output).toMatch(/size *: 100 => 250/),
    },
    {
      title: "updates or replaces every changed object",
      run: up,
      shows: async ({ session, output }) => {
        expect(counts(output)).toContain("+-2 replaced");
        for (const name of names) expect(rowOf(output, name)).toMatch(/ (updated|deleted original)/);
        expect(session.outputs()).toMatchObject({ link: { monthlyTotal: "781.25" }, cpu: { vcpu: 4 } });
        await expectEverythingKept(session);
      },
    },
    {
      title: "a refresh finds objects that others changed or deleted",
      first: async ({ session }) => {
        const { api } = session;
        for (const [type, drifted] of [
          ["Volume", { tags: ["theirs"] }],
          ["ConnectConnection", { bandwidth_mbps: 2000, name: "theirs" }],
          ["FirewallRule", { source_address: "192.0.2.0/24" }],
          ["Vpc", { status: "error", tags: ["theirs"] }],
        ] as const) {
          const { collection, name } = descriptorOf(type);
          const { id } = session.one(name);
          const object = (await api.held())[collection]!.find((each) => each.id === id);
          await api.place(collection, { ...object, ...drifted });
        }
        await api.takeAway("rpcNodesFlex", session.one("rpc").id);
        await api.takeAway("projects", session.one("shop").id);
      },
      run: refresh,
      shows: ({ output }) => {
        expect(output).toContain("The API no longer has 2 objects of the state");
        expect(diagnosticsOf(output, "net")).toContain("status: ready → error");
      },
    },
    {
      title: "the next run restores changed and deleted objects",
      first: async ({ session: { api } }) => {
        const { vpcs = [] } = await api.held();
        await api.place("vpcs", { ...vpcs[0], status: "ready" });
      },
      run: up,
      shows: async ({ session }) => {
        const { volumes = [], connections } = await session.api.held();
        expect(volumes.map(({ tags }) => tags)).toEqual([[]]);
        expect(connections).toMatchObject([{ bandwidth_mbps: 500 }]);
      },
    },
    {
      title: "a changed retirePrevious rotates a key",
      program: program(second, "retirePrevious: { leak: 1 }"),
      run: previewAndUp,
      shows: ({ output }) => expect(rowOf(output, "ci-schedule")).toMatch(/rotates slot \w: retirePrevious changed/),
    },
    {
      title: "up --replace replaces each named object",
      run: (session) => session.up(twins.flatMap((name) => ["--replace", session.one(name).urn])),
      shows: async ({ session, output }) => {
        expect(counts(output)).toContain(`+-${twins.length} replaced`);
        await expectEverythingKept(session);
      },
    },
    {
      title: "destroy deletes every object",
      run: destroy,
      shows: async ({ session }) => {
        expect(session.kept()).toEqual([]);
        expect(await session.api.heldIds()).toEqual([]);
      },
    },
  ],
};
