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

  it.each<[title: string, now: Steps, difference: string]>([
    [
      "another price",
      [step("create", "link", { after: "78.126" }), kept],
      "ConnectConnection link new $0.00/mo → $78.126/mo, approved new $0.00/mo → $78.125/mo",
    ],
    [
      "another operation",
      [link, step("delete", "kept", { before: "10.00" })],
      "ConnectConnection kept deleted $10.00/mo → $0.00/mo, approved unchanged $10.00/mo → $10.00/mo",
    ],
    [
      "a cost that is no longer known",
      [step("create", "link", { after: {} }), kept],
      "ConnectConnection link new $0.00/mo → an unknown cost, approved new $0.00/mo → $78.125/mo",
    ],
    [
      "another resource",
      [link, kept, step("create", "more", { after: "1.00" })],
      "ConnectConnection more new $0.00/mo → $1.00/mo, approved nothing",
    ],
    ["a resource less", [kept], "ConnectConnection link nothing, approved new $0.00/mo → $78.125/mo"],
  ])("refuses %s against an approved report", async (_case, now, difference) => {
    expect(await compared([link, kept], now)).toEqual({
      code: 5,
      lines: [`not approved: dev: 1 resource differs from the approved report: ${difference} (--approved)`],
    });
  });

  it("compares all rows of a replacement with `retainOnDelete`", async () => {
    const replaced = (after: string): Steps => [
      step("replace", "link", { before: "78.125", after, state: { retainOnDelete: true } }),
    ];
    expect((await compared(replaced("390.625"), replaced("390.625"))).code).toBe(0);
    expect(await compared(replaced("390.625"), replaced("3203.125"))).toEqual({
      code: 5,
      lines: [
        "not approved: dev: 1 resource differs from the approved report: ConnectConnection link " +
          "deleted $78.125/mo → $78.125/mo and new $0.00/mo → $3,203.125/mo, approved " +
          "deleted $78.125/mo → $78.125/mo and new $0.00/mo → $390.625/mo (--approved)",
      ],
    });
  });

  it("refuses an approved report of another stack", async () => {
    const { code, lines } = await compared([link], [step("create", "link", { after: "78.125", stack: "prod" })]);
    expect([code, lines.join()]).toEqual([
      5,
      expect.stringContaining("not approved: prod: 1 resource differs from the approved report (of test/dev): "),
    ]);
  });

  it.each([
    ["{", "is not JSON"],
    ["{}", "holds no report"],
    ['{"version":"2"}', "holds no report"],
  ])("refuses %j as an approved report", async (text, fault) => {
    writeFileSync(join(project.folder, "approved.json"), text);
    const { code, stderr } = await run([link], "--approved", "approved.json");
    expect([code, stderr]).toEqual([
      1,
      `error: approved.json ${fault}. A report is what \`cloudinfra cost --format json\` prints.\n`,
    ]);
  });
});
