import { Sandbox } from "./sandbox";
import { forEachTest } from "../support/suite";

const sandbox = forEachTest(() => new Sandbox());

const time = expect.any(Number) as number;

describe("npm run bench -- start", () => {
  it("measures a process for each way to load modules", async () => {
    const { stdout, stderr } = await sandbox.evaluate(
      `import { measureImports, measurePlugin } from "@/bench/start/processes.mjs";`,
      "console.log(JSON.stringify([await measureImports(1), await measurePlugin(1)]));",
    );
    expect(stderr).toBe("");
    const process = { wallMs: time, cpuMs: time };
    expect(JSON.parse(stdout)).toEqual([
      { alone: process, withPackage: process },
      { beforeMs: time, duringMs: time },
    ]);
  });
});
