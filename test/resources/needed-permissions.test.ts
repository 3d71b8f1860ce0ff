import { API_KEY_RESOURCE_TYPE } from "../../src/resources/api-key-permission";
import { isHeld, NeededPermissions, resourceTypeOf } from "../../src/resources/needed-permissions";
import { definitions } from "../../src/resources/definitions";
import { lookups } from "../../src/functions/lookups/lookup-registry";
import { endpointsOf } from "../../src/simulator/services/endpoints";
import { descriptorOf, isNamedByCredentials, madeTypes } from "../kinds";
import { MiniStack } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

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
      const other = { resourceType: resourceType === "vm" ? "vpc" : "vm", permission: "read" };
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

interface RequiredPermission {
  readonly resourceType: string;
  readonly permission: string;
}

function neededFor(type: string): readonly RequiredPermission[] {
  const needed = new NeededPermissions();
  needed.addResource(
    definitions.find((definition) => definition.type === type)!,
    "edit",
    "x",
    argsOf(type, world.simulator),
  );
  return needed.list();
}

async function keyOf(
  permissions: readonly RequiredPermission[],
): Promise<{ readonly id: string; readonly secret: string }> {
  const { id, key } = await world.api("POST", "/v1/api_keys", {
    name: "least",
    project_ids: [world.simulator.projectId],
    expires_at: "2026-12-15T12:00:00Z",
    permissions: permissions.map(({ resourceType, permission }) => ({ resource_type: resourceType, permission })),
  });
  return { id: String(id), secret: String(key) };
}

/** Creates, changes, refreshes and deletes an object with a key of these permissions. Resolves with the failures. */
async function life(type: string, permissions: readonly RequiredPermission[]): Promise<readonly unknown[]> {
  const projectIds = [world.simulator.projectId];
  const { id: keyId, secret } = await keyOf(permissions);
  const run = (): ReturnType<World["run"]> => world.run({ apiKey: secret });
  const stack = new MiniStack();
  const changes = Object.entries(descriptorOf(type).changes);
  const before = Object.fromEntries(changes.flatMap(([name, { from }]) => (from === undefined ? [] : [[name, from]])));
  const after = Object.fromEntries(changes.map(([name, { to }]) => [name, to]));
  const args = { ...argsOf(type, world.simulator), ...before };
  const failures = [];
  for (const program of [args, { ...args, ...after }]) {
    failures.push(...(await stack.up(run(), [{ type, name: "x", args: () => program }])).failures);
    const projects = isNamedByCredentials(type) ? stack.resources.map(({ id }) => id) : [];
    await world.api("PATCH", `/v1/api_keys/${keyId}`, { project_ids: [...projectIds, ...projects] });
  }
  failures.push(...(await stack.refresh(run())), ...(await stack.up(run(), [])).failures);
  return failures;
}

describe.each(madeTypes)("a key with the listed permissions for a %s", (type) => {
  it("a key with the listed permissions can do everything", async () => {
    expect(await life(type, neededFor(type))).toEqual([]);
    expect((await world.made(type)).filter(({ name }) => name !== "least")).toEqual([]);
  });

  it("a key with a lower permission fails", async () => {
    const needed = neededFor(type);
    expect(needed).not.toEqual([]);
    for (const { resourceType } of needed) {
      const lower = needed.map((each) => (each.resourceType === resourceType ? { ...each, permission: "read" } : each));
      expect([resourceType, (await life(type, lower)).length > 0]).toEqual([resourceType, true]);
    }
  });
});
