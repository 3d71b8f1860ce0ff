import { z } from "zod";
import { encodePath } from "../../../api/http/request";
import { CommandFailure } from "../../command-failure";
import { Forge, nextPage, type ForgeAnswer } from "./forge";
import { ForgeError } from "./forge-error";
import type { ForgeComment, ForgeComments, Given } from "./keep-comment";

/** The pull request, and the token. */
export interface GithubAccess {
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: Given;
  readonly pullRequest: number;
  readonly token: string;
}

const PAGE_SIZE = 100;
/** More comments than any pull request has. */
const MOST_PAGES = 100;

const user = z.looseObject({ login: z.string() });
const comments = z.array(
  z.looseObject({ id: z.number().int(), body: z.string().nullish(), user: user.nullish().catch(undefined) }),
);
const written = z.looseObject({ html_url: z.string() });

/** The comments on one pull request, through GitHub's REST API. Every call rejects with CommandFailure. */
export class GithubComments implements ForgeComments {
  readonly #forge: Forge;
  readonly #access: GithubAccess;

  constructor(access: GithubAccess) {
    this.#access = access;
    this.#forge = new Forge({
      name: "GitHub",
      adviceOf: (status) => adviceOf(status, access),
      apiUrl: access.apiUrl,
      apiUrlSource: ["GITHUB_API_URL", "https://api.github.com"],
      token: access.token,
      headers: {
        accept: "application/vnd.github+json",
        authorization: `Bearer ${access.token}`,
        "x-github-api-version": "2022-11-28",
      },
    });
  }

  /** All comments, the oldest first. */
  async list(): Promise<readonly ForgeComment[]> {
    const { pullRequest } = this.#access;
    const found: ForgeComment[] = [];
    const what = `read the comments on pull request ${pullRequest}`;
    let next: string | undefined = `${this.#prefix()}/issues/${pullRequest}/comments?per_page=${PAGE_SIZE}`;
    const seen = new Set<string>();
    while (next !== undefined && !seen.has(next)) {
      if (seen.size === MOST_PAGES) {
        throw new CommandFailure(
          `Could not ${what}: GitHub names a next page after ${MOST_PAGES} of ${PAGE_SIZE} comments.`,
        );
      }
      seen.add(next);
      const { answer, response }: ForgeAnswer<z.infer<typeof comments>> = await this.#forge.ask(
        { what, method: "GET", path: next },
        comments,
      );
      found.push(...answer.map(({ id, body, user: by }) => ({ id, body: body ?? "", author: by?.login })));
      next = nextPage(response);
    }
    return found;
  }

  /** The owner of the token. A workflow's GITHUB_TOKEN, like any token of an app, may not ask: then it is undefined. */
  async me(): Promise<string | undefined> {
    const request = { what: "ask whose token this is", method: "GET", path: `${this.#forge.prefix}/user` } as const;
    try {
      return (await this.#forge.ask(request, user)).answer.login;
    } catch (error) {
      if (error instanceof ForgeError && !error.isRateLimit && error.status === 403) return undefined;
      throw error;
    }
  }

  /** Writes a comment. Resolves with its address for a browser. */
  async create(body: string): Promise<string> {
    const { pullRequest } = this.#access;
    const path = `${this.#prefix()}/issues/${pullRequest}/comments`;
    const what = `comment on pull request ${pullRequest}`;
    return (await this.#forge.ask({ what, method: "POST", path, body: { body } }, written)).answer.html_url;
  }

  /** Replaces the text of a comment. Rejects with ForgeError if it is somebody else's, or gone. */
  async update(id: number, body: string): Promise<string> {
    const path = `${this.#prefix()}/issues/comments/${id}`;
    const what = `change comment ${id}`;
    return (await this.#forge.ask({ what, method: "PATCH", path, body: { body } }, written)).answer.html_url;
  }

  close(): Promise<void> {
    return this.#forge.close();
  }

  #prefix(): string {
    return `${this.#forge.prefix}/repos${encodePath(this.#access.repository.value.split("/"))}`;
  }
}

function adviceOf(status: number, { repository: { value, source } }: GithubAccess): string {
  switch (status) {
    case 401:
      return "The token in GITHUB_TOKEN is not valid, or no longer valid.";
    case 403:
      return 'The token lacks a permission: a workflow needs "pull-requests: write", and a pull request from a fork never gets it.';
    case 404:
      return `Either there is no such repository or pull request, or the token may not see it. The repository is "${value}" (${source}).`;
    default:
      return status >= 300 && status < 400 ? "The repository has moved: give its present name with --repo." : "";
  }
}
