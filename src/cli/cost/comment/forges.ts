import type { Decimal } from "decimal.js";
import type { CommonOptions } from "../../command";
import { CommandFailure } from "../../command-failure";
import type { CliIo } from "../../io";
import { printable } from "../../../text/terminal-text";
import type { ReportOptions } from "../report-flags";
import { GithubComments } from "./github";
import { GitlabComments } from "./gitlab";
import type { ForgeComments, Given } from "./keep-comment";

/** The forges that a comment can be kept on. */
export type ForgeName = "github" | "gitlab";

/** The flags of `cloudinfra cost comment`. */
export interface CommentOptions extends ReportOptions, CommonOptions {
  /** A stack whose difference is smaller gets no comment of its own. */
  readonly minChange?: Decimal;
}

/** Those of `github`. */
export interface GithubOptions extends CommentOptions {
  /** The pull request's number. */
  readonly pr: number;
  /** `owner/name`; default: GITHUB_REPOSITORY. */
  readonly repo?: string;
}

/** Those of `gitlab`. */
export interface GitlabOptions extends CommentOptions {
  /** The merge request's number; default: CI_MERGE_REQUEST_IID. */
  readonly mr?: number;
  /** A number, or a path; default: CI_PROJECT_ID. */
  readonly project?: string;
}

/** Opens the forge of a command, from its flags and the environment that CI sets. Throws CommandFailure. */
export function openForge(forge: ForgeName, options: CommentOptions, io: CliIo): ForgeComments {
  return forge === "github" ? openGithub(options as GithubOptions, io) : openGitlab(options, io);
}

function openGithub({ repo, pr }: GithubOptions, { environment }: CliIo): GithubComments {
  const repository = given("--repo", repo, "GITHUB_REPOSITORY", environment);
  if (repository === undefined || !/^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/.test(repository.value)) {
    throw new CommandFailure(
      `Which repository? Give it as owner/name with --repo, or in GITHUB_REPOSITORY.${presentText(repository)}`,
    );
  }
  const token = tokenOf(environment["GITHUB_TOKEN"]);
  if (token === undefined) {
    throw new CommandFailure(
      "GITHUB_TOKEN is not set. Set it to a token that may write to the repository's pull requests.",
    );
  }
  const apiUrl = set(environment["GITHUB_API_URL"]) ?? "https://api.github.com";
  return new GithubComments({ apiUrl, repository, pullRequest: pr, token });
}

function openGitlab({ project: flag, mr }: GitlabOptions, { environment }: CliIo): GitlabComments {
  const project = given("--project", flag, "CI_PROJECT_ID", environment);
  if (project === undefined || !/^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/.test(project.value)) {
    throw new CommandFailure(
      `Which project? Give its number or its path with --project, or in CI_PROJECT_ID.${presentText(project)}`,
    );
  }
  const mergeRequest = mr ?? Number(set(environment["CI_MERGE_REQUEST_IID"]) ?? NaN);
  if (!Number.isSafeInteger(mergeRequest) || mergeRequest < 1) {
    throw new CommandFailure(
      "Which merge request? Give its number with --mr, or in CI_MERGE_REQUEST_IID, which GitLab sets in pipelines of merge requests.",
    );
  }
  const token = tokenOf(environment["GITLAB_TOKEN"]);
  if (token === undefined) {
    throw new CommandFailure(
      "GITLAB_TOKEN is not set. Set it to a project, group or personal token with the scope `api`: CI_JOB_TOKEN may not write notes.",
    );
  }
  const apiUrl = set(environment["CI_API_V4_URL"]) ?? "https://gitlab.com/api/v4";
  // CI sets the page's address, for the project of the pipeline.
  const isOwn = flag === undefined || flag === environment["CI_PROJECT_PATH"];
  const projectUrl = isOwn ? set(environment["CI_PROJECT_URL"]) : undefined;
  return new GitlabComments({ apiUrl, project, mergeRequest, token, projectUrl });
}

/** The value of a flag or, without one, of a variable. */
function given(
  flag: string,
  value: string | undefined,
  variable: string,
  environment: CliIo["environment"],
): Given | undefined {
  const inVariable = set(environment[variable]);
  if (value !== undefined) return { value, source: flag };
  return inVariable === undefined ? undefined : { value: inVariable, source: variable };
}

function presentText(present: Given | undefined): string {
  return present === undefined ? "" : ` Now ${present.source} is "${printable(present.value)}".`;
}

function tokenOf(text: string | undefined): string | undefined {
  const token = set(text);
  return token !== undefined && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

/** An empty variable counts as not set. */
function set(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
