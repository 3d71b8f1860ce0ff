import { makeByHand } from "./support/by-hand";
import { failed, rowOf, diagnosticsOf, succeeded } from "./support/output";
import { declare, NATIVE, programOf, VPC_ID } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

const write = ({ stack }: Session, ...statements: string[]): void => stack.write(programOf(NATIVE, ...statements));

/**
 * For the first resource of a stack, the CLI creates a provider `default`, which is another process than that of a
 * program.
 */
const imported = ({ stack }: Session, type: string, name: string, id: string): ReturnType<typeof stack.pulumi> => {
  const options = ["--yes", "--skip-preview", "--generate-code=false", "--protect=false"];
  return stack.pulumi(["import", `cloudinfra:index:${type}`, name, id, ...options]);
};

describe("an object of another resource in the stack", () => {
  const session = forSuite(() => Session.startUp(programOf(NATIVE, declare("Volume", "data"))));
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

it("an import says nothing of earlier runs", async () => {
  const session = await Session.startUp(programOf(NATIVE, declare("Volume", "data")));
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
