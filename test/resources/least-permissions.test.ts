import fc from "fast-check";
import { definitions } from "../../src/resources/definitions";
import * as permissionTable from "../../src/resources/needed-permissions";
import { descriptorOf, isNamedByCredentials, madeTypes } from "../kinds";
import { sent, type TestRun } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";

const world = World.forSuite();

/** Few in the quick tests. */
const numRuns = process.env["CLOUDINFRA_QUICK_TESTS"] === "true" ? 3 : 200;

interface Permission {
  readonly resourceType: string;
  readonly permission: string;
}

interface Resource {
  readonly type: string;
  readonly name: string;
  readonly args: object;
}

interface Step {
  /** The resource types of the permissions in the preview, and the resources that need them. */
  readonly named: readonly string[];
  readonly neededBy: readonly string[];
  readonly failed: readonly string[];
}

const permissionOf = (text: string): Permission => {
  const [resourceType = "", permission = ""] = text.split(":");
  return { resourceType, permission };
};

const GIVEN = ["vpc:read", "vm:edit", "usage:read", "rpc_node_flex:edit", "volume:read"].map(permissionOf);
const programs = fc.array(
  fc.record({ type: fc.constantFrom(...madeTypes), permissions: fc.subarray(GIVEN, { minLength: 1 }) }),
  { minLength: 1, maxLength: 4 },
);

/**
 * Creates and changes the resources of programs, each after its preview. Then refreshes and deletes them. Stops at the
 * first failure.
 */
async function live(steps: readonly (readonly Resource[])[], permissions: readonly Permission[]) {
  const key = {
    name: "least",
    project_ids: [world.simulator.projectId],
    expires_at: "2026-12-15T12:00:00Z",
    permissions: permissions.map(({ resourceType, permission }) => ({ resource_type: resourceType, permission })),
  };
  const { id, key: apiKey } = await world.api("POST", "/v1/api_keys", key);
  const run = (): TestRun => world.run({ apiKey: String(apiKey) }, { permissionTable });
  const stack = new MiniStack();
  const lived: Step[] = [];
  const hasFailed = (): boolean => lived.some(({ failed }) => failed.length > 0);
  for (const program of steps) {
    if (hasFailed()) break;
    const table = await previewed(run(), program, stack);
    const { failures } = await stack.up(
      run(),
      program.map(({ args, ...resource }) => ({ ...resource, args: () => args })),
    );
    lived.push({ ...table, failed: failures.map(({ name }) => name) });
    const projects = stack.resources.flatMap((kept) => (isNamedByCredentials(kept.type) ? [kept.id] : []));
    await world.api("PATCH", `/v1/api_keys/${String(id)}`, { project_ids: [...key.project_ids, ...projects] });
  }
  const ends = hasFailed() ? [] : [...(await stack.refresh(run())), ...(await stack.up(run(), [])).failures];
  await world.reset();
  return { lived, ended: ends.map(({ name }) => name) };
}

async function previewed(
  run: TestRun,
  program: readonly Resource[],
  stack: MiniStack,
): Promise<Pick<Step, "named" | "neededBy">> {
  for (const { type, name, args } of program) {
    const kept = stack.resources.find((each) => each.name === name);
    if (kept) await preview(run, type, args, kept, { name });
    else await run.of(type).check({}, sent(type, name, args));
  }
  await run.run.permissions.warn();
  const rows = run.warnings().flatMap((text) => [...text.matchAll(/^ {2}(\w+):(?:read|edit) +(.+)$/gm)]);
  return {
    named: [...new Set(rows.map(([, resourceType = ""]) => resourceType))],
    neededBy: rows.flatMap(([, , names = ""]) => names.match(/r\d+/g) ?? []),
  };
}

it("a program needs each of its permissions, and no other", async () => {
  const property = fc.asyncProperty(programs, async (drawn) => {
    const needed = new permissionTable.NeededPermissions();
    const resources = drawn.map(({ type, permissions }, index) => {
      const definition = definitions.find((each) => each.type === type)!;
      const args = { ...argsOf(type, world.simulator), ...("permissions" in definition.inputs && { permissions }) };
      needed.addResource(definition, "edit", `r${index}`, args);
      return { type, name: `r${index}`, args, changes: Object.entries(descriptorOf(type).changes) };
    });
    const at = (side: "from" | "to"): readonly Resource[] =>
      resources.map(({ changes, args, ...resource }) => {
        const given = changes.flatMap(([field, change]) => (change[side] === undefined ? [] : [[field, change[side]]]));
        return { ...resource, args: { ...args, ...(Object.fromEntries(given) as object) } };
      });
    const steps = [at("from"), at("to")];
    const least = needed.list();
    const all = { named: [], neededBy: [], failed: [] };
    expect(await live(steps, least)).toEqual({ lived: [all, all], ended: [] });
    for (const { resourceType, neededBy } of least) {
      const others = least.filter((each) => each.resourceType !== resourceType);
      // A key has at least one permission.
      const { lived, ended } = await live(steps, others.length > 0 ? others : [permissionOf("audit_log:read")]);
      for (const { named, neededBy: resources, failed } of lived) {
        expect(named).toEqual(failed.length > 0 ? [resourceType] : []);
        expect(resources).toEqual(expect.arrayContaining([...failed]));
      }
      expect(neededBy).toContain([...lived.flatMap(({ failed }) => failed), ...ended][0]);
    }
  });
  await fc.assert(property, { numRuns, seed: 36, endOnFailure: true });
});
