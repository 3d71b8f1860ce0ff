import { z } from "zod";
import { encodePath } from "../../../api/http/request";
import { CommandFailure } from "../../command-failure";
import { Forge } from "./forge";
import type { ForgeComment, ForgeComments, Given } from "./keep-comment";

/** The merge request, and the token. */
export interface GitlabAccess {
  readonly apiUrl: string;
  /** A number, or `group/name`. */
  readonly project: Given;
  readonly mergeRequest: number;
  readonly token: string;
  /** The project's page, which begins a note's address. Undefined if it is not known. */
  readonly projectUrl: string | undefined;
}

const PAGE_SIZE = 100;
/** More notes than any merge request has. */
const MOST_PAGES = 100;

const user = z.looseObject({ username: z.string() });
const note = z.looseObject({
  id: z.number().int(),
  body: z.string().nullish(),
  system: z.boolean().optional(),
  author: user.nullish().catch(undefined),
});

/** The notes on one merge request, through GitLab's REST API. Every call rejects with CommandFailure. */
export class GitlabComments implements ForgeComments {
  readonly #forge: Forge;
  readonly #access: GitlabAccess;

  constructor(access: GitlabAccess) {
    this.#access = access;
    this.#forge = new Forge({
      name: "GitLab",
      adviceOf: (status) => adviceOf(status, access),
      apiUrl: access.apiUrl,
      apiUrlSource: ["CI_API_V4_URL", "https://gitlab.com/api/v4"],
      token: access.token,
      headers: { accept: "application/json", "private-token": access.token },
    });
  }

  /** All notes of people and programs, the oldest first. */
  async list(): Promise<readonly ForgeComment[]> {
    const found: ForgeComment[] = [];
    const what = `read the notes on merge request ${this.#access.mergeRequest}`;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const path = `${this.#path()}?per_page=${PAGE_SIZE}&page=${page}&sort=asc&order_by=created_at`;
      const { answer, response } = await this.#forge.ask({ what, method: "GET", path }, z.array(note));
      const written = answer.filter(({ system }) => system !== true);
      found.push(...written.map(({ id, body, author }) => ({ id, body: body ?? "", author: author?.username })));
      // Empty on the last page.
      if (Number([response.headers["x-next-page"] ?? ""].flat()[0]) !== page + 1) return found;
    }
    throw new CommandFailure(`Could not ${what}: GitLab names a next page after ${MOST_PAGES} of ${PAGE_SIZE} notes.`);
  }

  /** The owner of the token. */
  async me(): Promise<string> {
    const request = { what: "ask whose token this is", method: "GET", path: `${this.#forge.prefix}/user` } as const;
    return (await this.#forge.ask(request, user)).answer.username;
  }

  /** Writes a note. Resolves with its address for a browser. */
  async create(body: string): Promise<string> {
    const what = `write a note on merge request ${this.#access.mergeRequest}`;
    const { answer } = await this.#forge.ask({ what, method: "POST", path: this.#path(), body: { body } }, note);
    return this.#addressOf(answer.id);
  }

  /** Replaces the text of a note. Rejects with ForgeError if it is somebody else's, or gone. */
  async update(id: number, body: string): Promise<string> {
    const request = {
      what: `change note ${id}`,
      method: "PUT",
      path: `${this.#path()}/${id}`,
      body: { body },
    } as const;
    return this.#addressOf((await this.#forge.ask(request, note)).answer.id);
  }

  close(): Promise<void> {
    return this.#forge.close();
  }

  #path(): string {
    const { project, mergeRequest } = this.#access;
    // A project's path is one segment here, with escaped slashes.
    const segments = encodePath(["projects", project.value, "merge_requests", String(mergeRequest), "notes"]);
    return `${this.#forge.prefix}${segments}`;
  }

  /** GitLab does not say it. */
  #addressOf(id: number): string {
    const { projectUrl, mergeRequest } = this.#access;
    return projectUrl === undefined ? `note ${id}` : `${projectUrl}/-/merge_requests/${mergeRequest}#note_${id}`;
  }
}

function adviceOf(status: number, { project: { value, source } }: GitlabAccess): string {
  switch (status) {
    case 401:
      return "The token in GITLAB_TOKEN is not valid, or no longer valid.";
    case 403:
      return "The token lacks a permission: it needs the scope `api`, and the role Reporter or a higher one. (CI_JOB_TOKEN may not write notes.)";
    case 404:
      return `Either there is no such project or merge request, or the token may not see it. The project is "${value}" (${source}).`;
    default:
      return status >= 300 && status < 400 ? "The project has moved: give its present path with --project." : "";
  }
}
