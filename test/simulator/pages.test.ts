import { badParameters, harnessForSuite } from "./support/harness";
import { addRulesTo, type Page, readPage } from "./support/lists";
import { firewallRulesOf } from "./support/paths";

const api = harnessForSuite({ operationTime: "0" });

const rules = (): string => firewallRulesOf(api.vpcId);
const page = (path: string): Promise<Page> => readPage(api, path);
const addRules = (count: number): Promise<string[]> => addRulesTo(api, count);

describe("pages", () => {
  test("when a list is walked forward and back, every object is met once, in order", async () => {
    await addRules(7);
    const first = await page(`${rules()}?limit=3`);
    expect(first).toMatchObject({ names: ["rule-0", "rule-1", "rule-2"], previous: null, total: 7 });
    const second = await page(`${rules()}?limit=3&cursor=${String(first.next)}`);
    expect(second).toMatchObject({ names: ["rule-3", "rule-4", "rule-5"], total: 7 });
    const third = await page(`${rules()}?limit=3&cursor=${String(second.next)}`);
    expect(third).toMatchObject({ names: ["rule-6"], next: null, total: 7 });
    const back = await page(`${rules()}?limit=3&cursor=${String(third.previous)}`);
    expect(back.names).toEqual(second.names);
    const start = await page(`${rules()}?limit=3&cursor=${String(back.previous)}`);
    expect(start).toMatchObject({ names: first.names });
  });

  test("when the list is turned round, it is walked the same way", async () => {
    await addRules(5);
    const first = await page(`${rules()}?limit=2&sort=created_at:desc`);
    expect(first.names).toEqual(["rule-4", "rule-3"]);
    const second = await page(`${rules()}?limit=2&sort=created_at:desc&cursor=${String(first.next)}`);
    expect(second.names).toEqual(["rule-2", "rule-1"]);
    const back = await page(`${rules()}?limit=2&sort=created_at:desc&cursor=${String(second.previous)}`);
    expect(back.names).toEqual(first.names);
  });

  test("when objects before or at the cursor go, the next page skips and repeats nothing", async () => {
    const ids = await addRules(6);
    const first = await page(`${rules()}?limit=3`);
    for (const id of [ids[0], ids[2]]) await api.call("DELETE", `${rules()}/${String(id)}`);
    const second = await page(`${rules()}?limit=3&cursor=${String(first.next)}`);
    expect(second).toMatchObject({ names: ["rule-3", "rule-4", "rule-5"], next: null, total: 4 });
  });

  test("when there is nothing, the list is empty and has no cursors", async () => {
    const { body } = await api.call("GET", rules());
    expect(body).toEqual({ items: [], pagination: { next_cursor: null, previous_cursor: null, total_count: 0 } });
  });

  test("when no limit is given, a page has 20; 100 is the most", async () => {
    await addRules(21);
    expect((await page(rules())).names).toHaveLength(20);
    expect((await page(`${rules()}?limit=100`)).names).toHaveLength(21);
    expect((await page(`${rules()}?limit=1`)).names).toHaveLength(1);
  });

  test.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "limit=", "limit=-1", "limit=1&limit=2"])(
    "with %s, the answer is 400",
    async (query) => {
      const reply = await api.call("GET", `${rules()}?${query}`);
      expect(reply.status).toBe(400);
      expect(badParameters(reply)).toEqual(["limit"]);
    },
  );

  test("when the cursor is made up, or of other filters, the answer is 400", async () => {
    await addRules(3);
    const { next } = await page(`${rules()}?limit=1&name=rule`);
    for (const query of [
      "cursor=x",
      "cursor=",
      `limit=1&cursor=${String(next)}`,
      `sort=created_at:desc&cursor=${String(next)}&name=rule`,
    ]) {
      expect(badParameters(await api.call("GET", `${rules()}?${query}`))).toEqual(["cursor"]);
    }
  });
});
