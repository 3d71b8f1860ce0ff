import { makeByHand } from "./support/by-hand";
import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, programOf, VPC_ID } from "./support/programs";
import { Session } from "./support/session";

const write = ({ stack }: Session, ...statements: string[]): void =>
  stack.write(programOf("pulumi-cloudinfra/native", ...statements));

describe("an object that a resource of the stack has", () => {
  let session: Session;
  let id: string;
  let held: string;

  beforeAll(async () => {
    session = await Session.start(programOf("pulumi-cloudinfra/native", declare("Volume", "data")));
    succeeded(await session.up());
    ({ id } = session.one("data"));
    held = `volume ${id} already belongs to the resource "data" of this program`;
  });

  it("is not imported by the option of another one", async () => {
    const imported = declare("Volume", "again", {}, `{ dependsOn: [data], import: "${id}" }`);
    write(session, declare("Volume", "data"), imported);
    expect(saidOf(failed(await session.stack.preview()), "again")).toContain(held);
    expect(() => session.one("again")).toThrow("the state has 0 resources");
  });

  it("is refused by the next preview after the import command", async () => {
    const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
    succeeded(await session.stack.pulumi(["import", "cloudinfra:index:Volume", "again", id, ...options]));
    write(session, declare("Volume", "data"), declare("Volume", "again", {}, "{ dependsOn: [data] }"));
    expect(saidOf(failed(await session.stack.preview()), "again")).toContain(held);
  });

  it("stays when one of the two leaves the program", async () => {
    write(session, declare("Volume", "data"));
    expect(rowOf(succeeded(await session.up()), "again")).toContain(
      `volume ${id} stays: it belongs to the resource "data" too`,
    );
    await session.expectAgreement();
    expect(session.one("data").id).toBe(id);
  });
});

it("an import says nothing of earlier runs", async () => {
  const session = await Session.start(programOf("pulumi-cloudinfra/native", declare("Volume", "data")));
  succeeded(await session.up());
  const { rule, key } = await makeByHand(session.api);
  const imported = async (type: string, name: string, id: string): Promise<string> => {
    const args = ["import", `cloudinfra:index:${type}`, name, id];
    const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
    return (await session.stack.pulumi([...args, ...options])).output;
  };
  const missing = "00000000-0000-4000-8000-0000000000ff";
  const outputs = [
    await imported("FirewallRule", "rule", `${VPC_ID}/${rule}`),
    await imported("ApiKey", "missing", missing),
    await imported("ApiKey", "key", key),
  ];
  for (const output of outputs) expect(output).not.toMatch(/earlier run|delete it|doctor/i);
  expect(outputs[1]).toContain(missing);
  expect([session.one("rule").id, session.one("key").id]).toEqual([rule, key]);
  write(session, declare("Volume", "data"));
  expect(succeeded(await session.stack.preview())).not.toMatch(/earlier run/i);
});
