import fc from "fast-check";
import type { Definition } from "../../src/definition/types";
import { API_KEY_RESOURCE_TYPE } from "../../src/resources/api-key-permission";
import * as permissionTable from "../../src/permissions/needed-permissions";
import type { NeededPermission } from "../../src/permissions/needed-permissions";
import { definitions } from "../../src/resources/definitions";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { descriptorOf, isNamedByCredentials, madeTypes } from "../kinds";
import { sent, type TestRun } from "../support/lifecycle";
import { MiniStack } from "../support/mini-engine";
import { preview } from "../support/mini-refresh";
import { argsOf, World } from "../support/world";

const { isHeld, NeededPermissions, resourceTypeOf } = permissionTable;
const world = World.forSuite();

const shapeOf = (path: string): string => path.replaceAll(/\{\w+\}/g, "x");
const requested = [...definitions, ...Object.values(lookups)].map(({ path }) => shapeOf(path));

it("lists the permission that each endpoint requires", () => {
  const used = [...endpointsOf("spec"), ...endpointsOf("nirvana")].filter(
    ({ path, needsOneOf }) =>
      !needsOneOf && requested.some((each) => shapeOf(path).replace(/\/x$/, "") === each.replace(/\/x$/, "")),
  );
  expect(used.length).toBeGreaterThan(80);
  expect(used.map(({ path }) => [path, resourceTypeOf(shapeOf(path))])).toEqual(
    used.map(({ path, needs }) => [path, needs?.resourceType]),
  );
});

describe("whether a key has a permission", () => {
  const levels = ["none", "read", "edit"] as const;
  const isKind = (type: string): boolean => definitions.some(({ path }) => resourceTypeOf(path) === type);

  it.each(API_KEY_RESOURCE_TYPE.values)("tells whether the key has %s, and changes nothing", async (resourceType) => {
    for (const level of levels) {
      const other = { resourceType: resourceType === "vm" ? "vpc" : "vm", permission: "read" } as const;
      const key = await keyOf([other, ...(level === "none" ? [] : [{ resourceType, permission: level }])]);
      const { api } = world.run({ apiKey: key.secret }).run;
      const before = { ...(await world.state()), auditLogs: [] };
      const held = levels.indexOf(level);
      expect(await isHeld(api, { resourceType, permission: "read" }, {})).toBe(held > 0);
      const unknown = isKind(resourceType) || held === 0 ? held === 2 : undefined;
      expect(await isHeld(api, { resourceType, permission: "edit" }, {})).toBe(unknown);
      expect({ ...(await world.state()), auditLogs: [] }).toEqual(before);
    }
  });
});

it("sorts the resources that need a permission", () => {
  const needed = new NeededPermissions();
  for (const by of ["Vm web", "Vm api", "Vm db"]) needed.add("vm", "read", by);
  expect(needed.list()).toMatchObject([{ neededBy: ["Vm api", "Vm db", "Vm web"] }]);
});

type Permission = Pick<NeededPermission, "resourceType" | "permission">;

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

function definitionOf(type: string): Definition {
  return definitions.find((definition) => definition.type === type)!;
}

function neededFor(type: string): readonly Permission[] {
  const needed = new NeededPermissions();
  needed.addResource(definitionOf(type), "edit", "x", argsOf(type, world.simulator));
  return needed.list();
}

async function keyOf(permissions: readonly Permission[]): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, key } = await world.api("POST", "/v1/api_keys", {
    name: "least",
    project_ids: [world.simulator.projectId],
    expires_at: "2026-12-15T12:00:00Z",
    permissions: permissions.map(({ resourceType, permission }) => ({ resource_type: resourceType, permission })),
  });
  return { id: String(id), secret: String(key) };
}

/** The resource with the `from` values of its descriptor's changes, and with the `to` values. */
function changing({ type, name, args }: Resource): readonly [before: Resource, after: Resource] {
  const changes = Object.entries(descriptorOf(type).changes);
  const at = (side: "from" | "to"): Resource => {
    const given = changes.flatMap(([field, change]) => (change[side] === undefined ? [] : [[field, change[side]]]));
    return { type, name, args: { ...args, ...(Object.fromEntries(given) as object) } };
  };
  return [at("from"), at("to")];
}

/**
 * Creates and changes the resources of programs, each after its preview, with a key of these permissions. Then
 * refreshes and deletes them. Stops at the first failure.
 */
async function live(steps: readonly (readonly Resource[])[], permissions: readonly Permission[]) {
  const { id, secret } = await keyOf(permissions);
  const run = (): TestRun => world.run({ apiKey: secret }, { permissionTable });
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
    await world.api("PATCH", `/v1/api_keys/${id}`, { project_ids: [world.simulator.projectId, ...projects] });
  }
  const ends = hasFailed() ? [] : [...(await stack.refresh(run())), ...(await stack.up(run(), [])).failures];
  const left = [...new Set(steps.flat().map(({ type }) => type))].map((type) => world.made(type));
  const named = (await Promise.all(left)).flat().flatMap(({ name }) => (name === "least" ? [] : [name]));
  await world.reset();
  return { lived, ended: ends.map(({ name }) => name), left: hasFailed() ? [] : named };
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

describe.each(madeTypes)("a key with the listed permissions for a %s", (type) => {
  const life = (permissions: readonly Permission[]): ReturnType<typeof live> =>
    live(
      changing({ type, name: "x", args: argsOf(type, world.simulator) }).map((step) => [step]),
      permissions,
    );

  it("a key with the listed permissions can do everything", async () => {
    const step = { named: [], neededBy: [], failed: [] };
    expect(await life(neededFor(type))).toEqual({ lived: [step, step], ended: [], left: [] });
  });

  it("a key with a lower permission fails", async () => {
    const needed = neededFor(type);
    expect(needed).not.toEqual([]);
    for (const { resourceType } of needed) {
      const lower = needed.map((each) =>
        each.resourceType === resourceType ? ({ ...each, permission: "read" } as const) : each,
      );
      const { lived, ended } = await life(lower);
      expect([resourceType, [...lived.flatMap(({ failed }) => failed), ...ended].length > 0]).toEqual([
        resourceType,
        true,
      ]);
    }
  });
});

/** Many in `npm run test:all`. */
const numRuns = process.env["CLOUDINFRA_MANY_DRAWS"] === "true" ? 200 : 3;

const GIVEN: readonly Permission[] = [
  ...(["vpc", "usage", "volume"] as const).map((resourceType) => ({ resourceType, permission: "read" }) as const),
  ...(["vm", "rpc_node_flex"] as const).map((resourceType) => ({ resourceType, permission: "edit" }) as const),
];
const programs = fc.array(
  fc.record({ type: fc.constantFrom(...madeTypes), permissions: fc.subarray([...GIVEN], { minLength: 1 }) }),
  { minLength: 1, maxLength: 4 },
);

it("a program needs each of its permissions, and no other", async () => {
  const property = fc.asyncProperty(programs, async (drawn) => {
    const needed = new NeededPermissions();
    const resources = drawn.map(({ type, permissions }, index) => {
      const given = "permissions" in definitionOf(type).inputs && { permissions };
      const args = { ...argsOf(type, world.simulator), ...given };
      needed.addResource(definitionOf(type), "edit", `r${index}`, args);
      return changing({ type, name: `r${index}`, args });
    });
    const steps = [0, 1].map((side) => resources.map((resource) => resource[side]!));
    const least = needed.list();
    const all = { named: [], neededBy: [], failed: [] };
    expect(await live(steps, least)).toEqual({ lived: [all, all], ended: [], left: [] });
    for (const { resourceType, neededBy } of least) {
      const others = least.filter((each) => each.resourceType !== resourceType);
      // A key has at least one permission.
      const { lived, ended } = await live(
        steps,
        others.length > 0 ? others : [{ resourceType: "audit_log", permission: "read" }],
      );
      for (const { named, neededBy: resources, failed } of lived) {
        expect(named).toEqual(failed.length > 0 ? [resourceType] : []);
        expect(resources).toEqual(expect.arrayContaining([...failed]));
      }
      expect(neededBy).toContain([...lived.flatMap(({ failed }) => failed), ...ended][0]);
    }
  });
  await fc.assert(property, { numRuns, seed: 36, endOnFailure: true });
});
