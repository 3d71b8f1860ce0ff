import { RequestGate } from "../../src/api/request-gate";
import { EventClock } from "./support/event-clock";
import { rejection } from "./support/api-bench";

const { signal: forever } = new AbortController();
const never = (): AbortSignal => forever;

/** Something to do that ends when it is told to. */
function task() {
  const state = { started: false, end: (): void => undefined };
  const ended = new Promise<string>((resolve) => {
    state.end = () => resolve("done");
  });
  const run = (): Promise<string> => {
    state.started = true;
    return ended;
  };
  return { state, run };
}

describe("the gate", () => {
  it("when it is full, the next wait for their turn, in order, also after a failure", async () => {
    const gate = new RequestGate(2, new EventClock());
    const [a, b, c, d] = [task(), task(), task(), task()];
    const first = gate.run(a.run, never);
    const failing = gate.run(() => b.run().then(() => Promise.reject(new Error("failed"))), never);
    void gate.run(c.run, never);
    void gate.run(d.run, never);
    await Promise.resolve();
    expect([a, b, c, d].map(({ state }) => state.started)).toEqual([true, true, false, false]);
    a.state.end();
    await expect(first).resolves.toBe("done");
    b.state.end();
    await expect(failing).rejects.toThrow("failed");
    await Promise.resolve();
    const e = task();
    void gate.run(e.run, never);
    await Promise.resolve();
    expect([c, d, e].map(({ state }) => state.started)).toEqual([true, true, false]);
  });

  it("when one gives up waiting, its turn goes to the next", async () => {
    const gate = new RequestGate(1, new EventClock());
    const [a, b, c] = [task(), task(), task()];
    const abort = new AbortController();
    const first = gate.run(a.run, never);
    const second = gate.run(b.run, () => abort.signal);
    const third = gate.run(c.run, never);
    abort.abort(new Error("given up"));
    expect((await rejection(second)).message).toBe("given up");
    a.state.end();
    c.state.end();
    await Promise.all([first, third]);
    expect(b.state.started).toBe(false);
  });

  it("when the service asked for a pause, nobody passes before its end", async () => {
    const clock = new EventClock();
    const gate = new RequestGate(2, clock);
    gate.pause(1_000);
    gate.pause(200);
    const a = task();
    void gate.run(a.run, never);
    await clock.run(999);
    expect(a.state.started).toBe(false);
    await clock.run(1);
    expect(a.state.started).toBe(true);
  });
});
