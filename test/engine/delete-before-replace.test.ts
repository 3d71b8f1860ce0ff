import { answer } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { failed, succeeded } from "./support/output";
import { declare, FRONTS, inDays, programOf } from "./support/programs";

it.concurrent.each(FRONTS)("%s refuses to replace a key that the targets leave out", async (front) => {
  const { session } = await Stage.open(front);
  const write = (region: string): void => {
    const deleteOld = { whenQuietFor: "1d", atLatest: "20d" };
    const key = { expiresAt: inDays(60), deleteOld, rotationTrigger: "=net.id" };
    const net = declare("Vpc", "net", { region }, "{ deleteBeforeReplace: true }");
    session.stack.write(programOf(front, net, declare("ApiKey", "key", key)));
  };
  write("us-sva-2");
  succeeded(await session.up());
  const [net, old] = [session.one("net").id, session.one("key").id];
  write("us-wdc-1");
  const text = `The run leaves out API key ${old} (--target or --exclude)`;
  expect(failed(await session.up(["--target", "**::net"]))).toContain(text);
  expect(failed(await session.stack.preview(["--exclude", "**::key"]))).toContain(text);
  expect(await session.api.heldIds()).toEqual([net, old].sort());
  succeeded(await session.up(["--target", "**::net", "--target-dependents"]));
  expect(session.one("key").outputs["__retired"]).toMatchObject([{ id: old }]);
});

it.concurrent.each(FRONTS)("%s makes a volume that a failed run has deleted smaller", async (front) => {
  const { session, proxy } = await Stage.open(front);
  const write = (type: string, size: number): void =>
    session.stack.write(programOf(front, declare("Volume", "data", { type, size }, "{ deleteBeforeReplace: true }")));
  write("abs", 100);
  succeeded(await session.up());
  write("nvme", 100);
  proxy.on({ method: "POST", path: /\/volumes$/ }, answer(403));
  failed(await session.up());
  proxy.clear();
  await session.api.advance("5m"); // a new object might only be not visible yet
  expect(await session.api.heldIds()).toEqual([]);
  write("abs", 50);
  succeeded(await session.refresh());
  expect(failed(await session.stack.preview())).toContain("run `pulumi up --skip-preview` once");
  succeeded(await session.up());
  expect((await session.api.held()).volumes).toMatchObject([{ type: "abs", size: 50 }]);
});

it.concurrent.each(FRONTS)("%s counts what a failed run has deleted as new", async (front) => {
  const { session, proxy } = await Stage.open(front);
  const write = (region: string): void => {
    const net = declare("Vpc", "net", { region }, "{ deleteBeforeReplace: true }");
    const cluster = declare("NksCluster", "cluster", { vpcId: "=net.id", region });
    session.stack.write(programOf(front, net, cluster, `const sum = new cloudinfra.CostSummary("sum");`));
  };
  write("us-sva-2");
  succeeded(await session.up());
  proxy.on({ method: "POST", path: /\/vpcs$/ }, answer(403));
  write("us-wdc-1");
  failed(await session.up());
  proxy.clear();
  await session.api.advance("5m");
  expect(await session.api.heldIds()).toEqual([]);
  for (const region of ["us-wdc-1", "us-sva-2"]) {
    write(region);
    expect(succeeded(await session.stack.preview())).toMatch(/CostSummary sum +\+\$80\.30\/mo/);
  }
  succeeded(await session.up());
  expect(session.one("sum").outputs).toMatchObject({ before: "0.00", after: "80.30" });
});
