import fc from "fast-check";
import type { FaultRequest } from "../../../src/simulator/schemas/faults";

/** What happens to one request. */
const MISHAPS = [
  "dropped after the effect",
  "dropped before the effect",
  "truncated body",
  "no answer in time",
  "failed operation",
  "operation that never ends",
  "operation that vanishes",
  "failed operation that vanishes",
  "delivered twice",
  "delivered twice, then no quota",
] as const;

/** What ends a process, or its access. */
const ENDS = [
  "killed before sending",
  "killed after the effect",
  "killed before the engine saved",
  "Ctrl-C twice before the engine saved",
  "credential revoked",
] as const;

/** What goes wrong. */
export type Effect =
  | { readonly kind: (typeof MISHAPS | typeof ENDS)[number] }
  | { readonly kind: "status" | "status after the effect"; readonly status: number }
  | { readonly kind: "slow answer" | "dropped, and delivered later"; readonly seconds: number }
  | { readonly kind: "404 that is not the API's"; readonly requests: number }
  | { readonly kind: "service's clock jumps" | "local clock jumps"; readonly minutes: number };

export type FaultKind = Effect["kind"];

/** Which requests are counted: all, those that can change something, deletions, or reads of one object. */
export type Among = "requests" | "changes" | "deletions" | "reads";

/** A fault, and when it happens: at the nth of these requests, or at the nth answer to the engine. */
export interface Fault {
  readonly effect: Effect;
  readonly among: Among;
  readonly nth: number;
  /** If the request is a creation: another person creates an equal object at that moment. */
  readonly neighbour?: Neighbour;
}

/** Another person in another backend, with the same project, stack and program. */
export interface Neighbour {
  readonly order: "before" | "after";
  /** Whether they sign in with the same API key. */
  readonly sharesKey: boolean;
}

const effect: fc.Arbitrary<Effect> = fc.oneof(
  ...MISHAPS.map(of),
  fc.record({
    kind: fc.constant("dropped, and delivered later" as const),
    seconds: fc.constantFrom(2, 8, 30, 300),
  }),
  ...ENDS.map(of),
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
    // Most runs have few of these requests, and a fault after the last one never happens.
    nth: fc.constantFrom(1, 1, 1, 2, 2, 3, 4, 6),
    neighbour: neighbours,
  },
  { requiredKeys: ["effect", "among", "nth"] },
);

/**
 * A misconfigured ingress that answers everything for a while. It does harm if its 404 says that an object is deleted:
 * at a deletion, or in a refresh.
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

/** The simulator's fault that has this effect. */
export function simulatorFaultOf(effect: Effect): Partial<FaultRequest> {
  if (effect.kind === "status") return { status: effect.status };
  const fault = OF_THE_SIMULATOR[effect.kind];
  if (!fault) throw new Error(`"${effect.kind}" is not the simulator's`);
  return fault;
}

const OF_THE_SIMULATOR: Readonly<Partial<Record<FaultKind, Partial<FaultRequest>>>> = {
  "dropped before the effect": { drop: "before" },
  "dropped after the effect": { drop: "after" },
  "truncated body": { truncate: true },
  "failed operation": { operation: "fail" },
  "failed operation that vanishes": { operation: "fail" },
  "operation that never ends": { operation: "never" },
};
