import { GithubError } from "./github-error";
import type { GithubComments } from "./github";

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

/** Keeps one comment: changes the latest with the marker that can be changed, or writes one. Rejects with CommandFailure. */
export async function keepComment(
  github: Pick<GithubComments, "list" | "create" | "update">,
  { marker, body, isWorthNew }: WantedComment,
): Promise<KeptComment> {
  const earlier = (await github.list()).filter((comment) => comment.body.startsWith(marker)).reverse();
  if (earlier.length === 0 && !isWorthNew) return { status: "none" };
  for (const { id } of earlier) {
    try {
      return { status: "updated", address: await github.update(id, body) };
    } catch (error) {
      if (!isOutOfReach(error)) throw error;
    }
  }
  return { status: "created", address: await github.create(body) };
}

/** Somebody else's, or gone since it was listed. */
function isOutOfReach(error: unknown): boolean {
  return error instanceof GithubError && !error.isRateLimit && (error.status === 403 || error.status === 404);
}
