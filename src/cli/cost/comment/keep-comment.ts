import type { Clock } from "../../../process/clock";
import { ForgeError } from "./forge-error";

/** A value, and the flag or variable that it comes from. */
export interface Given {
  readonly value: string;
  readonly source: string;
}

/** A comment on a pull request, or a note on a merge request. */
export interface ForgeComment {
  readonly id: number;
  readonly body: string;
  /** The account that wrote it. Undefined if that account is gone. */
  readonly author: string | undefined;
}

/** The comments on one pull request or merge request. Every call rejects with CommandFailure. */
export interface ForgeComments {
  list(): Promise<readonly ForgeComment[]>;
  /** The account of the token. Undefined for a bot that may not ask. */
  me(): Promise<string | undefined>;
  /** Resolves with the comment's address for a browser. */
  create(body: string): Promise<string>;
  update(id: number, body: string): Promise<string>;
  close(): Promise<void>;
}

export interface WantedComment {
  /** The text's first line, which marks the comment. */
  readonly marker: string;
  readonly body: string;
  /** Whether a new comment may be written. If not, only an earlier one is updated. */
  readonly isWorthNew: boolean;
}

/** The result. */
export type KeptComment =
  { readonly status: "created" | "updated"; readonly address: string } | { readonly status: "none" };

/** The pauses before further attempts: a temporary fault of a forge takes seconds. */
const PAUSES_MS = [1_000, 4_000, 10_000];

/**
 * Keeps one comment: updates the latest one with the marker, or writes one. After a temporary fault it reads the comments
 * again before it writes, so it writes none twice. Rejects with CommandFailure.
 */
export async function keepComment(
  comments: ForgeComments,
  wanted: WantedComment,
  clock: Pick<Clock, "sleep">,
): Promise<KeptComment> {
  for (const pauseMs of PAUSES_MS) {
    try {
      return await keepOnce(comments, wanted);
    } catch (error) {
      if (!(error instanceof ForgeError) || error.retryAfterMs === undefined) throw error;
      await clock.sleep(Math.max(pauseMs, error.retryAfterMs));
    }
  }
  return keepOnce(comments, wanted);
}

async function keepOnce(comments: ForgeComments, { marker, body, isWorthNew }: WantedComment): Promise<KeptComment> {
  const marked = (await comments.list()).filter((comment) => comment.body.startsWith(marker)).reverse();
  const me = marked.length > 0 ? await comments.me() : undefined;
  const earlier = marked.filter(({ author }) => isBy(author, me));
  if (earlier.length === 0 && !isWorthNew) return { status: "none" };
  for (const { id } of earlier) {
    try {
      return { status: "updated", address: await comments.update(id, body) };
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
  return { status: "created", address: await comments.create(body) };
}

/**
 * Whether a comment's account is ours. Anybody may write a comment with the marker, and a token that may write to pull
 * requests may change comments of others. A bot that may not ask for its name updates comments of bots only.
 */
function isBy(author: string | undefined, me: string | undefined): boolean {
  return me === undefined ? author?.endsWith("[bot]") === true : author === me;
}

/** It is somebody else's, or gone since the list was read. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof ForgeError && !error.isRateLimit && (error.status === 403 || error.status === 404);
}
