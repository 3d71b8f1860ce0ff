import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewJson, step } from "./cost-previews";
import { GithubStandIn } from "../support/github-stand-in";
import type { StandInAnswer } from "../support/http-stand-in";
import { PulumiProject, runCli, type CliResult } from "./support";
import { folderForSuite, forEachTest } from "../support/suite";

const folder = folderForSuite("comment");
let files = 0;

const github = forEachTest(() => new GithubStandIn().start());

/** A file with a preview that changes the cost of one connection. */
function previewFile(before: string, after: string, stack = "dev"): string {
  return fileOf([step("update", "link", { before, after, stack, project: "shop" })]);
}

function fileOf(steps: Parameters<typeof previewJson>[0]): string {
  const file = join(folder, `${(files += 1)}.json`);
  writeFileSync(file, previewJson(steps));
  return file;
}

/** Runs the command on these previews, as a workflow would. */
function comment(
  previews: readonly string[],
  flags: readonly string[] = [],
  environment = github.environment,
): Promise<CliResult> {
  const given = previews.flatMap((file) => ["--preview", file]);
  return runCli(["cost", "comment", "github", "--pr", "12", ...given, ...flags], { environment, cwd: folder });
}

/** The increase that each comment shows. */
const increases = (): readonly unknown[] => github.comments.map(({ body }) => /\+\$[\d.]+/.exec(body)?.[0]);

const MARKER = "<!-- pulumi-cloudinfra cost: shop/dev -->";
let dearer: string;
beforeAll(() => void (dearer = previewFile("10", "15")));

describe("cloudinfra cost comment github", () => {
  it("writes the first comment, and prints its address", async () => {
    github.add("Nice work!", "somebody");
    const stdout = "dev: comment created: https://github.example/octo/infra/pull/12#issuecomment-1002\n";
    expect(await comment([dearer])).toEqual({ code: 0, stdout, stderr: "" });
    const [others, own = ""] = github.comments.map(({ body }) => body);
    expect(others).toBe("Nice work!");
    expect(own.indexOf(`${MARKER}\n\n### Monthly cost of \`shop/dev\`: +$5.00, +50% ($10.00 → $15.00)\n`)).toBe(0);
  });

  describe("of a stack in Pulumi", () => {
    const project = forEachTest(() => new PulumiProject());
    const commentOn = (...flags: string[]): Promise<CliResult> =>
      runCli(["cost", "comment", "github", "--pr", "12", ...flags], {
        environment: { ...github.environment, ...project.environment },
        cwd: project.folder,
      });
    const preview = previewJson([step("update", "link", { before: "10", after: "15", project: "test" })]);

    it("marks the comment with the organization", async () => {
      project.preview(preview, { name: "acme/test/dev" });
      expect(await commentOn()).toMatchObject({ code: 0 });
      expect(github.comments[0]?.body).toMatch(/^<!-- pulumi-cloudinfra cost: acme\/test\/dev -->\n/);
    });

    it("writes no comment if Pulumi does not say the organization", async () => {
      project.preview(preview, { nameFault: "the backend is away" });
      const stderr =
        "previewing the stack dev…\nerror: No comment was written for dev: Pulumi did not say the stack's organization, which marks its comment: " +
        "the backend is away. Run this again, or give the complete name with --stack organization/project/stack.\n";
      expect(await commentOn("--stack", "dev")).toEqual({ code: 1, stdout: "", stderr });
      expect(github.comments).toEqual([]);
      expect(await commentOn("--stack", "acme/dev")).toMatchObject({ code: 0 });
    });
  });

  it("updates the later of two own comments", async () => {
    const [earlier, later] = [github.add(`${MARKER}\n\nearlier`), github.add(`${MARKER}\n\nlater`)];
    await comment([dearer]);
    expect([earlier.body, later.body]).toEqual([`${MARKER}\n\nearlier`, expect.stringContaining("+$5.00")]);
  });

  it("finds its comment on the last of many pages", async () => {
    const mine = github.add(`${MARKER}\n\nold`);
    for (let id = 0; id < 250; id += 1) github.comments.unshift({ id, author: "x", body: `${id}` });
    await comment([dearer]);
    expect(mine.body).toContain("+$5.00");
    expect(github.requests.filter((request) => /^GET .*comments/.test(request))).toHaveLength(3);
    expect(github.comments).toHaveLength(251);
  });

  it("writes a comment for each stack", async () => {
    const { stdout } = await comment([dearer, previewFile("1", "2", "prod")]);
    expect(stdout).toMatch(/^dev: comment created: .*\nprod: comment created: .*\n$/);
    await comment([dearer, previewFile("1", "3", "prod")]);
    expect(increases()).toEqual(["+$5.00", "+$2.00"]);
  });

  it("does not take a quotation for its comment", async () => {
    const quotation = github.add(`> ${MARKER}\n> what about this?\n\n${MARKER}`);
    await comment([dearer]);
    expect(quotation.body).toContain("what about this?");
    expect(github.comments).toHaveLength(2);
  });

  it.each([
    ["a workflow", "github-actions[bot]", true],
    ["a person", "octocat", true],
    ["a restricted bot", "my-bot", false],
  ])("leaves others' comments alone with the token of %s", async (_whose, me, maySeeToOthers) => {
    Object.assign(github, { me, maySeeToOthers });
    const theirs = github.add(`${MARKER}\n\ntheirs`, "mallory");
    expect((await comment([dearer])).stdout).toMatch(/created/);
    github.add(`${MARKER}\n\ntheirs again`, "mallory");
    expect((await comment([previewFile("10", "30")])).stdout).toMatch(/updated/);
    expect(theirs.body).toContain("theirs");
    const own = github.comments.filter(({ author }) => author === me);
    expect(own).toEqual([expect.objectContaining({ body: expect.stringContaining("+$20.00") as string })]);
  });

  it("gives up at endless pages", async () => {
    let page = 1;
    const next = (): string => `${github.url}/repos/octo/infra/issues/12/comments?page=${(page += 1)}`;
    Object.defineProperty(github, "nextPage", { get: next });
    for (let count = 0; count < 201; count += 1) github.add("more", "somebody");
    const { code, stderr } = await comment([dearer]);
    expect([code, stderr]).toEqual([1, expect.stringContaining("after 100 of 100 comments")]);
  });

  it("writes a new comment if the old one is deleted", async () => {
    github.add(`${MARKER}\n\nold`);
    github.refuse["PATCH"] = { status: 404, message: "Not Found" };
    expect((await comment([dearer])).stdout).toMatch(/created/);
  });

  it("cuts a report that is too long for a comment", async () => {
    const name = "long-name-".repeat(20);
    const steps = Array.from({ length: 2_000 }, (_, nth) => step("create", `${name}${nth}`, { after: "1" }));
    expect(await comment([fileOf(steps)], ["--all"])).toMatchObject({ code: 0 });
    expect(github.comments[0]?.body).toMatch(/\| and \d+ more \|/);
  });

  it("exits with 5 over a limit after commenting", async () => {
    const { code, stderr } = await comment([dearer], ["--fail-over-increase", "4"]);
    expect([code, github.comments.length]).toEqual([5, 1]);
    expect(stderr).toMatch(/^over budget: dev: /);
    expect(github.comments[0]?.body.replaceAll("`", "")).toContain(
      "> - over budget: the increase would be +$5.00/mo, $1.00/mo over the budget of $4.00/mo: ~ ConnectConnection link",
    );
  });

  it("notes a common limit in each stack's comment", async () => {
    await comment([dearer, previewFile("1", "2", "prod")], ["--fail-over-increase", "5"]);
    expect(github.comments).toHaveLength(2);
    for (const { body } of github.comments)
      expect(body.replaceAll("`", "")).toContain("of all stacks together, the increase would be +$6.00/mo");
  });
});

describe("cloudinfra cost comment github --min-change", () => {
  it.each([
    ["less than that", "10", "14.99", 0],
    ["exactly that", "10", "15", 1],
    ["that, and cheaper", "10", "5", 1],
  ])("comments on a difference of %s: from %s to %s, %d comments", async (_, before, after, count) => {
    const { code, stdout } = await comment([previewFile(before, after)], ["--min-change", "5"]);
    expect([code, github.comments.length]).toEqual([0, count]);
    if (count === 0) expect(stdout).toBe("dev: no comment: the difference is less than $5.00\n");
  });

  it("updates an old comment below the minimum", async () => {
    for (const after of ["30", "11"]) await comment([previewFile("10", after)], ["--min-change", "5"]);
    expect(increases()).toEqual(["+$1.00"]);
  });
});

describe("a failing GitHub", () => {
  const says = (status: number, message: string): StandInAnswer => ({ status, message });
  const spent = { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1795300000" } };
  const hurried = { status: 429, headers: { "retry-after": "60" } };
  const page = { status: 200, text: "<html>" };
  const unknown =
    /404 .*no such repository or pull request, .* The repository is "octo\/infra" \(GITHUB_REPOSITORY\)\./;

  it.each<[string, method: string, StandInAnswer, words: RegExp]>([
    ["the token is refused", "GET", says(401, "Bad"), /GitHub answered 401 \(Bad\)\. The token in GITHUB_TOKEN is not/],
    ["the token may not write", "POST", says(403, "no"), /request 12: GitHub answered 403 .*"pull-requests: write"/],
    ["there is no such pull request", "GET", says(404, "Not Found"), unknown],
    ["the rate limit is used up", "GET", spent, /403\. .* used up until 2026-11-21T22:26:40\.000Z/],
    ["it asks to wait", "POST", hurried, /429\. .* used up: try again in 60 s\./],
    ["the comment is refused", "POST", says(422, "Failed"), /GitHub answered 422 \(Failed\)\./],
    ["the repository has moved", "GET", says(301, "Moved"), /301 .*has moved: give its present name with --repo/],
    ["GitHub is in trouble", "GET", { status: 502, text: "<html>" }, /502\. Try again\./],
    ["something else answers", "GET", page, /the answer of 127\.0\.0\.1:\d+ is not GitHub's/],
  ])("prints one line and exits with 1 if %s", async (_, method, answer, words) => {
    github.refuse[method] = answer;
    const { code, stdout, stderr } = await comment([dearer]);
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(words);
    expect(stderr).toMatch(/^error: Could not .*\n$/);
    expect(github.comments).toEqual([]);
  });

  it("writes no second comment at the rate limit", async () => {
    github.add(`${MARKER}\n\nold`);
    github.refuse["PATCH"] = { status: 403, headers: { "retry-after": "60" } };
    expect((await comment([dearer])).stderr).toContain("rate limit");
    expect(github.comments).toHaveLength(1);
  });

  it("reports that nothing answers", async () => {
    const { environment } = github;
    await github.close();
    const words = /^error: Could not .*ECONNREFUSED\)\. Check the network and GITHUB_API_URL, and run again\.$/m;
    expect((await comment([dearer], [], environment)).stderr).toMatch(words);
  });

  it("does not repeat after an answer that is too large", async () => {
    github.refuse["GET"] = { status: 200, text: " ".repeat(64 * 1024 * 1024 + 1) };
    const { code, stderr } = await comment([dearer]);
    expect([code, github.requests.length]).toEqual([1, 1]);
    expect(stderr).toMatch(/^error: Could not .*: 127\.0\.0\.1:\d+: its answer is too large\.\n$/);
  });

  it("requests the next page from the configured host only", async () => {
    const elsewhere = await new GithubStandIn().start();
    for (let index = 0; index < 150; index += 1) github.add(`${index}`);
    github.nextPage = `${elsewhere.url}/repos/octo/infra/issues/12/comments?per_page=100&page=2`;
    github.add(`${MARKER}\n\nold`);
    const { stdout } = await comment([dearer]);
    await elsewhere.close();
    expect(stdout).toMatch(/updated/);
    expect(elsewhere.requests).toEqual([]);
  });

  const http = { GITHUB_API_URL: "http://github.example" };

  it.each<[string, environment: object, flags: string[], words: RegExp]>([
    ["the repository", { GITHUB_REPOSITORY: "" }, [], /^error: Which repository\? .*--repo.*GITHUB_REPOSITORY/],
    ["a repository's right form", {}, ["--repo", "octo/.."], /^error: Which repository\? .*--repo is "octo\/\.\."\./],
    ["the token", { GITHUB_TOKEN: "" }, [], /^error: GITHUB_TOKEN is not set/],
    ["an address that is safe", http, [], /^error: GITHUB_API_URL cannot be used: it must be https/],
  ])("sends nothing to GitHub without %s", async (_, environment, flags, words) => {
    const { code, stderr } = await comment(["no-such-file"], flags, { ...github.environment, ...environment });
    expect(code).toBe(1);
    expect(stderr).toMatch(words);
    expect(github.requests).toEqual([]);
  });
});
