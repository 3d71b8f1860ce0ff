import { z } from "zod";
import { CommandFailure } from "../command-failure";
import type { Input } from "../input";

const state = z.looseObject({
  type: z.string(),
  custom: z.boolean().optional(),
  id: z.string().optional(),
  provider: z.string().optional(),
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

/** A resource on one side of a step. Values of the program or the service may have any type. */
export type PreviewState = z.infer<typeof state>;
/** Pulumi's operation on a resource. */
export type PreviewStep = z.infer<typeof step>;
/** A message during the preview. The one that failed the preview has the severity `error`. */
export type PreviewDiagnostic = z.infer<typeof diagnostic>;
/** The used parts of the output of `pulumi preview --json`. */
export type Preview = z.infer<typeof preview>;

/** Reads the output of `pulumi preview --json`. Throws CommandFailure. */
export function parsePreview({ text, source }: Input): Preview {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    // Without the parser's words, because they quote the text.
    throw new CommandFailure(`${source} is not JSON. ${WHAT_IT_IS}`);
  }
  const read = preview.safeParse(json);
  if (!read.success) throw new CommandFailure(`${source} holds no preview. ${WHAT_IT_IS}`);
  return read.data;
}

const WHAT_IT_IS = "A preview is what `pulumi preview --json --show-sames` prints.";
