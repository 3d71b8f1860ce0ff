import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as does from "./actions";
import { requests } from "./exchange";
import { FaultProxy } from "./fault-proxy";

/** A service that echoes and counts its requests. */
const served: string[] = [];
let reply: { readonly body: unknown; readonly headers?: Readonly<Record<string, string>> } = { body: {} };
let service: Server;
let proxy: FaultProxy;

beforeAll(async () => {
  service = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.on("end", () => {
      served.push(`${request.method} ${request.url}${body && ` ${body}`}`);
      response.writeHead(200, { "content-type": "application/json", ...reply.headers }).end(JSON.stringify(reply.body));
    });
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterAll(() => new Promise((resolve) => service.close(resolve)));

beforeEach(async () => {
  served.length = 0;
  reply = { body: { id: "a1" } };
  proxy = await FaultProxy.start(`http://127.0.0.1:${(service.address() as AddressInfo).port}`);
});
afterEach(() => proxy.close());

const get = (path: string): Promise<Response> => fetch(proxy.url + path);
const post = (path: string, body = "{}"): Promise<Response> => fetch(proxy.url + path, { method: "POST", body });
const json = async (path: string): Promise<unknown> => (await get(path)).json();
const KEYS = "/v1/api_keys";

describe("a rule", () => {
  it("forwards request and answer without a rule", async () => {
    const answered = await post(`${KEYS}?x=1&y=2`, "body");
    expect([answered.status, await answered.json()]).toEqual([200, { id: "a1" }]);
    expect(served).toEqual([`POST ${KEYS}?x=1&y=2 body`]);
    expect(proxy.seen).toMatchObject([{ method: "POST", path: KEYS, query: "?x=1&y=2", body: "body", status: 200 }]);
  });

  it("applies a rule to its method, path and turn", async () => {
    proxy.on({ method: "GET", path: /keys$/, nth: [2, 3] }, does.answer(503));
    const statuses = [];
    for (const path of [KEYS, "/v1/other", KEYS, KEYS, KEYS]) statuses.push((await get(path)).status);
    expect([...statuses, (await post(KEYS)).status]).toEqual([200, 200, 503, 503, 200, 200]);
    expect(proxy.count({ method: "GET", path: /keys$/ })).toBe(4);
  });

  it("two rules can match one request", async () => {
    proxy.on(requests.creations, does.repeat).on(requests.creations, does.upperCaseIds);
    expect(await (await post(KEYS)).json()).toEqual({ id: "A1" });
    expect(served).toHaveLength(2);
  });

  it("shows a changed request to the next rule", async () => {
    proxy.on({}, (request, forward) => forward({ ...request, query: "?x=2" })).on({}, does.repeat);
    await get(`${KEYS}?x=1`);
    expect(served).toEqual([`GET ${KEYS}?x=2`, `GET ${KEYS}?x=2`]);
  });

  it("forwards requests after its rules are cleared", async () => {
    proxy.on({}, does.answer(503)).clear();
    expect((await get(KEYS)).status).toBe(200);
  });
});

describe("what a rule does", () => {
  it("drops before the effect, or after it", async () => {
    proxy.on({ nth: 1 }, does.dropBefore).on({ nth: 2 }, does.dropAfter);
    await expect(post(KEYS)).rejects.toThrow();
    expect(served).toEqual([]);
    await expect(post(KEYS)).rejects.toThrow();
    expect(served).toEqual([`POST ${KEYS} {}`]);
    expect(proxy.seen.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it("holds a request even after its client has disconnected", async () => {
    let release = (): void => undefined;
    proxy.on({}, does.holdBefore(new Promise<void>((resolve) => (release = resolve))));
    const controller = new AbortController();
    const sent = fetch(proxy.url + KEYS, { method: "POST", body: "{}", signal: controller.signal });
    while (proxy.seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    await expect(sent).rejects.toThrow("aborted");
    expect(served).toEqual([]);
    release();
    while (served.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect(served).toEqual([`POST ${KEYS} {}`]);
  });

  it("holds an answer while something else happens", async () => {
    const happened: string[] = [];
    proxy.on({}, does.holdAfter(Promise.resolve())).on(
      {},
      does.after(() => happened.push(...served)),
    );
    proxy.on(
      {},
      does.before(() => happened.push(`before ${served.length}`)),
    );
    expect((await post(KEYS)).status).toBe(200);
    expect(happened).toEqual(["before 0", `POST ${KEYS} {}`]);
  });

  it("answers in the service's place, with or without the effect", async () => {
    proxy.on({ nth: 1 }, does.foreign404).on({ nth: 2 }, does.answerAfter(502));
    const foreign = await get(KEYS);
    expect([foreign.status, foreign.headers.get("content-type"), await foreign.text()]).toEqual([
      404,
      "text/html",
      "default backend - 404",
    ]);
    expect(served).toEqual([]);
    expect((await get(KEYS)).status).toBe(502);
    expect(served).toHaveLength(1);
  });

  it("rewrites ids, dates and targets in the audit log", async () => {
    const date = "Mon, 15 Jun 2026 12:00:00 GMT";
    reply = { body: { items: [{ id: "a1", resource_id: "b2", target: { id: "c3" } }] }, headers: { date } };
    proxy.on({ path: /^\/ids/ }, does.upperCaseIds).on({ path: /^\/date/ }, does.skewDate(4000));
    proxy.on({ path: /^\/targets/ }, does.withoutTargets).on(
      { path: /^\/none/ },
      does.auditLogsOnly(() => false),
    );
    expect(await json("/ids")).toEqual({ items: [{ id: "A1", resource_id: "B2", target: { id: "C3" } }] });
    expect((await get("/date")).headers.get("date")).toBe("Mon, 15 Jun 2026 12:00:04 GMT");
    expect(await json("/targets")).toEqual({ items: [{ id: "a1", resource_id: "b2", target: null }] });
    expect(await json("/none")).toEqual({ items: [] });
  });

  it("begins a list with an empty page", async () => {
    proxy.on(requests.lists, does.emptyPageFirst);
    const first = (await json(`${KEYS}?limit=5`)) as { items: unknown[]; pagination: { next_cursor: string } };
    expect(first.items).toEqual([]);
    expect(await json(`${KEYS}?limit=5&cursor=${first.pagination.next_cursor}`)).toEqual({ id: "a1" });
    expect(served).toEqual([`GET ${KEYS}?limit=5`]);
  });

  it("makes lists that never end", async () => {
    proxy.on(requests.lists, does.endlessPages());
    const pages = [await json(KEYS), await json(KEYS)];
    expect(pages).toMatchObject([
      { pagination: { next_cursor: "cursor-1" } },
      { pagination: { next_cursor: "cursor-2" } },
    ]);
  });

  it("shows lists and reads late, by the service's own time", async () => {
    proxy.on(requests.lists, does.lateList(15_000)).on(requests.reads, does.lateRead(3000));
    const headers = { date: "Mon, 15 Jun 2026 12:00:14 GMT" };
    const [old, young] = [{ created_at: "2026-06-15T11:59:59Z" }, { created_at: "2026-06-15T12:00:00Z" }];
    reply = { body: { items: [old, young] }, headers };
    expect(await json(KEYS)).toEqual({ items: [old] });
    reply = { body: young, headers };
    expect((await get(`${KEYS}/a1`)).status).toBe(200);
    reply = { body: { created_at: "2026-06-15T12:00:12Z" }, headers };
    const late = await get(`${KEYS}/a1`);
    expect([late.status, ((await late.json()) as { type: string }).type]).toEqual([404, "NOT_FOUND_ERROR"]);
  });
});
