import { definitions } from "../../src/resources/registry";
import { counts, succeeded } from "./support/output";
import { recorded, resume, versions, type Recorded } from "./support/recorded-states";
import type { Session } from "./support/session";
import { type KeptResource } from "./support/session";
import { describeYaml, yaml, type YamlResource } from "./support/yaml";

const DYNAMIC = "pulumi-nodejs:dynamic/cloudinfra:";

/** The managed resources of a recorded state that have a class of their own, outside components. */
function managed(session: Session): readonly KeptResource[] {
  return session
    .kept()
    .filter(({ type, external, urn }) => type.startsWith(DYNAMIC) && external !== true && !urn.includes("$"))
    .filter(({ type }) => definitions.some((definition) => type === `${DYNAMIC}${definition.type}`));
}

/** The YAML program of a dynamic state: the program's own arguments, and an alias with the old type. */
function moved(resources: readonly KeptResource[]): Record<string, YamlResource> {
  return Object.fromEntries(
    resources.map(({ type: token, urn, inputs = {} }) => {
      const definition = definitions.find(({ type }) => token === `${DYNAMIC}${type}`)!;
      const given = Object.keys(definition.inputs).filter(
        (name) =>
          inputs[name] !== undefined &&
          !(name === "name" && "__autoName" in inputs) &&
          !(name === "expiresAt" && "lifetime" in inputs),
      );
      const properties = Object.fromEntries(given.map((name) => [name, inputs[name]]));
      return [urn.split("::").at(-1) ?? "", yaml(definition.type, properties, { aliases: [{ type: token }] })];
    }),
  );
}

function tagged(resources: Record<string, YamlResource>): Record<string, YamlResource> {
  return Object.fromEntries(
    Object.entries(resources).map(([name, each]) => [
      name,
      { ...each, properties: { ...each.properties, tags: ["moved"] } },
    ]),
  );
}

const secretsOf = async ({ stack }: Session, names: readonly string[]): Promise<unknown> => {
  const kept = await stack.resources({ showSecrets: true });
  return Object.fromEntries(names.map((name) => [name, kept[name]?.outputs?.["key"]]));
};

describeYaml.each(versions)("when the plugin takes over what %s has written", (version) => {
  const state: Recorded = recorded(version, "everyday");
  let session: Session;
  let resources: Record<string, YamlResource>;
  let ids: readonly string[];
  let secrets: unknown;

  beforeAll(async () => {
    session = await resume(state);
    const before = managed(session);
    ids = before.map(({ id = "" }) => id).sort();
    resources = moved(before);
    secrets = await secretsOf(session, Object.keys(resources));
    session.stack.write({ resources });
  });

  const presentIds = (): readonly string[] =>
    session
      .kept()
      .filter(({ type }) => type.startsWith("cloudinfra:index:"))
      .map(({ id = "" }) => id)
      .sort();

  it("the preview changes none of it, and the secrets stay", async () => {
    const preview = succeeded(await session.stack.preview());
    expect(counts(preview).filter((count) => !/unchanged|to delete/.test(count))).toEqual([]);
    succeeded(await session.up());
    expect(presentIds()).toEqual(ids);
    expect(await secretsOf(session, Object.keys(resources))).toEqual(secrets);
    expect(counts(succeeded(await session.refresh()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
  });

  it("an update changes it in place; its way back to the dynamic front changes nothing", async () => {
    session.stack.write({ resources: tagged(resources) });
    expect(succeeded(await session.up())).not.toMatch(/replaced|created/);
    expect(presentIds()).toEqual(ids);
    const args = Object.entries(tagged(resources)).map(([name, { type, properties }]) => {
      const kind = type.split(":").at(-1) ?? "";
      const options = JSON.stringify({ aliases: [{ type }] });
      return `new cloudinfra.${kind}(${JSON.stringify(name)}, ${JSON.stringify(properties)}, ${options});`;
    });
    session.stack.write(['const cloudinfra = require("pulumi-cloudinfra");', ...args].join("\n"));
    expect(counts(succeeded(await session.stack.preview()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    succeeded(await session.up());
    expect(counts(succeeded(await session.refresh()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    expect(await secretsOf(session, Object.keys(resources))).toEqual(secrets);
  });

  it("and forth again: a state whose program is gone refreshes and is destroyed", async () => {
    session.stack.write({ resources: tagged(resources) });
    succeeded(await session.up());
    session.stack.write({ resources: {} });
    expect(counts(succeeded(await session.refresh()))).toEqual([expect.stringMatching(/^\d+ unchanged$/)]);
    succeeded(await session.destroy());
    expect(session.kept()).toEqual([]);
    const left = (await session.api.objects()).map(({ id }) => id);
    expect(left.filter((id) => ids.includes(id))).toEqual([]);
  });
});
