import { shown } from "../services/noun-requests";
import { operationOnWire } from "../services/operations";
import { usageOnWire } from "../services/usage";
import { userSecurityOnWire } from "../services/user";
import type { Simulation } from "../simulation";

/** All there is, in the shapes of the API, oldest first; secrets are not kept, so none can be in it. */
export function stateOf({ world, nouns }: Simulation): Readonly<Record<string, readonly unknown[]>> {
  const nowMs = world.clock.now();
  return {
    ...Object.fromEntries(
      nouns.map((noun) => [noun.key, Array.from(world.table(noun).all(), (object) => shown(noun, object, world))]),
    ),
    usage: Array.from(world.bookkeeping.usage.table.all(), usageOnWire),
    userSecurity: [userSecurityOnWire(world)],
    operations: Array.from(world.operations.table.all(), (record) => operationOnWire(record, nowMs)),
    auditLogs: [...world.auditLogs.all()],
  };
}
