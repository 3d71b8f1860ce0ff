import { namingOf } from "../../../src/definition/definition";
import { descriptorOf, hasCredential } from "../../kinds";
import type { Ground } from "../../kinds/descriptor";
import type { Declaration, StateEntry } from "../../support/mini-state";
import { kinds } from "../../../src/resources/registry";
import type { Edit, Programs, Slot } from "./schedule";

/** The declaration of a resource in one version of the program. */
export interface ProgramResource {
  readonly type: string;
  readonly name: string;
  /** Its earlier logical names, in state and program. */
  readonly formerNames: readonly string[];
  /** The logical names of its dependencies. */
  readonly dependsOn: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly isThere: boolean;
  /** True if another person has an object of the same name with equal fields. */
  readonly hasTwin: boolean;
  /** True if the first version adopts an existing object. */
  readonly isAdopted: boolean;
  /** True if it still has `adopt`. A program that wants another object omits it. */
  readonly mayAdopt: boolean;
  /** For a key of a RotatingApiKey: its slot in the schedule. */
  readonly keySlot?: "slotA" | "slotB";
}

/** The objects that a program uses. */
export interface Surroundings {
  readonly ground: Ground;
  /** The adopted objects, by logical name. */
  readonly adoptees: Map<string, unknown>;
}

type Counts = Record<"tags" | "fields" | "replace" | "rename" | "move", number> & {
  isThere: boolean;
  mayAdopt: boolean;
};

/** The declarations in the nth version of the program. */
export function versionOf(
  programs: Programs,
  nth: number,
  surroundings: Pick<Surroundings, "ground">,
): readonly ProgramResource[] {
  const resources = programs.slots.map((slot) => {
    const counts: Counts = { tags: 0, fields: 0, replace: 0, rename: 0, move: 0, isThere: true, mayAdopt: true };
    return { slot, counts };
  });
  for (const edit of programs.versions.slice(0, nth + 1).flatMap(({ edits }) => edits)) {
    const edited = resources[edit.slot % resources.length];
    if (edited) apply(edit, edited.counts);
  }
  return resources.flatMap(({ slot, counts }, index) => {
    const names = Array.from({ length: counts.move + 1 }, (_, moves) => logicalName(index, moves));
    const [name = "", ...formerNames] = names.reverse();
    const before = slot.after > 0 ? resources[index - slot.after] : undefined;
    const nameBefore = logicalName(index - slot.after, before?.counts.move ?? 0);
    const dependsOn = before?.counts.isThere ? [isRotatingPair(before.slot) ? `${nameBefore}-b` : nameBefore] : [];
    const { isThere, mayAdopt } = counts;
    const { hasTwin, isAdopted } = slot;
    const args = argsOf(slot, `r${index}`, counts, surroundings);
    const facts = { isThere, hasTwin, isAdopted, mayAdopt };
    const resource: ProgramResource = { type: slot.kind, name, formerNames, dependsOn, args, ...facts };
    return isRotatingPair(slot) ? rotatingKeys(resource, counts) : [resource];
  });
}

function logicalName(index: number, moves: number): string {
  return moves === 0 ? `r${index}` : `r${index}m${moves}`;
}

/** The logical name that a resource has in the nth version. It may have been renamed. */
export function movedName(programs: Programs, nth: number, name: string): string {
  return name.replace(/^r(\d+)(m\d+)?/, (_all, index: string) => {
    const isOfSlot = ({ slot, change }: Edit): boolean =>
      change === "move" && slot % programs.slots.length === Number(index);
    const edits = programs.versions.slice(0, nth + 1).flatMap((version) => version.edits);
    return logicalName(Number(index), edits.filter(isOfSlot).length);
  });
}

/** True for a RotatingApiKey. */
export function isRotatingPair({ kind, isRotating }: Slot): boolean {
  return isRotating && hasCredential(kind);
}

/** A RotatingApiKey as the engine sees it: a schedule, and two keys with the schedule's ends. */
function rotatingKeys({ name, args, isThere }: ProgramResource, { replace }: Counts): readonly ProgramResource[] {
  const own = { isThere, formerNames: [], hasTwin: false, isAdopted: false, mayAdopt: false };
  const schedule = `${name}-schedule`;
  const plan = { period: "30d", ...(replace > 0 && { retirePrevious: replace }) };
  const key = { type: "ApiKey", dependsOn: [schedule], ...own };
  const { permissions, tags } = args;
  return [
    { type: "RotationSchedule", name: schedule, dependsOn: [], args: plan, ...own },
    { ...key, name: `${name}-a`, keySlot: "slotA", args: { permissions, tags, deleteOld: "after" } },
    { ...key, name: `${name}-b`, keySlot: "slotB", args: { permissions, tags, deleteOld: "after" } },
  ];
}

/** The program as the engine runs it. */
export function declaredOf(resources: readonly ProgramResource[], { adoptees }: Surroundings): readonly Declaration[] {
  return resources
    .filter(({ isThere }) => isThere)
    .map((one) => ({
      type: one.type,
      name: one.name,
      dependsOn: one.dependsOn,
      args: (stateOf) => ({
        ...withDependencies(one, stateOf),
        ...(one.mayAdopt && adoptees.has(one.name) && { adopt: adoptees.get(one.name) }),
      }),
    }));
}

/** Arguments once the dependencies exist: their ids are among the tags, and a schedule sets the keys' ends. */
export function withDependencies(
  { args, dependsOn, keySlot }: ProgramResource,
  stateOf: (name: string) => StateEntry,
): ProgramResource["args"] {
  if (keySlot) {
    const { expiresAt, rotatesAt } = stateOf(dependsOn[0] ?? "").outs[keySlot] as Record<string, string>;
    return { ...args, expiresAt, rotatesAt };
  }
  if (dependsOn.length === 0 || args["tags"] === undefined) return args;
  return { ...args, tags: [...(args["tags"] as string[]), ...dependsOn.map((name) => `of-${stateOf(name).id}`)] };
}

function apply({ change }: Edit, counts: Counts): void {
  if (change === "remove" || change === "replace") counts.mayAdopt = false;
  if (change === "remove") counts.isThere = false;
  else if (change === "restore") counts.isThere = true;
  else counts[change] += 1;
}

function argsOf(
  slot: Slot,
  name: string,
  counts: Counts,
  { ground }: Pick<Surroundings, "ground">,
): ProgramResource["args"] {
  const given = slot.isNamed || counts.rename > 0;
  const descriptor = descriptorOf(slot.kind);
  const own = { ...descriptor.args(ground), ...descriptor.edited({ ...counts, name, rotates: slot.rotates }, ground) };
  const kind = kinds.find(({ type }) => type === slot.kind);
  const nth = kind && namingOf(kind)?.isUnique === true ? counts.rename + counts.replace : counts.rename;
  const args: ProgramResource["args"] = {
    ...(given && { name: `given-${name}-${nth}` }),
    tags: [`t${counts.tags}`],
    ...own,
  };
  const fields = kind?.fields ?? {};
  return Object.fromEntries(Object.entries(args).filter(([field, value]) => field in fields && value !== undefined));
}
