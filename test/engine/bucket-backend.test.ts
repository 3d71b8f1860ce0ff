import { holdBefore } from "../support/proxy/actions";
import { requests } from "../support/proxy/exchange";
import { S3StandIn } from "../support/s3-stand-in";
import { Stage } from "./fronts/stage";
import { killedUp, openEntries } from "./support/interruption";
import { succeeded } from "./support/output";
import { declare, FRONTS, programOf } from "./support/programs";

it.concurrent.each(FRONTS)("takes over an object of %s despite a reordered bucket URL", async (front) => {
  const bucket = await new S3StandIn().start();
  const [backend, reordered] = bucket.backends();
  const stage = await Stage.open(front, {
    simulator: { operationTime: "100ms" },
    env: { PULUMI_BACKEND_URL: backend, AWS_ACCESS_KEY_ID: "id", AWS_SECRET_ACCESS_KEY: "secret" },
    config: { "cloudinfra:preflight": { secret: "off" } },
  });
  const { session, proxy } = stage;
  session.stack.write(programOf(front, declare("Volume", "data")));
  proxy.on(requests.operations, holdBefore(new Promise(() => undefined)));
  await killedUp(session, () => proxy.count(requests.operations) > 0);
  proxy.clear();
  const [{ id = "" } = {}] = openEntries(session);
  session.stack.env["PULUMI_BACKEND_URL"] = reordered;
  succeeded(await session.stack.pulumi(["cancel", "--yes"]));
  expect(succeeded(await session.up())).toContain(`It had made ${id}. This run takes it over`);
  expect(proxy.count(requests.creations)).toBe(1);
  succeeded(await session.destroy());
  succeeded(await session.stack.pulumi(["stack", "rm", "--yes"]));
  await bucket.close();
});
