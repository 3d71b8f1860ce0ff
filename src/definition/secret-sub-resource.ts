import { secret } from "./field";
import type { Field } from "./types";

/** An output that `GET <object>/<at>` shows, encrypted in the state. A creation waits until it exists. */
export function secretSubResource<F extends Field>(
  at: string,
  shown: F,
): F & { readonly secret: true; readonly readSeparately: string } {
  return { ...secret(shown), readSeparately: at };
}
