import { z } from "zod";
import { encodePath } from "../../../api/http/request";
import type { HttpResponse } from "../../../api/http/response";
import type { CliIo } from "../../io";
import { Comments, PAGE_SIZE } from "./comments";
import type { Environment } from "../../../process/user-folders";
import { printable } from "../../../text/terminal-text";
import { CommandFailure } from "../../command-failure";

export interface GithubOptions {
  readonly pr: number;
  /** `owner/name`; default: GITHUB_REPOSITORY. */
  readonly repo?: string;
}

const githubUser = z.looseObject({ login: z.string() });
const comment = z
  .looseObject({ id: z.number().int(), body: z.string().nullish(), user: githubUser.nullish().catch(undefined) })
  .transform(({ id, body, user: by }) => ({ id, body: body ?? "", author: by?.login }));

/** The comments on a pull request, from the flags and the environment that CI sets. Throws CommandFailure. */
export function githubComments({ repo, pr }: GithubOptions, { environment }: CliIo): Comments {
  const repository = valueWithSource(["--repo", repo], "GITHUB_REPOSITORY", environment, {
    form: /^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/,
    question: "Which repository? Give it as owner/name with --repo, or in GITHUB_REPOSITORY.",
  });
  const token = tokenOf(environment, "GITHUB_TOKEN", "a token that may write to the repository's pull requests.");
  const issues = `/repos${encodePath(repository.value.split("/"))}/issues`;
  return new Comments({
    name: "GitHub",
    token,
    advice: {
      401: "The token in GITHUB_TOKEN is not valid, or no longer valid.",
      403: 'The token lacks a permission: a workflow needs "pull-requests: write", and a pull request from a fork never gets it.',
      404: `Either there is no such repository or pull request, or the token may not see it. The repository is "${repository.value}" (${repository.source}).`,
      moved: "The repository has moved: give its present name with --repo.",
    },
    url: variableOf(environment, "GITHUB_API_URL") ?? "https://api.github.com",
    urlSource: ["GITHUB_API_URL", "https://api.github.com"],
    headers: {
      accept: "application/vnd.github+json",
      authorization: `Bearer ${token}`,
      "x-github-api-version": "2022-11-28",
    },
    noun: "comment",
    subject: `pull request ${pr}`,
    path: `${issues}/${pr}/comments`,
    firstPage: `?per_page=${PAGE_SIZE}`,
    nextPage,
    page: z.array(comment),
    update: (id) => ({ method: "PATCH", path: `${issues}/comments/${id}` }),
    address: z.looseObject({ html_url: z.string() }).transform(({ html_url }) => html_url),
    user: githubUser.transform(({ login }) => login),
    mayHideUser: true,
  });
}

/**
 * The query of the next page's address. The rest of the address is ignored, so that the request goes to the same host.
 */
function nextPage({ headers }: HttpResponse): string | undefined {
  const link = [headers["link"] ?? []].flat().join(", ");
  const [, address = ""] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(link) ?? [];
  return URL.canParse(address) ? new URL(address).search : undefined;
}

export interface GitlabOptions {
  /** The merge request's number; default: CI_MERGE_REQUEST_IID. */
  readonly mr?: number;
  /** A number, or a path; default: CI_PROJECT_ID. */
  readonly project?: string;
}

const gitlabUser = z.looseObject({ username: z.string() });
const note = z.looseObject({
  id: z.number().int(),
  body: z.string().nullish(),
  system: z.boolean().optional(),
  author: gitlabUser.nullish().catch(undefined),
});
/** Leaves out GitLab's own notes. */
const notes = z
  .array(note)
  .transform((all) =>
    all
      .filter(({ system }) => system !== true)
      .map(({ id, body, author }) => ({ id, body: body ?? "", author: author?.username })),
  );

/** The notes on a merge request, from the flags and the environment that CI sets. Throws CommandFailure. */
export function gitlabComments({ project: flag, mr }: GitlabOptions, { environment }: CliIo): Comments {
  const project = valueWithSource(["--project", flag], "CI_PROJECT_ID", environment, {
    form: /^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/,
    question: "Which project? Give its number or its path with --project, or in CI_PROJECT_ID.",
  });
  const mergeRequest = mr ?? Number(variableOf(environment, "CI_MERGE_REQUEST_IID") ?? NaN);
  if (!Number.isSafeInteger(mergeRequest) || mergeRequest < 1) {
    throw new CommandFailure(
      "Which merge request? Give its number with --mr, or in CI_MERGE_REQUEST_IID, which GitLab sets in pipelines of merge requests.",
    );
  }
  const token = tokenOf(
    environment,
    "GITLAB_TOKEN",
    "a project, group or personal token with the scope `api`: CI_JOB_TOKEN may not write notes.",
  );
  // CI sets the web address for the project of the pipeline only.
  const isOwn = flag === undefined || flag === environment["CI_PROJECT_PATH"];
  const projectUrl = isOwn ? variableOf(environment, "CI_PROJECT_URL") : undefined;
  // A project's path is a single segment of the URL, with escaped slashes.
  const path = encodePath(["projects", project.value, "merge_requests", String(mergeRequest), "notes"]);
  const pageOf = (page: number): string => `?per_page=${PAGE_SIZE}&page=${page}&sort=asc&order_by=created_at`;
  return new Comments({
    name: "GitLab",
    token,
    advice: {
      401: "The token in GITLAB_TOKEN is not valid, or no longer valid.",
      403: "The token lacks a permission: it needs the scope `api`, and the role Reporter or a higher one. (CI_JOB_TOKEN may not write notes.)",
      404: `Either there is no such project or merge request, or the token may not see it. The project is "${project.value}" (${project.source}).`,
      moved: "The project has moved: give its present path with --project.",
    },
    url: variableOf(environment, "CI_API_V4_URL") ?? "https://gitlab.com/api/v4",
    urlSource: ["CI_API_V4_URL", "https://gitlab.com/api/v4"],
    headers: { accept: "application/json", "private-token": token },
    noun: "note",
    subject: `merge request ${mergeRequest}`,
    path,
    firstPage: pageOf(1),
    // The header is empty on the last page.
    nextPage: ({ headers }, page) =>
      Number([headers["x-next-page"] ?? ""].flat()[0]) === page + 1 ? pageOf(page + 1) : undefined,
    page: notes,
    update: (id) => ({ method: "PUT", path: `${path}/${id}` }),
    // GitLab's answer has no address.
    address: note.transform(({ id }) =>
      projectUrl === undefined ? `note ${id}` : `${projectUrl}/-/merge_requests/${mergeRequest}#note_${id}`,
    ),
    user: gitlabUser.transform(({ username }) => username),
    mayHideUser: false,
  });
}

/**
 * The value of a flag or, without one, of a variable, and which of them it comes from. Throws CommandFailure with the
 * question if the value does not have the right form.
 */
function valueWithSource(
  [flag, value]: readonly [flag: string, value: string | undefined],
  variable: string,
  environment: Environment,
  { form, question }: { readonly form: RegExp; readonly question: string },
): { readonly value: string; readonly source: string } {
  const inVariable = variableOf(environment, variable);
  const found = value !== undefined ? { value, source: flag } : inVariable && { value: inVariable, source: variable };
  if (found && form.test(found.value)) return found;
  throw new CommandFailure(`${question}${found ? ` Now ${found.source} is "${printable(found.value)}".` : ""}`);
}

/** The token in a variable. Throws CommandFailure if it is missing or cannot be sent in a header. */
function tokenOf(environment: Environment, variable: string, howToSet: string): string {
  const token = variableOf(environment, variable);
  if (token !== undefined && /^[\x21-\x7e]+$/.test(token)) return token;
  throw new CommandFailure(`${variable} is not set. Set it to ${howToSet}`);
}

/** An empty variable counts as not set. */
function variableOf(environment: Environment, name: string): string | undefined {
  return environment[name] || undefined;
}
