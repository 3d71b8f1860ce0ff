import { after, DAY_MS, RotateBench } from "./rotate-bench";
import type { CliResult } from "./support";

const bench = RotateBench.forSuite();
const HOUR_MS = DAY_MS / 24;
const rules = { whenQuietFor: "2h", atLatest: "14d" };

/** A key that a client has used, and its successor in the state. */
async function keepWaiting(deleteOld: object = rules, name = "deployer"): Promise<{ readonly secret: string }> {
  const old = await bench.makeKey(90);
  await bench.use(old.secret, "before/1.0");
  const { id } = await bench.makeKey(90);
  const __retired = [{ id: old.id, signedIn: false, replacedAt: after(0), endsAt: after(90) }];
  await bench.keep(id, { name, rotatesAt: after(76), deleteOld, __retired });
  return old;
}

const waitFor = (time: string): Promise<CliResult> =>
  bench.rotate(["--check", "--wait-quiet", time], { clock: bench.clock });
const failLog = (status: number, times = 1000): Promise<unknown> =>
  fetch(`${bench.api.controlUrl}/faults`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ path: "/v1/audit_logs", status, times }),
  });
const waitedHours = (): number => (bench.clock.now() - Date.parse(after(0))) / HOUR_MS;

afterEach(() => (bench.clock.onSleep = undefined));

it("ends when all keys are quiet, with the code of due keys", async () => {
  await keepWaiting();
  await keepWaiting({ ...rules, whenQuietFor: "1h" }, "other");
  const { code, stdout, stderr } = await waitFor("3h");
  expect([code, waitedHours()]).toEqual([7, 2]);
  expect(stdout.match(/yes: goes/g)).toHaveLength(2);
  expect(stderr).toContain(
    `Waiting for the replaced keys of deployer, other, which can be quiet at ${after(2 / 24)}.\n`,
  );
  expect(stderr).toContain("Waiting for the replaced keys of deployer, which");
});

it("begins again if a client uses the key", async () => {
  const { secret } = await keepWaiting();
  bench.clock.onSleep = () => (waitedHours() === 1 ? bench.use(secret, "late/2.0") : undefined);
  expect((await waitFor("4h")).code).toBe(7);
  expect(waitedHours()).toBe(3);
});

it("without keys that wait, does not wait", async () => {
  await bench.keepKey();
  const { code, stderr } = await waitFor("1h");
  expect([code, stderr, waitedHours()]).toEqual([0, "", 0]);
});

it("a client that never stops: code 9, and its name", async () => {
  const { secret } = await keepWaiting();
  bench.clock.onSleep = () => (waitedHours() < 1.5 ? bench.use(secret, "never-stops/1.0") : undefined);
  const { code, stdout } = await waitFor("3h");
  expect(code).toBe(9);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("never-stops/1.0");
  expect(stdout).toContain("no: waits");
});

it("a time that no key can keep: code 9 at once", async () => {
  await keepWaiting();
  const { code, stdout } = await waitFor("1h");
  expect([code, waitedHours()]).toEqual([9, 0]);
  expect(stdout).toContain("no: waits");
});

it("without audit_log:read: code 9 at once, and why", async () => {
  await keepWaiting();
  await failLog(403);
  const { code, stdout, stderr } = await waitFor("5h");
  expect([code, waitedHours()]).toEqual([9, 0]);
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("may not read the audit log");
  expect(stderr).toContain("It needs audit_log:read.");
});

it("without audit_log:read, waits for an end within the time", async () => {
  await keepWaiting({ whenQuietFor: "2h", atLatest: "3h" });
  await failLog(403);
  expect((await waitFor("5h")).code).toBe(7);
  expect(waitedHours()).toBe(3);
});

it("a log that fails for some time is asked again", async () => {
  await keepWaiting();
  await failLog(500, 8);
  expect((await waitFor("3h")).code).toBe(7);
});

it("an API that refuses the key: code 1", async () => {
  await keepWaiting();
  const environment = { ...bench.environment, CLOUDINFRA_API_KEY: "wrong" };
  const { code } = await bench.rotate(["--check", "--wait-quiet", "3h"], { clock: bench.clock, environment });
  expect([code, waitedHours()]).toEqual([1, 0]);
});
