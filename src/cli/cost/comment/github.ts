import { z } from "zod";
import { encodePath } from "../../../api/http/request";
import type { HttpResponse } from "../../../api/http/response";
import type { CliIo } from "../../io";
import { valueWithSource, tokenOf, variableOf, Comments, PAGE_SIZE } from "./comments";

export interface GithubOptions {
  readonly pr: number;
  /** `owner/name`; default: GITHUB_REPOSITORY. */
  readonly repo?: string;
}

const user = z.looseObject({ login: z.string() });
const comment = z
  .looseObject({ id: z.number().int(), body: z.string().nullish(), user: user.nullish().catch(undefined) })
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
    user: user.transform(({ login }) => login),
    mayHideUser: true,
  });
}

/** The query of the next page's address. The rest of the address is ignored, so that the request goes to the same host. */
function nextPage({ headers }: HttpResponse): string | undefined {
  const link = [headers["link"] ?? []].flat().join(", ");
  const [, address = ""] = /<([^<>]*)>\s*;[^<]*\brel="?next"?/.exec(link) ?? [];
  return URL.canParse(address) ? new URL(address).search : undefined;
}
