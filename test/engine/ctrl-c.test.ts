import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { interruptedUp, namedBeside, openEntries, until } from "./support/interruption";
import { counts, failed, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

// Each test has its own API. They run at the same time, because they mostly wait.

/** A stack of these resources. Their creations take effect, and are all answered at once on request. */
async function heldBack(...resources: string[]): Promise<Stage & { readonly answer: () => void }> {
  const stage = await Stage.open("pulumi-cloudinfra");
  stage.session.stack.write(program(...resources));
  let answer = (): void => undefined;
  stage.proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
  return Object.assign(stage, { answer });
}

/**
 * The next run creates what the state does not have, and names what it does not take over. The run after it changes
 * nothing.
 */
async function expectAllThenNothing(session: Session, made: readonly string[], count: number): Promise<void> {
  const beside = await namedBeside(session, succeeded(await session.up()));
  expect(session.kept()).toHaveLength(count);
  expect(await session.api.heldIds()).toEqual(expect.arrayContaining([...made]));
  const { result, requests } = await session.api.during(() => session.up());
  expect(counts(succeeded(result))).toEqual([`${count + 1} unchanged`]);
  expect(requests.filter((request) => /^(POST|PATCH|DELETE)/.test(request))).toEqual([]);
  expect(await namedBeside(session, beside.map((id) => `run \`cloudinfra doctor --delete ${id}\``).join())).toEqual(
    beside,
  );
}

it.concurrent("finishes running operations and starts no others after Ctrl-C", async () => {
  const first = declare("ConnectConnection", "first");
  const second = declare("ConnectConnection", "second", {}, "{ dependsOn: first }");
  const session = await Session.start(program(first, second), { simulator: { operationTime: "4s" } });
  const isAccepted = (): boolean => openEntries(session).some(({ id }) => id !== undefined);
  const output = failed(await interruptedUp(session, isAccepted, ["SIGINT"]));
  expect(output).toContain("^C received; cancelling");
  expect(output).toMatch(/ConnectConnection first created .*operation done after \d+s/);
  expect(session.kept().map(({ urn }) => urn.split("::").at(-1))).toEqual(["first"]);
  await session.expectAgreement();
  expect(openEntries(session)).toMatchObject([{ id: session.one("first").id, isHandedOver: true }]);
  const next = await session.api.during(() => session.up());
  expect(succeeded(next.result)).not.toContain("interrupted");
  expect(next.requests.filter((request) => request === "POST connections")).toHaveLength(1);
  await session.expectAgreement();
});

it.concurrent("remembers every object after two Ctrl-C, with addresses respelled", async () => {
  const names = Array.from({ length: 20 }, (_, nth) => nth);
  const { session, proxy, answer } = await heldBack(
    ...names.map((nth) => declare(nth % 5 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`)),
  );
  // All answers come at the second signal, far faster than the engine can save them.
  const isBusy = async (): Promise<boolean> => {
    const condition = (await session.api.heldIds()).length >= 10;
    if (condition) setTimeout(answer, 300);
    return condition;
  };
  const { code } = await interruptedUp(session, isBusy, ["SIGINT", "SIGINT"]);
  answer();
  proxy.clear();
  expect(code).not.toBe(0);
  const made = await session.api.heldIds();
  expect(made.length).toBeGreaterThan(session.kept().length); // otherwise the answers did not come at that moment
  const { env, folder } = session.stack;
  env["PULUMI_BACKEND_URL"] = `file://${folder}/./state/?no_tmp_dir=true`;
  env["CLOUDINFRA_BASE_URL"] = `${proxy.url.replace("127.0.0.1", "localhost")}/`;
  await expectAllThenNothing(session, made, names.length);
});

it.concurrent("the next up names unsaved keys after two Ctrl-C", async () => {
  const names = Array.from({ length: 6 }, (_, nth) => `r${nth}`); // fewer than the engine creates at a time
  const { session, proxy, answer } = await heldBack(...names.map((name) => declare("ApiKey", name)));
  const isAnswered = async (): Promise<boolean> => {
    if ((await session.api.heldIds()).length < names.length) return false;
    answer();
    await until(() => openEntries(session).every(({ id }) => id !== undefined));
    return true;
  };
  await interruptedUp(session, isAnswered, ["SIGINT", "SIGINT"]);
  proxy.clear();
  succeeded(await session.stack.pulumi(["cancel", "--yes"]));
  await expectAllThenNothing(session, await session.api.heldIds(), names.length);
});
