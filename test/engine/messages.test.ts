import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failed, diagnosticsOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { forSuite } from "../support/suite";

// Invalid programs and settings, with the messages that a person reads.

const ROOT = join(__dirname, "..", "..");
const link = (options = "{}"): string => declare("ConnectConnection", "link", {}, options);
const session = forSuite(() => Session.start(program(link())));

/** The sentences under the stack's own name. */
const stackDiagnostics = (output: string): string => diagnosticsOf(output, "test-dev");

describe("when an option cannot work", () => {
  it("the option import is refused, with advice to adopt", async () => {
    session.stack.write(program(link(`{ import: "an-id" }`)));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(stackDiagnostics(failed(result))).toBe(
      'error: ConnectConnection "link" cannot be imported: the option "import" needs the first-class provider, pulumi-cloudinfra/native. ' +
        'Use that, or give the id as an argument instead: { adopt: "an-id", … }.',
    );
    expect(requests).toEqual([]);
  });

  it("an explicit provider is refused, given or inherited", async () => {
    const provider = `const provider = new pulumi.ProviderResource("pulumi-nodejs", "own", {});`;
    session.stack.write(
      program(
        provider,
        `const parent = new pulumi.ComponentResource("test:x:Parent", "parent", {}, { providers: [provider] });`,
        `try { ${link("{ parent }")} } catch (error) { pulumi.log.warn("inherited: " + error.message); }`,
        link("{ provider }"),
      ),
    );
    const diagnostics = stackDiagnostics(failed(await session.stack.preview()));
    expect(diagnostics).toContain('error: ConnectConnection "link" has an explicit provider');
    expect(diagnostics).toContain('inherited: ConnectConnection "link" has an explicit provider');
    expect(diagnostics).toContain("For another account or API, make another stack");
  });
});

it("names a misspelled setting once for functions and resources", async () => {
  session.stack.write(program("cloudinfra.getRegionsOutput();", link()));
  await session.stack.setConfig("cloudinfra:regoin", "us-sva-2");
  const diagnostics = stackDiagnostics(failed(await session.stack.preview()));
  await session.stack.pulumi(["config", "rm", "cloudinfra:regoin"]);
  expect(diagnostics.split("There is no setting cloudinfra:regoin")).toHaveLength(2);
});

it("names the folder without the package, and how to install it", async () => {
  const { stack } = await Session.start(`require("./library");`);
  const [own, library] = [join(stack.folder, "node_modules"), join(stack.folder, "library")];
  rmSync(own);
  mkdirSync(own);
  for (const name of readdirSync(join(ROOT, "node_modules")).filter((each) => each !== "pulumi-cloudinfra")) {
    symlinkSync(join(ROOT, "node_modules", name), join(own, name));
  }
  mkdirSync(join(library, "node_modules"), { recursive: true });
  symlinkSync(ROOT, join(library, "node_modules", "pulumi-cloudinfra"));
  writeFileSync(join(library, "index.js"), program(link()));
  const diagnostics = stackDiagnostics(failed(await stack.preview()));
  expect(diagnostics).toContain(`Pulumi does not find pulumi-cloudinfra in the folder ${stack.folder}`);
  expect(diagnostics).toContain('"npm install pulumi-cloudinfra" (or "pnpm add pulumi-cloudinfra")');
});

it("refuses a time limit without a unit, even in a state", async () => {
  session.stack.write(program(link()));
  await session.stack.setConfig("cloudinfra:requestTimeout", "30");
  const command = '"pulumi config set cloudinfra:requestTimeout 30s"';
  expect(diagnosticsOf(failed(await session.stack.preview()), "link")).toContain(command);

  await session.stack.setConfig("cloudinfra:requestTimeout", "30s");
  succeeded(await session.up());
  const file = join(session.stack.folder, "state", ".pulumi", "stacks", "test", `${session.stack.name}.json`);
  writeFileSync(
    file,
    readFileSync(file, "utf8").replaceAll('"cloudinfra:requestTimeout": "30s"', '"cloudinfra:requestTimeout": "30"'),
  );
  expect(failed(await session.destroy())).toContain("add --run-program");
  succeeded(await session.destroy(["--run-program"]));
  await session.expectAgreement();
});
