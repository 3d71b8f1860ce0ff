import { ConfigurationError } from "../../src/api/errors";
import { shownText } from "../../src/lifecycle/errors";
import { startSimulator } from "../../src/simulator";
import { argsOf } from "../support/world";
import { sent, startRun } from "../support/lifecycle";

describe("the message of an error", () => {
  it("shows the message of a known error", () => {
    const error = new ConfigurationError("No key.");
    expect(shownText(error, {})).toBe("No key.");
    expect(shownText(error, { CLOUDINFRA_DEBUG: "1" })).toBe("No key.");
  });

  it("says of an unknown error where to report it", () => {
    const text = shownText(new TypeError("x is not a function"), {});
    expect(text).toMatch(
      /^x is not a function\nThis is a fault of pulumi-cloudinfra itself\. Run again with CLOUDINFRA_DEBUG=1, /,
    );
    expect(text).toMatch(/https:\/\/github\.com\/.*\/issues$/);
    expect(text).not.toContain("errors.test");
  });

  it("shows stack traces of an unknown error if enabled", () => {
    const error = Object.assign(new Error("outer", { cause: new RangeError("inner") }), { header: "canary" });
    const text = shownText(error, { CLOUDINFRA_DEBUG: "1" });
    expect(text).toMatch(/^Error: outer\n +at .*errors\.test/);
    expect(text).toMatch(/Caused by: RangeError: inner\n +at /);
    expect(text).not.toContain("canary");
  });

  it("shows any other thrown value as text", () => {
    expect(shownText("odd", { CLOUDINFRA_DEBUG: "1" })).toBe("odd");
  });
});

describe("when many resources fail for one reason", () => {
  const failures = async (config: Readonly<Record<string, string>>): Promise<readonly string[]> => {
    const simulator = await startSimulator();
    const run = startRun({ baseUrl: simulator.url, ...config });
    const type = "ConnectConnection";
    const create = (name: string): Promise<unknown> =>
      run.of(type).create(sent(type, name, { ...argsOf(type, simulator), name }, false));
    const texts = ["a", "b", "c"].map((name) => create(name).catch((error: unknown) => shownText(error)));
    const found = (await Promise.all(texts)).map(String);
    await simulator.close();
    return found;
  };

  it.each([
    ["nothing listens", { baseUrl: "http://127.0.0.1:9" }, /connection refused/, /Check the base URL/],
    ["the key is refused", { apiKey: "nobodys" }, /failed: 401/, /The API key from /],
  ])("gives advice once for many failed resources: %s", async (_case, config, reason, advice) => {
    const texts = await failures(config);
    for (const text of texts) expect(text).toMatch(reason);
    expect(texts.filter((text) => advice.test(text))).toHaveLength(1);
  });
});
