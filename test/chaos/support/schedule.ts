import fc from "fast-check";
import { descriptors } from "../../kinds";
import { faults, oneIn, type Fault } from "./fault";

/** The kinds of resources in programs. */
const types = Object.keys(descriptors);

/** A resource of the program, for as long as it is in it. */
export interface Slot {
  readonly kind: string;
  /** True if the program sets its name. */
  readonly isNamed: boolean;
  /** True if the first version adopts an existing object. */
  readonly isAdopted: boolean;
  /** True if another person has an object of the same name with equal fields. */
  readonly hasTwin: boolean;
  /** The distance back to the resource that it depends on. 0: none. */
  readonly after: number;
  /** Keys: a lifetime in place of a fixed end. */
  readonly rotates: boolean;
  /** Keys: a RotatingApiKey with two keys in rotation. */
  readonly isRotating: boolean;
}

export const CHANGES = ["tags", "fields", "replace", "rename", "move", "remove", "restore"] as const;

/** A change in a version of the program. */
export interface Edit {
  /** The index of the resource, modulo their number. */
  readonly slot: number;
  readonly change: (typeof CHANGES)[number];
}

const DAMAGES = ["garbage", "half of it", "zeros", "a pipe", "a bad date", "somebody else's id"] as const;
/** The entry is as another machine or container would have written it, and its file has that date. */
const DATES = ["another machine's of yesterday", "another machine's of tomorrow", "another machine's of now"] as const;

/** The damage of an entry of the journal before a run. */
export interface Damage {
  readonly damage: (typeof DAMAGES)[number] | (typeof DATES)[number];
  /** The index of the entry, modulo their number. */
  readonly nth: number;
}

/** A change of a VM's data volume by another person before a run. */
export const MEDDLINGS = ["renamed", "detached", "deleted", "grown"] as const;
export type Meddling = (typeof MEDDLINGS)[number];

/** Which names a run uses. 0: the first ones. */
export interface RunNames {
  readonly stack: number;
  /** The explicit provider. */
  readonly provider: number;
}

/** The behaviour of the service in all runs of a schedule. */
export interface Conditions {
  /** How late it is, in seconds. */
  readonly lateReads: number;
  readonly lateLists: number;
  readonly lateAudit: number;
  /** True if the key may read the audit log. Without it, nothing can be proven. */
  readonly mayReadAudit: boolean;
  /** True if the audit log names the objects. */
  readonly logsTargets: boolean;
  /** How far its Date is ahead of the times in objects. */
  readonly dateAheadSeconds: number;
  /** True if a read shows ids in upper case. */
  readonly idsChangeCase: boolean;
  /** True if each list begins with an empty page. */
  readonly emptyPages: boolean;
}

/** One version of the program, and the run that deploys it. */
export interface Version {
  readonly daysLater: number;
  readonly edits: readonly Edit[];
  readonly faults: readonly Fault[];
  /** A refresh follows, with the same faults. */
  readonly refreshes: boolean;
  /** The index of the base URL's spelling in its configuration, modulo their number. */
  readonly spelling: number;
  /** The names of stack and provider from this run on. */
  readonly names: RunNames;
  /** What happens to the journal before this run. */
  readonly damage?: Damage;
  readonly meddling?: Meddling;
}

/** A program, and how it changes. */
export interface Programs {
  readonly slots: readonly Slot[];
  readonly versions: readonly { readonly edits: readonly Edit[] }[];
}

/** Everything that happens in a run, so that its seed repeats it. */
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
  isRotating: oneIn(3),
});

/** Any change of a program. */
export const edits: fc.Arbitrary<Edit> = fc.record({ slot: fc.nat(3), change: fc.constantFrom(...CHANGES) });

/** Any conditions. Each is normal most of the time. */
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
  damage: fc.constantFrom(...DAMAGES, ...DATES),
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
