import { randomUUID } from "node:crypto";
import { makeApiKey, send } from "../functions/support";
import { answer, dropAfter, holdBefore, rewriteRequest } from "../support/proxy/actions";
import { DAY_MS, OWNER_KEY } from "./rotate-fixture";
import { bodyOf, rotatorForSuite } from "./rotate-serve-fixture";
import { runCli, waitFor } from "./support";

const { clock, api, issuer, proxy, rotator, made } = rotatorForSuite();

const isAccepted = async (secret: string): Promise<boolean> =>
  (await fetch(`${api.url}/v1/regions`, { headers: { authorization: `Bearer ${secret}` } })).status === 200;
it("keeps the replaced key until the next rotation", async () => {
  const { answer: first } = await rotator.ask(null);
  const { answer: second } = await rotator.ask(first);
  expect([first.replaced, second.replaced]).toEqual([[], [first.id]]);
  expect(await Promise.all([first, second].map(({ key }) => isAccepted(key)))).toEqual([true, true]);
  const { answer: third } = await rotator.ask(second);
  expect(third.replaced).toEqual([second.id]);
  expect(await Promise.all([first, second, third].map(({ key }) => isAccepted(key)))).toEqual([false, true, true]);
  expect([...(await made())].sort()).toEqual([second.id, third.id].sort());
});

it("gives the same key for the same state", async () => {
  const answers = await Promise.all([rotator.ask(null), rotator.ask(null)]);
  answers.push(await rotator.ask(null));
  expect(new Set(answers.map(({ answer: { key } }) => key)).size).toBe(1);
  expect(await made()).toHaveLength(1);
});

it("answers an outdated state with a working key", async () => {
  const answers = [await rotator.ask(null)];
  for (let nth = 1; nth < 4; nth += 1) answers.push(await rotator.ask(answers.at(-1)!.answer));
  const { answer: again } = await rotator.ask(answers[0]!.answer);
  expect(await isAccepted(again.key)).toBe(true);
});

it("gives the new key if the others cannot be listed", async () => {
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/ }, answer(403, { type: "FORBIDDEN", message: "no" }));
  const { status, answer: first } = await rotator.ask(null);
  expect([status, await isAccepted(first.key)]).toEqual([200, true]);
  expect(rotator.said).toContain("could not look for keys that the state does not know");
});

it("warns of a key missing in the caller's state", async () => {
  const { answer: lost } = await rotator.ask(null);
  clock.advance(2 * 3_600_000);
  const { answer: second } = await rotator.ask(null);
  expect(second.id).not.toBe(lost.id);
  expect(rotator.said).toContain(`the state does not know ${lost.id}`);
});

it("does not touch a key that it has not made", async () => {
  const { id: other } = await makeApiKey(api, { expires_at: new Date(clock.now() + 30 * DAY_MS).toISOString() });
  const { status, answer: rotated } = await rotator.ask({ id: randomUUID(), replaced: [other] });
  expect(status).toBe(200);
  expect(rotated.replaced).not.toContain(other);
  expect(await send(api, "GET", `/v1/api_keys/${other}`)).toMatchObject({ status: "active" });
  expect(rotator.said).toContain(`key ${other} stays`);
});

it("tries a failed deletion again", async () => {
  const { answer: first } = await rotator.ask(null);
  const { answer: second } = await rotator.ask(first);
  proxy.on({ method: "DELETE" }, answer(403, { type: "FORBIDDEN", message: "no" }));
  const { answer: third } = await rotator.ask(second);
  expect(third.replaced).toEqual([second.id, first.id]);
  proxy.clear();
  await rotator.ask(third);
  expect(await isAccepted(first.key)).toBe(false);
});

it("makes one usable key if the response is lost", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/, nth: 1 }, dropAfter);
  const { answer: rotated } = await rotator.ask(null);
  expect(await isAccepted(rotated.key)).toBe(true);
  expect(await made()).toEqual([rotated.id]);
});

it("deletes a key that is not as requested", async () => {
  const withOtherTags = rewriteRequest((body) => ({ ...body, tags: ["other"] }));
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, withOtherTags);
  const { status, answer: said } = await rotator.ask(null);
  expect([status, said.message]).toEqual([502, expect.stringMatching(/does not show it.*has deleted the new key/s)]);
  expect(await made()).toEqual([]);
});

it("does not warn of a key of a request in progress", async () => {
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/, nth: 1 }, holdBefore(released));
  const first = rotator.ask(null);
  await waitFor(async () => (await made()).length === 1);
  await rotator.ask(null, { name: "deployer of another environment" });
  release();
  await first;
  expect((await rotator.close()).stderr).toBe("");
});

it("reports a key to the doctor if the caller disconnects", async () => {
  const given = new AbortController();
  const listed = new Promise((resolve) => given.signal.addEventListener("abort", resolve));
  proxy.on({ method: "GET", path: /^\/v1\/api_keys$/ }, holdBefore(listed));
  const body = bodyOf(null);
  const asking = rotator.post(body, await issuer.token(body, clock.now()), given.signal);
  await waitFor(async () => (await made()).length === 1);
  given.abort();
  await expect(asking).rejects.toThrow();
  const [id] = await made();
  await waitFor(() => rotator.said.includes(`made key ${id}`));
  const { stdout } = await runCli(["doctor"], { environment: rotator.environment });
  expect(stdout).toContain(id);
  // ESC had the answer all the same.
  expect((await rotator.ask({ id, replaced: [] })).answer.replaced).toEqual([id]);
  expect((await runCli(["doctor"], { environment: rotator.environment })).stdout).not.toContain(id);
});

it("says why no key was made, without a secret", async () => {
  proxy.on({ method: "POST", path: /^\/v1\/api_keys$/ }, answer(422, { type: "X", message: "no room" }));
  const { status, answer: said } = await rotator.ask(null);
  expect([status, said.message]).toEqual([502, expect.stringContaining("no room")]);
  expect(JSON.stringify(said)).not.toContain(OWNER_KEY);
});
