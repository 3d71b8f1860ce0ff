import { sent, withFacts } from "../support/lifecycle";
import { MemoryJournal } from "../support/memory-journal";
import { up } from "../support/mini-engine";
import { argsOf, World } from "../support/world";

const world = World.forSuite();
const journal = MemoryJournal.forSuite();

describe("a resource that moves to the other provider after a lost answer", () => {
  const [dynamic, native] = ["pulumi-nodejs:dynamic/cloudinfra:", "cloudinfra:index:"];
  const volume = (...tokens: string[]): string => `urn:pulumi:dev::test::${tokens.join("$")}::x`;

  /** Creates a volume whose answer is lost, then one under the other URN. Resolves with what the API has. */
  async function made(before: string, after: string): Promise<number> {
    const create = async (urn: string): Promise<void> => {
      const lifecycle = world.run({}, { journal }).of("Volume");
      const given = withFacts(sent("Volume", "x", argsOf("Volume", world.simulator), false), { urn });
      await lifecycle.create((await lifecycle.check({}, given)).inputs);
    };
    await world.fault({ method: "POST", path: "volumes$", drop: "after" });
    await world.fault({ method: "GET", path: "^/v1/audit_logs$", status: 403, every: 1 });
    await expect(create(before)).rejects.toThrow("may have");
    await world.clearFaults();
    await create(after);
    return (await world.made("Volume")).length;
  }

  const moves = [
    ["alone", volume(`${dynamic}Volume`), volume(`${native}Volume`)],
    ["back", volume(`${native}Volume`), volume(`${dynamic}Volume`)],
    ["with its parent", volume(`${dynamic}Vpc`, `${dynamic}Volume`), volume(`${native}Vpc`, `${native}Volume`)],
    ["after its parent", volume(`${native}Vpc`, `${dynamic}Volume`), volume(`${native}Vpc`, `${native}Volume`)],
  ] as const;
  it.each(moves)("makes a resource only once if it moves %s", async (_how, before, after) => {
    expect(await made(before, after)).toBe(1);
    expect(journal.entries).toHaveLength(1);
  });

  it.each([
    ["another parent", volume(`${dynamic}Vpc`, `${dynamic}Volume`), volume(`${native}Volume`)],
    ["another name", volume(`${dynamic}Volume`), `${volume(`${native}Volume`)}y`],
    ["another stack", volume(`${dynamic}Volume`), volume(`${native}Volume`).replace(":dev:", ":prod:")],
  ])("does not take a resource with %s for the moved one", async (_what, before, after) => {
    expect(await made(before, after)).toBe(2);
  });
});

it.each([
  ["the other provider made it", "cloudinfra:index:ApiKey::x"],
  ["its successor was renamed", "pulumi-nodejs:dynamic/cloudinfra:ApiKey::former"],
])("an old key stays after a failed run although %s", async (_how, formerUrn) => {
  const first = { permissions: [{ resourceType: "vpc", permission: "edit" }], deleteOld: "atExpiry" };
  const { state: old } = await up(world.run(), "ApiKey", { ...first, expiresAt: "2026-12-31T00:00:00Z" }, undefined);
  const later = { ...first, expiresAt: "2027-01-31T00:00:00Z" };
  const { state: present } = await up(world.run(), "ApiKey", later, old);
  const next = world.run();
  await up(next, "ApiKey", later, present);
  const __urn = String(old.outs["__urn"]).replace(/[^:]*:[^:]*:ApiKey::x$/, formerUrn);
  expect(__urn).toContain(formerUrn);
  await next.of("ApiKey").delete(old.id, { ...old.outs, __urn });
  expect((await world.made("ApiKey")).map(({ id }) => id)).toContain(old.id);
});
