import type { IncomingMessage } from "node:http";
import { HttpStandIn, type StandInAnswer, type StandInComment } from "./http-stand-in";

const PREFIX = "/api/v4";
const NOTES = "/projects/group%2Finfra/merge_requests/7/notes";

/**
 * Stands in for GitLab's REST API: the notes on merge request 7 of `group/infra`. The token belongs to `me`, and cannot
 * change others' notes.
 */
export class GitlabStandIn extends HttpStandIn {
  readonly token = "glpat-canary-token";
  readonly me = "project_bot";
  readonly notes: (StandInComment & { readonly system?: boolean })[] = [];
  /** Answers in place of the usual ones, by method: the first for the first request, and so on. */
  readonly refuse: Record<string, StandInAnswer[]> = {};
  /** The number of notes that are written although the answer is an error. */
  lostResponses = 0;
  #lastId = 500;

  /** The environment of a merge request's pipeline, for the command to find the stand-in. */
  get environment(): Readonly<Record<string, string>> {
    return {
      CI_API_V4_URL: this.origin + PREFIX,
      CI_PROJECT_ID: "group/infra",
      CI_PROJECT_URL: "https://gitlab.example/group/infra",
      CI_MERGE_REQUEST_IID: "7",
      GITLAB_TOKEN: this.token,
    };
  }

  /** An existing note. */
  add(body: string, { author = this.me, system = false } = {}): StandInComment {
    const added = { id: (this.#lastId += 1), author, body, system };
    this.notes.push(added);
    return added;
  }

  protected override answer({ method = "", url = "", headers }: IncomingMessage, sent: string): StandInAnswer {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    const path = pathname.slice(PREFIX.length);
    this.requests.push(`${method} ${path}`);
    if (headers["private-token"] !== this.token) return { status: 401, message: "401 Unauthorized" };
    const refusal = this.refuse[method]?.shift();
    if (refusal) return refusal;
    if (path === "/user") return { status: 200, body: { username: this.me } };
    const { body = "" } = (sent === "" ? {} : JSON.parse(sent)) as { body?: string };
    if (path === NOTES && method === "POST") {
      const added = this.add(body);
      return (this.lostResponses -= 1) >= 0 ? { status: 504, text: "" } : { status: 201, body: shown(added) };
    }
    if (path === NOTES) return this.#page(Number(searchParams.get("page")), Number(searchParams.get("per_page")));
    const note = this.notes.find(({ id }) => path === `${NOTES}/${id}`);
    if (method !== "PUT" || !note) return { status: 404, message: "404 Not found" };
    if (note.author !== this.me) return { status: 403, message: "403 Forbidden" };
    note.body = body;
    return { status: 200, body: shown(note) };
  }

  #page(page: number, size: number): StandInAnswer {
    const isLast = page * size >= this.notes.length;
    const body = this.notes.slice((page - 1) * size, page * size).map(shown);
    return { status: 200, body, headers: { "x-next-page": isLast ? "" : String(page + 1) } };
  }
}

function shown({ id, body, author, system = false }: StandInComment & { readonly system?: boolean }): object {
  return { id, body, system, author: { username: author } };
}
