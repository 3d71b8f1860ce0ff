import { z } from "zod";
import { sanitized } from "../errors/error-response";
import { dateTime } from "../../time/date-time";
import { openEnum } from "../schema";

/**
 * Operation (the specification names it without its fields): the response to a mutation that is not finished yet.
 * `resource_id` is final from the first response on. `status: "unknown"` does not mean that it has ended.
 */
export const operation = z.looseObject({
  id: z.string(),
  kind: z.string(),
  type: openEnum("create", "update", "delete", "restart"),
  status: openEnum("pending", "running", "done", "failed", "unknown"),
  project_id: z.string(),
  resource_id: z.string(),
  details: z.looseObject({}).nullish(),
  created_at: dateTime,
  updated_at: dateTime,
});
export type Operation = z.infer<typeof operation>;

export interface OperationProgress {
  readonly operation: Operation;
  readonly waitedMs: number;
}

export function isFinal({ status }: Operation): boolean {
  return status === "done" || status === "failed";
}

/**
 * The API's reason for a failed operation. No source documents its member, so this looks for the usual ones, in the
 * operation and in its details.
 */
export function failureReason(failed: Operation): string | undefined {
  for (const object of [failed, failed.details]) {
    for (const member of ["error", "error_message", "message", "reason"]) {
      const text = textOf(object?.[member]);
      if (text !== undefined) return text;
    }
  }
  return undefined;
}

function textOf(value: unknown): string | undefined {
  const text = typeof value === "object" && value !== null && "message" in value ? value.message : value;
  return typeof text === "string" && text !== "" ? sanitized(text) : undefined;
}
