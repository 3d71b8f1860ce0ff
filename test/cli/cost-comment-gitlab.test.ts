import { previewJson, step } from "./cost-previews";
import { GitlabStandIn } from "../support/gitlab-stand-in";
import { runCli, type CliResult } from "./support";
import { forEachTest } from "../support/suite";
import { codeHostError } from "../../src/cli/cost/comment/comments";

const gitlab = forEachTest(() => new GitlabStandIn().start());

const preview = (before: string, after: string): string => previewJson([step("update", "link", { before, after })]);

/** Runs the command on a preview, as the pipeline of a merge request would. */
function comment(
  stdin = preview("10", "15"),
  flags: readonly string[] = [],
  environment = gitlab.environment,
): Promise<CliResult> {
  return runCli(["cost", "comment", "gitlab", "--preview", "-", ...flags], { environment, stdin });
}

const MARKER = "<!-- pulumi-cloudinfra cost: test/dev -->";

describe("cloudinfra cost comment gitlab", () => {
  it("writes the first note, and prints its address", async () => {
    gitlab.add("Nice work!", { author: "somebody" });
    const stdout = "dev: comment created: https://gitlab.example/group/infra/-/merge_requests/7#note_502\n";
    expect(await comment()).toEqual({ code: 0, stdout, stderr: "" });
    const [others, own = ""] = gitlab.notes.map(({ body }) => body);
    expect(others).toBe("Nice work!");
    expect(own.indexOf(`${MARKER}\n\n### Monthly cost of \`test/dev\`: +$5.00, +50%`)).toBe(0);
  });

  it("updates its note behind two pages of others", async () => {
    for (let index = 0; index < 250; index += 1) gitlab.add(`${index}`, { author: "somebody" });
    const mine = gitlab.add(`${MARKER}\n\nold`);
    expect((await comment()).stdout).toMatch(/^dev: comment updated: .*#note_751\n$/);
    expect(mine.body).toContain("+$5.00");
    expect(gitlab.notes).toHaveLength(251);
    expect(gitlab.requests.filter((request) => /^GET .*notes/.test(request))).toHaveLength(3);
  });

  it("leaves notes of others and of GitLab alone", async () => {
    const theirs = gitlab.add(`${MARKER}\n\ntheirs`, { author: "somebody" });
    const system = gitlab.add(`${MARKER}\n\nsystem`, { system: true });
    expect((await comment()).stdout).toMatch(/created/);
    expect([theirs.body, system.body]).toEqual([`${MARKER}\n\ntheirs`, `${MARKER}\n\nsystem`]);
  });

  it.each([
    ["the project", { CI_PROJECT_ID: "" }, /^error: Which project\? .*--project.*CI_PROJECT_ID/],
    ["the merge request", { CI_MERGE_REQUEST_IID: "" }, /^error: Which merge request\? .*--mr.*CI_MERGE_REQUEST_IID/],
    ["the token", { GITLAB_TOKEN: "" }, /^error: GITLAB_TOKEN is not set/],
    ["a safe address", { CI_API_V4_URL: "http://gitlab.example" }, /^error: CI_API_V4_URL cannot be used/],
  ])("sends nothing to GitLab without %s", async (_, environment, words) => {
    const { code, stderr } = await comment("", [], { ...gitlab.environment, ...environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(gitlab.requests).toEqual([]);
  });

  it("takes project and merge request from flags", async () => {
    const environment = { ...gitlab.environment, CI_PROJECT_ID: "1", CI_MERGE_REQUEST_IID: "" };
    const { stdout } = await comment(undefined, ["--project", "group/infra", "--mr", "7"], environment);
    expect(stdout).toBe("dev: comment created: note 501\n");
  });
});

describe("a failing GitLab", () => {
  it.each([
    ["a read after a 502", "GET", { status: 502, text: "<html>" }],
    ["a write after a 503", "POST", { status: 503, message: "busy" }],
    ["a write after a 429", "POST", { status: 429, headers: { "retry-after": "3" } }],
  ])("repeats %s", async (_, method, answer) => {
    gitlab.refuse[method] = [answer, answer];
    expect(await comment()).toMatchObject({ code: 0, stdout: expect.stringMatching(/created/) as string });
    expect(gitlab.notes).toHaveLength(1);
  });

  it("writes no second note after a lost response", async () => {
    gitlab.lostResponses = 1;
    expect((await comment()).stdout).toMatch(/updated/);
    const sent = gitlab.requests.filter((request) => request.includes("notes"));
    expect(sent.map((request) => request.split(" ")[0])).toEqual(["GET", "POST", "GET", "PUT"]);
    expect(gitlab.notes).toHaveLength(1);
  });

  it("names a permanent failure, without the token", async () => {
    gitlab.refuse["GET"] = Array.from({ length: 10 }, () => ({ status: 500, message: `oh ${gitlab.token}` }));
    const stderr = "error: Could not read the notes on merge request 7: GitLab answered 500 (oh [token]). Try again.\n";
    expect(await comment()).toEqual({ code: 1, stdout: "", stderr });
    expect(gitlab.requests).toHaveLength(4);
  });

  it.each([
    [404, "Project Not Found", /no such project or merge request, .* The project is "group\/infar" \(--project\)\.\n$/],
    [403, "insufficient_scope", /GitLab answered 403 \(insufficient_scope\)\. .*scope `api`/],
  ])("does not repeat after the permanent refusal %i, and advises", async (status, message, words) => {
    gitlab.refuse["GET"] = [{ status, message }];
    const { code, stderr } = await comment(undefined, ["--project", "group/infar"]);
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(gitlab.requests).toHaveLength(1);
  });
});

const advice = { 401: "", 403: "", 404: "", moved: "" };
const retryAfter = (status: number, headers: Readonly<Record<string, string>>): number | undefined =>
  codeHostError("comment", { status, headers, text: "" }, { name: "GitHub", token: "token", advice }).retryAfterMs;

it.each([
  ["0", 0],
  ["30", 30_000],
  ["31", undefined],
  ["-1", undefined],
  ["soon", undefined],
])("waits for a rate limit of up to 30 s: %s s", (seconds, waitMs) => {
  expect(retryAfter(429, { "retry-after": seconds })).toBe(waitMs);
  expect(retryAfter(403, { "retry-after": seconds })).toBe(waitMs);
});

it("retries a server error at once, and a refusal never", () => {
  expect(retryAfter(502, { "retry-after": "10" })).toBe(0);
  expect(retryAfter(404, { "retry-after": "10" })).toBeUndefined();
  expect(retryAfter(403, {})).toBeUndefined();
});
