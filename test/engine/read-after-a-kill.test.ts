import { requests } from "../support/proxy/exchange";
import { Stage } from "./fronts/stage";
import { interruptedUp, isRunning, openEntries, until } from "./support/interruption";
import { saidOf, succeeded } from "./support/output";
import { declare, FRONTS, programOf, VPC_ID, type Front } from "./support/programs";

// Each test has an API of its own. They run side by side: they wait more than they compute.
const stages: Stage[] = [];
afterAll(async () => {
  for (const stage of stages) await stage.close();
});

/** A stack whose update was killed while it waited for the operation of a rule. Resolves with the rule's id. */
async function killed(front: Front): Promise<{ readonly stage: Stage; readonly id: string }> {
  const stage = await Stage.open(front, {
    simulator: { operationTime: "30s" },
    config: { "cloudinfra:preflight": "off" },
  });
  stages.push(stage);
  const { session, proxy } = stage;
  session.stack.write(programOf(front, declare("FirewallRule", "https")));
  let isPolled = false;
  proxy.on(requests.operations, async () => {
    isPolled = true;
    return new Promise(() => undefined);
  });
  await interruptedUp(session, () => isPolled, ["SIGKILL"]);
  await until(() => openEntries(session).every(({ sender }) => !isRunning(sender.pid)));
  proxy.clear();
  session.cancel();
  await session.api.advance("1h");
  const [{ id } = {}] = openEntries(session);
  if (id === undefined) throw new Error("the API had not answered with the id");
  return { stage, id };
}

async function expectTakenUp({ session, front }: Stage, id: string): Promise<void> {
  expect(openEntries(session)).toMatchObject([{ id }]);
  session.stack.write(programOf(front, declare("FirewallRule", "https")));
  expect(saidOf(succeeded(await session.up()), "https")).toContain(`It had made ${id}. This run takes it over`);
  expect(session.one("https").id).toBe(id);
  await session.expectAgreement();
}

describe.each(FRONTS)("what a killed run of %s has made is still known to the next update", (front) => {
  it.concurrent("after a refresh of a reference that has the resource's name", async () => {
    const { stage, id } = await killed(front);
    const { session } = stage;
    session.stack.write(programOf(front, `cloudinfra.FirewallRule.get("https", "${VPC_ID}/${id}");`));
    succeeded(await session.up());
    succeeded(await session.refresh());
    await expectTakenUp(stage, id);
  });
});

it("what a killed run has made is still known after the preview of an import that does not fit", async () => {
  const { stage, id } = await killed("pulumi-cloudinfra/native");
  const { session, front } = stage;
  const imported = declare("FirewallRule", "https", { tags: ["other"] }, `{ import: "${VPC_ID}/${id}" }`);
  session.stack.write(programOf(front, imported));
  succeeded(await session.stack.preview());
  await expectTakenUp(stage, id);
});
