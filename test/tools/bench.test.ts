import { join } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

const bench = (...args: string[]) => sandbox.run([join(TOOLS, "bench", "bench.mjs"), ...args]);

describe("npm run bench", () => {
  it("unknown bench: lists the valid names", async () => {
    const { code, stderr } = await bench("speed");
    expect(code).toBe(2);
    expect(stderr).toMatch(/usage: npm run bench -- \[compare\|landing-zone\|start\|docs\|record\]/);
  });

  it("unknown bench to record: lists the valid names", async () => {
    const { code, stdout, stderr } = await bench("record", "simulator");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("usage: npm run bench -- record [landing-zone] [start] [compare] [slow-api]\n");
  });

  it.each([
    [["--resources", "10,many"], '--resources takes whole numbers from 1 on, such as 10 or 10,100, not "10,many".'],
    [["--resources", "0"], "--resources takes whole numbers"],
    [["start", "--runs", "1,2"], '--runs takes one number, not "1,2".'],
    [["--rounds", "3"], "Unknown option '--rounds': see `npm run bench -- --help`."],
  ])("refuses the options %j in one line", async (args, sentence) => {
    const { code, stdout, stderr } = await bench(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("npm run bench, interrupted", () => {
  const ofPulumi = (body: string) => sandbox.script(join(sandbox.bin, "pulumi"), body);

  it("ends of the signal at Ctrl-C, without a trace", async () => {
    ofPulumi(`case "$1" in version) echo v3.230.0 ;; *) kill -INT $PPID; exit 1 ;; esac`);
    const { signal, stderr, stdout } = await bench("--resources", "1", "--runs", "1");
    expect(signal).toBe("SIGINT");
    expect(stdout + stderr).not.toMatch(/Error|\n\s+at /);
  });

  it("shows the output of a run that fails", async () => {
    ofPulumi(`case "$1" in version) echo v3.230.0 ;; *) echo "no space left"; exit 1 ;; esac`);
    const { code, stderr } = await bench("--resources", "1", "--runs", "1");
    expect(code).toBe(1);
    expect(stderr).toContain("no space left");
  });
});

describe("the requests of a run", () => {
  it("requests are counted by kind", async () => {
    const id = "00000000-0000-4000-8000-000000000003";
    const rules = `/v1/networking/vpcs/${id}/firewall_rules`;
    const requests = [
      ["POST", `${rules}/cost`],
      ["PATCH", `${rules}/${id}/cost`],
      ["POST", rules],
      ["GET", "/v1/operations"],
      ["GET", `/v1/operations/${id}`],
      ["GET", rules],
      ["GET", `${rules}/${id}`],
      ["PATCH", `${rules}/${id}`],
      ["DELETE", `${rules}/${id}`],
      ["POST", `${rules}/availability`],
      ["GET", "/v1/regions"],
      ["GET", `/v1/nks/clusters/${id}/kubeconfig`],
    ].map(([method, path]) => ({ method, path }));
    expect(
      await sandbox.value('import { tally } from "@/bench/measured-stack.mjs";', `tally(${JSON.stringify(requests)})`),
    ).toEqual({
      ...{ quote: 2, create: 1, "operation list": 1, "operation read": 1, list: 1, read: 2, update: 1, delete: 1 },
      "availability question": 1,
      "clock read": 1,
    });
  });
});

describe("the tables of a result", () => {
  const drawn = (name: string, tables: object[]) =>
    sandbox.value(`import { ${name} } from "@/bench/results.mjs";`, `${name}(${JSON.stringify(tables)})`);
  const table = { title: "Title", head: ["what", "how | much"], rows: [["a", "12 ms"]], note: "Note." };

  it("tables have no colours on a terminal", async () => {
    const text = await drawn("asText", [table]);
    expect(text).toMatch(/^Title\n┌[─┬]+┐\n│ what │ how \| much │\n[^]*│ a {4}│ {6}12 ms │\n└[─┴]+┘\nNote\.$/);
  });

  it("tables align numbers right and escape bars in Markdown", async () => {
    const text = await drawn("asMarkdown", [table]);
    expect(text).toBe("Title:\n\n| what | how \\| much |\n| :--- | ----------: |\n| a    |       12 ms |\n\nNote.");
  });
});
