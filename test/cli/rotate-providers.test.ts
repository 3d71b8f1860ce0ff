import { decrypted, encrypted } from "./support";
import { after, RotateBench } from "./rotate-fixture";

/* Keys of an explicit provider, which has an account of its own. */

const bench = RotateBench.forSuite();
const URN = "urn:pulumi:dev::test::pulumi:providers:cloudinfra::eu";
const eu = RotateBench.forSuite({ apiKey: "canary-key-of-the-other-account" });

/** A key at the other API, in the state of this one. */
async function keepThere(apiKey: unknown): Promise<void> {
  const { id } = await eu.makeKey(90);
  bench.keepAsIs({ urn: URN, type: "pulumi:providers:cloudinfra", id: "p", inputs: { baseUrl: eu.api.url, apiKey } });
  const type = "cloudinfra:index:ApiKey";
  const there = { type, id, provider: `${URN}::p`, outputs: { rotatesAt: after(76) } };
  bench.keepAsIs({ urn: `urn:pulumi:dev::test::${type}::there`, ...there });
}

it("looks keys up in their provider's account", async () => {
  await bench.keepKey("here");
  await keepThere(decrypted("canary-key-of-the-other-account"));
  await bench.keepKey("last");
  const keys = ["here", "there", "last"].map((name) => ({ name, status: "active", due: false }));
  const result = await bench.check();
  expect(result).toMatchObject({ code: 0, stderr: "", keys });
  expect(JSON.stringify(result)).not.toContain("canary");
});

describe("if its account refuses the sign-in", () => {
  beforeEach(async () => {
    await bench.keepKey("here");
    await keepThere("canary-key-that-is-none");
    await bench.keepKey("last");
  });

  it("shows the other keys, and exits with 1", async () => {
    const { code, keys, stderr } = await bench.check();
    const shown = keys.map(({ name, status, due, rotatesAt }) => [name, status, due, rotatesAt]);
    expect(shown).toEqual([
      ["here", "active", false, after(76)],
      ["there", "unknown", false, after(76)],
      ["last", "active", false, after(76)],
    ]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^error: .*401.*\nNot checked: there\n$/s)]);
    const table = await bench.rotate(["--check"]);
    expect([table.code, table.stderr]).toEqual([1, expect.stringMatching(/Not checked: there\n$/)]);
    expect(table.stdout).toMatch(/^here +active .*\n.*there +unknown /ms);
  });

  it("exits with 1, also if others are due", async () => {
    bench.advance(80);
    expect(await bench.check()).toMatchObject({ code: 1, keys: [{ due: true }, { due: true }, { due: true }] });
  });
});

it("says how to export a state with an encrypted key", async () => {
  await keepThere(encrypted);
  const result = await bench.rotate(["--check", "--format", "json"]);
  expect([result.code, result.stdout]).toEqual([1, ""]);
  expect(result.stderr).toMatch(/^error: The state has the apiKey of the provider "eu" encrypted\. .*--show-secrets/);
});
