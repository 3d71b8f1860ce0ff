import type { z } from "zod";
import type { HttpResponse } from "../../../api/http/response";
import { CommandFailure } from "../../command-failure";
import type { CodeHost, CodeHostAnswer } from "./code-host";
import { CodeHostError } from "./code-host-error";

/** How many comments a page has. */
export const PAGE_SIZE = 100;
/** More than any pull request has. */
const MOST_PAGES = 100;

/** A comment on a pull request, or a note on a merge request. */
export interface HostComment {
  readonly id: number;
  readonly body: string;
  /** The account that wrote it. Undefined if that account no longer exists. */
  readonly author: string | undefined;
}

/** The endpoints for the comments on one pull request, and how to read their answers. */
export interface CommentEndpoints {
  readonly noun: "comment" | "note";
  /** `pull request 7`. */
  readonly subject: string;
  readonly list: {
    readonly firstPage: string;
    /** Undefined after the last page. */
    readonly nextPage: (response: HttpResponse, page: number) => string | undefined;
    readonly answer: z.ZodType<readonly HostComment[]>;
  };
  /** `operation` continues "could not". */
  readonly create: { readonly operation: string; readonly path: string };
  readonly update: (id: number) => { readonly method: "PATCH" | "PUT"; readonly path: string };
  /** The answer to both: the comment's address for a browser. */
  readonly address: z.ZodType<string>;
  readonly user: {
    readonly answer: z.ZodType<string>;
    /** Whether a token of an app may not ask for its account. A workflow's GITHUB_TOKEN is one. */
    readonly mayBeRefused: boolean;
  };
}

/** The comments on one pull request or merge request. Every call rejects with CommandFailure. */
export class Comments {
  constructor(
    private readonly host: CodeHost,
    private readonly endpoints: CommentEndpoints,
  ) {}

  /** Those of people and programs, the oldest first. */
  async list(): Promise<readonly HostComment[]> {
    const { noun, subject, list } = this.endpoints;
    const operation = `read the ${noun}s on ${subject}`;
    const found: HostComment[] = [];
    const seen = new Set<string>();
    let path: string | undefined = list.firstPage;
    while (path !== undefined && !seen.has(path)) {
      if (seen.size === MOST_PAGES) {
        throw new CommandFailure(
          `Could not ${operation}: ${this.host.name} names a next page after ${MOST_PAGES} of ${PAGE_SIZE} ${noun}s.`,
        );
      }
      seen.add(path);
      const page: CodeHostAnswer<readonly HostComment[]> = await this.host.ask(
        { operation, method: "GET", path },
        list.answer,
      );
      found.push(...page.answer);
      path = list.nextPage(page.response, seen.size);
    }
    return found;
  }

  /** The account of the token. Undefined for an app that may not ask. */
  async me(): Promise<string | undefined> {
    const { answer, mayBeRefused } = this.endpoints.user;
    const request = { operation: "ask whose token this is", method: "GET", path: `${this.host.prefix}/user` } as const;
    try {
      return (await this.host.ask(request, answer)).answer;
    } catch (error) {
      const isRefused = error instanceof CodeHostError && !error.isRateLimit && error.status === 403;
      if (isRefused && mayBeRefused) return undefined;
      throw error;
    }
  }

  /** Resolves with the comment's address. */
  async create(body: string): Promise<string> {
    const { create, address } = this.endpoints;
    return (await this.host.ask({ ...create, method: "POST", body: { body } }, address)).answer;
  }

  /** Replaces the text. Rejects with CodeHostError if the comment is somebody else's, or no longer exists. */
  async update(id: number, body: string): Promise<string> {
    const { noun, update, address } = this.endpoints;
    const request = { ...update(id), operation: `change ${noun} ${id}`, body: { body } };
    return (await this.host.ask(request, address)).answer;
  }

  close(): Promise<void> {
    return this.host.close();
  }
}
