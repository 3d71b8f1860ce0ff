import type { ServerArgs } from "./server";

/** A group of equal servers. */
export interface Group extends Pick<ServerArgs, "instanceType" | "disksGb"> {
  readonly servers: number;
}

/** The numbers and sizes of an environment. */
export interface Sizes {
  readonly api: Group;
  readonly workers: Group;
  readonly databases: Group;
}

/** Staging has one of each, as small as it can be. */
export const staging: Sizes = {
  api: { servers: 1, instanceType: "n1-standard-2" },
  workers: { servers: 1, instanceType: "c1-highcpu-2", disksGb: { scratch: 50 } },
  databases: { servers: 1, instanceType: "n1-highmem-2", disksGb: { data: 100, log: 20 } },
};

/** Production. Values that change often come from the configuration. */
export function production(database: { readonly instanceType: string; readonly dataGb: number }): Sizes {
  return {
    api: { servers: 3, instanceType: "n1-standard-4" },
    workers: { servers: 2, instanceType: "c1-highcpu-8", disksGb: { scratch: 200 } },
    databases: { servers: 2, instanceType: database.instanceType, disksGb: { data: database.dataGb, log: 100 } },
  };
}
