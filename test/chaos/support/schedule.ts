import fc from "fast-check";

/** The kinds of resources that programs are made of. */
export const KINDS = ["ApiKey", "ConnectConnection", "FirewallRule"] as const;
export type Kind = (typeof KINDS)[number];

/** A resource of the program, for as long as it is in it. */
export interface Slot {
  readonly kind: Kind;
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
  | { readonly kind: "killed before sending" }
  | { readonly kind: "killed after the effect" }
  | { readonly kind: "killed before the engine saved" }
  | { readonly kind: "credential revoked" }
  | { readonly kind: "service's clock jumps"; readonly minutes: number }
  | { readonly kind: "local clock jumps"; readonly minutes: number };

export type FaultKind = Effect["kind"];

/** A fault, and what meets it: the nth request, or the nth that changes something, or the nth answer to the engine. */
export interface Fault {
  readonly effect: Effect;
  readonly among: "requests" | "changes";
  readonly nth: number;
}

/** One version of the program, and the run that brings it up. */
export interface Version {
  readonly daysLater: number;
  readonly edits: readonly Edit[];
  readonly faults: readonly Fault[];
  /** A refresh comes after it, which the same faults happen to. */
  readonly refreshes: boolean;
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
}

/** Any resource. */
export const slots: fc.Arbitrary<Slot> = fc.record({
  kind: fc.constantFrom(...KINDS),
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
  of("killed before sending"),
  of("killed after the effect"),
  of("killed before the engine saved"),
  of("credential revoked"),
  fc.record({ kind: fc.constant("status" as const), status: fc.constantFrom(408, 409, 429, 500, 502, 503, 403) }),
  fc.record({ kind: fc.constant("status after the effect" as const), status: fc.constantFrom(502, 504) }),
  fc.record({ kind: fc.constant("slow answer" as const), seconds: fc.integer({ min: 1, max: 100 }) }),
  fc.record({ kind: fc.constant("service's clock jumps" as const), minutes: fc.integer({ min: 1, max: 120 }) }),
  fc.record({ kind: fc.constant("local clock jumps" as const), minutes: fc.integer({ min: -120, max: 120 }) }),
);

const fault: fc.Arbitrary<Fault> = fc.record({
  effect,
  among: fc.constantFrom("changes" as const, "requests" as const),
  nth: fc.integer({ min: 1, max: 6 }),
});

const version: fc.Arbitrary<Version> = fc.record({
  daysLater: fc.constantFrom(0, 0, 1, 31, 65),
  edits: fc.array(edits, { maxLength: 3 }),
  faults: fc.array(fault, { minLength: 1, maxLength: 3 }),
  refreshes: oneIn(4),
});

/** Any schedule. */
export const schedules: fc.Arbitrary<Schedule> = fc.noBias(
  fc.record({
    slots: fc.array(slots, { minLength: 1, maxLength: 4 }),
    versions: fc.array(version, { minLength: 1, maxLength: 3 }),
    isParallel: oneIn(3),
    asksCosts: oneIn(4),
    isObedient: fc.boolean(),
  }),
);

function of<K extends FaultKind>(kind: K): fc.Arbitrary<{ readonly kind: K }> {
  return fc.constant({ kind });
}

function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.nat(n - 1).map((drawn) => drawn === n - 1);
}
