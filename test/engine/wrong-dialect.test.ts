import { counts, failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

describe.each([
  ["spec", "nirvana"],
  ["nirvana", "spec"],
] as const)("when the settings say %s and the API speaks %s", (own, spoken) => {
  const hint = `check cloudinfra:dialect, which is "${own}"`;
  const session = forSuite(() =>
    Session.start(program(declare("ConnectConnection", "link")), {
      simulator: { dialect: spoken },
      config: { "cloudinfra:dialect": own },
    }),
  );

  it("a preview fails, and says what to check", async () => {
    const diagnostics = diagnosticsOf(failed(await session.stack.preview()), "link");
    expect(diagnostics).toContain(hint);
    expect(diagnostics).toContain(`the dialect "${spoken}" calls it`);
  });

  it("an update fails with the command that corrects it", async () => {
    session.configure("cloudinfra:dialect", spoken);
    succeeded(await session.up());
    session.stack.write(program(declare("ConnectConnection", "link", { tags: ["new"] })));
    session.configure("cloudinfra:dialect", own);
    const text = failed(await session.up());
    expect(text).toContain(`the API speaks the dialect "${spoken}"`);
    expect(text).toContain(`pulumi config set cloudinfra:dialect ${spoken}`);
    session.configure("cloudinfra:dialect", spoken);
    succeeded(await session.up());
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["2 unchanged"]);
    await session.expectAgreement();
  });
});
