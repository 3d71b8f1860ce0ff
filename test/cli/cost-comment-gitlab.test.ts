import { previewJson, step } from "./cost-previews";
import { GitlabStandIn } from "../support/gitlab-stand-in";
import { runCli, type CliResult } from "./support";

let gitlab: GitlabStandIn;
beforeEach(async () => {
  gitlab = await new GitlabStandIn().start();
});
afterEach(() => gitlab.close());

const preview = (before: string, after: string): string => previewJson([step("update", "link", { before, after })]);

/** Runs the command on a preview, as a pipeline of a merge request would. */
function comment(
  stdin = preview("10", "15"),
  flags: readonly string[] = [],
  environment = gitlab.environment,
): Promise<CliResult> {
  return runCli(["cost", "comment", "gitlab", "--preview", "-", ...flags], { environment, stdin });
}

const MARKER = "<!-- pulumi-cloudinfra cost: test/dev -->";

describe("cloudinfra cost comment gitlab", () => {
  it("when there is no note yet, it writes one, and says where it is", async () => {
    gitlab.add("Nice work!", { author: "somebody" });

    expect(await comment()).toEqual({
      code: 0,
      stdout: "dev: comment created: https://gitlab.example/group/infra/-/merge_requests/7#note_502\n",
      stderr: "",
    });
    expect(gitlab.notes.map(({ body }) => body)).toEqual([
      "Nice work!",
      expect.stringMatching(
        /^<!-- pulumi-cloudinfra cost: test\/dev -->\n\n### Monthly cost of `test\/dev`: \+\$5\.00, \+50%/,
      ),
    ]);
  });

  it("when a later run finds its note behind two pages of others, it changes that", async () => {
    for (let index = 0; index < 250; index += 1) gitlab.add(`${index}`, { author: "somebody" });
    const mine = gitlab.add(`${MARKER}\n\nold`);

    expect((await comment()).stdout).toMatch(/^dev: comment updated: .*#note_751\n$/);
    expect(mine.body).toContain("+$5.00");
    expect(gitlab.notes).toHaveLength(251);
    expect(gitlab.requests.filter((request) => /^GET .*notes/.test(request))).toHaveLength(3);
  });

  it("when the pages have no end, it stops, says so, and writes nothing", async () => {
    for (let index = 0; index <= 100 * 100; index += 1) gitlab.add(`${index}`, { author: "somebody" });

    const { code, stdout, stderr } = await comment();
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("GitLab names a next page after 100 of 100 notes.");
    expect(gitlab.requests.filter((request) => /notes$/.test(request)).map((request) => request.split(" ")[0])).toEqual(
      Array.from({ length: 100 }, () => "GET"),
    );
  });

  it("when the note is somebody else's, or GitLab's own, it is left alone", async () => {
    const theirs = gitlab.add(`${MARKER}\n\ntheirs`, { author: "somebody" });
    const system = gitlab.add(`${MARKER}\n\nsystem`, { system: true });

    expect((await comment()).stdout).toMatch(/created/);
    expect([theirs.body, system.body]).toEqual([`${MARKER}\n\ntheirs`, `${MARKER}\n\nsystem`]);
  });

  it("when a budget is exceeded, the note says so, and the code is 5", async () => {
    const { code } = await comment(undefined, ["--fail-over-total", "14"]);

    expect(code).toBe(5);
    expect(gitlab.notes[0]?.body.replaceAll("`", "")).toContain(
      "> - over budget: the total would be $15.00/mo, $1.00/mo over the budget of $14.00/mo: ~ ConnectConnection link",
    );
  });

  it.each([
    ["the project", { CI_PROJECT_ID: "" }, /^error: Which project\? .*--project.*CI_PROJECT_ID/],
    ["the merge request", { CI_MERGE_REQUEST_IID: "" }, /^error: Which merge request\? .*--mr.*CI_MERGE_REQUEST_IID/],
    ["the token", { GITLAB_TOKEN: "" }, /^error: GITLAB_TOKEN is not set/],
    ["a safe address", { CI_API_V4_URL: "http://gitlab.example" }, /^error: CI_API_V4_URL cannot be used/],
  ])("when it lacks %s, it says so before anything else", async (_, environment, words) => {
    const { code, stderr } = await comment("", [], { ...gitlab.environment, ...environment });

    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(gitlab.requests).toEqual([]);
  });

  it("when project and merge request are given as flags, they count", async () => {
    const environment = { ...gitlab.environment, CI_PROJECT_ID: "1", CI_MERGE_REQUEST_IID: "" };

    expect((await comment(undefined, ["--project", "group/infra", "--mr", "7"], environment)).stdout).toBe(
      "dev: comment created: note 501\n",
    );
  });
});

describe("a code host in trouble", () => {
  it.each([
    ["a reading", "GET", { status: 502, text: "<html>" }],
    ["a writing", "POST", { status: 503, message: "busy" }],
    ["the rate", "POST", { status: 429, headers: { "retry-after": "3" } }],
  ])("when %s is refused for a while, it tries again, and there is one note", async (_, method, answer) => {
    gitlab.refuse[method] = [answer, answer];

    expect(await comment()).toMatchObject({ code: 0, stdout: expect.stringMatching(/created/) as string });
    expect(gitlab.notes).toHaveLength(1);
  });

  it("when a note was written although the answer says otherwise, no second one is", async () => {
    gitlab.lostAnswers = 1;

    expect((await comment()).stdout).toMatch(/updated/);
    expect(
      gitlab.requests.filter((request) => request.includes("notes")).map((request) => request.split(" ")[0]),
    ).toEqual(["GET", "POST", "GET", "PUT"]);
    expect(gitlab.notes).toHaveLength(1);
  });

  it("when it does not end, it says what came back, without the token", async () => {
    const answer = { status: 500, message: `oh ${gitlab.token}` };
    gitlab.refuse["GET"] = Array.from({ length: 10 }, () => answer);
    const { code, stderr } = await comment();

    expect(code).toBe(1);
    expect(stderr).toBe(
      "error: Could not read the notes on merge request 7: GitLab answered 500 (oh [token]). Try again.\n",
    );
    expect(gitlab.requests).toHaveLength(4);
  });

  it("when there is no such project, it says which one was given, and where", async () => {
    gitlab.refuse["GET"] = [{ status: 404, message: "404 Project Not Found" }];
    const { code, stderr } = await comment(undefined, ["--project", "group/infar"]);

    expect(code).toBe(1);
    expect(stderr).toMatch(
      /404 .*no such project or merge request, .*The project is "group\/infar" \(--project\)\.\n$/,
    );
  });

  it("when the refusal is for good, it is not tried again", async () => {
    gitlab.refuse["GET"] = [{ status: 403, message: "insufficient_scope" }];
    const { code, stderr } = await comment();

    expect(code).toBe(1);
    expect(stderr).toMatch(/GitLab answered 403 \(insufficient_scope\)\. .*scope `api`/);
    expect(gitlab.requests).toHaveLength(1);
  });
});
