import fc from "fast-check";
import { TURNS, WaitingLine, type Lane, type Turn } from "../../src/api/http/waiting-line";

interface Item {
  readonly turn: Turn;
}

const allLanes = [...new Set(TURNS)];
const shareOf = (lane: Lane): number => TURNS.filter((each) => each === lane).length / TURNS.length;
const someLanes = fc.array(fc.constantFrom(...allLanes), { minLength: 1, maxLength: 300 });

function lineOf(waiting: readonly Lane[]): { readonly line: WaitingLine<Item>; readonly items: Item[] } {
  const line = new WaitingLine<Item>();
  const items = waiting.map((lane, number) => ({ turn: { lane, number } }));
  for (const item of items) line.add(item);
  return { line, items };
}

function takeAll(line: WaitingLine<Item>): Turn[] {
  const taken: Turn[] = [];
  for (let item = line.take(); item; item = line.take()) taken.push(item.turn);
  return taken;
}

describe("the line", () => {
  it("whoever waits, everybody is taken once, in each lane in the order of the calls, in whatever order they came", () => {
    fc.assert(
      fc.property(someLanes, fc.infiniteStream(fc.integer({ min: 0, max: 1_000 })), (waiting, random) => {
        const line = new WaitingLine<Item>();
        const items = waiting.map((lane, number) => ({ turn: { lane, number } }));
        for (const item of items.map((each) => [random.next().value, each] as const).sort(([a], [b]) => a - b))
          line.add(item[1]);
        const taken = takeAll(line);
        for (const lane of allLanes) {
          const expected = items.map(({ turn }) => turn).filter((turn) => turn.lane === lane);
          expect(taken.filter((turn) => turn.lane === lane)).toEqual(expected);
        }
        expect(taken).toHaveLength(waiting.length);
        expect(line.isEmpty).toBe(true);
      }),
    );
  });

  it("whoever waits, a lane gets at least its share of the turns for as long as somebody is in it", () => {
    fc.assert(
      fc.property(someLanes, (waiting) => {
        const taken = takeAll(lineOf(waiting).line);
        for (const lane of allLanes) {
          const last = taken.findLastIndex((turn) => turn.lane === lane);
          for (let turns = 0; turns <= last; turns += 1) {
            const had = taken.slice(0, turns).filter((turn) => turn.lane === lane).length;
            expect(had).toBeGreaterThanOrEqual(Math.floor(turns * shareOf(lane)) - 1);
          }
        }
      }),
    );
  });

  it("when a lane was empty for long, it has saved up nothing, and is not behind either", () => {
    const { line } = lineOf(Array.from({ length: 100 }, () => "mutation" as const));
    for (let i = 0; i < 50; i += 1) line.take();
    for (let number = 100; number < 110; number += 1) line.add({ turn: { lane: "read", number } });
    const next = takeAll(line).slice(0, 8);
    expect(next.filter(({ lane }) => lane === "read")).toHaveLength(4);
  });

  it("when polls wait beside changes, they get one turn in five", () => {
    const { line } = lineOf(Array.from({ length: 100 }, (_, i) => (i % 2 === 0 ? "poll" : "mutation")));
    expect(
      takeAll(line)
        .slice(0, 50)
        .filter(({ lane }) => lane === "poll"),
    ).toHaveLength(10);
  });

  it("when one gives up, it is not taken, and a second time is no harm", () => {
    const { line, items } = lineOf(["read", "mutation", "read"]);
    line.remove(items[0]!);
    line.remove(items[0]!);
    expect([...line]).toHaveLength(2);
    expect(
      takeAll(line)
        .map(({ number }) => number)
        .sort(),
    ).toEqual([1, 2]);
  });
});
