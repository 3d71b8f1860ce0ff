import fc from "fast-check";
import { descriptors } from "../../kinds";
import { faults, oneIn, type Fault } from "./fault";

/** The kinds of resources that programs are made of. */
const types = Object.keys(descriptors);

/** A resource of the program, for as long as it is in it. */
export interface Slot {
  readonly kind: string;
  /** Whether the program gives its name. */
  readonly isNamed: boolean;
  /** Whether the first version adopts an object that stands there already. */
  readonly isAdopted: boolean;
  /** Whether somebody else has an object of the same name, every field the same. */
  readonly hasTwin: boolean;
  /** Counts back to the resource that it depends on; 0: none. */
  readonly after: number;
  /** Keys: a lifetime in place of a fixed end. */
  readonly rotates: boolean;
  /** Keys: a RotatingApiKey, whose two keys are renewed in turn. */
  readonly inTurn: boolean;
}

export const CHANGES = ["tags", "fields", "replace", "rename", "move", "remove", "restore"] as const;

/** A change in a version of the program. */
export interface Edit {
  /** Which resource, counted round. */
  readonly slot: number;
  readonly change: (typeof CHANGES)[number];
}

const DAMAGES = ["garbage", "half of it", "zeros", "a pipe", "a bad date", "somebody else's id"] as const;
/** The entry is as another machine or container has written it, and its file has that date. */
const DATES = ["another machine's of yesterday", "another machine's of tomorrow", "another machine's of now"] as const;

/** The damage of an entry of the journal before a run. */
export interface Damage {
  readonly what: (typeof DAMAGES)[number] | (typeof DATES)[number];
  /** Which entry, counted round. */
  readonly nth: number;
}

/** A change of a VM's data volume by another person before a run. */
export const MEDDLINGS = ["renamed", "detached", "deleted", "grown"] as const;
export type Meddling = (typeof MEDDLINGS)[number];

/** Which names a run uses; 0: the first ones. */
export interface RunNames {
  readonly stack: number;
  /** The explicit provider. */
  readonly provider: number;
}

/** The behaviour of the service in all runs of a schedule. */
export interface Conditions {
  /** Seconds by which it is late. */
  readonly lateReads: number;
  readonly lateLists: number;
  readonly lateAudit: number;
  /** Whether the key may read the audit log: without that nothing can be proven. */
  readonly mayReadAudit: boolean;
  /** Whether the audit log says what was made. */
  readonly logsTargets: boolean;
  /** By how much its Date is ahead of what it writes into objects. */
  readonly dateAheadSeconds: number;
  /** Whether a read shows ids in upper case. */
  readonly idsChangeCase: boolean;
  /** Whether each list begins with a page that has no items. */
  readonly emptyPages: boolean;
}

/** One version of the program, and the run that brings it up. */
export interface Version {
  readonly daysLater: number;
  readonly edits: readonly Edit[];
  readonly faults: readonly Fault[];
  /** A refresh comes after it, which the same faults happen to. */
  readonly refreshes: boolean;
  /** Which spelling of the base URL its configuration has, counted round. */
  readonly spelling: number;
  /** What stack and provider are called, from this run on. */
  readonly names: RunNames;
  /** What happens to the journal before it. */
  readonly damage?: Damage;
  readonly meddling?: Meddling;
}

/** A program, and how it changes. */
export interface Programs {
  readonly slots: readonly Slot[];
  readonly versions: readonly { readonly edits: readonly Edit[] }[];
}

/** A whole story. It contains everything that happens, so that its seed repeats it. */
export interface Schedule extends Programs {
  readonly versions: readonly Version[];
  readonly isParallel: boolean;
  readonly asksCosts: boolean;
  readonly habit: Habit;
  readonly conditions: Conditions;
}

/** What the person does with objects that messages name. */
export const HABITS = ["only runs again", "deletes what is named", "adopts what is named"] as const;
export type Habit = (typeof HABITS)[number];

/** Any resource. */
export const slots: fc.Arbitrary<Slot> = fc.record({
  kind: fc.constantFrom(...types),
  isNamed: fc.boolean(),
  isAdopted: oneIn(5),
  hasTwin: oneIn(3),
  after: fc.nat(2),
  rotates: fc.boolean(),
  inTurn: oneIn(3),
});

/** Any change of a program. */
export const edits: fc.Arbitrary<Edit> = fc.record({ slot: fc.nat(3), change: fc.constantFrom(...CHANGES) });

/** Any conditions; each is as it should be more often than not. */
export const conditions: fc.Arbitrary<Conditions> = fc.record({
  lateReads: fc.constantFrom(0, 0, 0, 3),
  lateLists: fc.constantFrom(0, 0, 0, 15),
  lateAudit: fc.constantFrom(0, 0, 2, 10, 600),
  mayReadAudit: oneIn(5).map((drawn) => !drawn),
  logsTargets: oneIn(5).map((drawn) => !drawn),
  dateAheadSeconds: fc.constantFrom(0, 0, 0, 4, -9, 15),
  idsChangeCase: oneIn(6),
  emptyPages: oneIn(6),
});

/** Any damage. */
export const damages: fc.Arbitrary<Damage> = fc.record({
  what: fc.constantFrom(...DAMAGES, ...DATES),
  nth: fc.nat(3),
});

const version: fc.Arbitrary<Version> = fc.record(
  {
    daysLater: fc.constantFrom(0, 0, 1, 31, 65),
    edits: fc.array(edits, { maxLength: 3 }),
    faults: fc.array(faults, { minLength: 1, maxLength: 3 }),
    refreshes: oneIn(4),
    spelling: fc.nat(3),
    names: fc.record({ stack: fc.constantFrom(0, 0, 0, 1), provider: fc.constantFrom(0, 0, 0, 1) }),
    damage: damages,
    meddling: fc.constantFrom(...MEDDLINGS),
  },
  { requiredKeys: ["daysLater", "edits", "faults", "refreshes", "spelling", "names"] },
);

/** Any schedule. */
export const schedules: fc.Arbitrary<Schedule> = fc.noBias(
  fc.record({
    slots: fc.array(slots, { minLength: 1, maxLength: 4 }),
    versions: fc.array(version, { minLength: 1, maxLength: 3 }),
    isParallel: oneIn(3),
    asksCosts: oneIn(4),
    habit: fc.constantFrom(...HABITS),
    conditions,
  }),
);
