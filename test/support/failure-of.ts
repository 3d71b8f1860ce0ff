/** An error of the provider. */
export type Failure = Error & { readonly code?: string; readonly id?: string };

/** The error that a promise rejects with. Fails if it resolves. */
export function failureOf(promise: Promise<unknown>): Promise<Failure> {
  return promise.then(
    () => Promise.reject(new Error("it did not fail")),
    (error: unknown) => error as Failure,
  );
}
