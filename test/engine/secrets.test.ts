import { succeeded } from "./support/output";
import { declare, inDays, program } from "./support/programs";
import { Session } from "./support/session";

const CREDENTIAL = "credential-that-must-not-be-seen-anywhere";

/** The secret that the API shows once stands in the stack's outputs, which the engine shows on demand. */
const withKey = (days: number, tags: string[] = []): string =>
  program(
    declare("ApiKey", "deployer", { expiresAt: inDays(days), tags }),
    declare("ConnectConnection", "link"),
    `exports.key = deployer.key;`,
  );

/** Which files hold a text, the program and node_modules aside. */
function filesWith(session: Session, text: string): string[] {
  return Object.entries(session.stack.files())
    .filter(([, content]) => content.includes(text))
    .map(([path]) => path.replace(session.stack.folder, ""));
}

describe("when a key is made, updated, refreshed, rotated and shown", () => {
  let session: Session;
  let output = "";
  /** That of the first key after its creation, after an update and a refresh, and that of its successor. */
  const secrets: string[] = [];

  beforeAll(async () => {
    session = await Session.start(withKey(30), { simulator: { apiKey: CREDENTIAL } });
    const run = async (result: ReturnType<Session["up"]>): Promise<void> => {
      output += succeeded(await result);
    };
    const remember = (): void => void secrets.push(String(session.shownOutputs()["key"]));
    await run(session.stack.up(["--diff"]));
    remember();
    session.stack.write(withKey(30, ["tagged"]));
    await run(session.up());
    await run(session.refresh(["--diff"]));
    remember();
    expect((await session.api.held()).apiKeys).toMatchObject([{ tags: ["tagged"] }]);
    session.stack.write(withKey(60, ["tagged"]));
    await run(session.stack.up(["--diff"]));
    remember();
    await run(session.stack.pulumi(["stack", "output", "--json"]));
    await run(session.stack.pulumi(["stack", "export"]));
  });

  it("the credential of the environment stands plain in no file of the stack and in nothing that was printed", () => {
    expect(filesWith(session, CREDENTIAL)).toEqual([]);
    expect(output).not.toContain(CREDENTIAL);
  });

  it("the secrets of the keys stand plain in no file and in nothing that was printed", () => {
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

  it("after an update and a refresh, the secret is still the one that the API showed at the creation", () => {
    const [made, refreshed, rotated] = secrets;
    expect(refreshed).toBe(made);
    expect(rotated).not.toBe(made);
  });

  it("the key that the stack hands out signs in at the API, and the one before it does not any more", async () => {
    expect(await Promise.all(secrets.slice(1).map((key) => session.api.signIn(key)))).toEqual([401, 200]);
    expect((await session.api.held()).apiKeys).toHaveLength(1);
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
