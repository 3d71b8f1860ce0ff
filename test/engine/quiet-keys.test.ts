import { join } from "node:path";
import type { ProgramFiles, YamlProgram } from "../../tools/pulumi/stack.cjs";
import { pythonEnvironment } from "../../tools/sdk/python-environment.cjs";
import { folderForSuite, forSuite } from "../support/suite";
import { generateSdk } from "./support/languages/generated-sdk";
import { describeWithHost } from "./support/languages/hosts";
import { pythonProgram } from "./support/languages/python";
import { diagnosticsOf, succeeded } from "./support/output";
import { Session } from "./support/session";
import { yaml } from "./support/yaml";

const folder = folderForSuite("quiet-keys");

interface Language {
  readonly program: (args: Readonly<Record<string, unknown>>) => YamlProgram | ProgramFiles;
  readonly environment: () => Promise<Readonly<Record<string, string>>>;
}

const languages: Readonly<Record<string, Language>> = {
  yaml: {
    program: (args) => ({ resources: { ci: yaml("ApiKey", args) }, outputs: { key: "${ci.key}" } }),
    environment: () => Promise.resolve({}),
  },
  python: {
    program: (args) => pythonProgram([{ type: "ApiKey", name: "ci", args }], { key: "ci.key" }),
    environment: async () => pythonEnvironment(await generateSdk("python", folder), join(folder, "site")),
  },
};

const argsAt = (rotationTrigger: number): Readonly<Record<string, unknown>> => ({
  permissions: [{ resourceType: "vpc", permission: "edit" }],
  lifetime: "90d",
  rotationTrigger,
  deleteOld: { whenQuietFor: "24h", atLatest: "14d" },
});

// TypeScript, and the dynamic provider: both-fronts.
describe.each(Object.entries(languages))("a key that waits to be quiet (%s)", (language, { program, environment }) => {
  describeWithHost(language)("in the real engine", () => {
    const session = forSuite(async () => Session.startUp(program(argsAt(1)), { env: await environment() }));
    let oldKey: string;
    let oldId: string;
    const keys = async (): Promise<readonly string[]> => (await session.api.held()).apiKeys.map(({ id }) => id);
    const diagnostics = async (): Promise<string> => diagnosticsOf(succeeded(await session.up()), "ci");

    beforeAll(() => {
      oldId = session.one("ci").id;
      oldKey = String(session.shownOutputs()["key"]);
    });

    it("a used key stays when it is replaced", async () => {
      session.stack.write(program(argsAt(2)));
      expect(await diagnostics()).toContain(`API key ${oldId} was replaced, and waits`);
      expect(await session.api.changeWith(oldKey)).toBe(202);
    });

    it("a replaced key stays while a client uses it", async () => {
      await session.api.advance("23h");
      expect(await diagnostics()).toMatch(
        /since its replacement it was used by 127\.0\.0\.1 \(client\/1\.0, 1 request/,
      );
      expect([...(await keys())].sort()).toEqual([oldId, session.one("ci").id].sort());
    });

    it("deletes a replaced key after the quiet period", async () => {
      await session.api.advance("24h");
      expect(await diagnostics()).toMatch(/deleted API key .*: the audit log shows no request of it since /);
      expect(await keys()).toEqual([session.one("ci").id]);
    });
  });
});
