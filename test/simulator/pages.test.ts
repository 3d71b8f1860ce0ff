import { badParameters, harnessForSuite } from "./support/harness";
import { addRulesTo, type Page, readPage } from "./support/lists";
import { firewallRulesOf } from "./support/paths";

const api = harnessForSuite({ operationTime: "0" });

const rules = (): string => firewallRulesOf(api.vpcId);
const page = (path: string): Promise<Page> => readPage(api, path);
const addRules = (count: number): Promise<string[]> => addRulesTo(api, count);

describe("pages", () => {
  it("an empty list has no cursors", async () => {
    const { body } = await api.call("GET", rules());
    expect(body).toEqual({ items: [], pagination: { next_cursor: null, previous_cursor: null, total_count: 0 } });
  });

  it("a page has 20 objects by default, at most 100", async () => {
    await addRules(21);
    expect((await page(rules())).names).toHaveLength(20);
    expect((await page(`${rules()}?limit=100`)).names).toHaveLength(21);
    expect((await page(`${rules()}?limit=1`)).names).toHaveLength(1);
  });

  it.each(["limit=0", "limit=101", "limit=x", "limit=1.5", "limit=", "limit=-1", "limit=1&limit=2"])(
    "a page with %s is 400",
    async (query) => {
      const reply = await api.call("GET", `${rules()}?${query}`);
      expect(reply.status).toBe(400);
      expect(badParameters(reply)).toEqual(["limit"]);
    },
  );

  it("an invalid cursor is 400", async () => {
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
