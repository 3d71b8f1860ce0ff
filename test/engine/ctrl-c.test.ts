import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { interruptedUp, namedBeside, openEntries, until } from "./support/interruption";
import { counts, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

const proxies: FaultProxy[] = [];
afterAll(async () => {
  for (const proxy of proxies) await proxy.close();
});

/** A stack of these resources whose creations are carried out, and answered all at once when somebody says so. */
async function heldBack(...resources: string[]): Promise<{ session: Session; proxy: FaultProxy; answer: () => void }> {
  const session = await Session.start(program(...resources));
  const proxy = await FaultProxy.start(session.api.simulator.url);
  proxies.push(proxy);
  session.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
  let answer = (): void => undefined;
  proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
  return { session, proxy, answer };
}

/** The next run makes what the state does not have, and names what it does not take up. The run after it has nothing to do. */
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

describe("when Ctrl-C is pressed twice while creations are answered that the engine has not saved", () => {
  it("the next up takes up or names what the state does not have", async () => {
    const names = Array.from({ length: 20 }, (_, nth) => nth);
    const { session, proxy, answer } = await heldBack(
      ...names.map((nth) => declare(nth % 5 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`)),
    );
    // All answers come at once, just when the second signal does: far faster than the engine saves.
    const isBusy = async (): Promise<boolean> => {
      const isSo = (await session.api.heldIds()).length >= 10;
      if (isSo) setTimeout(answer, 300);
      return isSo;
    };
    const { code } = await interruptedUp(session, isBusy, ["SIGINT", "SIGINT"]);
    answer();
    proxy.clear();
    expect(code).not.toBe(0);
    const made = await session.api.heldIds();
    expect(made.length).toBeGreaterThan(session.kept().length); // or it was no such moment
    await expectAllThenNothing(session, made, names.length);
  });
});

describe("when Ctrl-C is pressed twice and nothing is in flight any more", () => {
  it("no key counts as saved: the next up names each that the state lacks", async () => {
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
});
