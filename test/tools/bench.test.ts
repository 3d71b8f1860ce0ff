import { join } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
afterEach(() => sandbox.remove());

const bench = (...args: string[]) => sandbox.run([join(TOOLS, "bench", "bench.mjs"), ...args]);

describe("npm run bench", () => {
  it("when the name is of no bench, it names those that there are", async () => {
    const { code, stderr } = await bench("speed");
    expect(code).toBe(2);
    expect(stderr).toMatch(/usage: npm run bench -- \[compare\|landing-zone\|start\|docs\|record\]/);
  });

  it("when a name of no bench is to be recorded, it names those that are, and measures nothing", async () => {
    const { code, stdout, stderr } = await bench("record", "simulator");
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toBe("usage: npm run bench -- record [landing-zone] [start] [compare]\n");
  });

  it.each([
    [["--resources", "10,many"], '--resources takes whole numbers from 1 on, such as 10 or 10,100, not "10,many".'],
    [["--resources", "0"], "--resources takes whole numbers"],
    [["start", "--runs", "1,2"], '--runs takes one number, not "1,2".'],
    [["--rounds", "3"], "Options: --resources, --runs, --plain-up-to, --operation-time"],
  ])("when the options are %j, it says in a line what is wrong, and measures nothing", async (args, sentence) => {
    const { code, stdout, stderr } = await bench(...args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(sentence);
    expect(stderr.trim().split("\n")).toHaveLength(1);
  });
});

describe("npm run bench, interrupted", () => {
  const ofPulumi = (body: string) => sandbox.script(join(sandbox.bin, "pulumi"), body);

  it("when Ctrl-C ends what it runs, it ends of the signal too, and shows no trace", async () => {
    ofPulumi(`case "$1" in version) echo v3.230.0 ;; *) kill -INT $PPID; exit 1 ;; esac`);
    const { signal, stderr, stdout } = await bench("--resources", "1", "--runs", "1");
    expect(signal).toBe("SIGINT");
    expect(stdout + stderr).not.toMatch(/Error|\n\s+at /);
  });

  it("when what it runs fails by itself, it says what that printed", async () => {
    ofPulumi(`case "$1" in version) echo v3.230.0 ;; *) echo "no space left"; exit 1 ;; esac`);
    const { code, stderr } = await bench("--resources", "1", "--runs", "1");
    expect(code).toBe(1);
    expect(stderr).toContain("no space left");
  });
});

describe("the requests of a run", () => {
  it("when they are counted, each is of the kind that it asks for", async () => {
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
      await sandbox.value('import { tally } from "@/bench/requests.mjs";', `tally(${JSON.stringify(requests)})`),
    ).toEqual({
      ...{ quote: 2, create: 1, "operation list": 1, "operation read": 1, list: 1, read: 2, update: 1, delete: 1 },
      "availability question": 1,
      "clock read": 1,
    });
  });
});

describe("the tables of a result", () => {
  const drawn = (name: string, tables: object[]) =>
    sandbox.value(`import { ${name} } from "@/bench/tables.mjs";`, `${name}(${JSON.stringify(tables)})`);
  const table = { title: "Title", head: ["what", "how | much"], rows: [["a", "12 ms"]], note: "Note." };

  it("when they go to a terminal, they have no colours", async () => {
    const text = await drawn("asText", [table]);
    expect(text).toMatch(/^Title\n┌[─┬]+┐\n│ what │ how \| much │\n[^]*│ a {4}│ {6}12 ms │\n└[─┴]+┘\nNote\.$/);
  });

  it("when they are Markdown, numbers stand right, and a stroke in a cell divides nothing", async () => {
    const text = await drawn("asMarkdown", [table]);
    expect(text).toBe("Title:\n\n| what | how \\| much |\n| :--- | ----------: |\n| a    |       12 ms |\n\nNote.");
  });
});
