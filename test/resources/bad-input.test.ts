import { readSettings } from "../../src/config";
import { UNKNOWN } from "../../src/lifecycle/engine-values";
import { kinds } from "../../src/resources/registry";
import { descriptorOf } from "../kinds";
import { tags } from "../kinds/descriptor";
import { sent, startRun } from "../support/lifecycle";
import { VirtualClock } from "../support/virtual-clock";

const NOW = "2026-06-15T12:00:00Z";

const surroundings = { projectId: "p-1", region: "us-sva-2", vpcId: "v-1" };

/** Valid arguments of a kind, with what the configuration gives otherwise. */
function good(type: string): Record<string, unknown> {
  const kind = kinds.find((candidate) => candidate.type === type)!;
  const settings = {
    ...readSettings(() => undefined, { CLOUDINFRA_BASE_URL: "http://127.0.0.1:9", CLOUDINFRA_API_KEY: "k" }),
    ...surroundings,
  };
  // What is found is looked for where it is, and here is no API.
  const nowhere = kind.discovery ? Object.fromEntries(kind.place.map((field) => [field, UNKNOWN])) : { name: "x" };
  return { ...kind.defaults(settings), ...descriptorOf(type).args(surroundings), ...nowhere };
}

async function reasonsFor(type: string, args: object): Promise<string[]> {
  const run = startRun({}, new VirtualClock(Date.parse(NOW)));
  const { failures } = await run.of(type).check({}, sent(type, "x", { ...good(type), ...args }));
  expect(failures.every(({ property }) => property === "")).toBe(true); // with a property the engine prints its value
  return failures.map(({ reason }) => reason);
}

/** Specification, sections 2, 5.6 and 8: the resource, what is given, what is said (nothing: it is accepted). */
const table = kinds.flatMap(({ type }) =>
  descriptorOf(type).limits.map(([args, reason]) => [type, args, reason] as const),
);

describe("check", () => {
  it.each(table)("%s with %j", async (type, args, reason) => {
    expect(await reasonsFor(type, args)).toEqual(reason === undefined ? [] : [reason]);
  });

  it("when several things are wrong, it names them all at once", async () => {
    const reasons = await reasonsFor("FirewallRule", { protocol: "icmp", sourceAddress: "0.0.0.0/8", tags: tags(51) });
    expect(reasons).toHaveLength(3);
  });

  it.each(kinds.map(({ type }) => type))("when any value of %s is not known yet, it accepts it", async (type) => {
    for (const field of Object.keys(good(type))) {
      expect(await reasonsFor(type, { [field]: UNKNOWN })).toEqual([]);
    }
    const everything = Object.fromEntries(Object.keys(good(type)).map((field) => [field, UNKNOWN]));
    expect(await reasonsFor(type, everything)).toEqual([]);
  });

  it("when a part of a value is not known yet, it accepts it and still judges the rest", async () => {
    expect(await reasonsFor("ConnectConnection", { cidrs: [UNKNOWN, "10.0.0.1/16"] })).toEqual([
      "cidrs[1]: must be network-aligned and in canonical form: 10.0.0.0/16",
    ]);
    expect(await reasonsFor("ApiKey", { tags: [...tags(50), UNKNOWN] })).toEqual([
      "tags: must have at most 50 items (has 51)",
    ]);
  });
});
