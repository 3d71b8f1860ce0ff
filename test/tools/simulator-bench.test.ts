import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
  // The machine that it is measured on is described with the engine's version.
  sandbox.script(join(sandbox.bin, "pulumi"), "echo v3.230.0");
});
afterEach(() => sandbox.remove());

const bench = (...args: string[]) => sandbox.run([join(TOOLS, "bench", "simulator.mjs"), ...args]);
const tiny = ["--resources", "50", "--rounds", "2", "--seconds", "0.05", "--concurrency", "4"];

const number = expect.any(Number) as number;
/** A number where the machine can tell. */
const ofProc = <T>(value: T): T | null => (existsSync("/proc/self/status") ? value : null);
const rate = { perSecond: number, simulatorCpuUs: ofProc(number), loadCpuUs: number };
const places = { first: number, middle: number, last: number };

describe("npm run bench -- simulator", () => {
  it("with --json, its figures have the shape that stands at the top of the file", async () => {
    const file = join(sandbox.root, "result.json");
    const { code } = await bench(...tiny, "--json", file);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual({
      ...{
        bench: "simulator",
        command: "npm run bench -- simulator " + tiny.join(" "),
        machine: expect.anything() as unknown,
      },
      ...{ resources: 50, rounds: 2, seconds: 0.05, concurrency: 4 },
      rates: { creates: rate, reads: rate, pages: rate },
      pageMs: [1, 5, 50].map((resources) => ({ resources, ...places })),
      pageRatios: places,
      memoryMegabytes: ofProc({ start: number, created: number, end: number, peak: number }),
    });
  });

  it("without, they stand in tables, and the progress on stderr", async () => {
    const { code, stdout, stderr } = await bench(...tiny);
    expect(code).toBe(0);
    expect(stdout).toContain("50 firewall rules, 4 requests at a time, medians of 2 rounds");
    for (const row of ["creates", "reads", "pages", "50 firewall rules", "ratio, largest to smallest"]) {
      expect(stdout).toMatch(new RegExp(`^│ ${row} +│`, "m"));
    }
    expect(stdout).toMatch(/resident memory: (\d+ MB \(start\).*\d+ MB \(peak\)|unknown)$/m);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toContain("reads: round 2 of 2");
  });

  it.each([
    ["--resources=10,20", '--resources takes one number, not "10,20".'],
    ["--rounds=1.5", '--rounds takes whole numbers from 1 on, such as 10 or 10,100, not "1.5".'],
    ["--seconds=soon", '--seconds takes a number above 0, not "soon".'],
    ["--concurrency=", '--concurrency takes whole numbers from 1 on, such as 10 or 10,100, not "".'],
  ])("with %s, it says what is wrong and measures nothing", async (option, message) => {
    expect(await bench(option)).toMatchObject({ code: 2, stdout: "", stderr: `${message}\n` });
  });
});

describe("npm run bench -- memory", () => {
  it("says what is left of a request and of a firewall rule, in the shape that stands at the top of the file", async () => {
    const file = join(sandbox.root, "result.json");
    const memory = [join(TOOLS, "bench", "memory.mjs"), "--requests", "50", "--resources", "50", "--json", file];
    const { code, stdout } = await sandbox.run(memory);
    expect(code).toBe(0);
    expect(stdout).toMatch(/│ of a firewall rule, under 2150 bytes +│ .* │ (yes|no) +│/);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      ...{ bench: "memory", requests: 50, resources: 50 },
      bytesLeft: { ofRequest: number, ofRule: number },
    });
  });
});
