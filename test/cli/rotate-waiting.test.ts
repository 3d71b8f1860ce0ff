import { randomUUID } from "node:crypto";
import type { Action } from "../support/proxy/exchange";
import { rewrite } from "../support/proxy/actions";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { sendControl } from "../functions/support";
import { after, DAY_MS, RotateBench } from "./rotate-fixture";
import type { CliResult } from "./support";

const bench = RotateBench.forSuite();

interface WaitingKeyOptions {
  readonly name?: string;
  readonly quietFor?: string;
  readonly atLatest?: string;
  /** True if a client has used it. */
  readonly isUsed?: boolean;
  readonly isOwn?: boolean;
  /** True if the state also has the replaced object of its replacement. */
  readonly isTwice?: boolean;
  readonly deleteOld?: unknown;
}

/** A key that waits for its clients, and its successor of the same day, both in the state. */
async function keepWaiting({
  name,
  quietFor = "2d",
  atLatest = "14d",
  isUsed = true,
  isOwn = false,
  isTwice = false,
  deleteOld = { whenQuietFor: quietFor, atLatest },
}: WaitingKeyOptions = {}): ReturnType<typeof bench.makeKey> {
  const old = await bench.makeKey(90);
  if (isUsed) await bench.use(old.secret, "before/1.0");
  const { id } = await bench.makeKey(90);
  const __retired = [{ id: old.id, signedIn: isOwn, replacedAt: after(0), expiresAt: after(90) }];
  const kept = { ...(name && { name }), rotatesAt: after(76), deleteOld, __retired };
  await bench.keep(id, kept);
  if (isTwice) await bench.keepNew({ ...kept, delete: true });
  return old;
}

/** A log of 51 pages with the oldest entries first. */
const oldestFirst: Action = (request, forward) => {
  const nth = Number(new URLSearchParams(request.query).get("cursor") ?? 0);
  const page = rewrite(({ items }) => {
    const [log] = items as readonly object[];
    const times = Array.from({ length: 100 }, (_each, index) => after(-51 + nth + index / 100));
    const next_cursor = nth < 50 ? String(nth + 1) : null;
    const pagination = { next_cursor, previous_cursor: null, total_count: 5_100 };
    return { items: times.map((created_at) => ({ ...log, id: randomUUID(), created_at })), pagination };
  });
  return page(request, () => forward({ ...request, query: "" }));
};

it("a replaced key that waits is not due", async () => {
  const { id, secret } = await keepWaiting();
  bench.advance(3);
  await bench.use(secret, "late/2.0");
  const waiting = {
    ...{ id, name: "deployer", due: false, replacedAt: after(0), until: after(14) },
    clients: [{ address: "127.0.0.1", userAgent: "late/2.0", count: 1, lastUsedAt: after(3) }],
  };
  expect(await bench.check()).toMatchObject({ code: 0, waiting: [waiting] });
});

it("does not count an old key of the provider itself", async () => {
  await keepWaiting({ isOwn: true });
  bench.advance(20);
  expect(await bench.check()).toMatchObject({ code: 0, waiting: [] });
});

it.each([
  ["quiet", true, 2, 7],
  ["never seen", false, 13, 0],
  ["at its latest", false, 14, 7],
])("reports a waiting key that is %s: exit code", async (_title, isUsed, days, code) => {
  await keepWaiting({ isUsed });
  bench.advance(days);
  expect(await bench.check()).toMatchObject({ code, waiting: [{ due: code === 7 }] });
});

it.each(["after", "atExpiry"])("may report a waiting key with another deleteOld (%s) as due", async (deleteOld) => {
  const { id } = await keepWaiting({ deleteOld });
  const expected = deleteOld === "after" ? { code: 7, waiting: [{ id, due: true }] } : { code: 0, waiting: [] };
  expect(await bench.check()).toMatchObject(expected);
});

it("lists a key once if old and new resource name it", async () => {
  await keepWaiting({ isTwice: true });
  expect((await bench.check()).waiting).toHaveLength(1);
});

it("does not list a waiting key that the program reads", async () => {
  const { id } = await keepWaiting();
  await bench.keep(id, { name: "read", external: true });
  bench.advance(14);
  expect(await bench.check()).toMatchObject({ code: 0, waiting: [] });
});

it("the table says what deletes a key that is due", async () => {
  await keepWaiting();
  bench.advance(2);
  const { stdout } = await bench.rotate(["--check"]);
  expect(stdout).toContain("yes: is deleted");
  expect(stdout).toContain("deployer: `pulumi up` deletes the replaced key.");
});

it("lists the clients of a key at its atLatest", async () => {
  const { secret } = await keepWaiting();
  bench.advance(14);
  await bench.use(secret, "never-stops/1.0");
  const { stdout } = await bench.rotate(["--check"]);
  expect(stdout).toContain("yes: is deleted");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("never-stops/1.0");
});

it("the audit shows the clients of waiting keys", async () => {
  const { id, secret } = await keepWaiting();
  await bench.use(secret, "late/2.0");
  const { keys } = await bench.audit();
  expect(keys.map(({ replacedId }) => replacedId)).toEqual([id]);
  expect(keys[0]?.uses.map(({ userAgent }) => userAgent)).toContain("late/2.0");
});

describe("--wait-quiet", () => {
  const HOUR_MS = DAY_MS / 24;
  const waitFor = (time: string): Promise<CliResult> =>
    bench.rotate(["--check", "--wait-quiet", time], { clock: bench.clock });
  const failLog = (status: number, times = 1000): Promise<unknown> =>
    sendControl(bench.api, "/faults", { path: "/v1/audit_logs", status, times });
  const waitedHours = (): number => (bench.clock.now() - Date.parse(after(0))) / HOUR_MS;

  /** Waits for 5 hours, with a log that is too long to read. */
  const waitWithLongLog = async (): Promise<CliResult> => {
    const proxy = await FaultProxy.start(bench.api.url);
    proxy.on({ method: "GET", path: /^\/v1\/audit_logs$/ }, oldestFirst);
    const environment = { ...bench.environment, CLOUDINFRA_BASE_URL: proxy.url };
    const result = await bench.rotate(["--check", "--wait-quiet", "5h"], { clock: bench.clock, environment });
    await proxy.close();
    return result;
  };

  const waitWithoutLog = async (): Promise<CliResult> => {
    await failLog(403);
    return waitFor("5h");
  };

  afterEach(() => (bench.clock.onSleep = undefined));

  it("exits with 7 when all keys are quiet", async () => {
    await keepWaiting({ quietFor: "2h" });
    await keepWaiting({ quietFor: "1h", name: "other" });
    const { code, stdout, stderr } = await waitFor("3h");
    expect([code, waitedHours()]).toEqual([7, 2]);
    expect(stdout.match(/yes: is deleted/g)).toHaveLength(2);
    const both = "Waiting for the replaced keys of deployer, other, which can be quiet at";
    expect(stderr).toContain(`${both} ${after(2 / 24)}.\n`);
    expect(stderr).toContain("Waiting for the replaced keys of deployer, which");
  });

  it("restarts the wait if a client uses the key", async () => {
    const { secret } = await keepWaiting({ quietFor: "2h" });
    bench.clock.onSleep = () => (waitedHours() === 1 ? bench.use(secret, "late/2.0") : undefined);
    expect((await waitFor("4h")).code).toBe(7);
    expect(waitedHours()).toBe(3);
  });

  it("--wait-quiet does not wait if no key waits", async () => {
    await bench.keepKey();
    const { code, stderr } = await waitFor("1h");
    expect([code, stderr, waitedHours()]).toEqual([0, "", 0]);
  });

  it("exits with 9 and names a client that never stops", async () => {
    const { id, secret } = await keepWaiting({ quietFor: "2h" });
    bench.clock.onSleep = () => (waitedHours() < 1.5 ? bench.use(secret, "never-stops/1.0") : undefined);
    const { code, stdout } = await waitFor("3h");
    expect(code).toBe(9);
    expect(stdout).toContain(id);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain("never-stops/1.0");
    expect(stdout).toContain("no: waits");
  });

  it.each<[string, wait: () => Promise<CliResult>, stdout: string, stderr?: string]>([
    ["if time is short", () => waitFor("1h"), "no: waits"],
    ["without audit_log:read", waitWithoutLog, "may not read the audit log", "It needs audit_log:read."],
    ["if the log is too long", () => waitWithLongLog(), "the audit log is too long to read in full"],
  ])("--wait-quiet ends with 9 at once %s", async (_case, wait, shown, said = "") => {
    await keepWaiting({ quietFor: "2h" });
    const { code, stdout, stderr } = await wait();
    expect([code, waitedHours()]).toEqual([9, 0]);
    expect(stdout.replaceAll(/\s+/g, " ")).toContain(shown);
    expect(stderr).toContain(said);
  });

  it("does not read a log that is too long before the first atLatest", async () => {
    for (const atLatest of ["3h", "4h"]) await keepWaiting({ quietFor: "2h", atLatest, name: atLatest });
    let pauses = 0;
    bench.clock.onSleep = () => void (pauses += 1);
    expect((await waitWithLongLog()).code).toBe(7);
    expect([pauses, waitedHours()]).toEqual([2, 4]);
  });

  it("waits for atLatest without audit_log:read", async () => {
    await keepWaiting({ quietFor: "2h", atLatest: "3h" });
    expect((await waitWithoutLog()).code).toBe(7);
    expect(waitedHours()).toBe(3);
  });

  it("a log that fails for some time is asked again", async () => {
    await keepWaiting({ quietFor: "2h" });
    await failLog(500, 8);
    expect((await waitFor("3h")).code).toBe(7);
  });

  it("exits with 1 if the API refuses the key", async () => {
    await keepWaiting({ quietFor: "2h" });
    const environment = { ...bench.environment, CLOUDINFRA_API_KEY: "wrong" };
    const { code } = await bench.rotate(["--check", "--wait-quiet", "3h"], { clock: bench.clock, environment });
    expect([code, waitedHours()]).toEqual([1, 0]);
  });
});
