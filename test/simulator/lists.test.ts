import fc from "fast-check";
import { OrderedList } from "../../src/simulator/model/ordered-list";
import {
  badParameters,
  connectionRequest,
  type Harness,
  type Json,
  keyRequest,
  ruleRequest,
  startHarness,
} from "./support/harness";

let api: Harness;
beforeAll(async () => {
  api = await startHarness({ operationTime: "0" });
});
afterAll(() => api.close());
beforeEach(() => {
  api.reset();
});

const rules = (): string => `/v1/networking/vpcs/${api.vpcId}/firewall_rules`;

interface Page {
  readonly names: readonly unknown[];
  readonly next: string | null;
  readonly previous: string | null;
  readonly total: unknown;
}

async function page(path: string): Promise<Page> {
  const { status, body } = await api.call("GET", path);
  expect(status).toBe(200);
  const { next_cursor, previous_cursor, total_count } = body["pagination"] as Json;
  return {
    names: (body["items"] as Json[]).map(({ name }) => name),
    next: next_cursor as string | null,
    previous: previous_cursor as string | null,
    total: total_count,
  };
}

const base64url = (text: string): string => Buffer.from(text).toString("base64url");

async function addRules(count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const body = { ...ruleRequest, name: `rule-${index}`, tags: [index % 2 === 0 ? "even" : "odd", "all"] };
    ids.push(String((await api.call("POST", rules(), { body })).body["resource_id"]));
  }
  return ids;
}

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

describe("sorting (that of the public clients)", () => {
  const udp = { protocol: "udp", destination_ports: ["53"] };
  async function addNamed(...rulesToAdd: readonly (readonly [name: string, more?: Json])[]): Promise<string[]> {
    const ids: string[] = [];
    for (const [name, more] of rulesToAdd) {
      const { body } = await api.call("POST", rules(), { body: { ...ruleRequest, ...more, name } });
      ids.push(String(body["resource_id"]));
    }
    return ids;
  }

  test.each([
    ["name:asc", ["a", "b", "c", "d"]],
    ["name:desc", ["d", "c", "b", "a"]],
    ["protocol:desc", ["b", "c", "d", "a"]],
    ["protocol:asc,name:desc", ["d", "a", "c", "b"]],
    ["protocol:asc,created_at:desc", ["a", "d", "c", "b"]],
    ["status:asc", ["b", "d", "a", "c"]],
    ["created_at:desc", ["c", "a", "d", "b"]],
    ["created_at:asc,name:desc", ["b", "d", "a", "c"]],
  ])("sort=%s", async (sort, names) => {
    await addNamed(["b", udp], ["d"], ["a"], ["c", udp]);
    const order = await page(`${rules()}?sort=${sort}`);
    expect(order).toMatchObject({ names, total: 4, next: null, previous: null });
  });

  test("times are compared as instants, with and without a fraction of a second", async () => {
    const ids = await addNamed(["first"], ["second"], ["third"]);
    for (const [index, wait] of [
      [2, "1s"],
      [0, "500ms"],
      [1, "500ms"],
    ] as const) {
      await api.advance(wait);
      await api.call("PATCH", `${rules()}/${String(ids[index])}`, { body: { tags: ["touched"] } });
    }
    expect((await page(`${rules()}?sort=updated_at:asc`)).names).toEqual(["third", "first", "second"]);
    expect((await page(`${rules()}?sort=updated_at:desc`)).names).toEqual(["second", "first", "third"]);
  });

  test("when a sorted list is walked forward and back, every object is met once, in order", async () => {
    await addNamed(["b"], ["a"], ["b"], ["d"], ["c"], ["b"], ["e"]);
    const path = `${rules()}?sort=name:desc&limit=3`;
    const first = await page(path);
    expect(first).toMatchObject({ names: ["e", "d", "c"], previous: null, total: 7 });
    const second = await page(`${path}&cursor=${String(first.next)}`);
    expect(second.names).toEqual(["b", "b", "b"]);
    const third = await page(`${path}&cursor=${String(second.next)}`);
    expect(third).toMatchObject({ names: ["a"], next: null });
    const back = await page(`${path}&cursor=${String(third.previous)}`);
    expect(back.names).toEqual(second.names);
    expect((await page(`${path}&cursor=${String(back.previous)}`)).names).toEqual(first.names);
  });

  test("when the object at the cursor goes, the next page skips and repeats nothing", async () => {
    const [id] = await addNamed(["b"], ["a"], ["d"], ["c"]);
    const path = `${rules()}?sort=name:asc&limit=2`;
    const first = await page(path);
    expect(first.names).toEqual(["a", "b"]);
    await api.call("DELETE", `${rules()}/${String(id)}`);
    expect(await page(`${path}&cursor=${String(first.next)}`)).toMatchObject({ names: ["c", "d"], next: null });
  });

  test("a cursor holds for its own order only, and none is trusted", async () => {
    await addNamed(["b"], ["a"], ["c"]);
    const path = `${rules()}?limit=1`;
    const cursorOf = async (sort: string) => String((await page(`${path}&sort=${sort}`)).next);
    const madeUp = ["x", "null", "[]", "{}", '["x",null]', '["x",{}]', "7"];
    for (const [sort, cursors] of [
      ["name:asc", [await cursorOf("name:desc"), await cursorOf("created_at:asc"), ...madeUp.map(base64url)]],
      ["created_at:asc", [await cursorOf("name:asc")]],
    ] as const) {
      for (const cursor of cursors) {
        const reply = await api.call("GET", `${path}&sort=${sort}&cursor=${cursor}`);
        expect([reply.status, badParameters(reply)]).toEqual([400, ["cursor"]]);
      }
    }
  });

  test.each(["name", "name:up", "name:asc,", "key:asc", "NAME:asc", ""])("sort=%s is refused", async (sort) => {
    const reply = await api.call("GET", `${rules()}?sort=${sort}`);
    expect([reply.status, badParameters(reply)]).toEqual([400, ["sort"]]);
  });

  test.each([
    ["/v1/api_keys?", ["updated_at", "name", "expires_at"]],
    ["/v1/projects?", ["updated_at", "name"]],
    ["/v1/audit_logs?", ["status_code"]],
    ["/v1/operations?project_id=P&", ["updated_at"]],
    ["/v1/networking/vpcs?project_id=P&", ["updated_at", "name", "status"]],
    ["/v1/networking/connect/connections?project_id=P&", ["updated_at", "name", "status", "bandwidth_mbps"]],
    ["/v1/networking/connect/routes?", ["provider_region", "region"]],
  ])("%s can be sorted by created_at and %j", async (path, fields) => {
    const connection = connectionRequest(api.projectId, api.region);
    for (const bandwidth_mbps of [1000, 50]) {
      const body = { ...connection, name: `link-${bandwidth_mbps}`, bandwidth_mbps };
      await api.call("POST", "/v1/networking/connect/connections", { body });
    }
    const list = path.replace("P", api.projectId);
    for (const field of ["created_at", ...fields]) {
      const read = async (direction: string): Promise<unknown[]> => {
        const { status, body } = await api.call("GET", `${list}sort=${field}:${direction}`);
        expect([field, status]).toEqual([field, 200]);
        return (body["items"] as Json[]).map((item) => item[field === "region" ? "platform_region" : field]);
      };
      const ascending = (await read("asc")) as (string | number)[];
      expect(ascending).toEqual([...ascending].sort((a, b) => (a === b ? 0 : a < b ? -1 : 1)));
      expect(await read("desc")).toEqual([...ascending].reverse());
    }
  });
});

describe("filters (those of the public clients)", () => {
  test.each([
    ["name=RULE-1", ["rule-1"]],
    ["name=rule", ["rule-0", "rule-1", "rule-2", "rule-3"]],
    ["tags=even", ["rule-0", "rule-2"]],
    ["tags=even,all", ["rule-0", "rule-2"]],
    ["tags=even&tags=odd", []],
    ["status=ready", ["rule-0", "rule-1", "rule-2", "rule-3"]],
    ["status=deleting", []],
    ["tags=odd&name=3", ["rule-3"]],
  ])("with %s, the list holds what matches", async (query, names) => {
    await addRules(4);
    expect(await page(`${rules()}?${query}`)).toMatchObject({ names, total: names.length });
  });

  test("firewall rules are filtered by protocol", async () => {
    await addRules(2);
    await api.call("POST", rules(), { body: { ...ruleRequest, name: "dns", protocol: "udp" } });
    expect(await page(`${rules()}?protocol=udp`)).toMatchObject({ names: ["dns"], total: 1 });
    expect(await page(`${rules()}?protocol=tcp`)).toMatchObject({ total: 2 });
    expect(badParameters(await api.call("GET", `${rules()}?protocol=icmp`))).toEqual(["protocol"]);
  });

  test.each([
    ["provider=aws", ["west"]],
    ["provider=other", []],
    ["provider_region=us-west-1", ["west"]],
    ["provider_region=us-east-1", []],
    ["bandwidth_mbps=50", ["bare"]],
    ["bandwidth_mbps=200&provider=aws", ["west"]],
    ["region=us-sva-2", ["west", "bare"]],
    ["region=us-wdc-1", []],
  ])("connections are filtered by %s", async (query, names) => {
    const list = "/v1/networking/connect/connections";
    const body = connectionRequest(api.projectId, api.region);
    const external_provider = { account_id: "523816707215", region: "us-west-1" };
    await api.call("POST", list, { body: { ...body, name: "west", external_provider } });
    await api.call("POST", list, { body: { ...body, name: "bare", bandwidth_mbps: 50 } });
    const path = `${list}?project_id=${api.projectId}&${query}`;
    expect(await page(path)).toMatchObject({ names, total: names.length });
  });

  test("a bandwidth that there is not is refused", async () => {
    for (const bandwidth of ["51", "x", ""]) {
      const path = `/v1/networking/connect/connections?project_id=${api.projectId}&bandwidth_mbps=${bandwidth}`;
      expect(badParameters(await api.call("GET", path))).toEqual(["bandwidth_mbps"]);
    }
  });

  test("routes are filtered by both of their ends", async () => {
    const count = async (query: string) => (await page(`/v1/networking/connect/routes?${query}`)).total;
    expect(await count("region=us-wdc-1&provider_region=us-east-2&provider=aws")).toBe(1);
    expect(await count("region=us-sva-2&provider_region=us-east-2")).toBe(0);
    expect(await count("provider_region=us-east-1")).toBe(2);
    expect(await count("provider=other")).toBe(0);
  });

  test("when a filtered list is walked, it is walked whole", async () => {
    await addRules(6);
    const first = await page(`${rules()}?limit=2&tags=even`);
    expect(first).toMatchObject({ names: ["rule-0", "rule-2"], total: 3 });
    const second = await page(`${rules()}?limit=2&tags=even&cursor=${String(first.next)}`);
    expect(second).toMatchObject({ names: ["rule-4"], next: null });
    expect((await page(`${rules()}?limit=2&tags=even&cursor=${String(second.previous)}`)).names).toEqual(first.names);
  });

  test("when a key's status is asked for, it is judged now", async () => {
    const body = { ...keyRequest(api.projectId), name: "short", expires_at: "2026-03-01T13:00:00Z" };
    await api.call("POST", "/v1/api_keys", { body });
    expect((await page("/v1/api_keys?status=expired")).names).toEqual([]);
    await api.advance("1h");
    expect((await page("/v1/api_keys?status=expired")).names).toEqual(["short"]);
    expect((await page("/v1/api_keys?name=SHO")).names).toEqual(["short"]);
  });
});

describe("project_id", () => {
  test.each(["/v1/networking/vpcs", "/v1/networking/connect/connections", "/v1/operations"])(
    "GET %s requires it",
    async (path) => {
      const reply = await api.call("GET", path);
      expect([reply.status, badParameters(reply)]).toEqual([400, ["project_id"]]);
      expect(badParameters(await api.call("GET", `${path}?project_id=`))).toEqual(["project_id"]);
      expect(badParameters(await api.call("GET", `${path}?project_id=nowhere`))).toEqual(["project_id"]);
      expect((await api.call("GET", `${path}?project_id=${api.projectId}`)).status).toBe(200);
    },
  );

  test.each([
    "/v1/api_keys",
    "/v1/audit_logs",
    "/v1/projects",
    "/v1/quotas",
    "/v1/regions",
    "/v1/networking/connect/routes",
  ])("GET %s does not", async (path) => {
    expect((await api.call("GET", path)).status).toBe(200);
  });

  test("when there are two projects, a list holds its own only", async () => {
    const second = await api.newProject();
    const body = connectionRequest(second, api.region);
    await api.call("POST", "/v1/networking/connect/connections", { body });
    const list = "/v1/networking/connect/connections?project_id=";
    expect(await page(list + api.projectId)).toMatchObject({ total: 0 });
    expect(await page(list + second)).toMatchObject({ names: ["link"], total: 1 });
  });
});

test("an ordered list is what a sorted array is, whatever is added and removed", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2500 }),
      fc.array(fc.integer({ min: 0, max: 2600 }), { maxLength: 2000 }),
      fc.nat(2600),
      (size, removed, place) => {
        const list = OrderedList.of(Array.from({ length: size }, (_, index) => index + 1));
        const gone = new Set(removed);
        for (const one of removed) list.remove(one);
        const left = Array.from({ length: size }, (_, index) => index + 1).filter((one) => !gone.has(one));
        expect(list.size).toBe(left.length);
        expect(Array.from(list.after(place), ({ value }) => value)).toEqual(left.filter((one) => one > place));
        expect(Array.from(list.before(place), ({ value }) => value)).toEqual(
          left.filter((one) => one < place).reverse(),
        );
      },
    ),
    { numRuns: 60 },
  );
});
