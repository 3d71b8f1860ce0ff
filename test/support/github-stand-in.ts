import type { IncomingMessage } from "node:http";
import { HttpStandIn, type StandInAnswer, type StandInComment } from "./http-stand-in";

const LONGEST_BODY = 65_536;
const PREFIX = "/api/v3";

/**
 * Stands in for GitHub's REST API: the comments on pull request 12 of `octo/infra`. The token belongs to `me`, and
 * cannot change others' comments.
 */
export class GithubStandIn extends HttpStandIn {
  readonly token = "ghs_canary-token";
  me = "github-actions[bot]";
  /** True if the token may change others' comments, as somebody with write access may. */
  maySeeToOthers = false;
  readonly comments: StandInComment[] = [];
  /** Answers in place of the usual ones, by method. */
  readonly refuse: Partial<Record<string, StandInAnswer>> = {};
  /** The Link header, in place of the next page's own address. */
  nextPage: string | undefined;
  #lastId = 1_000;

  /** The environment of a workflow, for the command to find the stand-in. */
  get environment(): Readonly<Record<string, string>> {
    return { GITHUB_API_URL: this.url, GITHUB_REPOSITORY: "octo/infra", GITHUB_TOKEN: this.token };
  }

  get url(): string {
    return this.origin + PREFIX;
  }

  /** An existing comment. */
  add(body: string, author = this.me): StandInComment {
    const comment = { id: (this.#lastId += 1), author, body };
    this.comments.push(comment);
    return comment;
  }

  protected override answer({ method = "", url = "", headers }: IncomingMessage, sent: string): StandInAnswer {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    this.requests.push(`${method} ${pathname.slice(PREFIX.length)}`);
    if (headers["user-agent"] === undefined) return { status: 403, message: "User-Agent required" };
    if (headers.authorization !== `Bearer ${this.token}`) return { status: 401, message: "Bad credentials" };
    const refusal = this.refuse[method];
    if (refusal) return refusal;

    const { body } = (sent === "" ? {} : JSON.parse(sent)) as { body?: string };
    if (body !== undefined && (body === "" || body.length > LONGEST_BODY)) {
      return { status: 422, message: "Validation Failed" };
    }
    if (pathname === `${PREFIX}/user`) {
      const isBot = this.me.endsWith("[bot]");
      return isBot
        ? { status: 403, message: "Resource not accessible by integration" }
        : { status: 200, body: { login: this.me } };
    }
    if (pathname === `${PREFIX}/repos/octo/infra/issues/12/comments`) {
      if (method === "POST") return { status: 201, body: shown(this.add(body ?? "")) };
      return this.#page(Number(searchParams.get("page") ?? 1), Number(searchParams.get("per_page")));
    }
    const [, id] = /^\/repos\/octo\/infra\/issues\/comments\/(\d+)$/.exec(pathname.slice(PREFIX.length)) ?? [];
    const comment = this.comments.find((one) => one.id === Number(id));
    if (method !== "PATCH" || !comment) return { status: 404, message: "Not Found" };
    if (comment.author !== this.me && !this.maySeeToOthers)
      return { status: 403, message: "Resource not accessible by integration" };
    comment.body = body ?? "";
    return { status: 200, body: shown(comment) };
  }

  #page(page: number, size: number): StandInAnswer {
    const last = Math.max(Math.ceil(this.comments.length / size), 1);
    const address = `${this.url}/repos/octo/infra/issues/12/comments?per_page=${size}&page=`;
    const next = `<${this.nextPage ?? `${address}${page + 1}`}>; rel="next"`;
    const links = [
      ...(page > 1 ? [`<${address}1>; rel="first"`, `<${address}${page - 1}>; rel="prev"`] : []),
      ...(page < last ? [next, `<${address}${last}>; rel="last"`] : []),
    ];
    const body = this.comments.slice((page - 1) * size, page * size).map(shown);
    return { status: 200, body, headers: links.length > 0 ? { link: links.join(", ") } : {} };
  }
}

function shown({ id, author, body }: StandInComment): object {
  const html_url = `https://github.example/octo/infra/pull/12#issuecomment-${id}`;
  return { id, body, html_url, user: { login: author } };
}
