import { execFile } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { goEnvironment } from "../../tools/sdk/go-environment.cjs";
import { pythonEnvironment } from "../../tools/sdk/python-environment.cjs";
import { blocksOf, ROOT } from "../docs/support/markdown";
import { descriptorOf, madeTypes } from "../kinds";
import { goProgram } from "./support/languages/go";
import { generateSdk } from "./support/languages/generated-sdk";
import { describeWithHost } from "./support/languages/hosts";
import { pythonProgram } from "./support/languages/python";
import type { Declaration } from "./support/languages/typed-values";
import { counts, succeeded } from "./support/output";
import { inDays, VPC_ID } from "./support/programs";
import { Session } from "./support/session";
import { folderForSuite, forSuite } from "../support/suite";

const folder = folderForSuite("sdk");

function oneOfEach(): Declaration[] {
  return madeTypes.map((type) => {
    const descriptor = descriptorOf(type);
    return { type, name: descriptor.name, args: descriptor.args(surroundings) };
  });
}

/** A component with its parts: a schedule and two keys. */
const pair: Declaration = {
  type: "RotatingApiKey",
  name: "pair",
  args: { period: "30d", permissions: [{ resourceType: "vm", permission: "edit" }] },
};
const PAIR = 4;
/** An argument that is a word or an object. */
const waiting: Declaration = {
  type: "ApiKey",
  name: "waiting",
  args: {
    permissions: [{ resourceType: "vm", permission: "edit" }],
    lifetime: "90d",
    deleteOld: { whenQuietFor: "24h", atLatest: "14d" },
  },
};
/** All resources, with the stack. */
const ALL = madeTypes.length + PAIR + 2;

const surroundings = {
  projectId: "00000000-0000-4000-8000-000000000002",
  region: "us-sva-2",
  vpcId: VPC_ID,
  keysEndAt: inDays(90),
};

/** The monthly cost of this resource, in the form of the guide. */
function guidePerMonth(name: string): string {
  const [guide] = blocksOf("docs/native.md").filter(({ language }) => language === "python");
  const [, expression = ""] = /^pulumi\.export\("perMonth", data(.*)\)$/m.exec(guide!.text) ?? [];
  return name + expression;
}

describeWithHost("python")("a Python program with one resource of each kind", () => {
  const outputs = {
    perMonth: guidePerMonth("link"),
    withoutQuotes: guidePerMonth(descriptorOf("RpcNodeFlex").name),
    cidr: 'net.subnet["cidr"]',
    key: "pair.current.key",
    nextRotation: "pair.next_rotation",
  };

  const session = forSuite(async () => {
    const sdk = await generateSdk("python", folder);
    const env = pythonEnvironment(sdk, join(folder, "site"));
    return Session.start(pythonProgram([...oneOfEach(), pair, waiting], outputs), { env });
  });

  it("a Python program shows prices in its preview", async () => {
    const output = succeeded(await session.stack.preview());
    expect(counts(output)).toEqual([`+ ${ALL} to create`]);
    expect(output).toContain("ConnectConnection (link):\n    +$312.50/mo");
    expect(output).toMatch(/perMonth *: "312.50"/);
    expect(output).toContain("cloudinfra:index:ApiKey pair-a create");
    expect(output).toMatch(/nextRotation *: "/);
    expect(output).toMatch(/key *: \[secret\]/);
  });

  it("creates, keeps and destroys a Python program's resources", async () => {
    succeeded(await session.up());
    await session.expectAgreement();
    expect(session.kept()).toHaveLength(ALL - 1);
    const { key, perMonth, withoutQuotes } = session.shownOutputs();
    expect([perMonth, withoutQuotes]).toEqual(["312.50", "unknown"]);
    expect((await session.api.held()).apiKeys).toHaveLength(4);
    expect(await session.api.signIn(String(key))).toBe(200);
    expect(Object.values(session.stack.files()).filter((text) => text.includes(String(key)))).toEqual([]);
    expect(counts(succeeded(await session.stack.preview()))).toEqual([`${ALL} unchanged`]);
    succeeded(await session.destroy());
    expect(await session.api.heldIds()).toEqual([]);
  });
});

describeWithHost("go")("a Go program with one resource of each kind", () => {
  // The first time, Go compiles Pulumi's SDK for half a minute, or longer on a busy machine.
  const COMPILE_MS = 600_000;

  it(
    "compiles a Go program and shows prices in its preview",
    async () => {
      const sdk = await generateSdk("go", folder);
      const outputs = { perMonth: "link.Cost.MonthlyTotal()" };
      const session = await Session.start(goProgram([...oneOfEach(), pair, waiting], outputs, sdk), {
        env: goEnvironment(),
      });
      const output = succeeded(await session.stack.preview());
      expect(counts(output)).toEqual([`+ ${ALL} to create`]);
      expect(output).toContain("ConnectConnection (link):\n    +$312.50/mo");
      expect(output).toContain('perMonth: "312.50"');
    },
    COMPILE_MS,
  );
});

describeWithHost("go")("the SDK for Node", () => {
  it("compiles a typed Node program", async () => {
    const sdk = await generateSdk("nodejs", folder);
    symlinkSync(join(ROOT, "node_modules"), join(sdk, "node_modules"));
    await promisify(execFile)(process.execPath, [require.resolve("typescript/bin/tsc"), "--noEmit", "-p", sdk]);
  });
});
