import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { folderForSuite } from "../support/suite";

const BENCH = resolve(__dirname, "../../tools/bench");
const QUICKSTART = resolve(__dirname, "../../examples/quickstart");
const folder = folderForSuite("bench");

function run(...args: string[]): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
  if (status !== 0) throw new Error(stderr);
  return stdout;
}

it("counts the calls of the plain provider", () => {
  const script = `
    import { rules } from ${JSON.stringify(join(BENCH, "compare-round.mjs"))};
    import { MeasuredStack } from ${JSON.stringify(join(BENCH, "measured-stack.mjs"))};
    const stack = await MeasuredStack.start("plain", { simulator: { operationTime: "0" } });
    try {
      stack.declare(rules(2, stack.simulator));
      const up = await stack.run("up");
      const { length } = (await stack.held()).firewallRules;
      const bytes = await stack.stateBytes();
      const destroy = await stack.run("destroy");
      const left = (await stack.held()).firewallRules.length;
      console.log(JSON.stringify({ calls: [up.calls, destroy.calls], held: [length, left], states: bytes.length }));
    } finally {
      await stack.close();
    }`;
  expect(JSON.parse(run("--input-type=module", "--eval", script))).toEqual({
    calls: [
      { create: 2, "operation read": 2, read: 2 },
      { delete: 2, "operation read": 2 },
    ],
    held: [2, 0],
    states: 2,
  });
});

const SET_UPS = JSON.stringify(join(BENCH, "start", "set-ups.mjs"));

it("measures a set-up unchanged, changed and cached", () => {
  const script = `
    import { measureSetUps, SET_UPS } from ${SET_UPS};
    const chosen = SET_UPS.filter(({ name }) => /^compiled.*typescript: false/.test(name));
    console.log(JSON.stringify(await measureSetUps(1, () => {}, chosen)));`;
  const time = expect.any(Number) as number;
  expect(JSON.parse(run("--input-type=module", "--eval", script))).toEqual([
    { name: "compiled to dist/index.js, `typescript: false`", changedMs: time, sameMs: time, cachedMs: time },
  ]);
});

it("prepares each set-up with its program and type check", () => {
  const script = `
    import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
    import { join } from "node:path";
    import { SET_UPS } from ${SET_UPS};
    const prepared = SET_UPS.map(({ name, program, prepare }, index) => {
      const project = join(${JSON.stringify(folder)}, "set-up-" + index);
      mkdirSync(project);
      for (const file of ["package.json", "tsconfig.json", "index.ts"])
        cpSync(join(${JSON.stringify(QUICKSTART)}, file), join(project, file));
      prepare(project, program);
      return [existsSync(join(project, program)), readFileSync(join(project, "tsconfig.json"), "utf8").includes("noCheck")];
    });
    console.log(JSON.stringify(prepared));`;
  expect(JSON.parse(run("--input-type=module", "--eval", script))).toEqual(
    [false, true, false, false, false, false].map((isUnchecked) => [true, isUnchecked]),
  );
});
