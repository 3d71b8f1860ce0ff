import { z } from "zod";
import { CommandFailure } from "../command-failure";
import type { Input } from "../input";

const state = z.looseObject({
  type: z.string(),
  custom: z.boolean().optional(),
  id: z.string().optional(),
  external: z.boolean().optional(),
  retainOnDelete: z.boolean().optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
});

const step = z.looseObject({
  op: z.string(),
  urn: z.string(),
  oldState: state.optional(),
  newState: state.optional(),
});

const diagnostic = z.looseObject({
  urn: z.string().optional(),
  message: z.string().default(""),
  severity: z.string().default(""),
});

const preview = z.looseObject({
  steps: z.array(step).default([]),
  diagnostics: z.array(diagnostic).default([]),
  changeSummary: z.record(z.string(), z.number()),
});

/** A resource on one side of a step. What the program or the service gave may be anything. */
export type PreviewState = z.infer<typeof state>;
/** What Pulumi is going to do with a resource. */
export type PreviewStep = z.infer<typeof step>;
/** What was said during the preview; `error` is the severity of what made it fail. */
export type PreviewDiagnostic = z.infer<typeof diagnostic>;
/** What `pulumi preview --json` prints, as far as it is of use here. */
export type Preview = z.infer<typeof preview>;

/** Reads what `pulumi preview --json` has printed. Throws CommandFailure. */
export function parsePreview({ text, source }: Input): Preview {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Not the parser's words: they quote the text.
    throw new CommandFailure(`${source} is not JSON. ${WHAT_IT_IS}`);
  }
  const read = preview.safeParse(json);
  if (!read.success) throw new CommandFailure(`${source} holds no preview. ${WHAT_IT_IS}`);
  return read.data;
}

const WHAT_IT_IS = "A preview is what `pulumi preview --json --show-sames` prints.";
