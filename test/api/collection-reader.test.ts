import fc from "fast-check";
import { ReadTally } from "../../src/api/lists/collection-reader";
import { TimeoutError } from "../../src/api/errors";
import { FakeCollection, idsOf } from "./support/fake-collection";
import { forbidden, response } from "./support/fake-service";

/** A shuffled copy; each seed gives the same order. */
function shuffled(all: readonly string[], seed = 1): string[] {
  return fc.sample(fc.shuffledSubarray([...all], { minLength: all.length }), { seed, numRuns: 1 })[0] ?? [];
}

const theirs = (count: number): string[] => idsOf(count, "theirs-");

describe("number of API calls for reads", () => {
  it.each<[string, readonly string[], readonly string[], number, { pages: number; gets: number }]>([
    ["100 of 100", idsOf(100), idsOf(100), 8, { pages: 1, gets: 0 }],
    ["1,000 of 1,000", idsOf(1000), idsOf(1000), 8, { pages: 10, gets: 0 }],
    ["1,000 at once", idsOf(1000), idsOf(1000), 1000, { pages: 10, gets: 0 }],
    ["one after the other", idsOf(100), idsOf(100), 1, { pages: 1, gets: 1 }],
    ["two", idsOf(100), ["3", "70"], 8, { pages: 1, gets: 0 }],
    ["a single one", idsOf(1), ["0"], 8, { pages: 0, gets: 1 }],
    ["one in a collection of 10,000", idsOf(10_000), ["9000"], 8, { pages: 0, gets: 1 }],
    ["two in a collection of 10,000", idsOf(10_000), ["9000", "9001"], 8, { pages: 1, gets: 2 }],
    ["100 behind 9,900 others", [...theirs(9900), ...idsOf(100)], idsOf(100), 8, { pages: 11, gets: 100 }],
  ])("reads %s with the expected number of calls", async (_case, there, read, atATime, calls) => {
    const collection = new FakeCollection([...there]);
    const found = await collection.read(read, atATime);
    expect(found.map((each) => each?.id)).toEqual(read);
    expect(collection.calls).toEqual(calls);
  });

  it.each([
    ["unordered", shuffled(idsOf(1000))],
    ["in reverse order", idsOf(1000).reverse()],
  ])("reads a list of 1,000 by pages (%s)", async (_how, there) => {
    const collection = new FakeCollection(there);
    await collection.read(idsOf(1000));
    expect(collection.calls.pages).toBe(10);
    expect(collection.calls.gets).toBeLessThan(100);
  });

  it("sends hardly more calls than one GET per read", async () => {
    const anyCollection = fc.record({
      ours: fc.integer({ min: 1, max: 120 }),
      others: fc.integer({ min: 0, max: 1500 }),
      deleted: fc.integer({ min: 0, max: 20 }),
      again: fc.integer({ min: 0, max: 50 }),
      atATime: fc.constantFrom(1, 2, 8, 100),
      seed: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(anyCollection, async ({ ours, others, deleted, again, atATime, seed }) => {
        const collection = new FakeCollection(shuffled([...idsOf(ours), ...theirs(others)], seed));
        const read = shuffled([...idsOf(ours), ...idsOf(deleted, "gone-")], seed);
        const twice = [...read, ...read.slice(0, again)];
        const found = await collection.read(twice, atATime);
        expect(found.map((each) => each?.id)).toEqual(twice.map((id) => (id.startsWith("gone") ? undefined : id)));
        expect(collection.requests.length).toBeLessThanOrEqual(twice.length * 1.1 + 1);
      }),
      { numRuns: 50 },
    );
  });
});

describe("the first read of a collection", () => {
  const tallyOf = (reads: number, misses = 0): ReadTally => {
    const tally = new ReadTally();
    for (let read = 0; read < reads; read += 1) tally.countRead();
    for (let miss = 0; miss < misses; miss += 1) tally.countMiss();
    return tally;
  };

  it.each([
    ["two objects of other collections are read", tallyOf(2), "GET 0"],
    ["many objects of other collections are read", tallyOf(20), "page 1"],
    ["first pages were of use", tallyOf(20, 2), "page 1"],
    ["first pages were of no use", tallyOf(20, 3), "GET 0"],
  ])("chooses the cheaper read if %s", async (_when, tally, call) => {
    const collection = new FakeCollection(idsOf(10), tally);
    await collection.read(["0"]);
    expect(collection.requests).toEqual([call]);
  });

  it("uses a GET if the page lacks the object", async () => {
    const tally = tallyOf(5);
    const [first, second] = [new FakeCollection(theirs(300), tally), new FakeCollection(idsOf(10), tally)];
    await first.read(["gone"]);
    await second.read(["0"]);
    expect([first.requests, second.requests]).toEqual([["page 1", "GET gone"], ["GET 0"]]);
  });
});

describe("reads from a list", () => {
  it("sends a GET only for each deleted object", async () => {
    const collection = new FakeCollection(idsOf(100).filter((id) => !["5", "50", "99"].includes(id)));
    const found = await collection.read(idsOf(100));
    expect(found.filter((each) => each === undefined)).toHaveLength(3);
    expect(collection.requests.sort()).toEqual(["GET 5", "GET 50", "GET 99", "page 1"]);
  });

  it("does not search all pages for a deleted object", async () => {
    const collection = new FakeCollection(idsOf(10_000));
    await collection.read([...idsOf(100), "gone"]);
    expect(collection.requests).toEqual(["page 1", "page 2", "GET gone"]);
  });

  it("sends a GET for an object whose status changes", async () => {
    const collection = new FakeCollection(idsOf(10));
    collection.statuses.set("4", "updating");
    await collection.read(idsOf(10));
    expect(collection.requests).toEqual(["page 1", "GET 4"]);
  });

  it("does not use a page older than 30 s", async () => {
    const collection = new FakeCollection(idsOf(10));
    const reads = ["0", "1"].map((id) => collection.reader.read(id));
    await collection.clock.run(29_000);
    reads.push(collection.reader.read("2"));
    await collection.clock.run(2_000);
    expect(collection.requests).toEqual(["page 1"]);
    reads.push(collection.reader.read("3"));
    await collection.clock.run(1_000);
    expect(collection.requests).toEqual(["page 1", "page 1"]);
    await Promise.all(reads);
  });

  it("sends a new request for an object's second read", async () => {
    const collection = new FakeCollection(idsOf(10));
    const reads = ["0", "1", "0"].map((id) => collection.reader.read(id));
    await collection.clock.run(100);
    const readAt = collection.clock.now();
    const again = collection.reader.read("1");
    await collection.clock.run(100);
    await Promise.all(reads);
    expect((await again).answeredAt).toBeGreaterThanOrEqual(readAt);
  });

  it("shares a page among resources with the same sub-resource", async () => {
    const collection = new FakeCollection(idsOf(10));
    const reads = [collection.reader.read("0"), collection.reader.read("0", undefined, "a")];
    reads.push(collection.reader.read("0", undefined, "b"));
    await collection.clock.run(100);
    await Promise.all(reads);
    expect(collection.requests).toEqual(["page 1"]);
  });

  it.each([
    ["from before its own change", 100, ["2", "3"]],
    ["that a change overtakes", 10, []],
  ])("uses no page %s", async (_which, changedAfterMs, others) => {
    const collection = new FakeCollection(idsOf(10));
    const first = ["0", "1"].map((id) => collection.reader.read(id));
    await collection.clock.run(changedAfterMs);
    collection.changes += 1;
    const changedAt = collection.clock.now();
    const later = others.map((id) => collection.reader.read(id));
    await collection.clock.run(100);
    const shown = await Promise.all(others.length > 0 ? later : first);
    for (const { answeredAt } of shown) expect(answeredAt).toBeGreaterThanOrEqual(changedAt);
  });

  const limit = { ms: 15_000, isConfigured: false };
  it.each([
    ["refused", forbidden()],
    ["without an answer", new TimeoutError(response.line, "api.example.com", limit, "none")],
  ])("falls back to single GETs if the list is %s", async (_how, failure) => {
    const collection = new FakeCollection(idsOf(300));
    collection.pageFailure = failure;
    const found = await collection.read(idsOf(300));
    expect(found.map((each) => each?.id)).toEqual(idsOf(300));
    expect(collection.calls).toEqual({ pages: 1, gets: 300 });
    collection.changes += 1;
    await collection.read(["0", "1"]);
    expect(collection.calls).toEqual({ pages: 1, gets: 302 });
  });

  it("uses the earlier pages if a later page is refused", async () => {
    const collection = new FakeCollection(idsOf(300));
    await collection.read(idsOf(50));
    collection.pageFailure = forbidden();
    await collection.read(idsOf(300).slice(50));
    expect(collection.calls.gets).toBe(250);
  });
});
