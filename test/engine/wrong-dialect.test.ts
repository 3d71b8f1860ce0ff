import { counts, failed, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

describe.each([
  ["spec", "nirvana"],
  ["nirvana", "spec"],
] as const)("when the settings say %s and the service speaks %s", (own, spoken) => {
  const hint = `check cloudinfra:dialect, which is "${own}"`;
  let session: Session;
  beforeAll(async () => {
    session = await Session.start(program(declare("ConnectConnection", "link")), {
      simulator: { dialect: spoken },
      config: { "cloudinfra:dialect": own },
    });
  });

  it("the preview of a new connection fails, and says what to check", async () => {
    const said = saidOf(failed(await session.stack.preview()), "link");
    expect(said).toContain(hint);
    expect(said).toContain(`the dialect "${spoken}" calls it`);
  });

  it("so does an update without a preview, which makes nothing", async () => {
    expect(failed(await session.up())).toContain(hint);
    expect(await session.api.heldIds()).toEqual([]);
  });

  it("an update of what is there fails with the command that mends it; with the right one the next run is as it should be", async () => {
    session.configure("cloudinfra:dialect", spoken);
    succeeded(await session.up());
    session.stack.write(program(declare("ConnectConnection", "link", { tags: ["new"] })));
    session.configure("cloudinfra:dialect", own);
    const text = failed(await session.up());
    expect(text).toContain(`the service speaks the dialect "${spoken}"`);
    expect(text).toContain(`pulumi config set cloudinfra:dialect ${spoken}`);
    session.configure("cloudinfra:dialect", spoken);
    succeeded(await session.up());
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["2 unchanged"]);
    await session.expectAgreement();
  });
});
