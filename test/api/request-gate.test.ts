import { systemClock, type Clock } from "../../src/time/clock";
import { QueueStalledError, RequestGate, type QueueLimits } from "../../src/api/http/request-gate";
import { rejection } from "./support/api-fixture";
import { EventClock } from "./support/event-clock";

const twoMinutes: QueueLimits = { stallTimeoutMs: 120_000 };

/** A gate with its own clock, and tasks that the test ends. */
function gateOf<C extends Clock>(capacity: number, clock: C) {
  const limited: number[] = [];
  const gate = new RequestGate({ capacity, clock, onLimited: () => limited.push(clock.now()) });
  const started: string[] = [];
  /** Runs a task in a slot. `excluded` milliseconds of the wait do not count. */
  const run = async <T>(position: number, limits: QueueLimits, task: (excusedMs: number) => Promise<T>): Promise<T> => {
    const excusedMs = await gate.enter(position, limits);
    return task(excusedMs).finally(() => gate.leave());
  };
  const start = (name: string, limits = twoMinutes) => {
    const position = gate.newPosition();
    let end = (): void => undefined;
    const ended = new Promise<string>((resolve) => {
      end = () => resolve("done");
    });
    const result = run(position, limits, () => {
      started.push(name);
      return ended;
    });
    // Calls that are still in the queue give up long after the test.
    result.catch(() => undefined);
    return { position, result, end: () => end() };
  };
  return { clock, gate, limited, started, start, run };
}

function fail(message: string): never {
  throw new Error(message);
}

describe("the gate", () => {
  it("queues calls in order, also after a failure", async () => {
    const { clock, gate, run, start, started } = gateOf(2, new EventClock());
    const failing = run(gate.newPosition(), twoMinutes, () => clock.sleep(1).then(() => fail("failed")));
    const [first] = [start("a"), start("b"), start("c")];
    await clock.run(0);
    expect(started).toEqual(["a"]);
    await Promise.all([clock.run(1), expect(failing).rejects.toThrow("failed")]);
    expect(started).toEqual(["a", "b"]);
    first.end();
    await expect(first.result).resolves.toBe("done");
    start("d");
    await clock.run(0);
    expect(started).toEqual(["a", "b", "c"]);
  });

  it("gives an aborted call's slot to the next one", async () => {
    const { start, started } = gateOf(1, new EventClock());
    const abort = new AbortController();
    const first = start("a");
    const second = start("b", { ...twoMinutes, signal: abort.signal });
    const third = start("c");
    abort.abort(new Error("given up"));
    expect((await rejection(second.result)).message).toBe("given up");
    first.end();
    third.end();
    await Promise.all([first.result, third.result]);
    expect(started).toEqual(["a", "c"]);
  });

  it("keeps the waiting calls if an admitted one is aborted", async () => {
    const { clock, gate, start, started } = gateOf(1, new EventClock());
    const abort = new AbortController();
    start("a");
    const second = start("b", { ...twoMinutes, signal: abort.signal });
    start("c");
    gate.leave();
    abort.abort();
    second.end();
    await clock.run(0);
    expect(started).toEqual(["a", "b", "c"]);
  });

  it("keeps a fixed deadline while others are answered", async () => {
    jest.useFakeTimers();
    try {
      const clock: Clock = { ...systemClock, now: () => Date.now(), sleep: () => new Promise(() => undefined) };
      const { gate, start } = gateOf(1, clock);
      start("a");
      const endsAt = clock.now() + 2_000;
      const bounded = rejection(start("b", { stallTimeoutMs: 2_000, endsAt }).result);
      let isOver = false;
      void bounded.then(() => (isOver = true));
      for (let ms = 0; ms < 1_999; ms += 1) {
        gate.recordResponse();
        await jest.advanceTimersByTimeAsync(1);
      }
      expect(isOver).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(await bounded).toBeInstanceOf(QueueStalledError);
    } finally {
      jest.useRealTimers();
    }
  });

  it("a call does not wait if nothing was refused", async () => {
    const { clock, gate, limited, start, started } = gateOf(3, new EventClock());
    const sleep = jest.spyOn(clock, "sleep");
    for (let i = 0; i < 100; i += 1) {
      const one = start(`${i}`);
      gate.recordResponse();
      one.end();
      await one.result;
    }
    expect(started).toHaveLength(100);
    expect(sleep).not.toHaveBeenCalled();
    expect(limited).toEqual([]);
  });

  it("paces calls when one slot is left and no answer comes", async () => {
    const { clock, gate, start, started } = gateOf(2, new EventClock());
    start("silent");
    gate.recordRefused(clock.now(), 1_000);
    start("next");
    await clock.run(1_000);
    expect(started).toEqual(["silent", "next"]);
  });

  it("sends no request during a pause", async () => {
    const { clock, gate, start, started } = gateOf(3, new EventClock());
    start("refused");
    gate.recordRefused(clock.now(), 1_000);
    gate.recordRefused(clock.now(), 200);
    start("a");
    await clock.run(999);
    expect(started).toEqual(["refused"]);
    await clock.run(1);
    expect(started).toEqual(["refused", "a"]);
  });

  it("warns once after a refusal, and sends one by one", async () => {
    const { clock, gate, limited, start, started } = gateOf(10, new EventClock());
    start("refused");
    for (let i = 0; i < 4; i += 1) gate.recordResponse();
    gate.recordRefused(clock.now(), 1_000);
    gate.recordRefused(clock.now(), 1_000);
    for (const name of ["a", "b", "c"]) start(name);
    // Four were accepted in the last second: the pace begins with a little over three a second.
    await clock.run(1_000);
    expect(started).toEqual(["refused", "a"]);
    await clock.run(400);
    expect(started).toEqual(["refused", "a", "b"]);
    await clock.run(400);
    expect(started).toEqual(["refused", "a", "b", "c"]);
    expect(limited).toHaveLength(1);
  });

  it("puts refused calls before all later ones", async () => {
    const { clock, gate, run, start, started } = gateOf(10, new EventClock());
    const [a, b] = [start("a"), start("b")];
    gate.recordRefused(clock.now(), 1_000);
    start("later");
    const again = (name: string, { position }: { readonly position: number }) =>
      run(position, twoMinutes, () => Promise.resolve(started.push(`${name} again`)));
    const attempts = [again("b", b), again("a", a)];
    await clock.run(4_000);
    await Promise.all(attempts);
    expect(started).toEqual(["a", "b", "a again", "b again", "later"]);
  });

  it("ends a wait at once if the pause outlasts it", async () => {
    const { clock, gate, start, started } = gateOf(1, new EventClock());
    start("refused");
    const waiting = start("waiting", { stallTimeoutMs: 2_000 });
    gate.recordRefused(clock.now(), 30_000);
    const late = start("late", { stallTimeoutMs: 2_000 });
    expect(await rejection(waiting.result)).toBeInstanceOf(QueueStalledError);
    expect(await rejection(late.result)).toBeInstanceOf(QueueStalledError);
    expect(started).toEqual(["refused"]);
  });

  it("restarts the deadline of the queue at each answer", async () => {
    const { clock, gate, run } = gateOf(1, new EventClock());
    const first = run(gate.newPosition(), twoMinutes, () => clock.sleep(9_000));
    const excused: number[] = [];
    const second = run(gate.newPosition(), { stallTimeoutMs: 5_000 }, (excusedMs) => {
      excused.push(excusedMs);
      return Promise.resolve();
    });
    await clock.run(7_000);
    gate.recordResponse();
    await clock.run(2_000);
    await Promise.all([first, second]);
    expect(excused).toEqual([7_000]);
  });
});

describe("a gate whose API answers nothing", () => {
  beforeEach(() => jest.useFakeTimers({ doNotFake: ["setImmediate", "nextTick", "queueMicrotask"] }));
  afterEach(() => jest.useRealTimers());

  it("ends queued calls a deadline after the last answer", async () => {
    const { gate, start, started } = gateOf(1, systemClock);
    start("a");
    const hasty = start("hasty", { stallTimeoutMs: 1_000 });
    const patient = start("patient", { stallTimeoutMs: 3_000 });
    jest.advanceTimersByTime(1_000);
    expect(await rejection(hasty.result)).toBeInstanceOf(QueueStalledError);
    gate.recordResponse();
    let hasEnded = false;
    const error = rejection(patient.result).finally(() => (hasEnded = true));
    await jest.advanceTimersByTimeAsync(2_500);
    expect(hasEnded).toBe(false);
    await jest.advanceTimersByTimeAsync(2_500);
    expect(await error).toBeInstanceOf(QueueStalledError);
    expect(started).toEqual(["a"]);
  });
});
