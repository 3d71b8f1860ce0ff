import fc from "fast-check";

type Arbitraries<Values> = { [Nth in keyof Values]: fc.Arbitrary<Values[Nth]> };

/** Fails unless the check, which is the last argument, succeeds for any values of these arbitraries. */
export function forAll<Values extends [unknown, ...unknown[]]>(
  ...parts: [...arbitraries: Arbitraries<Values>, check: (...values: Values) => void]
): void {
  fc.assert(fc.property(...parts));
}
