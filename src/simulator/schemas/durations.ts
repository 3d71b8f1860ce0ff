import ms, { type StringValue } from "ms";
import { z } from "zod";
import type { Lag } from "../model/table";

const rule = "must be a duration with a unit such as 100ms, 1s or 20d, and not negative";

/** A text such as `0`, `100ms`, `1s` or `20d`, or a number of milliseconds. */
export const duration = z
  .union(
    [
      z.number(),
      z
        .string()
        .regex(/^(0|[\d.]+ *[a-z]+)$/i)
        .transform((text) => ms(text as StringValue)),
    ],
    rule,
  )
  .pipe(z.number(rule).min(0, rule))
  .transform(Math.round);

/** The longest latency, and the longest delay of a fault. Their sum fits Node's longest timer, 24.8 days. */
export const MAX_DELAY = "12d";

export const delay = duration.refine((delayMs) => delayMs <= ms(MAX_DELAY), `must be at most ${MAX_DELAY}`);

/** Kinds that are not named have no lag. */
export const lag = z
  .strictObject({ reads: duration.default(0), lists: duration.default(0), audit: duration.default(0) })
  .transform(({ reads, lists, audit }): Lag => ({ readsMs: reads, listsMs: lists, auditMs: audit }));
