import fc from "fast-check";
import { Operations } from "../../src/simulator/model/operations";
import { OrderedList } from "../../src/simulator/model/ordered-list";
import { AuditLogs, keptText, RequestLog } from "../../src/simulator/model/records";
import { SimulatedClock } from "../../src/simulator/model/time";
import { FirstFew } from "../../src/simulator/services/pages";

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
  for (let count = 1; count <= kept + overflow; count += 1) {
    const request = {
      method: "POST",
      path: "/v1/projects",
      status_code: 201,
      user_agent: "",
      client_ip: "127.0.0.1",
    };
    const created_at = "2026-03-01T12:00:00Z";
    logs.insert({ id: String(count), action: "project.create", actor, created_at, target: null, ...request });
  }
  expect(logs.size).toBe(kept);
  expect(logs.partition("").size).toBe(kept);
  expect(Array.from(logs.partition("").after(0), ({ value }) => value.id).at(0)).toBe(String(overflow + 1));
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
    expect(operations.table.size).toBe(kept + overflow + 1);
    clock.advance(8000);
    operations.applyDue();
    expect(operations.table.size).toBe(kept + 1);
    expect(operations.table.get(hanging.id)).toBe(hanging);
    expect(ended.filter(({ id }) => operations.table.get(id)).map(({ resourceId }) => resourceId)).toEqual(
      Array.from({ length: kept }, (_, index) => String(overflow + index)),
    );
  });
});

it("keeps the same order as a sorted array", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 2500 }),
      fc.array(fc.integer({ min: 0, max: 2600 }), { maxLength: 2000 }),
      fc.nat(2600),
      (size, removed, position) => {
        const list = OrderedList.of(Array.from({ length: size }, (_, index) => index + 1));
        const deleted = new Set(removed);
        for (const one of removed) list.remove(one);
        const left = Array.from({ length: size }, (_, index) => index + 1).filter((one) => !deleted.has(one));
        expect(list.size).toBe(left.length);
        expect(Array.from(list.after(position), ({ value }) => value)).toEqual(left.filter((one) => one > position));
        expect(Array.from(list.before(position), ({ value }) => value)).toEqual(
          left.filter((one) => one < position).reverse(),
        );
      },
    ),
    { numRuns: 60 },
  );
});

it("keeps the smallest few values, sorted", () => {
  const descending = (a: number, b: number): number => b - a;
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer(), { maxLength: 200 }), fc.integer({ min: 1, max: 20 }), (values, most) => {
      const few = new FirstFew<number>(most, descending);
      for (const [index, value] of values.entries()) {
        few.add(value);
        expect(few.values.length).toBe(Math.min(index + 1, most));
      }
      expect(few.values).toEqual(values.toSorted(descending).slice(0, most));
    }),
  );
});
