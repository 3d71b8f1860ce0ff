import { createHash } from "node:crypto";
import { dynamicUrn } from "../engine/urn";

/** The comment of a creation in its `User-Agent`, which the audit log shows. */
interface CreationComment {
  /** Unique for each creation. */
  readonly token: string;
  /** Identifies the resource and its stack (`markOf`), if the stack has an id. */
  readonly mark?: string | undefined;
}

export function commentText({ token, mark }: CreationComment): string {
  return mark === undefined ? token : `${token}; ${mark}`;
}

export function commentIn(userAgent: string): CreationComment | undefined {
  const [, token, mark] = /\(([0-9a-f]{32})(?:; ([0-9a-f]{16}))?\)/.exec(userAgent) ?? [];
  return token === undefined ? undefined : { token, mark };
}

/**
 * Identifies a resource of a stack. It is the same for both providers. A copy of the stack's file has the same id, but
 * another stack name.
 */
export function markOf(stackId: string | undefined, urn: string): string | undefined {
  if (stackId === undefined) return undefined;
  const text = JSON.stringify([stackId, dynamicUrn(urn)]);
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
