import { AdvisoryRequests, type Reply } from "../../src/api/advisory-requests";
import { ConnectionError } from "../../src/api/errors";
import { apiErrorFor } from "../../src/api/errors/api-error";
import { all, bench } from "./support/api-fixture";
import { listOf, sampleRegion } from "./support/samples";
import { VirtualClock } from "../support/virtual-clock";

it("stops after a minute, and warns once per subject", async () => {
  const clock = new VirtualClock();
  const requests = new AdvisoryRequests(clock);
  let requestCount = 0;
  const answerLate = (): Promise<boolean> => {
    requestCount += 1;
    clock.advance(1_500);
    return Promise.resolve(true);
  };
  const replies = [];
  for (let n = 0; n < 60; n += 1) replies.push(await requests.ask(n % 2 ? "quotes" : "availability", answerLate));
  expect(requestCount).toBe(40);
  const missed = replies.filter(({ status }) => status === "skipped");
  expect(missed).toHaveLength(20);
  const messages = missed.flatMap((reply) => (reply.status === "skipped" ? [reply.trouble] : [])).filter(Boolean);
  const outOfTime = "this run has waited 60 s for prices and checks, and asks for no further ones";
  expect(messages).toEqual([`the API is slow: ${outOfTime}. Run again later`, outOfTime]);
});

const limited = apiErrorFor({
  line: { method: "POST", path: "/v1/compute/volumes/cost" },
  status: 429,
  parameters: {},
  credentialSource: "the test",
  credentialRemedy: "",
  attempts: 1,
});

it.each([
  ["failures", new Error("broken")],
  ["refusals for the rate", limited],
])("stops one kind of request after three %s", async (_name, reason) => {
  const requests = new AdvisoryRequests(new VirtualClock());
  let requestCount = 0;
  const fail = (): Promise<boolean> => {
    requestCount += 1;
    return Promise.reject(reason);
  };
  const replies = [];
  for (let n = 0; n < 5; n += 1) replies.push(await requests.ask("quotas", fail));
  expect(requestCount).toBe(3);
  expect(replies.filter((reply) => reply.status === "skipped" && reply.trouble !== undefined)).toHaveLength(1);
  expect(await requests.ask("names", () => Promise.resolve(7))).toEqual({ status: "answered", answer: 7 });
});

it("reports an unreachable API once, unless it has answered before", async () => {
  const cause = { failure: "refused", effect: "none", code: "ECONNREFUSED" } as const;
  const refused = new ConnectionError({ method: "GET", path: "/v1/regions" }, "api.example.com", cause);
  const troublesOf = async (...results: (() => Promise<unknown>)[]): Promise<readonly unknown[]> => {
    const requests = new AdvisoryRequests(new VirtualClock());
    const subjects = ["quotes", "quotas", "names"] as const;
    const replies = [];
    for (const [n, subject] of subjects.entries()) replies.push(await requests.ask(subject, results[n]!));
    return [...replies.map((reply) => "trouble" in reply && reply.trouble), requests.isUnreachable];
  };
  const fail = (): Promise<unknown> => Promise.reject(refused);
  const succeed = (): Promise<unknown> => Promise.resolve(7);
  const full = expect.stringContaining("Without the API, this run has no costs") as unknown;
  expect(await troublesOf(fail, fail, fail)).toEqual([full, false, false, true]);
  expect(await troublesOf(fail, succeed, fail)).toEqual([full, false, "the API could not be reached", false]);
  const again = "the API could not be reached";
  expect(await troublesOf(succeed, fail, fail)).toEqual([false, refused.message, again, false]);
});

/** Asks for a list whose pages take so long each. The cursors have no end. */
async function askForList(pageMs: number): Promise<{ reply: Reply<unknown>; pages: number; tookMs: number }> {
  const { api, clock, server } = await bench((_request, count) => {
    clock.advance(pageMs);
    return { status: 200, body: listOf([sampleRegion()], `page-${count}`) };
  });
  const startedAt = clock.now();
  const reply = await new AdvisoryRequests(clock).ask("names", (call) => all(api.regions.list(call)));
  return { reply, pages: server.arrived.length, tookMs: clock.now() - startedAt };
}

it.each([
  [1_500, 2],
  [900, 3],
  [10, 200],
])("limits a catalog to two seconds with pages of %i ms", async (pageMs, fitting) => {
  const { reply, pages, tookMs } = await askForList(pageMs);
  expect(reply).toMatchObject({
    status: "skipped",
    reason: "the API did not answer in time",
    trouble: expect.stringMatching(/within 2000 ms/) as string,
  });
  // The last pages have only milliseconds of real time, so a slow machine gets fewer of them.
  expect(pages).toBeLessThanOrEqual(fitting);
  expect(pages).toBeGreaterThanOrEqual(Math.floor(fitting * 0.9));
  expect(tookMs).toBeLessThan(2_000 + pageMs);
});

it("ends the last request after a minute in total", async () => {
  const clock = new VirtualClock();
  const requests = new AdvisoryRequests(clock);
  const limits: number[] = [];
  for (let n = 0; n < 40; n += 1)
    await requests.ask("quotes", ({ deadlineMs, endsAt }) => {
      expect(endsAt - clock.now()).toBe(deadlineMs);
      limits.push(deadlineMs);
      clock.advance(Math.min(deadlineMs, 1_900));
      return Promise.resolve();
    });
  expect(limits.slice(-3)).toEqual([2_000, 2_000, 1_100]);
});

it("counts the time of concurrent requests once", async () => {
  const clock = new VirtualClock();
  const requests = new AdvisoryRequests(clock);
  const open: (() => void)[] = [];
  const ask = (): Promise<Reply<unknown>> =>
    requests.ask("quotes", () => new Promise<void>((resolve) => open.push(resolve)));
  const first = [ask(), ask()];
  clock.advance(59_000);
  const limits: (number | undefined)[] = [];
  await requests.ask("quotes", ({ deadlineMs }) => Promise.resolve(limits.push(deadlineMs)));
  expect(limits).toEqual([1_000]);
  clock.advance(1_000);
  expect(await ask()).toMatchObject({ status: "skipped" });
  for (const end of open) end();
  await Promise.all(first);
  expect(await ask()).toMatchObject({ status: "skipped" });
});

it("shows after two seconds which requests are running", async () => {
  const clock = new VirtualClock();
  const shown: string[] = [];
  const requests = new AdvisoryRequests(clock, (subject) => shown.push(`${clock.now()} ${subject}`));
  const startedAt = clock.now();
  const ask = (subject: "names" | "quotas"): Promise<unknown> =>
    requests.ask(subject, () => {
      clock.advance(900);
      return Promise.resolve();
    });
  for (const subject of ["names", "names", "names", "names", "quotas", "quotas"] as const) await ask(subject);
  expect(shown).toEqual([`${startedAt + 2_700} names`, `${startedAt + 3_600} quotas`]);
});
