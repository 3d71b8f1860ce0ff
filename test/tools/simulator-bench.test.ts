import { existsSync } from "node:fs";
import { join } from "node:path";
import { Sandbox, TOOLS } from "./sandbox";

let sandbox: Sandbox;
beforeEach(() => (sandbox = new Sandbox()));
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
    const { code, stdout } = await bench(...tiny, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      ...{ node: process.versions.node, cpus: number, resources: 50, rounds: 2, seconds: 0.05, concurrency: 4 },
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
    expect(stdout).toMatch(/resident memory: (\d+ MB \(start\).*\d+ MB \(peak\)|unknown)\n$/);
    expect(stdout).not.toContain("\u001b");
    expect(stderr).toContain("reads: round 2 of 2");
  });

  it.each([
    ["--resources=9", '--resources must be a whole number of at least 10, not "9"'],
    ["--rounds=1.5", '--rounds must be a whole number of at least 1, not "1.5"'],
    ["--seconds=soon", '--seconds must be a number of at least 0.01, not "soon"'],
    ["--concurrency=", '--concurrency must be a whole number of at least 1, not ""'],
  ])("with %s, it says what is wrong and measures nothing", async (option, message) => {
    expect(await bench(option)).toMatchObject({ code: 2, stdout: "", stderr: `${message}\n` });
  });
});
