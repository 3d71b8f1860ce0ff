import { UNKNOWN } from "../../src/engine/values";
import type { Props } from "../../src/lifecycle/kind/kind";
import { AdvisoryRequests } from "../../src/api/advisory-requests";
import { QuotaSums, type BeforeAndAfter } from "../../src/lifecycle/preflight/quota-sums";
import { kinds } from "../../src/resources/registry";
import { VirtualClock } from "../support/virtual-clock";
import { storage } from "../kinds/volume";

const kindOf = (type: string): (typeof kinds)[number] => kinds.find((kind) => kind.type === type)!;
const machines: Readonly<Record<string, Props>> = { "n1-standard-2": { vcpu: 2, memory_gb: 8 } };
const quota = {
  compute: { vcpu: { limit: 10, used: 4 }, memory_gb: { limit: 1_000, used: 0 } },
  networking: { vpcs: { limit: 2, used: 2 } },
  nks: { node_pool_vcpu: { limit: 4, used: 0 } },
  storage: { abs: { limit: 100, used: 40 } },
};
const region = "us-sva-2";
const vm = { region, instanceType: "n1-standard-2", bootVolume: { type: storage, size: 1 } };

let regions: string[];
let messages: string[];
let sums: QuotaSums;
beforeEach(() => {
  regions = [];
  messages = [];
  sums = sumsWith("fail");
});

function sumsWith(preflight: "fail" | "strict"): QuotaSums {
  return new QuotaSums({
    api: {
      show: (_schema, path) => {
        regions.push(path.at(-1) ?? "");
        return Promise.resolve(quota);
      },
    },
    settings: { dialect: "spec", region, preflight },
    advisory: new AdvisoryRequests(new VirtualClock()),
    catalogs: {
      absence: () => Promise.resolve(undefined),
      find: (_catalog, value) => Promise.resolve(machines[value]),
    },
    previewRows: { line: (_urn, _severity, text) => Promise.resolve(void messages.push(text)) },
  });
}

/** The warnings of one resource. */
async function warnings(
  type: string,
  name: string,
  after: Props,
  before?: BeforeAndAfter["before"],
): Promise<string[]> {
  return (await sums.verdict(kindOf(type), name, { before, after })).findings.map(({ reason }) => reason);
}

const beyond = (text: string): string[] => [`does not fit into the quotas of ${region} any longer: with it, ${text}`];

it("warns of each machine above the quotas, with one table", async () => {
  for (const name of ["a", "b", "c", "c"]) expect(await warnings("Vm", name, vm)).toEqual([]);
  expect(messages).toEqual([]);
  expect(await warnings("Vm", "d", vm)).toEqual(beyond("vCPUs of VMs: 12 of 10"));
  expect(await warnings("Vm", "e", vm)).toEqual(beyond("vCPUs of VMs: 14 of 10"));
  expect(messages).toEqual([]);
  await sums.warn();
  expect(messages).toEqual([expect.stringMatching(/vCPUs of VMs +10 +4 +10 +4\n/)]);
  expect(regions).toEqual([region]);
});

it("prints no table if a later resource frees quota", async () => {
  for (const name of ["a", "b", "c", "d"]) await warnings("Vm", name, vm);
  await warnings("Vm", "e", { ...vm, instanceType: "unknown" }, vm);
  await sums.warn();
  expect(messages).toEqual([]);
});

it.each([
  ["fail", "warning"],
  ["strict", "failure"],
] as const)("a shortage, with preflight %s, is a %s", async (preflight, severity) => {
  const { findings } = await sumsWith(preflight).verdict(kindOf("Volume"), "a", {
    before: undefined,
    after: { region, type: "abs", size: 61 },
  });
  expect(findings).toMatchObject([{ severity }]);
});

it("counts an object's growth in the quotas", async () => {
  const volume = { region, type: storage, size: 50 };
  expect(await warnings("Volume", "a", { ...volume, size: 110 }, volume)).toEqual([]);
  expect(await warnings("Volume", "b", { ...volume, size: 51 }, volume)).toEqual(
    beyond("ABS storage (GB): 101 of 100"),
  );
});

it("requests no quotas unless the usage grows", async () => {
  const volume = { region, type: storage, size: 500 };
  expect(await warnings("Volume", "a", { ...volume, size: 400 }, volume)).toEqual([]);
  expect(await warnings("Volume", "b", { ...volume, size: UNKNOWN })).toEqual([]);
  expect(await warnings("Vm", "c", { region, instanceType: "unknown", publicIpEnabled: null })).toEqual([]);
  expect(await warnings("FirewallRule", "d", {})).toEqual([]);
  expect(regions).toEqual([]);
});

it("refuses an object larger than a quota", async () => {
  const volume = { region, type: storage, size: 101 };
  expect(await sums.verdict(kindOf("Volume"), "a", { before: undefined, after: volume })).toEqual({
    isFinal: true,
    findings: [
      {
        severity: "failure",
        field: "",
        reason: expect.stringMatching(
          /^is larger than a whole quota of us-sva-2: ABS storage \(GB\): 101 of 100\. /,
        ) as unknown,
      },
    ],
  });
  expect(await warnings("Volume", "b", { ...volume, size: 60 })).toEqual([]);
  await sums.warn();
  expect(messages).toEqual([]);
});

it("does not list objects that use no exceeded quota", async () => {
  expect(await warnings("Vpc", "a", { region })).toEqual(beyond("VPCs: 3 of 2"));
  expect(await warnings("Vm", "b", vm)).toEqual([]);
});

it("counts the quotas of each region separately", async () => {
  const pool = { nodeConfig: { instanceType: "n1-standard-2" }, nodeCount: 2 };
  await warnings("Vm", "a", { ...vm, region: "eu-fra-1" });
  expect(await warnings("NksNodePool", "b", pool)).toEqual([]);
  expect(regions).toEqual(["eu-fra-1"]);
  await warnings("Vm", "c", vm);
  expect(await warnings("NksNodePool", "d", pool)).toEqual([]);
  expect(await warnings("NksNodePool", "e", pool)).toEqual(beyond("vCPUs of node pools: 8 of 4"));
  expect(regions).toEqual(["eu-fra-1", region]);
});
