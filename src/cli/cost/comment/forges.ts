import { CommandFailure } from "../../command-failure";
import type { CliIo } from "../../io";
import { GithubComments } from "./github";
import { GitlabComments } from "./gitlab";
import type { ForgeComments } from "./keep-comment";
import type { CommentOptions, ForgeName, GithubOptions, GitlabOptions } from "./options";

/** Opens the forge of a command, from its flags and the environment that CI sets. Throws CommandFailure. */
export function openForge(forge: ForgeName, options: CommentOptions, io: CliIo): ForgeComments {
  return forge === "github" ? openGithub(options as GithubOptions, io) : openGitlab(options, io);
}

function openGithub({ repo, pr }: GithubOptions, { environment }: CliIo): GithubComments {
  const repository = repo ?? set(environment["GITHUB_REPOSITORY"]);
  if (repository === undefined || !/^[\w-]+\/(?!\.{1,2}$)[\w.-]+$/.test(repository)) {
    throw new CommandFailure("Which repository? Give it as owner/name with --repo, or in GITHUB_REPOSITORY.");
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

function openGitlab({ project: given, mr }: GitlabOptions, { environment }: CliIo): GitlabComments {
  const project = given ?? set(environment["CI_PROJECT_ID"]);
  if (project === undefined || !/^(?:\d+|[\w.-]+(?:\/[\w.-]+)+)$/.test(project)) {
    throw new CommandFailure("Which project? Give its number or its path with --project, or in CI_PROJECT_ID.");
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
  const isOwn = given === undefined || given === environment["CI_PROJECT_PATH"];
  const projectUrl = isOwn ? set(environment["CI_PROJECT_URL"]) : undefined;
  return new GitlabComments({ apiUrl, project, mergeRequest, token, projectUrl });
}

function tokenOf(text: string | undefined): string | undefined {
  const token = set(text);
  return token !== undefined && /^[\x21-\x7e]+$/.test(token) ? token : undefined;
}

/** An empty variable counts as not set. */
function set(value: string | undefined): string | undefined {
  return value === "" ? undefined : value;
}
