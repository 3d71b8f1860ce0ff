import { answer } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { failed, succeeded } from "./support/output";
import { declare, FRONTS, inDays } from "./support/programs";

const first = "{ deleteBeforeReplace: true }";

it.concurrent.each(FRONTS)("%s refuses to replace a key that the targets leave out", async (front) => {
  const stage = await Stage.open(front);
  const { session } = stage;
  const deleteOld = { whenQuietFor: "1d", atLatest: "20d" };
  const netAndKey = (region: string): readonly string[] => [
    declare("Vpc", "net", { region }, first),
    declare("ApiKey", "key", { expiresAt: inDays(60), deleteOld, rotationTrigger: "=net.id" }),
  ];
  succeeded(await stage.deploy(...netAndKey("us-sva-2")));
  const [net, old] = [session.one("net").id, session.one("key").id];
  stage.write(...netAndKey("us-wdc-1"));
  const text = `The run leaves out API key ${old} (--target or --exclude)`;
  expect(failed(await session.up(["--target", "**::net"]))).toContain(text);
  expect(failed(await session.stack.preview(["--exclude", "**::key"]))).toContain(text);
  expect(await session.api.heldIds()).toEqual([net, old].sort());
  succeeded(await session.up(["--target", "**::net", "--target-dependents"]));
  expect(session.one("key").outputs["__retired"]).toMatchObject([{ id: old }]);
});

it.concurrent.each(FRONTS)("%s makes a volume that a failed run has deleted smaller", async (front) => {
  const stage = await Stage.open(front);
  const { session, proxy } = stage;
  const volume = (type: string, size: number): string => declare("Volume", "data", { type, size }, first);
  succeeded(await stage.deploy(volume("abs", 100)));
  proxy.on({ method: "POST", path: /\/volumes$/ }, answer(403));
  failed(await stage.deploy(volume("nvme", 100)));
  proxy.clear();
  await session.api.advance("5m"); // a new object might only be not visible yet
  expect(await session.api.heldIds()).toEqual([]);
  stage.write(volume("abs", 50));
  succeeded(await session.refresh());
  expect(failed(await session.stack.preview())).toContain("run `pulumi up --skip-preview` once");
  succeeded(await session.up());
  expect((await session.api.held()).volumes).toMatchObject([{ type: "abs", size: 50 }]);
});

it.concurrent.each(FRONTS)("%s counts what a failed run has deleted as new", async (front) => {
  const stage = await Stage.open(front);
  const { session, proxy } = stage;
  const platform = (region: string): readonly string[] => [
    declare("Vpc", "net", { region }, first),
    declare("NksCluster", "cluster", { vpcId: "=net.id", region }),
    `const sum = new cloudinfra.CostSummary("sum");`,
  ];
  succeeded(await stage.deploy(...platform("us-sva-2")));
  proxy.on({ method: "POST", path: /\/vpcs$/ }, answer(403));
  failed(await stage.deploy(...platform("us-wdc-1")));
  proxy.clear();
  await session.api.advance("5m");
  expect(await session.api.heldIds()).toEqual([]);
  for (const region of ["us-wdc-1", "us-sva-2"]) {
    stage.write(...platform(region));
    expect(succeeded(await session.stack.preview())).toMatch(/CostSummary sum +\+\$80\.30\/mo/);
  }
  succeeded(await session.up());
  expect(session.one("sum").outputs).toMatchObject({ before: "0.00", after: "80.30" });
});
