import fc from "fast-check";
import { RequestQueue, SLOT_ORDER, type Priority, type QueuePosition } from "../../src/api/http/request-gate";

interface Item {
  readonly position: QueuePosition;
}

const priorities = [...new Set(SLOT_ORDER)];
const shareOf = (priority: Priority): number =>
  SLOT_ORDER.filter((each) => each === priority).length / SLOT_ORDER.length;
const somePriorities = fc.array(fc.constantFrom(...priorities), { minLength: 1, maxLength: 300 });

function queueOf(waiting: readonly Priority[]): { readonly queue: RequestQueue<Item>; readonly items: Item[] } {
  const queue = new RequestQueue<Item>();
  const items = waiting.map((priority, number) => ({ position: { priority, number } }));
  for (const item of items) queue.add(item);
  return { queue, items };
}

function takeAll(queue: RequestQueue<Item>): QueuePosition[] {
  const taken: QueuePosition[] = [];
  for (let item = queue.take(); item; item = queue.take()) taken.push(item.position);
  return taken;
}

describe("the queue", () => {
  it("takes every call once, by priority and in order", () => {
    fc.assert(
      fc.property(somePriorities, fc.infiniteStream(fc.integer({ min: 0, max: 1_000 })), (waiting, random) => {
        const queue = new RequestQueue<Item>();
        const items = waiting.map((priority, number) => ({ position: { priority, number } }));
        for (const item of items.map((each) => [random.next().value, each] as const).sort(([a], [b]) => a - b))
          queue.add(item[1]);
        const taken = takeAll(queue);
        for (const priority of priorities) {
          const expected = items.map(({ position }) => position).filter((position) => position.priority === priority);
          expect(taken.filter((position) => position.priority === priority)).toEqual(expected);
        }
        expect(taken).toHaveLength(waiting.length);
        expect(queue.isEmpty).toBe(true);
      }),
    );
  });

  it("gives each priority its share of slots", () => {
    fc.assert(
      fc.property(somePriorities, (waiting) => {
        const taken = takeAll(queueOf(waiting).queue);
        for (const priority of priorities) {
          const last = taken.findLastIndex((position) => position.priority === priority);
          for (let turns = 0; turns <= last; turns += 1) {
            const had = taken.slice(0, turns).filter((position) => position.priority === priority).length;
            expect(had).toBeGreaterThanOrEqual(Math.floor(turns * shareOf(priority)) - 1);
          }
        }
      }),
    );
  });

  it("saves no slots for an empty priority", () => {
    const { queue } = queueOf(Array.from({ length: 100 }, () => "mutation" as const));
    for (let i = 0; i < 50; i += 1) queue.take();
    for (let number = 100; number < 110; number += 1) queue.add({ position: { priority: "read", number } });
    const next = takeAll(queue).slice(0, 8);
    expect(next.filter(({ priority }) => priority === "read")).toHaveLength(4);
  });

  it("gives one slot in five to polls while changes wait", () => {
    const { queue } = queueOf(Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? "poll" : "mutation")));
    expect(
      takeAll(queue)
        .slice(0, 50)
        .filter(({ priority }) => priority === "poll"),
    ).toHaveLength(10);
  });

  it("removes a waiting call once, even if asked twice", () => {
    const { queue, items } = queueOf(["read", "mutation", "read"]);
    queue.remove(items[0]!);
    queue.remove(items[0]!);
    expect([...queue]).toHaveLength(2);
    expect(
      takeAll(queue)
        .map(({ number }) => number)
        .sort(),
    ).toEqual([1, 2]);
  });
});
