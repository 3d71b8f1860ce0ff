import { seededIds } from "../../src/simulator/model/catalogues";
import { OrderedList } from "../../src/simulator/model/ordered-list";
import { harnessForSuite, type Page, paths, requests } from "./support/harness";

const limit = 4;

/**
 * The objects that a page may look at: its own and the next one, which tells whether there is more, and the same for
 * the previous page.
 */
const mostLookedAt = 2 * (limit + 1);

/** The number of objects of each kind. */
const there = 2 * mostLookedAt;

describe("number of stored objects read per page", () => {
  const api = harnessForSuite({ operationTime: "0" }, { keeps: true });
  let lookedAt = 0;
  beforeAll(async () => {
    await api.addRules(there);
    for (let count = 0; count < there; count += 1) {
      await api.create(paths.connections, requests.connection);
      await api.create(paths.apiKeys, requests.key);
      await api.newProject();
    }
    for (const name of ["after", "before"] as const) {
      const original = Reflect.get(OrderedList.prototype, name) as OrderedList<never>["after"];
      jest.spyOn(OrderedList.prototype, name).mockImplementation(function* (this: OrderedList<unknown>, position) {
        for (const entry of original.call(this, position)) {
          lookedAt += 1;
          yield entry;
        }
      });
    }
  });
  afterAll(() => jest.restoreAllMocks());

  /**
   * Reads a list to its end, and then one page back. Returns how many objects each page looked at, and the number of
   * objects.
   */
  async function walk(query: string): Promise<{ readonly looks: readonly number[]; readonly met: number }> {
    const looks: number[] = [];
    const read = async (cursor: string): Promise<Page> => {
      lookedAt = 0;
      const page = await api.page(`${query}limit=${limit}${cursor}`);
      looks.push(lookedAt);
      return page;
    };
    let page = await read("");
    let met = page.names.length;
    while (page.next !== null) {
      page = await read(`&cursor=${page.next}`);
      met += page.names.length;
    }
    await read(`&cursor=${String(page.previous)}`);
    return { looks, met };
  }

  const ofProject = `project_id=${seededIds.project}&`;
  it.each([
    ["firewall rules", `${paths.rules}?`],
    ["firewall rules, newest first", `${paths.rules}?sort=created_at:desc&`],
    ["connections", `${paths.connections}?${ofProject}`],
    ["API keys", `${paths.apiKeys}?`],
    ["projects", "/v1/projects?"],
    ["operations", `/v1/operations?${ofProject}`],
    ["audit logs", "/v1/audit_logs?"],
  ])("reads only the shown objects of a page: %s", async (_what, query) => {
    const { looks, met } = await walk(query);
    expect(met).toBeGreaterThanOrEqual(there);
    expect(Math.max(...looks)).toBeLessThanOrEqual(mostLookedAt);
  });

  it("reads all objects for a filtered page", async () => {
    const { looks } = await walk(`${paths.rules}?name=rule&`);
    expect(Math.min(...looks)).toBeGreaterThanOrEqual(there);
  });
});

describe("finding a position", () => {
  /** A list of this size that counts the positions that it looks at. */
  function counting(size: number): { readonly list: OrderedList<number>; readonly looks: () => number } {
    const list = new OrderedList<number>();
    let looks = 0;
    for (let value = 1; value <= size; value += 1) {
      list.append({
        value,
        get position() {
          looks += 1;
          return value;
        },
      });
    }
    return { list, looks: () => looks };
  }

  it.each([[1], [50_000], [99_999]])("finds position %i of 100,000 with few looks", (position) => {
    const { list, looks } = counting(100_000);
    const cost = (): number => {
      const before = looks();
      expect(list.after(position).next().value).toMatchObject({ value: position + 1 });
      expect(list.before(position + 1).next().value).toMatchObject({ value: position });
      return looks() - before;
    };
    expect(cost()).toBeLessThan(50);
    for (let deleted = 1; deleted <= 100_000; deleted += 1) if (Math.abs(deleted - position) > 1) list.remove(deleted);
    expect(cost()).toBeLessThan(50);
  });
});
