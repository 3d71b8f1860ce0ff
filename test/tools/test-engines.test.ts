import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

/**
 * Runs the command with these engines, and with runs that exit with these codes. Returns its exit code, and what ran on
 * which engine.
 */
function testEngines(there: readonly string[], codes: readonly number[] = []): Promise<unknown> {
  return sandbox.value(
    'import { testEngines } from "@/jest/run-jest.mjs";',
    `(async (there, codes, runs) => {
      const engineOf = async (version) => (there.includes(version) ? { binDir: "/" + version } : undefined);
      const run = async ([file], { PATH }) => (runs.push([file, PATH.split(":")[1]]), codes[runs.length - 1] ?? 0);
      return [await testEngines([], {}, { engineOf, run }), ...runs];
    })(${JSON.stringify(there)}, ${JSON.stringify(codes)}, [])`,
  );
}

describe("npm run test:engines", () => {
  const life = "test/engine/fronts/life.test.ts";

  it("runs every kind on the oldest and the newest engine", async () => {
    const runs = [
      [life, "/3.200.0"],
      [life, "/3.259.0"],
    ];
    expect(await testEngines(["3.200.0", "3.259.0"])).toEqual([0, ...runs]);
    expect(await testEngines(["3.200.0", "3.259.0"], [7])).toEqual([7, ...runs]);
  });

  it("leaves out an engine that does not exist", async () => {
    expect(await testEngines(["3.259.0"])).toEqual([0, [life, "/3.259.0"]]);
    expect(await testEngines([])).toEqual([1]);
  });
});
