import fc from "fast-check";

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
  | { readonly kind: "operation that vanishes" }
  | { readonly kind: "failed operation that vanishes" }
  | { readonly kind: "404 that is not the API's"; readonly requests: number }
  | { readonly kind: "delivered twice" }
  | { readonly kind: "delivered twice, then no quota" }
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

const effect: fc.Arbitrary<Effect> = fc.oneof(
  of("dropped after the effect"),
  of("dropped before the effect"),
  of("truncated body"),
  of("no answer in time"),
  of("failed operation"),
  of("operation that never ends"),
  of("operation that vanishes"),
  of("failed operation that vanishes"),
  of("delivered twice"),
  of("delivered twice, then no quota"),
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
  fc.record({ kind: fc.constant("status after the effect" as const), status: fc.constantFrom(502, 504, 422, 429) }),
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
    among: fc.constantFrom(...(["changes", "changes", "requests", "deletions"] as const)),
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

/** Any fault. */
export const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 5, arbitrary: anyFault },
  { weight: 2, arbitrary: lostIngress },
);

function of<K extends FaultKind>(kind: K): fc.Arbitrary<{ readonly kind: K }> {
  return fc.constant({ kind });
}

/** True once in n draws. */
export function oneIn(n: number): fc.Arbitrary<boolean> {
  return fc.nat(n - 1).map((drawn) => drawn === n - 1);
}
