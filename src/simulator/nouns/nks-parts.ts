import { randomUUID } from "node:crypto";
import { z } from "zod";
import { dateTime, resourceStatus } from "../schemas/primitives";
import { volumeKind, volumeType } from "./volume";

/** What comes with something else of a cluster: it is there at once, and ready. */
export function partOf<T extends object>(now: string, members: T) {
  return { id: randomUUID(), ...members, status: "ready" as const, created_at: now, updated_at: now };
}

/** What all parts of a cluster show. */
export const partMembers = {
  id: z.string(),
  name: z.string(),
  status: resourceStatus,
  created_at: dateTime,
  updated_at: dateTime,
};

/** What the volumes in a cluster show. */
export const partVolumeMembers = { ...partMembers, kind: volumeKind, size: z.int(), type: volumeType };
