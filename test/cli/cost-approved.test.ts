import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { previewJson, step } from "./cost-previews";
import { PulumiProject, runCli } from "./support";
import { forEachTest } from "../support/suite";

const project = forEachTest(() => new PulumiProject());

type Steps = readonly Record<string, unknown>[];

const run = (steps: Steps, ...flags: string[]): ReturnType<typeof runCli> =>
  runCli(["cost", "--preview", "-", ...flags], { stdin: previewJson(steps), cwd: project.folder });

async function compared(approved: Steps, now: Steps): Promise<{ code: number; lines: readonly string[] }> {
  const { stdout } = await run(approved, "--format", "json");
  writeFileSync(join(project.folder, "approved.json"), stdout);
  const { code, stderr } = await run(now, "--approved", "approved.json", "--format", "json");
  return { code, lines: stderr.split("\n").filter((line) => line !== "") };
}

const link = step("create", "link", { after: "78.125" });
const kept = step("same", "kept", { before: "10.00", after: "10.00" });

describe("an approved report", () => {
  it("accepts the same changes at the same prices", async () => {
    expect(await compared([link, kept], [kept, link])).toEqual({ code: 0, lines: [] });
  });

  const dearer = step("create", "link", { after: "78.126" });
  const unknown = step("create", "link", { after: {} });
  const more = step("create", "more", { after: "1.00" });
  const gone = step("delete", "kept", { before: "10.00" });
  const NEW = "new $0.00/mo → $78.125/mo";

  it.each<[title: string, now: Steps, resource: string, is: string, approved: string]>([
    ["another price", [dearer, kept], "link", "new $0.00/mo → $78.126/mo", NEW],
    ["another operation", [link, gone], "kept", "deleted $10.00/mo → $0.00/mo", "unchanged $10.00/mo → $10.00/mo"],
    ["a cost that is no longer known", [unknown, kept], "link", "new $0.00/mo → an unknown cost", NEW],
    ["another resource", [link, kept, more], "more", "new $0.00/mo → $1.00/mo", "nothing"],
    ["a resource less", [kept], "link", "nothing", NEW],
  ])("refuses %s against an approved report", async (_case, now, resource, is, approved) => {
    const difference = `ConnectConnection ${resource} ${is}, approved ${approved}`;
    const line = `not approved: dev: 1 resource differs from the approved report: ${difference} (--approved)`;
    expect(await compared([link, kept], now)).toEqual({ code: 5, lines: [line] });
  });

  it("compares all rows of a replacement with `retainOnDelete`", async () => {
    const replaced = (after: string): Steps => [
      step("replace", "link", { before: "78.125", after, state: { retainOnDelete: true } }),
    ];
    expect((await compared(replaced("390.625"), replaced("390.625"))).code).toBe(0);
    const line =
      "not approved: dev: 1 resource differs from the approved report: ConnectConnection link " +
      "deleted $78.125/mo → $78.125/mo and new $0.00/mo → $3,203.125/mo, approved " +
      "deleted $78.125/mo → $78.125/mo and new $0.00/mo → $390.625/mo (--approved)";
    expect(await compared(replaced("390.625"), replaced("3203.125"))).toEqual({ code: 5, lines: [line] });
  });

  it("refuses an approved report of another stack", async () => {
    const { code, lines } = await compared([link], [step("create", "link", { after: "78.125", stack: "prod" })]);
    expect(code).toBe(5);
    expect(lines.join()).toContain("not approved: prod: 1 resource differs from the approved report (of test/dev): ");
  });

  it.each([
    ["{", "is not JSON"],
    ["{}", "holds no report"],
    ['{"version":"2"}', "holds no report"],
  ])("refuses %j as an approved report", async (text, fault) => {
    writeFileSync(join(project.folder, "approved.json"), text);
    const { code, stderr } = await run([link], "--approved", "approved.json");
    expect(code).toBe(1);
    expect(stderr).toBe(`error: approved.json ${fault}. A report is what \`cloudinfra cost --format json\` prints.\n`);
  });
});
