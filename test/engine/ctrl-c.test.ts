import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { interruptedUp } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

let proxy: FaultProxy;
afterAll(async () => {
  await proxy.close();
  await Session.closeAll();
});

describe("when Ctrl-C is pressed twice while creations are answered that the engine has not saved", () => {
  it("the next up has every object in its state, with nothing left over", async () => {
    const names = Array.from({ length: 20 }, (_, nth) => nth);
    const session = await Session.start(
      program(...names.map((nth) => declare(nth % 5 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`))),
    );
    proxy = await FaultProxy.start(session.api.simulator.url);
    session.stack.env["CLOUDINFRA_BASE_URL"] = proxy.url;
    // All answers come at once, just when the second signal does: far faster than the engine saves.
    let answer = (): void => undefined;
    proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
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
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.kept()).toHaveLength(names.length);
  });
});
