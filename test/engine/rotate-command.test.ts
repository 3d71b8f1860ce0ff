import { cpSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../docs/support/markdown";
import { cloudinfra, inFolderOf, type CommandResult } from "./support/command";
import { declare, program } from "./support/programs";
import { Session } from "./support/session";
import { SimulatedApi } from "./support/simulated-api";
import { forSuite } from "../support/suite";

interface ShownKey {
  readonly name: string;
  readonly id: string;
  readonly due: boolean;
  readonly rotatesAt: string | null;
}

const eu = forSuite(() => SimulatedApi.start({ apiKey: "the-key-of-the-other-account" }));
const session = forSuite(async () => {
  const permissions = [{ resourceType: "vpc", permission: "edit" }];
  const short = { permissions, expiresAt: undefined, lifetime: "60d", rotateBefore: "10d", deleteOld: "atExpiry" };
  const long = { expiresAt: undefined, lifetime: "300d" };
  const { apiKey, url: baseUrl, projectId } = eu.simulator;
  const started = await Session.startUp(
    program(
      // One key of each provider, and one of another account.
      `const native = require("pulumi-cloudinfra/native");
       const eu = new native.Provider("eu", ${JSON.stringify({ apiKey, baseUrl, projectId })});`,
      declare("ApiKey", "short", short).replace("new cloudinfra.", "new native."),
      declare("ApiKey", "long", long, "{ provider: eu }").replace("new cloudinfra.", "new native."),
      `new cloudinfra.RotatingApiKey("pair", { permissions: ${JSON.stringify(permissions)}, period: "30d" });`,
      "exports.shortKey = short.key;",
    ),
    { config: { note: { secret: "so that the configuration takes a passphrase" } } },
  );
  const schedule = join(ROOT, "examples", "key-rotation", "schedule");
  cpSync(schedule, join(started.stack.folder, "schedule"), { recursive: true });
  return started;
});

const rotate = (...flags: string[]): Promise<CommandResult> => cloudinfra(session, ["rotate", ...flags]);
const keysOf = ({ stdout }: CommandResult): readonly ShownKey[] => (JSON.parse(stdout) as { keys: ShownKey[] }).keys;
const dueOf = (ended: CommandResult): Record<string, boolean> =>
  Object.fromEntries(keysOf(ended).map(({ name, due }) => [name, due]));

describe("from the creation of keys to the day after their rotation", () => {
  let replacedId: string;
  let oldKey: string;

  it("exits with 0 if no stack's key is due", async () => {
    const checked = await rotate("--check", "--format", "json");
    expect(checked).toMatchObject({ code: 0, stderr: "" });
    expect(dueOf(checked)).toEqual({ short: false, long: false, "pair-a": false, "pair-b": false });
    const short = session.one("short");
    expect(keysOf(checked)).toContainEqual(
      expect.objectContaining({ id: short.id, rotatesAt: short.outputs["rotatesAt"] }),
    );
    replacedId = short.id;
    oldKey = String((await session.stack.outputs())["shortKey"]);

    const { result, requests } = await session.api.during(() =>
      inFolderOf(session, ["schedule/rotate-when-due.sh", "dev"]),
    );
    expect(result.code).toBe(0);
    expect(requests.filter((request) => !request.startsWith("GET"))).toEqual([]);
  });

  it("exits with 7 if a key is due", async () => {
    await session.api.advance("52d");

    const checked = await rotate("--check", "--stack", "dev", "--format", "json");

    expect(checked.code).toBe(7);
    // The keys of a pair take turns: b is the previous one.
    expect(dueOf(checked)).toEqual({ short: true, long: false, "pair-a": false, "pair-b": true });
  });

  it("the schedule rotates the keys that are due", async () => {
    const idOf = ({ name }: Pick<ShownKey, "name">): string => session.one(name).id;
    const before = keysOf(await rotate("--check", "--format", "json"));
    const { code, stdout } = await inFolderOf(session, ["schedule/rotate-when-due.sh", "dev"]);

    expect({ code, stdout }).toMatchObject({ code: 0 });
    expect(session.one("short").outputs).toMatchObject({ generation: 1, replacedId });
    expect(stdout).toMatch(/None of 4 API keys is due/);
    expect(before.filter((key) => idOf(key) !== key.id)).toEqual(before.filter(({ due }) => due));
  });

  it("an audit names the users of an old key", async () => {
    expect((await rotate("--audit")).stdout).toMatch(
      /^The audit log shows no client of the 2 replaced keys in the last 7 days\./,
    );
    expect(await session.api.changeWith(oldKey, "straggler/1")).toBe(202);

    const { code, stdout, stderr } = await rotate("--audit", "--format", "json");

    expect([code, stderr]).toEqual([0, ""]);
    const { keys } = JSON.parse(stdout) as { keys: readonly { readonly replacedId: string; readonly uses: unknown }[] };
    expect(keys.find((key) => key.replacedId === replacedId)).toMatchObject({
      name: "short",
      uses: [{ userAgent: "straggler/1", count: 1, countSinceReplaced: 1 }],
    });
    expect(keys.filter((key) => key.replacedId !== replacedId)).toMatchObject([{ uses: [] }]);
    expect(stdout).not.toContain(oldKey);
  });

  it("the doctor signs in to both accounts", async () => {
    const { code, stdout } = await cloudinfra(session, ["doctor"]);
    expect(stdout).toMatch(/^ok {2}credential .*: accepted$/m);
    expect(stdout).toMatch(/^ok {2}provider eu .*: accepted$/m);
    expect(stdout).not.toContain(eu.simulator.apiKey);
    expect(code).toBe(0);
  });
});
