import { rejection } from "./support/api-fixture";
import { waitsOf } from "./support/creations";
import { FakeService, forbidden } from "./support/fake-service";
import { sampleOperation } from "./support/samples";
import { forEachTest } from "../support/suite";

const service = forEachTest(() => new FakeService());

describe("waiting for many operations", () => {
  const ids = (count: number): string[] => Array.from({ length: count }, (_, index) => `op-${index}`);

  it("polls all operations of a project in one call", async () => {
    const waits = ids(50).map((id) => service.start(id, 300));
    await service.end(waits);
    expect(new Set(service.requests)).toEqual(new Set([`list ${sampleOperation().project_id}`]));
    expect(service.requests).toHaveLength(2);
  });

  it("polls while the answer to another poll is under way", async () => {
    await service.learn(1_000);
    service.latencyMs = 700;
    const waits = [service.start("a", 1_000)];
    await service.clock.run(400);
    waits.push(service.start("b", 1_000));
    await service.clock.run(5_000);
    expect(waits.map(({ tookMs }) => tookMs)).toEqual([1_710, 1_710]);
  });

  it("polls no operation twice at the same time", async () => {
    service.latencyMs = 3_000;
    const waits = ids(8).map((id) => service.start(id, 500));
    await service.end(waits, 10_000);
    expect(service.requests).toHaveLength(1);
  });

  it("merges the polls of operations that start at different times", async () => {
    await service.learn(1_000);
    const waits = [];
    for (const id of ids(16)) {
      waits.push(service.start(id, 1_000));
      await service.clock.run(5);
    }
    await service.end(waits);
    expect(service.requests.length).toBeLessThanOrEqual(3);
  });

  it("polls by id the operations that the page lacks", async () => {
    service.listed = (all) => all.filter(({ id }) => id !== "op-3");
    ids(5).forEach((id) => service.start(id, 50));
    await service.clock.run(5_000);
    expect(service.requests).toEqual([`list ${sampleOperation().project_id}`, "op-3"]);
  });

  it.each([
    ["shows none of its operations", () => (service.listed = () => [{ ...sampleOperation(), id: "somebody-else's" }])],
    ["is refused", () => service.failures.push(forbidden())],
  ])("falls back to single GETs if the list %s", async (_why, prepare) => {
    prepare();
    await service.end(ids(3).map((id) => service.start(id, 1_000)));
    expect(service.requests.filter((request) => request.startsWith("list"))).toHaveLength(1);
  });

  it("polls each project separately", async () => {
    const waits = ids(4).map((id, index) => service.start(id, 50, { project_id: index % 2 ? "p1" : "p2" }));
    await service.end(waits);
    expect(service.requests.sort()).toEqual(["list p1", "list p2"]);
  });

  it("shares learnt durations between projects", async () => {
    const waits = ids(4).map((id, index) => service.start(id, 1_000, { project_id: index % 2 ? "p1" : "p2" }));
    await service.end(waits);
    expect(service.requests.filter((request) => request === "list p2").length).toBeGreaterThan(3);
    expect(service.requests.filter((request) => request === "list p1")).toHaveLength(1);
    expect(Math.max(...waits.map(({ tookMs }) => tookMs))).toBeLessThanOrEqual(1_350);
  });

  it("does not wait for another project's endless operation", async () => {
    service.start("endless", 50_000, { project_id: "p2" });
    const other = service.start("other", 1_000, { project_id: "p1" });
    await service.clock.run(5_000);
    expect(other.tookMs).toBeLessThanOrEqual(2_100);
  });

  it("the other operations go on if one fails", async () => {
    const failing = service.waiter.wait(service.accept("bad", 100, {}, "failed"));
    failing.catch(() => undefined);
    const others = ids(3).map((id) => service.start(id, 1_000));
    await service.clock.run(5_000);
    expect(await rejection(failing)).toMatchObject({ code: "OPERATION_FAILED", operation: { id: "bad" } });
    await expect(Promise.all(others.map(({ result }) => result))).resolves.toHaveLength(3);
  });

  it("polls a new operation soon while others wait long", async () => {
    service.start("slow", 50_000);
    await service.clock.run(30_000);
    const quick = service.start("quick", 100, { type: "delete" });
    await service.clock.run(1_000);
    expect(quick.tookMs).toBeLessThanOrEqual(250);
  });
});

describe("waiting for the operations of 100 creations", () => {
  /** The Terraform provider makes 404 calls. Ours may make 0.6 of that: 100 POSTs, these polls, and the reads. */
  const MAX_POLLS = 70;

  it.each([8, 10, 32, 100].flatMap((atATime) => [5, 25, 80].map((engineMs) => [atATime, engineMs] as const)))(
    "needs few polls: %d at a time, every %d ms",
    async (atATime, engineMs) => {
      const waits = await waitsOf(service, { count: 100, atATime, durationMs: 1_000, engineMs });
      const { polls, meanDelayMs, longestDelayMs } = waits;
      expect(polls).toBeLessThanOrEqual(MAX_POLLS);
      expect(meanDelayMs).toBeLessThanOrEqual(80);
      // The first come before anybody knows how long such an operation takes.
      expect(longestDelayMs).toBeLessThanOrEqual(400);
    },
  );

  it.each([
    [8, 100, 38],
    [8, 1_000, 76],
    [8, 10_000, 92],
    [10, 100, 34],
    [10, 1_000, 76],
    [10, 10_000, 85],
    [32, 100, 32],
    [32, 1_000, 50],
    [32, 10_000, 58],
    [100, 100, 32],
    [100, 1_000, 45],
    [100, 10_000, 54],
  ])("%d operations of %d ms need at most %d polls", async (atATime, durationMs, mostPolls) => {
    const { polls, longestDelayMs } = await waitsOf(service, { count: 100, atATime, durationMs, jitter: 0.3 });
    expect(polls).toBeLessThanOrEqual(mostPolls);
    expect(longestDelayMs).toBeLessThanOrEqual(Math.max(310, durationMs * 0.6));
  });

  it("needs few polls for operations of one minute", async () => {
    const { polls } = await waitsOf(service, { count: 100, atATime: 32, durationMs: 60_000 });
    expect(polls).toBeLessThanOrEqual(MAX_POLLS);
  });
});
