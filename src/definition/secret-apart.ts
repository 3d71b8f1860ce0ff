import { secret } from "./field";
import type { Field } from "./types";

/** An output that `GET <object>/<at>` shows, encrypted in the state. A creation waits until it exists. */
export function secretApart<F extends Field>(
  at: string,
  shown: F,
): F & { readonly secret: true; readonly readApart: string } {
  return { ...secret(shown), readApart: at };
}
