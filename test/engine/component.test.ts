import { interruptedUp } from "./support/interruption";
import { counts, failed, diagnosticsOf, succeeded } from "./support/output";
import { keysHeld, pairOf, type PairOfKeys } from "./support/pair-of-keys";
import { inDays, programOf } from "./support/programs";
import { Session } from "./support/session";
import { paths } from "./support/simulated-api";
import { describeYaml, yaml, type YamlResource } from "./support/yaml";
import { forSuite } from "../support/suite";

const permissions = [{ resourceType: "vm", permission: "edit" }];
const outputs = { current: "${ci.current}", previous: "${ci.previous}", nextRotation: "${ci.nextRotation}" };
const pair = (args: object = {}, options?: object): YamlResource =>
  yaml("RotatingApiKey", { permissions, period: "30d", ...args }, options);

describeYaml("two RotatingApiKeys in a YAML program, one of an explicit provider", () => {
  const session = forSuite(() => Session.start({ resources: {} }));
  let resources: Record<string, YamlResource>;
  let first: PairOfKeys;

  beforeAll(() => {
    const { apiKey, url, projectId, region } = session.api.simulator;
    const other = { type: "pulumi:providers:cloudinfra", properties: { apiKey, baseUrl: url, projectId, region } };
    resources = { other, ci: pair(), cd: pair({}, { provider: "${other}" }) };
    session.stack.write({ resources, outputs });
  });

  it("previews the keys with their costs and next rotation", async () => {
    await session.api.setPrices({ api_key: "2" });
    const preview = succeeded(await session.stack.preview());
    expect(counts(preview)).toEqual(["+ 10 to create"]);
    for (const key of ["ci-a", "ci-b", "cd-a", "cd-b"]) expect(diagnosticsOf(preview, key)).toContain("+$2.00/mo");
    expect(preview).toContain(`nextRotation: "${inDays(27)}"`);
  });

  it("names the keys of a killed run, and makes new ones", async () => {
    await session.api.fault({ method: "POST", path: `^${paths.apiKeys}$`, delay: "10m", every: 1 });
    await interruptedUp(session, async () => (await keysHeld(session)).length === 4, ["SIGKILL"]);
    await session.api.clearFaults();
    session.cancel();
    const lost = await keysHeld(session);
    const output = succeeded(await session.up());
    for (const id of lost) expect(output).toContain(`run \`cloudinfra doctor --delete ${id}\``);
    for (const id of lost) await session.api.call("DELETE", `${paths.apiKeys}/${id}`); // as a person would
    expect(await keysHeld(session)).toEqual(
      ["ci-a", "ci-b", "cd-a", "cd-b"].map((name) => session.one(name).id).sort(),
    );
    first = pairOf(session);
    expect([first.current.expiresAt, first.previous.expiresAt]).toEqual([inDays(91), inDays(91)]);
    expect([await session.api.signIn(first.current.key), await session.api.signIn(first.previous.key)]).toEqual([
      200, 200,
    ]);
  });

  it("gives each key to the provider of its pair", () => {
    const providerOf = (name: string): string => session.one(name).provider?.split("::").at(-2) ?? "";
    expect(["ci-a", "ci-b", "ci-schedule"].map(providerOf)).toEqual(["default", "default", "default"]);
    expect(["cd-a", "cd-b", "cd-schedule"].map(providerOf)).toEqual(["other", "other", "other"]);
    const written = Object.values(session.stack.files()).filter((text) => text.includes(first.current.key));
    expect(written).toEqual([]);
  });

  it("renews the older key of each pair if due", async () => {
    await session.api.advance("30d");
    const output = succeeded(await session.up());
    expect(counts(output)).toEqual(["~ 4 updated", "+-2 replaced", "6 changes. 4 unchanged"]);
    expect(diagnosticsOf(output, "ci-schedule")).toContain(`rotates slot b: due since ${inDays(27).slice(0, 10)}`);
    const after = pairOf(session);
    expect(after.previous).toEqual(first.current);
    expect(after.current.expiresAt).toBe(inDays(121));
    expect(await session.api.signIn(after.current.key)).toBe(200);
    expect(await keysHeld(session)).toHaveLength(4);
  });

  it("says in one sentence which argument is wrong", async () => {
    session.stack.write({ resources: { ...resources, ci: pair({ period: "200d" }) } });
    const output = failed(await session.stack.preview());
    expect(diagnosticsOf(output, "ci-schedule")).toContain(
      "property period value {200d} has a problem: must be a duration of 1 to 121 days",
    );
    expect(output).not.toContain("fault of");
  });

  it("keeps the pair under an alias", async () => {
    const renamed = pair({}, { aliases: [{ name: "ci" }] });
    session.stack.write({ resources: { other: resources["other"]!, cd: resources["cd"]!, renamed } });
    const { result, requests } = await session.api.during(() => session.stack.preview());
    expect(counts(succeeded(result))).toEqual(["10 unchanged"]);
    // For the API's time, for each provider twice, because its clock is ahead.
    expect(requests).toEqual(Array(4).fill("GET regions"));
  });

  it("a TypeScript program takes the pairs over unchanged", async () => {
    const settings = JSON.stringify(resources["other"]?.properties);
    const text = programOf(
      "pulumi-cloudinfra/native",
      `const other = new cloudinfra.Provider("other", ${settings});`,
      `const args = ${JSON.stringify({ permissions, period: "30d" })};`,
      `new cloudinfra.RotatingApiKey("ci", args);`,
      `new cloudinfra.RotatingApiKey("cd", args, { provider: other });`,
    );
    session.stack.write(text);
    const preview = succeeded(await session.stack.preview());
    expect(counts(preview)).toEqual(["~ 1 to update", "9 unchanged"]);
    expect(preview).toMatch(/pulumi:providers:cloudinfra other update .*version/);
    succeeded(await session.destroy());
    expect(await keysHeld(session)).toEqual([]);
  });
});
