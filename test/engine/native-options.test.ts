import { counts, succeeded } from "./support/output";
import { basicsOf, declare, programOf } from "./support/programs";
import { Session } from "./support/session";
import { describeYaml, yaml, type YamlResource } from "./support/yaml";
import { otherStorage, storage } from "../kinds/volume";
import { forSuite } from "../support/suite";

type Details = Readonly<Record<string, { readonly kind: string; readonly inputDiff: boolean }>>;

/** The engine's view of each planned step, by logical name. */
async function planned(session: Session): Promise<Record<string, { readonly op: string; readonly diff: Details }>> {
  const { code, stdout, output } = await session.stack.pulumi(["preview", "--json"]);
  if (code !== 0) throw new Error(output);
  const { steps } = JSON.parse(stdout) as {
    readonly steps: readonly { readonly op: string; readonly urn: string; readonly detailedDiff?: Details }[];
  };
  return Object.fromEntries(
    steps
      .filter(({ op }) => op !== "same" && !op.includes("-")) // the halves of a replacement
      .map(({ op, urn, detailedDiff = {} }) => [urn.split("::").at(-1) ?? "", { op, diff: detailedDiff }]),
  );
}

const kindsOf = (diff: Details = {}): Record<string, string> =>
  Object.fromEntries(Object.entries(diff).map(([path, { kind }]) => [path, kind]));

describeYaml("a change of nested properties in a YAML program", () => {
  const boot = (size: number, type: string = storage): object => ({ bootVolume: { size, type } });
  const pool = (labels: string[], options?: object): YamlResource =>
    yaml(
      "NksNodePool",
      { ...basicsOf("NksNodePool"), nodeConfig: { ...boot(64), instanceType: "n1-standard-2", labels } },
      options,
    );
  const vm = (change: object, options?: object): YamlResource => yaml("Vm", { ...basicsOf("Vm"), ...change }, options);
  const data = (change: object, options?: object): YamlResource =>
    yaml("Volume", { size: 100, type: storage, tags: ["a"], ...change }, options);
  const session = forSuite(() =>
    Session.startUp({ resources: { pool: pool(["team=a"]), web: vm(boot(64)), data: data({}) } }),
  );

  it("previews a change of nested properties with each value", async () => {
    const resources = {
      pool: pool(["team=b", "env=a"]),
      web: vm(boot(80)),
      data: data({ tags: [], size: 200 }),
    };
    session.stack.write({ resources });
    const steps = await planned(session);
    expect(kindsOf(steps["pool"]?.diff)).toEqual({
      "nodeConfig.labels[0]": "update-replace",
      "nodeConfig.labels[1]": "add-replace",
    });
    expect(kindsOf(steps["web"]?.diff)).toMatchObject({ "bootVolume.size": "update" });
    expect(kindsOf(steps["data"]?.diff)).toMatchObject({
      "tags[0]": "delete",
      size: "update",
      "cost.monthlyTotal": "update",
    });
    expect(steps["data"]?.diff["size"]).toEqual({ kind: "update", inputDiff: true });
    expect([steps["pool"]?.op, steps["web"]?.op, steps["data"]?.op]).toEqual(["replace", "update", "update"]);
    session.stack.write({
      resources: { ...resources, web: vm(boot(64, otherStorage)), data: data({ type: otherStorage }) },
    });
    const replaced = await planned(session);
    expect(kindsOf(replaced["web"]?.diff)).toMatchObject({ "bootVolume.type": "update-replace" });
    expect(kindsOf(replaced["data"]?.diff)).toMatchObject({ type: "update-replace" });
  });

  it("keeps unaffected outputs known in the preview", async () => {
    session.stack.write({
      resources: { pool: pool(["team=a"]), web: vm({ ...boot(64), instanceType: "n1-standard-4" }), data: data({}) },
      outputs: {
        made: "${web.createdAt}",
        address: "${web.privateIp}",
        cpu: "${web.cpuConfig.vcpu}",
        at: "${web.updatedAt}",
      },
    });
    const preview = succeeded(await session.stack.preview());
    expect(preview).toMatch(/made *: "20\d\d-/);
    expect(preview).toMatch(/address *: "\d+\./);
    expect(preview).toMatch(/cpu *: \[unknown\]/);
    expect(preview).toMatch(/at *: \[unknown\]/);
    succeeded(await session.up());
    expect(session.outputs()["cpu"]).toBe(4);
    await session.expectAgreement();
  });

  it("obeys options with nested paths", async () => {
    const [now, later] = [
      { ...boot(64), instanceType: "n1-standard-4" },
      { ...boot(96), instanceType: "n1-standard-4" },
    ];
    session.stack.write({
      resources: {
        pool: pool(["team=b"], { ignoreChanges: ["nodeConfig.labels[0]"] }),
        web: vm(later, { ignoreChanges: ["bootVolume.size"] }),
        data: data({ tags: ["b"] }, { replaceOnChanges: ["tags[0]"], deleteBeforeReplace: true }),
      },
    });
    const steps = await planned(session);
    expect([steps["pool"]?.op, steps["web"]?.op, steps["data"]?.op]).toEqual([undefined, undefined, "replace"]);
    const before = session.one("data").id;
    const { result, requests } = await session.api.during(() => session.up());
    succeeded(result);
    const changes = requests.filter((request) => /^(POST|DELETE|PATCH) volumes(\/:id)?$/.test(request));
    expect(changes).toEqual(["DELETE volumes/:id", "POST volumes"]);
    expect(session.one("data").id).not.toBe(before);
    await session.expectAgreement();
    session.stack.write({ resources: { pool: pool(["team=a"]), web: vm(now), data: data({ tags: ["b"] }) } });
    expect(counts(succeeded(await session.stack.preview()))).toEqual(["4 unchanged"]);
  });
});

describe("options of a TypeScript program on nested properties", () => {
  const web = (size: number, options: string): string =>
    programOf(
      "pulumi-cloudinfra/native",
      `const grown = ({ props, opts }) => ({
         props: { ...props, bootVolume: { ...props.bootVolume, size: ${size} } },
         opts: pulumi.mergeOptions(opts, { additionalSecretOutputs: ["privateIp"] }),
       });`,
      declare("Vm", "web", { bootVolume: { size: 64 } }, `{ transforms: [grown], ${options} }`),
      "exports.address = web.privateIp;",
    );

  it("transforms, additionalSecretOutputs and replaceOnChanges work", async () => {
    const session = await Session.start(web(80, ""));
    const output = succeeded(await session.up());
    expect(session.one("web").outputs["bootVolume"]).toMatchObject({ size: 80 });
    expect(output).toMatch(/address: \[secret\]/);
    expect(session.one("web").outputs["privateIp"]).toHaveProperty("ciphertext");
    session.stack.write(web(96, `replaceOnChanges: ["bootVolume.size"]`));
    const { op, diff } = (await planned(session))["web"]!;
    expect([op, kindsOf(diff)]).toEqual(["replace", expect.objectContaining({ "bootVolume.size": "update-replace" })]);
  });
});
