/** An error of the provider. */
export type Failure = Error & { readonly code?: string; readonly id?: string };

/** The error that something fails with. Rejects if it does not fail. */
export function failureOf(doing: Promise<unknown>): Promise<Failure> {
  return doing.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as Failure,
  );
}
