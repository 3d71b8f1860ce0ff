import type { Clock } from "../../../clock";
import { ForgeError } from "./forge-error";

/** A comment on a pull request, or a note on a merge request. */
export interface ForgeComment {
  readonly id: number;
  readonly body: string;
  /** The account that has written it; undefined if that is gone. */
  readonly author: string | undefined;
}

/** The comments on one pull request or merge request. Every call rejects with CommandFailure. */
export interface ForgeComments {
  list(): Promise<readonly ForgeComment[]>;
  /** The account that the token belongs to; undefined if it is a bot that may not ask. */
  me(): Promise<string | undefined>;
  /** Resolves with the address that a browser shows it at. */
  create(body: string): Promise<string>;
  update(id: number, body: string): Promise<string>;
  close(): Promise<void>;
}

/** What is to stand on the pull request. */
export interface WantedComment {
  /** The text's first line, by which it is known again. */
  readonly marker: string;
  readonly body: string;
  /** Whether it is worth a comment of its own, or only the correction of an earlier one. */
  readonly isWorthNew: boolean;
}

/** What was done about it. */
export type KeptComment =
  { readonly status: "created" | "updated"; readonly address: string } | { readonly status: "none" };

/** Pauses before another try: a passing fault of a forge is over in seconds. */
const PAUSES_MS = [1_000, 4_000, 10_000];

/**
 * Keeps one comment: changes the latest with the marker that can be changed, or writes one. After a passing fault it looks
 * again what is there before it writes, so no comment is written twice. Rejects with CommandFailure.
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
 * Whether an account is ours: anybody may write a comment that begins with the marker, and a token that may write to pull requests
 * may change other people's comments. A bot that may not ask for its name takes those of bots only: no person's.
 */
function isBy(author: string | undefined, me: string | undefined): boolean {
  return me === undefined ? author?.endsWith("[bot]") === true : author === me;
}

/** Somebody else's, or gone since it was listed. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof ForgeError && !error.isRateLimit && (error.status === 403 || error.status === 404);
}
