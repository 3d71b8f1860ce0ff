import { makeByHand, makeVolumeByHand } from "./support/by-hand";
import { failed, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, programOf, VPC_ID, type Front } from "./support/programs";
import { FaultProxy } from "../support/proxy/fault-proxy";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const write = ({ stack }: Session, ...statements: string[]): void =>
  stack.write(programOf("pulumi-cloudinfra/native", ...statements));

/**
 * For the first resource of a stack, the CLI creates a provider `default`, which is another process than that of a
 * program.
 */
const imported = ({ stack }: Session, type: string, name: string, id: string): ReturnType<typeof stack.pulumi> => {
  const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  return stack.pulumi(["import", `cloudinfra:index:${type}`, name, id, ...options]);
};

describe("an object of another resource in the stack", () => {
  const session = forSuite(() => Session.startUp(programOf("pulumi-cloudinfra/native", declare("Volume", "data"))));
  let id: string;
  let held: string;

  beforeAll(() => {
    ({ id } = session.one("data"));
    held = `volume ${id} already belongs to the resource "data" of this program`;
  });

  it("the option import refuses another resource's object", async () => {
    const again = declare("Volume", "again", {}, `{ dependsOn: [data], import: "${id}" }`);
    write(session, declare("Volume", "data"), again);
    expect(diagnosticsOf(failed(await session.stack.preview()), "again")).toContain(held);
    expect(() => session.one("again")).toThrow("the state has 0 resources");
  });

  it("the preview after pulumi import refuses the object", async () => {
    succeeded(await imported(session, "Volume", "again", id));
    write(session, declare("Volume", "data"), declare("Volume", "again", {}, "{ dependsOn: [data] }"));
    expect(diagnosticsOf(failed(await session.stack.preview()), "again")).toContain(held);
  });

  it("keeps the object if one of two owners is removed", async () => {
    write(session, declare("Volume", "data"));
    expect(rowOf(succeeded(await session.up()), "again")).toContain(
      `volume ${id} stays: it belongs to the resource "data" too`,
    );
    await session.expectAgreement();
    expect(session.one("data").id).toBe(id);
  });
});

it("keeps an object that was imported twice", async () => {
  const session = await Session.startUp(programOf("pulumi-cloudinfra/native"));
  const id = await makeVolumeByHand(session.api, "made");
  for (const name of ["one", "two"]) succeeded(await imported(session, "Volume", name, id));
  write(session, declare("Volume", "two", { name: "made" }));
  succeeded(await session.up());
  expect((await session.api.held())["volumes"]).toEqual([expect.objectContaining({ id })]);
  expect(session.one("two").id).toBe(id);
});

describe("when another resource adopts an object as its owner is removed", () => {
  /** The row of the resource that leaves. */
  const expectKept = async (session: Session, id: string, ...program: string[]): Promise<void> => {
    write(session, ...program);
    expect(rowOf(succeeded(await session.up()), "one")).toContain(`volume ${id} stays: this run has adopted it`);
    expect((await session.api.held())["volumes"]).toEqual([expect.objectContaining({ id })]);
  };
  const startWithOne = async (front: Front): Promise<{ session: Session; id: string; args: object }> => {
    const session = await Session.startUp(programOf(front, declare("Volume", "one")));
    const { id, outputs } = session.one("one");
    return { session, id, args: { name: outputs["name"], adopt: id } };
  };

  it("keeps an object that the other provider's resource adopts", async () => {
    const { session, id, args } = await startWithOne("pulumi-cloudinfra");
    await expectKept(session, id, declare("Volume", "data", args));
  });

  it("keeps an object if its provider's base URL differs", async () => {
    const { session, id, args } = await startWithOne("pulumi-cloudinfra/native");
    const proxy = await FaultProxy.start(session.api.simulator.url);
    const other = `const other = new cloudinfra.Provider("other", ${JSON.stringify({ baseUrl: proxy.url })});`;
    await expectKept(session, id, other, declare("Volume", "data", args, "{ provider: other }"));
    await proxy.close();
  });
});

it("an import says nothing of earlier runs", async () => {
  const session = await Session.startUp(programOf("pulumi-cloudinfra/native", declare("Volume", "data")));
  const { rule, key } = await makeByHand(session.api);
  const missing = "00000000-0000-4000-8000-0000000000ff";
  const outputs = [
    await imported(session, "FirewallRule", "rule", `${VPC_ID}/${rule}`),
    await imported(session, "ApiKey", "missing", missing),
    await imported(session, "ApiKey", "key", key),
  ].map(({ output }) => output);
  for (const output of outputs) expect(output).not.toMatch(/earlier run|delete it|doctor/i);
  expect(outputs[1]).toContain(missing);
  expect([session.one("rule").id, session.one("key").id]).toEqual([rule, key]);
  write(session, declare("Volume", "data"), declare("ApiKey", "key", { tags: ["mine"] }));
  const preview = succeeded(await session.stack.preview());
  expect(preview).not.toMatch(/earlier run/i);
  expect(diagnosticsOf(preview, "key")).toContain("is in the state without its secret");
});
