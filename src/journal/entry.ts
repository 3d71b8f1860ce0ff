import { z } from "zod";
import type { JournalEntry } from "./journal";

const time = z.string().refine((text) => !Number.isNaN(Date.parse(text)), "is not a time");

const journalEntry = z.object({
  version: z.literal(1),
  key: z.string().min(1),
  token: z.string().regex(/^[0-9a-f]{32}$/),
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
  name: z.string().optional(),
  nameHash: z.string().optional(),
  place: z.record(z.string(), z.unknown()),
  fingerprint: z.string(),
  sentAt: time,
  sentHereAt: time,
  keyHash: z.string().optional(),
  answeredAt: time.optional(),
  id: z.string().min(1).optional(),
  foundAs: z.record(z.string(), z.unknown()).optional(),
  sender: z.object({
    pid: z.number().int().positive(),
    startedAt: z.string().optional(),
    space: z.string(),
  }),
  isHandedOver: z.literal(true).optional(),
  isSuperseded: z.literal(true).optional(),
});

/** Reads a file of the journal. Throws an error whose message completes "it …". */
export function parseEntry(text: string): JournalEntry {
  const parsed = jsonOf(text);
  const version = typeof parsed === "object" && parsed !== null ? (parsed as { version?: unknown }).version : undefined;
  if (typeof version === "number" && version > 1) throw new Error("was written by a newer version of the package");
  const result = journalEntry.safeParse(parsed);
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new Error(`is damaged (${[...(issue?.path ?? []), issue?.message].join(" ")})`);
  }
  return result.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(text.trim() === "" ? "is empty" : "is damaged (not JSON)");
  }
}
