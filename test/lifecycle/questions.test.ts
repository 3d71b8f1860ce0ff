import { Questions } from "../../src/lifecycle/preflight/questions";
import { VirtualClock } from "../support/virtual-clock";

it("when questions have taken thirty seconds in all, no more are asked, and that is told once", async () => {
  const clock = new VirtualClock();
  const questions = new Questions(clock);
  let asked = 0;
  const answerLate = (): Promise<boolean> => {
    asked += 1;
    clock.advance(1_500);
    return Promise.resolve(true);
  };
  const replies = [];
  for (let n = 0; n < 40; n += 1) replies.push(await questions.ask(n % 2 ? "quote" : "availability", answerLate));
  expect(asked).toBe(20);
  const missed = replies.filter(({ status }) => status === "unanswered");
  expect(missed).toHaveLength(20);
  const told = missed.flatMap((reply) => (reply.status === "unanswered" ? [reply.trouble] : [])).filter(Boolean);
  expect(told).toEqual([expect.stringContaining("for 30 s")]);
});

it("when questions of a topic fail three times in a row, it is not asked for again, and others are", async () => {
  const questions = new Questions(new VirtualClock());
  let asked = 0;
  const fail = (): Promise<boolean> => {
    asked += 1;
    return Promise.reject(new Error("broken"));
  };
  const replies = [];
  for (let n = 0; n < 5; n += 1) replies.push(await questions.ask("quotas", fail));
  expect(asked).toBe(3);
  expect(replies.filter((reply) => reply.status === "unanswered" && reply.trouble !== undefined)).toHaveLength(1);
  expect(await questions.ask("names", () => Promise.resolve(7))).toEqual({ status: "answered", answer: 7 });
});
