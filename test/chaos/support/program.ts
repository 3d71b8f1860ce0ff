import type { Declared, StateEntry } from "../../support/mini-engine";
import type { Edit, Kind, Programs, Slot } from "./schedule";

/** What the program says of a resource in one version. */
export interface Said {
  readonly slot: Slot;
  readonly name: string;
  /** The logical names of what it depends on. */
  readonly dependsOn: readonly string[];
  readonly args: Readonly<Record<string, unknown>>;
  readonly isThere: boolean;
  /** Whether it still says what the object to adopt is like: whoever asks for another one takes the word out. */
  readonly mayAdopt: boolean;
}

/** Where the objects of a program go. */
export interface Places {
  readonly vpcs: readonly { readonly id: string; readonly cidr: string }[];
  /** What a resource adopts, by logical name. */
  readonly adoptees: Map<string, unknown>;
}

type Counts = Record<"tags" | "fields" | "replace" | "rename", number> & { isThere: boolean; mayAdopt: boolean };

/** What the program's nth version says of each resource. */
export function versionOf(programs: Programs, nth: number, places: Pick<Places, "vpcs">): readonly Said[] {
  const resources = programs.slots.map((slot, index) => {
    const counts: Counts = { tags: 0, fields: 0, replace: 0, rename: 0, isThere: true, mayAdopt: true };
    return { slot, name: `r${index}`, counts };
  });
  for (const edit of programs.versions.slice(0, nth + 1).flatMap(({ edits }) => edits)) {
    const edited = resources[edit.slot % resources.length];
    if (edited) apply(edit, edited.counts);
  }
  return resources.map(({ slot, name, counts }, index) => {
    const { isThere, mayAdopt } = counts;
    const before = slot.after > 0 ? resources[index - slot.after] : undefined;
    const dependsOn = before?.counts.isThere ? [before.name] : [];
    return { slot, name, dependsOn, isThere, mayAdopt, args: argsOf(slot, name, counts, places) };
  });
}

/** The program as the engine runs it. */
export function declaredOf(said: readonly Said[], { adoptees }: Places): readonly Declared[] {
  return said
    .filter(({ isThere }) => isThere)
    .map(({ slot, name, dependsOn, args, mayAdopt }) => ({
      type: slot.kind,
      name,
      dependsOn,
      args: (stateOf) => ({
        ...withDependencies(args, dependsOn, stateOf),
        ...(mayAdopt && adoptees.has(name) && { adopt: adoptees.get(name) }),
      }),
    }));
}

/** Arguments as they are once what they depend on is there: its ids are among the tags. */
export function withDependencies(
  args: Said["args"],
  dependsOn: readonly string[],
  stateOf: (name: string) => StateEntry,
): Said["args"] {
  return { ...args, tags: [...(args["tags"] as string[]), ...dependsOn.map((name) => `of-${stateOf(name).id}`)] };
}

function apply({ change }: Edit, counts: Counts): void {
  if (change === "remove" || change === "replace") counts.mayAdopt = false;
  if (change === "remove") counts.isThere = false;
  else if (change === "restore") counts.isThere = true;
  else counts[change] += 1;
}

function argsOf(slot: Slot, name: string, counts: Counts, { vpcs }: Pick<Places, "vpcs">): Said["args"] {
  const given = slot.isNamed || counts.rename > 0;
  return {
    ...(given && { name: `given-${name}-${counts.rename}` }),
    tags: [`t${counts.tags}`],
    ...ownArgs[slot.kind](slot, counts, vpcs),
  };
}

const ownArgs: Readonly<Record<Kind, (slot: Slot, counts: Counts, vpcs: Places["vpcs"]) => object>> = {
  ApiKey: ({ rotates }, { fields, replace }) => ({
    permissions: [{ resourceType: "vm", permission: fields % 2 === 0 ? "edit" : "read" }],
    ...(rotates
      ? { lifetime: "90d", rotationTrigger: replace }
      : { expiresAt: `2027-05-0${1 + (replace % 9)}T00:00:00Z` }),
  }),
  ConnectConnection: (_slot, { replace }) => ({
    bandwidthMbps: [50, 200, 500][replace % 3],
    cidrs: ["10.0.0.0/25"],
    providerCidrs: ["172.16.0.0/16"],
    externalProvider: { accountId: "123456789012", region: "us-west-2" },
  }),
  FirewallRule: (_slot, { fields, replace }, vpcs) => ({
    vpcId: vpcs[replace % vpcs.length]?.id,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: vpcs[replace % vpcs.length]?.cidr,
    destinationPorts: fields % 2 === 0 ? ["443"] : ["443", "8443"],
  }),
};
