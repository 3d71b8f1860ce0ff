import { join } from "node:path";
import { before } from "../support/proxy/actions";
import { Stage } from "./fronts/stage";
import { cloudinfra } from "./support/command";
import { killedAtWait, openEntries } from "./support/interruption";
import { saidOf, succeeded } from "./support/output";
import { declare, FRONTS, programOf, type Front } from "./support/programs";

// Each test has an API of its own. They run side by side: they wait more than they compute.
const stages: Stage[] = [];
afterAll(async () => {
  for (const stage of stages) await stage.close();
});

/** The stack dev, whose run was killed while it made a volume; and the volume's id. */
async function killed(front: Front): Promise<Stage & { readonly id: string }> {
  const stage = await Stage.open(front, {
    simulator: { operationTime: "100ms" },
    config: { "cloudinfra:preflight": "off" },
  });
  stages.push(stage);
  await killedAtWait(stage, declare("Volume", "data"));
  const [entry] = openEntries(stage.session);
  return Object.assign(stage, { id: entry!.id! });
}

/** The stack prod adopts the volume. Afterwards dev is the stack again. */
async function adoptedByProd({ front, session, id }: Stage & { readonly id: string }): Promise<string> {
  const [volume] = (await session.api.held())["volumes"]!;
  session.use("prod");
  session.stack.write(programOf(front, declare("Volume", "kept", { name: volume!.name, adopt: id })));
  succeeded(await session.up());
  const { urn } = session.one("kept");
  session.use("dev");
  return urn;
}

it.concurrent.each(FRONTS)(
  "what another stack of %s has adopted, the stack whose run was killed neither takes up nor destroys",
  async (front) => {
    const stage = await killed(front);
    const { session, id } = stage;
    await adoptedByProd(stage);
    session.stack.write(programOf(front, declare("Volume", "data")));
    expect(saidOf(succeeded(await session.up()), "data")).toContain(`It had made ${id}, and told Pulumi`);
    expect(session.one("data").id).not.toBe(id);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([id]);
    session.use("prod");
    await session.expectAgreement();
  },
);

it.concurrent.each(FRONTS)("the doctor does not delete what another stack of %s has adopted", async (front) => {
  const stage = await killed(front);
  const { session, id } = stage;
  const journal = session.stack.env["XDG_STATE_HOME"]!;
  session.stack.env["XDG_STATE_HOME"] = join(session.stack.folder, "another-machine");
  const urn = await adoptedByProd(stage);
  session.stack.env["XDG_STATE_HOME"] = journal;
  const { code, stderr } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
  expect(stderr).toContain(`was not deleted: the stack test/prod has it as ${urn}`);
  expect([code, await session.api.heldIds()]).toEqual([1, [id]]);
});

it.concurrent.each(FRONTS)("the doctor does not delete what a run of %s takes up while it looks", async (front) => {
  const { session, proxy, id } = await killed(front);
  // The doctor's last question before it deletes.
  const audited = { method: "GET", path: /^\/v1\/audit_logs$/, nth: 1 };
  proxy.on(
    audited,
    before(async () => succeeded(await session.up())),
  );
  const { code, stderr } = await cloudinfra(session, ["doctor", "--delete", id, "--yes"]);
  expect(session.one("data").id).toBe(id);
  expect(stderr).toContain("the stack test/dev has it as");
  expect(code).toBe(1);
  await session.expectAgreement();
});
