import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Transpiled } from "../functions/transpiled";
import { previewJson, step } from "./cost-previews";
import { PulumiProject, runCli } from "./support";
import { forEachTest, forSuite } from "../support/suite";

const DEARER = previewJson([step("update", "link", { before: "10", after: "15" })]);

const project = forEachTest(() => new PulumiProject());

describe("--cwd", () => {
  it.each([
    ["before the command", ["-C", "elsewhere", "cost", "--preview", "a.json"]],
    ["after the command", ["cost", "--cwd", "elsewhere", "--preview", "a.json"]],
  ])("--cwd %s sets the folder of the command", async (_, argv) => {
    mkdirSync(join(project.folder, "elsewhere"));
    writeFileSync(join(project.folder, "elsewhere", "a.json"), DEARER);
    expect((await runCli(argv, { cwd: project.folder })).stdout).toContain("+$5.00");
  });

  it("--cwd before the command keeps the flags after --", async () => {
    project.preview(DEARER, { script: ": > here" });
    const { environment, folder } = project;
    const { code } = await runCli(["-C", folder, "cost", "-s", "dev", "--", "--refresh"], { environment });
    expect(code).toBe(0);
    const previews = project.commands.filter((command) => !command.startsWith("stack "));
    expect(previews).toEqual(["preview --json --show-sames --non-interactive --stack dev --refresh"]);
    expect(existsSync(join(project.folder, "here"))).toBe(true);
  });

  it("refuses a missing folder", async () => {
    const stderr = "error: There is no folder nowhere. Give --cwd a folder that exists.\n";
    expect(await runCli(["doctor", "-C", "nowhere"], { cwd: project.folder })).toEqual({ code: 1, stdout: "", stderr });
  });
});

describe("--output", () => {
  const narrow = { isTTY: true, columns: 40 };
  const run = (file: string, flags: readonly string[] = []): ReturnType<typeof runCli> =>
    runCli(["cost", "--preview", "-", "--output", file, ...flags], { ...narrow, stdin: DEARER, cwd: project.folder });

  it("runs nothing if the folder of --output does not exist", async () => {
    project.preview(DEARER);
    const environment = project.environment;
    const { code } = await runCli(["cost", "-o", "no/such/file"], { cwd: project.folder, environment });
    expect([code, project.hasRun]).toEqual([1, false]);
  });

  it("writes the report as if piped, with the command's code", async () => {
    const { code, stdout, stderr } = await run("report.txt", ["--fail-over-increase", "1"]);
    expect([code, stdout]).toEqual([5, ""]);
    expect(stderr).toMatch(/^over budget: /);
    const piped = await runCli(["cost", "--preview", "-", "--fail-over-increase", "1"], { stdin: DEARER });
    expect(project.read("report.txt")).toBe(piped.stdout);
  });

  it("keeps the file if the command fails", async () => {
    writeFileSync(join(project.folder, "report.txt"), "earlier");
    const { code } = await runCli(["cost", "--preview", "none", "-o", "report.txt"], { cwd: project.folder });
    expect(code).toBe(1);
    expect(project.read("report.txt")).toBe("earlier");
  });

  it.each([
    ["no/such/report.txt", "there is no such folder. Nothing was run."],
    [".", "it is a folder."],
    ["/dev/full", "no space is left on the disk."],
  ])("refuses %s, which cannot be written", async (file, fault) => {
    const { code, stderr } = await run(file);
    expect([code, stderr]).toEqual([1, `error: ${file} cannot be written: ${fault}\n`]);
  });

  it("doctor writes its JSON to the file of --output", async () => {
    const { code } = await runCli(["doctor", "--format", "json", "-o", "doctor.json"], { cwd: project.folder });
    expect(code).toBe(1);
    expect(JSON.parse(project.read("doctor.json"))).toMatchObject({ version: "1", fine: false });
  });
});

describe("output that cannot be written", () => {
  const built = forSuite(() => new Transpiled());

  const shell = (script: string): { readonly status: number | null; readonly stderr: string } => {
    writeFileSync(join(project.folder, "preview.json"), DEARER);
    const env = { NODE: process.execPath, CLI: built.commandLine, PATH: process.env["PATH"] };
    const options = { cwd: project.folder, env, encoding: "utf8" } as const;
    return spawnSync("sh", ["-c", script], options);
  };

  it.each([
    ["the help", '"$NODE" "$CLI" --help', 0],
    ["a report", '"$NODE" "$CLI" cost --preview preview.json', 0],
    ["an exceeded total", '"$NODE" "$CLI" cost --preview preview.json --fail-over-total 1 2>/dev/null', 5],
  ])("writing %s to a closed pipe ends quietly", (_case, command, code) => {
    // Closes the reader before anything is written.
    expect(shell(`{ sleep 0.2; ${command}; echo $? > code; } | true; wait`)).toMatchObject({ status: 0, stderr: "" });
    expect(readFileSync(join(project.folder, "code"), "utf8")).toBe(`${code}\n`);
  });

  it("reports a full disk in one line", () => {
    const stderr = "error: Standard output cannot be written: no space is left on the disk.\n";
    expect(shell('"$NODE" "$CLI" cost --preview preview.json > /dev/full')).toMatchObject({ status: 1, stderr });
  });
});
