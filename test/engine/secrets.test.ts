import { succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";

const CREDENTIAL = "credential-that-must-not-be-seen-anywhere";

/** The secret that the API shows once stands in the stack's outputs, which the engine shows on demand. */
const withKey = (days: number, tags: string[] = []): string =>
  program(
    declare("ApiKey", "deployer", { expiresAt: inDays(days), tags }),
    declare("ConnectConnection", "link"),
    `exports.key = deployer.key;`,
  );

/** All that a stack's life printed: made, updated, rotated, refreshed, shown. */
async function live(session: Session): Promise<{ output: string; secrets: string[] }> {
  const secrets: string[] = [];
  let output = "";
  const run = async (result: ReturnType<Session["up"]>): Promise<void> => {
    output += succeeded(await result);
  };
  const remember = async (): Promise<void> => void secrets.push(String((await session.stack.outputs())["key"]));
  await run(session.stack.up(["--diff"]));
  await remember();
  session.stack.write(withKey(30, ["tagged"]));
  await run(session.up());
  await run(session.refresh(["--diff"]));
  session.stack.write(withKey(60, ["tagged"]));
  await run(session.stack.up(["--diff"]));
  await remember();
  await run(session.stack.pulumi(["stack", "output", "--json"]));
  await run(session.stack.pulumi(["stack", "export"]));
  return { output, secrets };
}

/** Which files hold a text, the program and node_modules aside. */
function filesWith(session: Session, text: string): string[] {
  return Object.entries(session.stack.files())
    .filter(([, content]) => content.includes(text))
    .map(([path]) => path.replace(session.stack.folder, ""));
}

afterAll(() => Session.closeAll());

describe.each([
  [
    "a secret of the configuration",
    { config: { "cloudinfra:apiKey": { secret: CREDENTIAL } }, env: { CLOUDINFRA_API_KEY: undefined } },
  ],
  ["an environment variable", {}],
])("when the credential is %s", (_where, options) => {
  let session: Session;
  let output: string;
  let secrets: string[];

  beforeAll(async () => {
    session = await Session.start(withKey(30), { ...options, simulator: { apiKey: CREDENTIAL } });
    ({ output, secrets } = await live(session));
  });

  it("it stands plain in no file of the stack and in nothing that was printed", () => {
    expect(filesWith(session, CREDENTIAL)).toEqual([]);
    expect(output).not.toContain(CREDENTIAL);
  });

  it("the secrets of the keys that were made stand plain in no file and in nothing that was printed", () => {
    expect(new Set(secrets).size).toBe(2);
    for (const secret of secrets) {
      expect(secret.length).toBeGreaterThan(20);
      expect(filesWith(session, secret)).toEqual([]);
      expect(output).not.toContain(secret);
    }
  });

  it("the key is [secret] on the screen and a ciphertext in the state", () => {
    expect(output).toMatch(/key *: \[secret\]/);
    expect(session.one("deployer").outputs["key"]).toHaveProperty("ciphertext");
    expect(session.outputs()["key"]).toHaveProperty("ciphertext");
  });

  it("the key that the stack hands out signs in at the API, and the one before it does not any more", async () => {
    expect(await Promise.all(secrets.map((key) => session.api.signIn(key)))).toEqual([401, 200]);
    expect((await session.api.held()).apiKeys).toHaveLength(1);
  });
});

it("when a key was updated and refreshed, its secret is still the one that the API showed at its creation", async () => {
  const session = await Session.start(withKey(30));
  succeeded(await session.up());
  const { key } = await session.stack.outputs();
  session.stack.write(withKey(30, ["tagged"]));
  succeeded(await session.up());
  succeeded(await session.refresh());
  expect((await session.stack.outputs())["key"]).toBe(key);
  expect(await session.api.call("GET", `${paths.apiKeys}/${session.one("deployer").id}`)).toMatchObject({
    tags: ["tagged"],
  });
});

it("when the program gives secret inputs, they stand encrypted in the state, after a refresh too", async () => {
  const hush = "hush-hush";
  const tags = `=pulumi.secret(["${hush}"])`;
  const session = await Session.start(program(declare("ConnectConnection", "link", { tags })));
  const output = succeeded(await session.stack.up(["--diff"])) + succeeded(await session.refresh(["--diff"]));
  expect((await session.api.held()).connections[0]).toMatchObject({ tags: [hush] });
  expect(session.one("link").outputs["tags"]).toHaveProperty("ciphertext");
  expect(filesWith(session, hush)).toEqual(["/index.js"]);
  expect(output).not.toContain(hush);
});
