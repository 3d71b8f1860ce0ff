import { z } from "zod";
import { addressOf } from "./address";
import type { JournalEntry } from "./journal";

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is not a time");
const pid = z.number().int().positive();

const common = {
  key: z.string().min(1),
  stack: z.object({
    backend: z.string(),
    organization: z.string().optional(),
    baseUrl: z.string(),
    project: z.string(),
    stack: z.string(),
    provider: z.string().optional(),
  }),
  urn: z.string().regex(/^urn:pulumi:/),
  type: z.string(),
  noun: z.string(),
  name: z.string(),
  generation: z.number().int().nonnegative(),
  place: z.record(z.string(), z.unknown()),
  fingerprint: z.string(),
  sentAt: time,
  id: z.string().min(1).optional(),
  foundAs: z.record(z.string(), z.unknown()).optional(),
  isTold: z.literal(true).optional(),
};

const present = z.object({
  ...common,
  version: z.literal(2),
  token: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .optional(),
  sentHereAt: time.optional(),
  answeredAt: time.optional(),
  sender: z.object({ pid, startedAt: z.string().optional(), space: z.string().optional() }),
  isHandedOver: z.literal(true).optional(),
  isCancelled: z.literal(true).optional(),
  isHalfMade: z.literal(true).optional(),
  missed: z.number().int().nonnegative().optional(),
  isSuperseded: z.literal(true).optional(),
});

/** An entry of release 0.1.0. It has no token, so no log can prove what it made. */
const ofFirstRelease = z.object({ ...common, version: z.literal(1), pid });

/** Reads a file of the journal. Throws an error whose message completes "it …". */
export function parseEntry(text: string): JournalEntry {
  const parsed = jsonOf(text);
  const version = typeof parsed === "object" && parsed !== null ? (parsed as { version?: unknown }).version : undefined;
  if (typeof version === "number" && version > 2) throw new Error("was written by a newer version of the package");
  const result = (version === 1 ? ofFirstRelease : present).safeParse(parsed);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`is damaged (${[...(issue?.path ?? []), issue?.message].join(" ")})`);
  }
  const { data } = result;
  if (data.version === 2) return data;
  const { pid: number, ...rest } = data;
  return { ...rest, version: 2, sender: { pid: number }, stack: addressOf(data.stack) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(text.trim() === "" ? "is empty" : "is damaged (not JSON)");
  }
}
