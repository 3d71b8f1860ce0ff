import fc from "fast-check";
import { descriptors } from "../../kinds";

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

export const CHANGES = ["tags", "fields", "replace", "rename", "remove", "restore"] as const;

/** What a version of the program changes. */
export interface Edit {
  /** Which resource, counted round. */
  readonly slot: number;
  readonly change: (typeof CHANGES)[number];
}

/** What goes wrong. */
export type Effect =
  | { readonly kind: "status"; readonly status: number }
  | { readonly kind: "status after the effect"; readonly status: number }
  | { readonly kind: "slow answer"; readonly seconds: number }
  | { readonly kind: "no answer in time" }
  | { readonly kind: "dropped before the effect" }
  | { readonly kind: "dropped after the effect" }
  | { readonly kind: "truncated body" }
  | { readonly kind: "failed operation" }
  | { readonly kind: "operation that never ends" }
  | { readonly kind: "404 that is not the API's"; readonly requests: number }
  | { readonly kind: "delivered twice" }
  | { readonly kind: "dropped, and delivered later"; readonly seconds: number }
  | { readonly kind: "killed before sending" }
  | { readonly kind: "killed after the effect" }
  | { readonly kind: "killed before the engine saved" }
  | { readonly kind: "Ctrl-C twice before the engine saved" }
  | { readonly kind: "credential revoked" }
  | { readonly kind: "service's clock jumps"; readonly minutes: number }
  | { readonly kind: "local clock jumps"; readonly minutes: number };

export type FaultKind = Effect["kind"];

/** What is counted of the requests: all, what can change something, what deletes an object, or what asks for one. */
export type Among = "requests" | "changes" | "deletions" | "reads";

/** A fault, and what meets it: the nth request among these, or the nth answer to the engine. */
export interface Fault {
  readonly effect: Effect;
  readonly among: Among;
  readonly nth: number;
  /** If the request is a creation: somebody else creates the very same at that moment. */
  readonly neighbour?: Neighbour;
}

/** Somebody else, in another backend, whose project, stack and program are the same. */
export interface Neighbour {
  readonly order: "before" | "after";
  /** Whether they sign in with the same API key. */
  readonly sharesKey: boolean;
}

/** What was done to an entry of the journal before a run. */
export interface Damage {
  readonly what: "garbage" | "half of it" | "zeros" | "a pipe" | "a bad date" | "somebody else's id";
  /** Which entry, counted round. */
  readonly nth: number;
}

/** How the service is in all runs of a schedule. */
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
  /** What happens to the journal before it. */
  readonly damage?: Damage;
}

/** A program, and how it changes. */
export interface Programs {
  readonly slots: readonly Slot[];
  readonly versions: readonly { readonly edits: readonly Edit[] }[];
}

/** A whole story: everything that happens is in here, so that its seed repeats it. */
export interface Schedule extends Programs {
  readonly versions: readonly Version[];
  readonly isParallel: boolean;
  readonly asksCosts: boolean;
  /** Whether the person does what an error asks for, or only runs again. */
  readonly isObedient: boolean;
  readonly conditions: Conditions;
}

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

const effect: fc.Arbitrary<Effect> = fc.oneof(
  of("dropped after the effect"),
  of("dropped before the effect"),
  of("truncated body"),
  of("no answer in time"),
  of("failed operation"),
  of("operation that never ends"),
  of("delivered twice"),
  fc.record({
    kind: fc.constant("dropped, and delivered later" as const),
    seconds: fc.constantFrom(2, 8, 30, 300),
  }),
  of("killed before sending"),
  of("killed after the effect"),
  of("killed before the engine saved"),
  of("Ctrl-C twice before the engine saved"),
  of("credential revoked"),
  fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom(408, 409, 429, 500, 502, 503, 403) }),
  fc.record({ kind: fc.constant("status after the effect" as const), status: fc.constantFrom(502, 504) }),
  fc.record({ kind: fc.constant("slow answer" as const), seconds: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant("service's clock jumps" as const), minutes: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constant("local clock jumps" as const), minutes: fc.integer({ min: -120, max: 120 }) }),
);

/** Anybody else. */
export const neighbours: fc.Arbitrary<Neighbour> = fc.record({
  order: fc.constantFrom("before" as const, "after" as const),
  sharesKey: fc.boolean(),
});

const anyFault: fc.Arbitrary<Fault> = fc.record(
  {
    effect,
    among: fc.constantFrom("changes" as const, "requests" as const),
    nth: fc.integer({ min: 1, max: 6 }),
    neighbour: neighbours,
  },
  { requiredKeys: ["effect", "among", "nth"] },
);

/**
 * An ingress that has lost its way answers everything for a while. It does harm if a 404 says that an object is gone: at a
 * deletion, or when a refresh asks for it.
 */
const lostIngress: fc.Arbitrary<Fault> = fc.record({
  effect: fc.record({
    kind: fc.constant("404 that is not the API's" as const),
    requests: fc.constantFrom(1, 2, 5, 40),
  }),
  among: fc.constantFrom(...(["deletions", "deletions", "reads", "reads", "requests"] as const)),
  nth: fc.integer({ min: 1, max: 3 }),
});

const fault: fc.Arbitrary<Fault> = fc.oneof({ weight: 5, arbitrary: anyFault }, { weight: 2, arbitrary: lostIngress });

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
  what: fc.constantFrom(...(["garbage", "half of it", "zeros", "a pipe", "a bad date", "somebody else's id"] as const)),
  nth: fc.nat(3),
});

const version: fc.Arbitrary<Version> = fc.record(
  {
    daysLater: fc.constantFrom(0, 0, 1, 31, 65),
    edits: fc.array(edits, { maxLength: 3 }),
    faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
    refreshes: oneIn(4),
    spelling: fc.nat(3),
    damage: damages,
  },
  { requiredKeys: ["daysLater", "edits", "faults", "refreshes", "spelling"] },
);

/** Any schedule. */
export const schedules: fc.Arbitrary<Schedule> = fc.noBias(
  fc.record({
    slots: fc.array(slots, { minLength: 1, maxLength: 4 }),
    versions: fc.array(version, { minLength: 1, maxLength: 3 }),
    isParallel: oneIn(3),
    asksCosts: oneIn(4),
    isObedient: fc.boolean(),
    conditions,
  }),
);

function of<K extends FaultKind>(kind: K): fc.Arbitrary<{ readonly kind: K }> {
  return fc.constant({ kind });
}

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.nat(n - 1).map((drawn) => drawn === n - 1);
}
