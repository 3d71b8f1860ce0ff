import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import fs, { appendFileSync, existsSync, readFileSync, rmSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { identityOf, thisProcess } from "../../src/process/process-identity";
import { RunFile } from "../../src/process/run-file";
import { folderForSuite } from "../support/suite";

const path = join(folderForSuite("run-file"), "notes");
const MODULE = join(__dirname, "..", "..", "dist", "process", "run-file.js");

/** A process that has called a method of the file, and runs until it is killed. */
async function otherProcess(call: string, engine = "undefined"): Promise<ChildProcess> {
  const file = `new (require(${JSON.stringify(MODULE)}).RunFile)(${JSON.stringify(path)}, ${engine})`;
  const child = spawn(process.execPath, [
    "-e",
    `${file}.${call}; console.log("written"); setInterval(() => {}, 1_000)`,
  ]);
  await once(child.stdout, "data");
  return child;
}

it("shares the entries of running processes only", async () => {
  const own = new RunFile<object>(path);
  own.append({ by: "this" });
  const other = await otherProcess('append({ by: "another" })');
  expect(own.readNew()).toEqual([{ by: "this" }, { by: "another" }]);
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(new RunFile(path).readNew()).toEqual([{ by: "this" }]);
});

it("shares entries of a killed process of the same engine", async () => {
  const [engine, another] = [identityOf(process.ppid), thisProcess()];
  const other = await otherProcess('append({ by: "its plugin" })', JSON.stringify(engine));
  other.kill("SIGKILL");
  await once(other, "exit");
  expect(new RunFile(path, engine).readNew()).toEqual([{ by: "this" }, { by: "its plugin" }]);
  expect(new RunFile(path, another).readNew()).toEqual([{ by: "this" }]);
});

it("says that an entry could not be written", () => {
  expect(new RunFile(`${path}-written`).append({})).toBeUndefined();
  expect(new RunFile("/dev/full/notes").append({})).toContain("it is a file, not a folder: /dev/full/notes");
  expect(new RunFile(`${path}-written`).append({ size: 10n })).toContain("BigInt");
});

it("reads complete entries only, each once", () => {
  const file = new RunFile<object>(path);
  file.readNew();
  const line = JSON.stringify({ from: thisProcess(), entry: { nth: 1 } });
  appendFileSync(path, line.slice(0, -5));
  expect(file.readNew()).toEqual([]);
  appendFileSync(path, `${line.slice(-5)}\n`);
  expect(file.readNew()).toEqual([{ nth: 1 }]);
  expect(file.readNew()).toEqual([]);
});

it("skips a truncated line", () => {
  const file = new RunFile<object>(path);
  file.readNew();
  appendFileSync(path, '{"from":{"pid":');
  file.append({ nth: 2 });
  expect(file.readNew()).toEqual([{ nth: 2 }]);
});

it("ignores the same process id of another boot or container", () => {
  const [line = ""] = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const { from, entry } = JSON.parse(line) as { readonly from: object; readonly entry: object };
  appendFileSync(path, `${JSON.stringify({ from: { ...from, space: "before" }, entry })}\n`);
  expect(new RunFile(path).readNew()).toHaveLength(3);
});

it("a file in use outlives a jump of the clock", () => {
  const left = `${path}-left`;
  appendFileSync(left, "");
  for (const file of [path, left]) utimesSync(file, 0, 0);
  new RunFile(`${path}-other`).append({});
  expect([path, left].map((file) => existsSync(file))).toEqual([true, false]);
});

it.each<readonly [string, (lost: string) => void]>([
  ["removed", (lost) => rmSync(lost)],
  ["cut off", (lost) => truncateSync(lost)],
  ["replaced by another process", (lost) => writeFileSync(lost, "\n{}\n".repeat(1_000))],
])("a run file has a fault if it was %s", (how, lose) => {
  const lost = `${path}-${how}`;
  const file = new RunFile<object>(lost);
  file.append({ nth: 1 });
  expect(file.fault()).toBeUndefined();
  lose(lost);
  expect(file.fault()).toBe("its file was removed or cut off during the run");
  file.append({ nth: 2 });
  expect(file.fault()).toBe("its file was removed or cut off during the run");
});

it("names the limit if too many files are open", () => {
  const file = new RunFile<object>(`${path}-limit`);
  file.append({ nth: 1 });
  const refuse = (): never => {
    throw Object.assign(new Error("EMFILE"), { code: "EMFILE" });
  };
  const opening = jest.spyOn(fs, "openSync").mockImplementation(refuse);
  const reasons = [file.append({ nth: 2 }), file.fault()];
  opening.mockRestore();
  expect(reasons).toEqual(Array(2).fill(expect.stringMatching(/^too many files are open.*ulimit/)));
  expect([file.fault(), file.readNew()]).toEqual([undefined, [{ nth: 1 }]]);
});

it("the last process removes the run file", async () => {
  const other = await otherProcess("fault()");
  new RunFile(path).remove();
  expect(existsSync(path)).toBe(true);
  other.kill("SIGKILL");
  await once(other, "exit");
  new RunFile(path).remove();
  expect(existsSync(path)).toBe(false);
});
