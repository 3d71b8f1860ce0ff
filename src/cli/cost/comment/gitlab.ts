import { z } from "zod";
import { encodePath } from "../../../api/http/request";
import { CommandFailure } from "../../command-failure";
import type { CliIo } from "../../io";
import { valueWithSource, tokenOf, variableOf, Comments, PAGE_SIZE } from "./comments";

export interface GitlabOptions {
  /** The merge request's number; default: CI_MERGE_REQUEST_IID. */
  readonly mr?: number;
  /** A number, or a path; default: CI_PROJECT_ID. */
  readonly project?: string;
}

const user = z.looseObject({ username: z.string() });
const note = z.looseObject({
  id: z.number().int(),
  body: z.string().nullish(),
  system: z.boolean().optional(),
  author: user.nullish().catch(undefined),
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
    user: user.transform(({ username }) => username),
    mayHideUser: false,
  });
}
