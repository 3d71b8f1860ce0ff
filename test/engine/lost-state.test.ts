import { counts, diagnosticsOf, succeeded } from "./support/output";
import { descriptorOf } from "../kinds";
import { ALL, declare, FRONTS, names, NATIVE, oneOfEach, programOf, types, type Front } from "./support/programs";
import { Session } from "./support/session";

const landingZone = (front: Front): string =>
  programOf(
    front,
    declare("Project", "shop"),
    declare("Vpc", "net", { projectId: "=shop.id" }),
    declare("FirewallRule", "https", { vpcId: "=net.id", destinationAddress: "=net.subnet.cidr" }),
    declare("NksCluster", "cluster", { projectId: "=shop.id", vpcId: "=net.id" }),
    declare("NksNodePool", "workers", { clusterId: "=cluster.id" }),
  );

/** Additional arguments of each resource. */
type Adopts = Readonly<Record<string, string>>;

/** The advice of a preview: what to add to the arguments of each resource. */
function adviceIn(output: string): Adopts {
  const lines = output.matchAll(/^\s+\w+ (\S+), made (?:by .+ )?\d{4}-\d\d-\d\d: adopt: (.+)$/gm);
  return Object.fromEntries(Array.from(lines, ([, name, adopt]) => [name!, adopt!]));
}

const REPLACED = { ConnectConnection: { bandwidthMbps: 500 }, ApiKey: { rotationTrigger: "again" } };

/** One object of each kind, some of them replaced since. A string that begins with `=` is JavaScript. */
const everything = (front: Front, adopts: Adopts = {}, own: Readonly<Record<string, object>> = REPLACED): string => {
  const args = types.map((type) => {
    const adopt = adopts[descriptorOf(type).name];
    return [type, { ...own[type], ...(adopt !== undefined && { adopt: `=${adopt}` }) }] as const;
  });
  return programOf(front, oneOfEach(Object.fromEntries(args)));
};

describe("a stack with its state", () => {
  it.each(["--replace", "--target-replace"])("a state is not taken for lost with %s", async (flag) => {
    const deleteOld = { whenQuietFor: "24h", atLatest: "14d" };
    const program = (rotationTrigger: number): string =>
      programOf(NATIVE, declare("ApiKey", "ci", { name: "ci", rotationTrigger, deleteOld }));
    const session = await Session.startUp(program(1), { config: { "cloudinfra:stackId": "0d8e6a52" } });
    session.stack.write(program(2));
    succeeded(await session.up());
    const output = succeeded(await session.stack.preview([flag, session.one("ci").urn]));
    expect(output).not.toMatch(/existing object/);
  });

  it("a forced replacement does not adopt the replaced object", async () => {
    const config = { "cloudinfra:stackId": "0d8e6a52", "cloudinfra:adoptOwn": "true", "cloudinfra:preflight": "warn" };
    const session = await Session.startUp(programOf(NATIVE, declare("Volume", "data")), { config });
    const { id, urn } = session.one("data");
    succeeded(await session.up(["--target-replace", urn]));
    expect(session.one("data").id).not.toBe(id);
    expect(await session.api.heldIds()).toEqual([session.one("data").id]);
  });
});

describe("a stack without its state", () => {
  it.each(FRONTS)("a lost stack with an id: %s adopts all", async (front) => {
    const config = { "cloudinfra:stackId": "0d8e6a52" };
    const owner = await Session.start(landingZone(front), { config });
    succeeded(await owner.up());
    const before = await owner.api.held();

    const later = await Session.start(landingZone(front), { config, api: owner.api });
    const { code, output } = await later.stack.preview();
    expect(code).not.toBe(0);
    expect(output).toMatch(/ is taken by project \S+, which this program made on \d{4}-\d\d-\d\d, and this state does/);
    expect(output).toContain(
      "run `CLOUDINFRA_PREFLIGHT=warn pulumi preview`. If the stack's configuration has cloudinfra:preflight, set it to warn",
    );

    const warned = succeeded(await later.stack.pulumi(["preview"], { env: { CLOUDINFRA_PREFLIGHT: "warn" } }));
    expect(warned).toContain(
      "5 of 5 new resources have the names of existing objects that this state does not have. This program made them.",
    );
    const neighbour = await Session.start(landingZone(front), {
      config: { "cloudinfra:stackId": "77" },
      api: owner.api,
    });
    const neighbourOutput = succeeded(await neighbour.stack.preview());
    expect(neighbourOutput).toContain(
      "5 of 5 new resources have the names of existing objects that this state does not have.",
    );
    expect(neighbourOutput).not.toContain("This program made");
    expect(warned).toContain("`CLOUDINFRA_ADOPT_OWN=true pulumi up` does the same in one run.");
    later.stack.env["CLOUDINFRA_ADOPT_OWN"] = "true";
    expect(succeeded(await later.stack.up())).toContain("changes nothing");
    delete later.stack.env["CLOUDINFRA_ADOPT_OWN"];
    expect(counts(succeeded(await later.stack.preview()))).toEqual(["6 unchanged"]);
    expect(await owner.api.held()).toEqual(before);
  });

  it.each(FRONTS)("names the volume of an adopted VM only if the program lacks it: %s", async (front) => {
    const config = { "cloudinfra:stackId": "0d8e6a52", "cloudinfra:adoptOwn": "true" };
    const [vm, data] = [declare("Vm", "web"), declare("Volume", "data", { vmId: "=web.id" })];
    const owner = await Session.start(programOf(front, vm, data), { config });
    succeeded(await owner.up());

    const later = await Session.start(programOf(front, vm, data), { config, api: owner.api });
    expect(succeeded(await later.stack.preview())).not.toContain("does not list");
    later.stack.write(programOf(front, vm));
    const output = succeeded(await later.stack.preview());
    const named = expect.stringMatching(`does not list volume "data-\\w+" \\(${owner.one("data").id}\\)`) as unknown;
    expect(diagnosticsOf(output, "web")).toEqual(named);
  });

  it.each(FRONTS)("adopts a lost stack of all %s, replaced ones too", async (front) => {
    const owner = await Session.start(everything(front, {}, {}));
    succeeded(await owner.up());
    owner.stack.write(everything(front));
    succeeded(await owner.up());
    const before = await owner.api.held();
    const later = await Session.start(everything(front), { api: owner.api });
    const advice = adviceIn(succeeded(await later.stack.preview()));
    expect(Object.keys(advice).sort()).toEqual([...names].sort());
    const key = descriptorOf("ApiKey").name;
    const { key: secret } = owner.shownOutputsOf(key);
    const adopts = { ...advice, [key]: advice[key]!.replace("…", String(secret)) };
    later.stack.write(everything(front, adopts));
    succeeded(await later.up());
    later.stack.write(everything(front));
    expect(counts(succeeded(await later.stack.preview()))).toEqual([`${ALL} unchanged`]);
    expect(await owner.api.held()).toEqual(before);
  });
});
