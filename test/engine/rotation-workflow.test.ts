import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { ROOT } from "../docs/support/markdown";
import { inFolderOf } from "./support/command";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const SCHEDULE = join(ROOT, "examples", "handing-over", "schedule");

interface Step {
  readonly name?: string;
  readonly id?: string;
  readonly if?: string;
  readonly run?: string;
}

const workflow = parse(readFileSync(join(SCHEDULE, "github-workflow.yml"), "utf8")) as {
  readonly jobs: { readonly rotate: { readonly steps: readonly Step[] } };
};
/** The steps that run a command of this package, of Pulumi, or of the example. */
const steps = workflow.jobs.rotate.steps.filter(({ name, run }) => name !== undefined && run !== undefined);

/**
 * The steps that ran in a night, with `failed` after a failed step. The others have the exit code that they recorded.
 */
type Night = readonly (readonly [name: string, code?: string])[];

let host: string;
let oldKey: string;
const everRun = new Set<string>();

const session = forSuite(() => {
  const deleteOld = { whenQuietFor: "24h", atLatest: "14d" };
  const key = { permissions: [{ resourceType: "vpc", permission: "edit" }], expiresAt: undefined };
  return Session.start(
    program(
      declare("ApiKey", "ci", { ...key, lifetime: "60d", rotateBefore: "21d", deleteOld }),
      "exports.apiKey = ci.key;",
    ),
  );
});

beforeAll(async () => {
  session.use("prod");
  succeeded(await session.up());
  const { folder, env } = session.stack;
  cpSync(SCHEDULE, join(folder, "schedule"), { recursive: true });
  host = join(folder, "host");
  mkdirSync(host);
  // Stands in for another machine: runs the command in its own folder, unless it is down.
  const ssh = `#!/bin/sh\ncd '${host}' && test ! -e down && exec sh -c "$2"\n`;
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin", "ssh"), ssh, { mode: 0o755 });
  env["PATH"] = `${join(folder, "bin")}:${env["PATH"] ?? ""}`;
});

/** Runs the workflow as GitHub does: in order, until a step fails. */
async function night(before: Readonly<Record<string, () => unknown>> = {}): Promise<Night> {
  const ran: [string, string?][] = [];
  const codes: Record<string, string> = {};
  for (const { name = "", id, if: condition, run = "" } of steps) {
    const [, wanted = "", code] = /^steps\.(\w+)\.outputs\.code == '(\d)'$/.exec(condition ?? "") ?? [];
    if (condition !== undefined && codes[wanted] !== code) continue;
    await before[name]?.();
    const output = join(session.stack.folder, "github-output");
    rmSync(output, { force: true });
    everRun.add(name);
    const ended = await inFolderOf(session, ["bash", "-e", "-c", run], { env: { GITHUB_OUTPUT: output } });
    if (ended.code !== 0) return [...ran, [name, "failed"]];
    if (id !== undefined) [, codes[id] = ""] = /^code=(\d)$/m.exec(readFileSync(output, "utf8")) ?? [];
    ran.push(id === undefined ? [name] : [name, codes[id] ?? ""]);
  }
  return ran;
}

const delivered = (): string => readFileSync(join(host, "ci.key"), "utf8");

async function use(key: string): Promise<void> {
  expect(await session.api.changeWith(key)).toBe(202);
}

it("rotates, and stops if the delivery fails", async () => {
  await session.api.advance("40d");
  const breakHost = (): void => writeFileSync(join(host, "down"), "");

  expect(await night({ Deliver: breakHost })).toEqual([
    ["Deliver the key of the last run"],
    ["Check", "7"],
    ["Rotate"],
    ["Deliver", "failed"],
  ]);

  oldKey = delivered();
  expect((await session.stack.outputs())["apiKey"]).not.toBe(oldKey);
  await use(oldKey);
});

it("retires no key while the delivery fails", async () => {
  await session.api.advance("25h"); // long enough for the old key to be quiet
  expect(await night()).toEqual([["Deliver the key of the last run", "failed"]]);
  await use(oldKey);
});

it("delivers the next night, and keeps a used key", async () => {
  rmSync(join(host, "down"));

  expect(await night()).toEqual([
    ["Deliver the key of the last run"],
    ["Check", "0"],
    ["Wait until the old keys are quiet", "9"],
  ]);

  expect(delivered()).toBe((await session.stack.outputs())["apiKey"]);
  expect(existsSync(join(host, "ci.key.new"))).toBe(false);
  await use(delivered());
  expect(await session.api.signIn(oldKey)).toBe(200);
});

it("retires the old key when it is quiet", async () => {
  const aDayLater = (): Promise<void> => session.api.advance("25h");

  expect(await night({ "Wait until the old keys are quiet": aDayLater })).toEqual([
    ["Deliver the key of the last run"],
    ["Check", "0"],
    ["Wait until the old keys are quiet", "7"],
    ["Retire the old keys"],
  ]);

  expect(await session.api.signIn(oldKey)).toBe(401);
  await use(delivered());
});

it("runs every step of the workflow", () => {
  expect([...everRun]).toEqual(steps.map(({ name }) => name));
});
