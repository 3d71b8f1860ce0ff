import { isNamedByCredentials, withTwins } from "../kinds";
import type { TestRun } from "../support/lifecycle";
import { answer, dropAfter, rewrite, skewDate } from "../support/proxy/actions";
import { causeOf, post, RecoveryBench } from "./support/recovery-fixture";

const HOUR_MS = 3_600_000;
const { world, proxy, journal, held, heldIds, make, keyWithoutAudit } = RecoveryBench.forSuite();
const types = withTwins.filter((type) => !isNamedByCredentials(type));

/** A run with a key that may not read the audit log. `aheadMs`: of this machine's clock. */
async function runWithoutAudit(aheadMs = 0): Promise<TestRun> {
  const apiKey = await keyWithoutAudit();
  return world.run({ baseUrl: proxy.url, costQuotes: "false", apiKey }, { journal, aheadMs });
}

describe.each(types)("without an audit log, a creation of %s", (type) => {
  it.each([30, 2])("believes the answer with Date %i h ahead", async (hours) => {
    proxy.on({}, skewDate(hours * HOUR_MS));
    const { id } = await make(type, await runWithoutAudit());
    expect(await heldIds(type)).toEqual([id]);
  });

  it("makes nothing again after a lost answer if Date is ahead", async () => {
    proxy.on({}, skewDate(30 * HOUR_MS)).on({ ...post(type), nth: 1 }, dropAfter);
    for (let nth = 1; nth <= 2; nth += 1) {
      const error = await causeOf(make(type, await runWithoutAudit()));
      const [made, ...others] = await heldIds(type);
      expect(others).toEqual([]);
      expect(error.message).toContain(`It may have made ${made}. Nothing was touched.`);
    }
  });

  it("names an object that only seems older, if both clocks are ahead", async () => {
    proxy.on({}, skewDate(3 * HOUR_MS)).on({ ...post(type), nth: 1 }, dropAfter);
    const error = await causeOf(make(type, await runWithoutAudit(3 * HOUR_MS)));
    const [made] = await held(type);
    const only = `The API shows no new ${journal.entries[0]?.noun} named "${String(made?.name)}", only ${made?.id} of `;
    expect(error.message).toContain(only);
    const through = await runWithoutAudit(3 * HOUR_MS);
    await make(type, through).catch(() => undefined); // the answer about a whole object is not believed either
    expect(through.warnings().join()).toContain(only);
  });
});

it("rejects an answer about an object older than its operation", async () => {
  const older = await make("Volume", world.run({ costQuotes: "false" }), { name: "mine" });
  world.clock.advance(2 * HOUR_MS);
  proxy.on(
    post("Volume"),
    rewrite((body) => ({ ...body, resource_id: older.id })),
  );
  const error = await causeOf(make("Volume", await runWithoutAudit(), { name: "mine" }));
  expect(error).toMatchObject({ code: "LOST_CREATION" });
});

it("rejects a whole older object as the answer", async () => {
  await make("Volume", world.run({ costQuotes: "false" }), { name: "mine" });
  const [older] = await held("Volume");
  world.clock.advance(48 * HOUR_MS);
  proxy.on({ ...post("Volume"), nth: 1 }, answer(200, older));
  const error = await causeOf(make("Volume", await runWithoutAudit(), { name: "mine" }));
  expect(error).toMatchObject({ code: "LOST_CREATION" });
});
