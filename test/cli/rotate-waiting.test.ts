import { after, RotateBench } from "./rotate-bench";
import { outputSchema } from "./rotate-schema";
import type { CliResult } from "./support";

const bench = RotateBench.forSuite();
const deleteOld = { whenQuietFor: "2d", atLatest: "14d" };
const json = ["--check", "--format", "json"];

/** A key that a client has used, and its successor of the same day in the state. */
async function keepWaiting(use = true): Promise<{ readonly id: string; readonly secret: string }> {
  const old = await bench.makeKey(90);
  if (use) await bench.use(old.secret, "before/1.0");
  const { id } = await bench.makeKey(90);
  const __retired = [{ id: old.id, signedIn: false, replacedAt: after(0), endsAt: after(90) }];
  await bench.keep(id, { rotatesAt: after(76), deleteOld, __retired });
  return old;
}

interface Waiting {
  readonly id: string;
  readonly due: boolean;
  readonly why: string;
  readonly until: string;
  readonly clients: readonly object[];
}
const waitingIn = ({ stdout }: CliResult): readonly Waiting[] => (JSON.parse(stdout) as { waiting: Waiting[] }).waiting;

it("a replaced key that waits is not due", async () => {
  const { id, secret } = await keepWaiting();
  bench.advance(3);
  await bench.use(secret, "late/2.0");

  const result = await bench.rotate(json);

  expect(result.code).toBe(0);
  expect(waitingIn(result)).toEqual([
    expect.objectContaining({
      ...{ id, name: "deployer", due: false, replacedAt: after(0), until: after(14) },
      clients: [{ address: "127.0.0.1", userAgent: "late/2.0", count: 1, lastUsedAt: after(3) }],
    }),
  ]);
  expect(outputSchema("check").safeParse(JSON.parse(result.stdout)).error).toBeUndefined();
});

it.each([
  ["quiet", true, 2, 7],
  ["never seen", false, 13, 0],
  ["at its latest", false, 14, 7],
])("a waiting key that is %s: code", async (_title, used, days, code) => {
  await keepWaiting(used);
  bench.advance(days);

  const result = await bench.rotate(json);

  expect([result.code, waitingIn(result).map(({ due }) => due)]).toEqual([code, [code === 7]]);
});

it("the table says for whom a key waits", async () => {
  const { id, secret } = await keepWaiting();
  await bench.use(secret, "late/2.0");

  const { stdout } = await bench.rotate(["--check"]);

  expect(stdout).toContain(id);
  expect(stdout).toContain("no: waits");
  expect(stdout.replaceAll(/\s+/g, " ")).toContain("late/2.0");
});

it("the table says what deletes a key that is due", async () => {
  await keepWaiting();
  bench.advance(2);

  const { stdout } = await bench.rotate(["--check"]);

  expect(stdout).toContain("yes: goes");
  expect(stdout).toContain("deployer: `pulumi up` deletes the replaced key.");
});

it("the audit shows the clients of waiting keys", async () => {
  const { id, secret } = await keepWaiting();
  await bench.use(secret, "late/2.0");

  const { stdout } = await bench.rotate(["--audit", "--format", "json"]);

  const { keys } = JSON.parse(stdout) as { keys: { replacedId: string; uses: { userAgent: string }[] }[] };
  expect(keys.map(({ replacedId }) => replacedId)).toEqual([id]);
  expect(keys[0]?.uses.map(({ userAgent }) => userAgent)).toContain("late/2.0");
});
