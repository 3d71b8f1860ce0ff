import { randomUUID } from "node:crypto";
import { z } from "zod";
import { resource } from "../schemas/primitives";
import { volumeKind, volumeType } from "./volume";

/** A part of a cluster that is created with another object. It is ready at once. */
export function partOf<T extends object>(now: string, members: T) {
  return { id: randomUUID(), ...members, status: "ready" as const, created_at: now, updated_at: now };
}

/** The members of all parts of a cluster. */
export const partMembers = { ...resource, name: z.string() };

/** The members of the volumes in a cluster. */
export const partVolumeMembers = { ...partMembers, kind: volumeKind, size: z.int(), type: volumeType };
