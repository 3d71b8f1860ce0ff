import { z } from "zod";
import type { StoredObject } from "../model/object-lifecycle";
import { shown } from "../services/noun-requests";
import { operationOnWire } from "../services/operation-endpoints";
import { usageOnWire } from "../services/usage";
import { userSecurityOnWire } from "../services/user";
import type { Simulation } from "../simulation";

/**
 * The complete state in the shapes of the API, oldest first, with the members that the API hides: `placeObjects` needs
 * them. It has no secrets, because the simulator does not store them.
 */
export function simulatedState({ world, nouns }: Simulation): Readonly<Record<string, readonly unknown[]>> {
  const nowMs = world.clock.now();
  return {
    ...Object.fromEntries(
      nouns.map((noun) => [
        noun.key,
        Array.from(world.table(noun).all(), (object) => ({ ...object, ...shown(noun, object, world) })),
      ]),
    ),
    usage: Array.from(world.billing.usage.table.all(), usageOnWire),
    userSecurity: [userSecurityOnWire(world)],
    operations: Array.from(world.operations.table.all(), (record) => operationOnWire(record, nowMs)),
    auditLogs: [...world.auditLogs.all()],
  };
}

/** `POST /state`: objects in the form of `GET /state`, with the specification's names. */
export function placedObjects({ nouns }: Simulation) {
  const objects = nouns.map(({ key, stored, secrets = [] }) => {
    const secretShape = Object.fromEntries(secrets.map((name) => [name, z.string().min(1).optional()]));
    return [key, z.array(stored.extend(secretShape)).optional()] as const;
  });
  return z.strictObject(Object.fromEntries(objects));
}

/**
 * Stores the given objects without the API's rules. Each replaces the object with the same id. So a test can choose
 * ids, and change members that the API never changes.
 */
export function placeObjects({ world, nouns }: Simulation, objects: z.infer<ReturnType<typeof placedObjects>>): void {
  for (const noun of nouns) {
    for (const given of objects[noun.key] ?? []) {
      const members = Object.entries(given).filter(([name]) => noun.secrets?.includes(name) !== true);
      const object = Object.fromEntries(members) as unknown as StoredObject;
      world.lifecycle(noun).put(object);
      noun.keepSecrets?.(object, given as unknown as Readonly<Record<string, string>>, world);
    }
  }
}

/**
 * Removes an object without the API's rules, as the service does with objects that it made itself. Returns false if the
 * object does not exist.
 */
export function removeObject({ world, nouns }: Simulation, key: string, id: string): boolean {
  const noun = nouns.find((candidate) => candidate.key === key);
  if (!noun || world.lifecycle(noun).table.get(id) === undefined) return false;
  world.lifecycle(noun).remove(id);
  return true;
}
