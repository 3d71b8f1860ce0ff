import { isSameId } from "../../../src/definition/same-id";
import type { JournalEntry } from "../../../src/journal/entry";
import { placeObjects } from "../../../src/simulator/control/state";
import { descriptorOf, descriptors } from "../../kinds";
import type { Ground } from "../../kinds/descriptor";
import type { KeptResource } from "../../support/mini-state";
import type { DamagedEntry } from "./damage";
import { type ProgramResource, versionOf } from "./program";
import type { Programs } from "./schedule";
import type { Service } from "./service";

/** Objects that already exist, for the program to find. */
export interface FoundObjects {
  /** The object's text, by id. */
  readonly texts: ReadonlyMap<string, string>;
  /** Ids that the first version can adopt, by logical name. */
  readonly first: ReadonlyMap<string, string>;
}

/** Makes the objects that any version of the program can find, and others that only look similar. */
export function placeFound(service: Service, programs: Programs, ground: Ground): FoundObjects {
  const texts = new Map<string, string>();
  const first = new Map<string, string>();
  const ids = new Map<string, string>();
  const place = (type: string, members: object): string => {
    const id = `10000000-0000-4000-8000-${String(ids.size).padStart(12, "0")}`;
    const object = { ...members, id };
    placeObjects(service.simulation, { [descriptorOf(type).collection]: [object] });
    texts.set(id, textOf(object));
    return id;
  };
  for (const nth of programs.versions.keys()) {
    for (const { type, name, args, hasTwin } of versionOf(programs, nth, { ground })) {
      const found = isFound(type) ? descriptorOf(type).found?.(args) : undefined;
      if (!found) continue;
      const key = JSON.stringify(found.own);
      if (!ids.has(key)) {
        ids.set(key, place(type, found.own));
        if (hasTwin) ids.set(JSON.stringify(found.twin), place(type, found.twin));
      }
      if (nth === 0) first.set(name, ids.get(key) ?? "");
    }
  }
  return { texts, first };
}

/** True if the objects of a kind are found, not created. */
export function isFound(type: string): boolean {
  return descriptors[type]?.found !== undefined;
}

/** The program without the resources that find objects. */
export function withoutFound(declared: readonly ProgramResource[]): readonly ProgramResource[] {
  return withoutResources(
    declared,
    declared.flatMap(({ type, name }) => (isFound(type) ? [name] : [])),
  );
}

/** The program without these resources. */
export function withoutResources(
  declared: readonly ProgramResource[],
  names: readonly string[],
): readonly ProgramResource[] {
  const removed = new Set(names);
  return declared
    .filter(({ name }) => !removed.has(name))
    .map((one) => ({ ...one, dependsOn: one.dependsOn.filter((name) => !removed.has(name)) }));
}

/** The end of a run, as far as it matters for found objects. */
interface FinalState {
  readonly service: Service;
  readonly found: FoundObjects;
  readonly state: readonly KeptResource[];
  readonly open: readonly JournalEntry[];
  readonly damaged: readonly DamagedEntry[];
  /** Everything that the runs have said. */
  readonly messages: string;
}

/**
 * Found objects that the state does not have, and that are not as they were before. There are three exceptions. The
 * journal still has the object, because a run took it over and was killed, and no run has followed. Its entry was
 * damaged, so no run can know of it. A row has named it: the new object of a replacement found it again, and the engine
 * showed it the replaced object's state too late.
 */
export function notGivenBack({ service, found, state, open, damaged, messages }: FinalState): string[] {
  const held = service.held();
  return Array.from(found.texts).flatMap(([id, text]) => {
    const now = held.get(id);
    if (!now) return [`${id}, which something else made, is gone`];
    const isId = (one: { readonly id?: string | undefined }): boolean => isSameId(one.id, id);
    if (state.some(isId) || open.some(isId)) return [];
    if (messages.includes(`${id} stays: its replacement has taken it over, which does not know`)) return [];
    if (damaged.some(({ name }) => text.includes(JSON.stringify(name)))) return [];
    return textOf(now.object) === text ? [] : [`${id} was found as ${text} and given back as ${textOf(now.object)}`];
  });
}

/** An object as text, for an exact comparison, without members that change by themselves. */
export function textOf(object: object): string {
  return JSON.stringify(object, (name, value: unknown) => (VOLATILE.has(name) ? undefined : value));
}

const VOLATILE: ReadonlySet<string> = new Set([
  ...["status", "updated_at", "private_ip", "public_ip", "asn", "provider_asn", "router_ip", "provider_router_ip"],
]);
