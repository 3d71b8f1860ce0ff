import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { failed, rowOf, saidOf, succeeded } from "./support/output";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";

// What cannot work, or is set wrong, in the words that a person reads.

const ROOT = join(__dirname, "..", "..");
const link = (options = "{}"): string => declare("ConnectConnection", "link", {}, options);
let session: Session;

beforeAll(async () => {
  session = await Session.start(program(link()));
});

/** The sentences under the stack's own name. */
const saidOfStack = (output: string): string => saidOf(output, "test-dev");

describe("when an option cannot work", () => {
  it("import: the program ends with a sentence that says to adopt", async () => {
    session.stack.write(program(link(`{ import: "an-id" }`)));
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(saidOfStack(failed(result))).toBe(
      'error: ConnectConnection "link" cannot be imported: the option "import" does not work for resources of this package. ' +
        'Remove it, and give the id as an argument: { adopt: "an-id", … }.',
    );
    expect(requests).toEqual([]);
  });

  it("an explicit provider, given or inherited: it says why not, and what to do for another account", async () => {
    const provider = `const provider = new pulumi.ProviderResource("pulumi-nodejs", "own", {});`;
    session.stack.write(
      program(
        provider,
        `const parent = new pulumi.ComponentResource("test:x:Parent", "parent", {}, { providers: [provider] });`,
        `try { ${link("{ parent }")} } catch (error) { pulumi.log.warn("inherited: " + error.message); }`,
        link("{ provider }"),
      ),
    );
    const said = saidOfStack(failed(await session.stack.preview()));
    expect(said).toContain('error: ConnectConnection "link" has an explicit provider');
    expect(said).toContain('inherited: ConnectConnection "link" has an explicit provider');
    expect(said).toContain("For another account or API, make another stack");
  });
});

it("when only a library of the project depends on the package, it says where the engine looks, and the command", async () => {
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
  const said = saidOfStack(failed(await stack.preview()));
  expect(said).toContain(`Pulumi does not find pulumi-cloudinfra in the folder ${stack.folder}`);
  expect(said).toContain('"npm install pulumi-cloudinfra" (or "pnpm add pulumi-cloudinfra")');
});

it("when hidden inputs change beside a field, the row names the field alone; when time limits alone change, it says so", async () => {
  const tagged = (tags: readonly string[], options: string): string =>
    program(declare("ConnectConnection", "tagged", { tags }, options));
  const stack = (await Session.start(tagged([], "{}"))).stack;
  succeeded(await stack.up(["--skip-preview"]));
  stack.write(tagged(["a"], `{ customTimeouts: { create: "5m" } }`));
  expect(rowOf(succeeded(await stack.preview()), "tagged")).toContain("update [diff: ~tags]");
  stack.write(tagged([], `{ customTimeouts: { create: "5m" } }`));
  const output = succeeded(await stack.preview());
  expect(output).not.toContain("diff:");
  expect(saidOf(output, "tagged")).toBe("only its customTimeouts change");
});

describe("when the configuration is not as it should be", () => {
  it("a key in plain text and two summaries of the same: a warning each, once", async () => {
    session.stack.write(
      program(
        `new cloudinfra.CostSummary("one");`,
        `new cloudinfra.CostSummary("two");`,
        link(),
        link().replaceAll("link", "second"),
      ),
    );
    await session.stack.setConfig("cloudinfra:apiKey", session.api.simulator.apiKey);
    const output = succeeded(await session.stack.preview());
    const said = saidOfStack(output);
    expect(said.match(/The API key is in plain text in the stack's configuration/g)).toHaveLength(1);
    expect(saidOf(output, "two")).toContain('counts the same as the cost summary "one"');
    expect(saidOf(output, "one")).not.toContain("counts the same");
  });

  it("a secret key: not a word", async () => {
    await session.stack.setConfig("cloudinfra:apiKey", { secret: session.api.simulator.apiKey });
    session.stack.write(program(link()));
    expect(succeeded(await session.stack.preview())).not.toContain("warning");
  });

  it("a time limit without a unit: what to write; one that an older version has recorded, on --run-program too", async () => {
    await session.stack.setConfig("cloudinfra:requestTimeout", "30");
    const command = '"pulumi config set cloudinfra:requestTimeout 30s"';
    expect(saidOf(failed(await session.stack.preview()), "link")).toContain(command);

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
});
