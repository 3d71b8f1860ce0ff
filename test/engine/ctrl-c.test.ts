import * as does from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { interruptedUp, namedBeside, openEntries } from "./support/interruption";
import { counts, failed, succeeded } from "./support/output";
import { declare, DYNAMIC, program } from "./support/programs";
import { Session } from "./support/session";

// Each test has its own API. They run at the same time, because they mostly wait.

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

it.concurrent("names unsaved keys after two Ctrl-C, with addresses respelled", async () => {
  const [COUNT, RULES] = [20, 16];
  const stage = await Stage.open(DYNAMIC);
  const { session, proxy } = stage;
  const { env, folder } = session.stack;
  stage.write(
    ...Array.from({ length: COUNT }, (_, nth) => declare(nth % 5 === 0 ? "ApiKey" : "FirewallRule", `r${nth}`)),
  );
  // The creations take effect. All answers come at the second signal, far faster than the engine can save them.
  let answer = (): void => undefined;
  proxy.on(requests.creations, does.holdAfter(new Promise<void>((resolve) => (answer = resolve))));
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
  env["PULUMI_BACKEND_URL"] = `file://${folder}/./state/?no_tmp_dir=true`;
  env["CLOUDINFRA_BASE_URL"] = `${proxy.url.replace("127.0.0.1", "localhost")}/`;

  // The next run creates what the state does not have, and names what it does not take over.
  const rules = (await session.api.held()).firewallRules.length;
  const next = await session.api.during(() => session.up());
  await namedBeside(session, succeeded(next.result));
  expect(next.requests.filter((request) => request === "POST firewall_rules")).toHaveLength(RULES - rules);
  expect(session.kept()).toHaveLength(COUNT);
  const held = await session.api.heldIds();
  expect(held).toEqual(expect.arrayContaining(made));
  expect(counts(succeeded(await session.up()))).toEqual([`${COUNT + 1} unchanged`]);
  expect(await session.api.heldIds()).toEqual(held);
});
