import fc from "fast-check";
import { z } from "zod";
import { Operations } from "../../src/simulator/model/operations";
import { AuditLogs, keptText, RequestLog } from "../../src/simulator/model/records";
import { Table } from "../../src/simulator/model/table";
import { SimulatedClock } from "../../src/simulator/model/time";
import type { Call } from "../../src/simulator/services/call";
import { listEndpoint } from "../../src/simulator/services/list-endpoint";

it("the last 100,000 requests are kept, in order", () => {
  const log = new RequestLog();
  for (let count = 1; count <= 250_000; count += 1) log.add("GET", `/${count}`);
  const paths = log.list().map(({ path }) => path);
  expect(paths).toEqual(Array.from({ length: 100_000 }, (_, index) => `/${150_001 + index}`));
});

it("truncates a long path", () => {
  expect(new RequestLog().add("GET", `/${"p".repeat(10_000)}`).path).toBe(`/${"p".repeat(255)}`);
  expect(keptText("🗝".repeat(200))).toHaveLength(256);
});

const kept = 100_000;
const overflow = 1_000;

it("the last 100,000 audit logs are kept", () => {
  const logs = new AuditLogs();
  const actor = { id: "owner", name: "owner", type: "user" } as const;
  const request = { method: "POST", path: "/v1/projects", status_code: 201, user_agent: "", client_ip: "127.0.0.1" };
  const log = { action: "project.create", actor, created_at: "2026-03-01T12:00:00Z", target: null, ...request };
  for (let count = 1; count <= kept + overflow; count += 1) logs.insert({ id: String(count), ...log });
  expect(logs.partition("").size).toBe(kept);
  expect([...logs.partition("").keys()][0]).toBe(String(overflow + 1));
  expect(logs.get(String(overflow))).toBeUndefined();
  expect(logs.get(String(kept + overflow))).toBeDefined();
});

describe("operations", () => {
  const clock = new SimulatedClock({ now: () => 0 });
  const operations = new Operations(clock, 8000);
  const start = (resourceId: string, fault?: "never" | "fail") =>
    operations.start({
      ...{ kind: "vpc", type: "update", projectId: "project", resourceId, fault },
      onDone: () => undefined,
      onFailed: () => undefined,
    });

  it("keeps 100,000 ended operations, and all running ones", () => {
    const hanging = start("hanging", "never");
    const ended = Array.from({ length: kept + overflow }, (_, index) =>
      start(String(index), index % 2 ? "fail" : undefined),
    );
    expect(operations.table.partition("project").size).toBe(kept + overflow + 1);
    clock.advance(8000);
    operations.applyDue();
    expect(operations.table.partition("project").size).toBe(kept + 1);
    expect(operations.table.get(hanging.id)).toBe(hanging);
    expect(ended.filter(({ id }) => operations.table.get(id)).map(({ resourceId }) => resourceId)).toEqual(
      Array.from({ length: kept }, (_, index) => String(overflow + index)),
    );
  });
});

interface NamedObject {
  readonly id: string;
  readonly name: string;
}

interface Page {
  readonly items: readonly NamedObject[];
  readonly pagination: { readonly next_cursor: string | null; previous_cursor: string | null; total_count: number };
}

/** What happens between two pages: a creation, or the deletion of an existing object. */
type Change = "create" | number;

const changes = fc.array(fc.oneof(fc.constant<Change>("create"), fc.nat()), { maxLength: 8 });

/** A list of changing objects, from a table as in the services. */
class Collection {
  readonly table = new Table<NamedObject>(() => "");
  /** In the order of their creation. */
  present: string[] = [];
  readonly deleted = new Set<string>();
  #made = 0;

  change(change: Change): void {
    if (change === "create") {
      const id = String(++this.#made);
      // Names repeat in no order, so sorting by them has ties.
      this.table.insert({ id, name: `name-${(this.#made * 7) % 5}` });
      this.present.push(id);
    } else if (this.present.length > 0) {
      const [id = ""] = this.present.splice(change % this.present.length, 1);
      this.table.remove(id);
      this.deleted.add(id);
    }
  }

  page(sort: string, limit: number, cursor: string | undefined) {
    const list = listEndpoint<NamedObject>({
      ...{ path: "/v1/objects", operationId: "listObjects", summary: "Lists objects.", needs: null },
      ...{ shown: z.looseObject({}), sorts: ["name"] },
      items: () => this.table.partition("").values(),
    });
    const call = { query: () => ({ sort, limit, cursor }), nowMs: 0 };
    return list.handle(call as unknown as Call).body as Page;
  }
}

const orders = ["created_at:asc", "created_at:desc", "name:asc", "name:desc,created_at:desc"];

it.each(orders)("a walk in the order %s shows each object once", (sort) => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.integer({ min: 1, max: 7 }),
      fc.array(changes, { maxLength: 12 }),
      (size, limit, between) => {
        const collection = new Collection();
        for (let count = 0; count < size; count += 1) collection.change("create");
        const atStart = [...collection.present];
        const met = new Set<string>();
        let cursor: string | undefined;
        for (let turn = 0; ; turn += 1) {
          const { items, pagination } = collection.page(sort, limit, cursor);
          expect(items.filter(({ id }) => collection.deleted.has(id) || met.has(id))).toEqual([]);
          for (const { id } of items) met.add(id);
          expect(pagination.total_count).toBe(collection.present.length);
          if (pagination.next_cursor === null) break;
          cursor = pagination.next_cursor;
          for (const change of between[turn] ?? []) collection.change(change);
        }
        expect(atStart.filter((id) => !collection.deleted.has(id) && !met.has(id))).toEqual([]);
      },
    ),
    { numRuns: 300, seed: 7 },
  );
});

it.each(orders)("a walk back in the order %s shows the same pages", (sort) => {
  fc.assert(
    fc.property(
      fc.nat(40),
      fc.array(fc.nat(), { maxLength: 20 }),
      fc.integer({ min: 1, max: 7 }),
      (size, deleted, limit) => {
        const collection = new Collection();
        for (let count = 0; count < size; count += 1) collection.change("create");
        for (const index of deleted) collection.change(index);
        const pages = [collection.page(sort, limit, undefined)];
        for (let next = pages[0]?.pagination.next_cursor; next; next = pages.at(-1)?.pagination.next_cursor) {
          if (pages.length > size) throw new Error("the walk does not end");
          pages.push(collection.page(sort, limit, next));
        }
        expect(pages.flatMap(({ items }) => items)).toHaveLength(collection.present.length);
        expect(pages[0]?.pagination.previous_cursor).toBeNull();
        for (let index = pages.length - 1; index > 0; index -= 1) {
          const back = collection.page(sort, limit, String(pages[index]?.pagination.previous_cursor));
          expect(back.items).toEqual(pages[index - 1]?.items);
        }
      },
    ),
    { numRuns: 100, seed: 7 },
  );
});
