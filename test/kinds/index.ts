import { definitions, kinds } from "../../src/resources/registry";
import { apiKey } from "./api-key";
import { connectConnection } from "./connect-connection";
import type { KindDescriptor } from "./descriptor";
import { firewallRule } from "./firewall-rule";
import { nksCluster } from "./nks-cluster";
import { nksLoadBalancer } from "./nks-load-balancer";
import { nksNodePool } from "./nks-node-pool";
import { project } from "./project";
import { rpcNodeFlex } from "./rpc-node-flex";
import { vm } from "./vm";
import { volume } from "./volume";
import { vpc } from "./vpc";

/** The descriptor of each kind, by its type. */
export const descriptors: Readonly<Record<string, KindDescriptor>> = {
  ApiKey: apiKey,
  ConnectConnection: connectConnection,
  FirewallRule: firewallRule,
  NksCluster: nksCluster,
  NksLoadBalancer: nksLoadBalancer,
  NksNodePool: nksNodePool,
  Project: project,
  RpcNodeFlex: rpcNodeFlex,
  Vm: vm,
  Volume: volume,
  Vpc: vpc,
};

/** Whether the provider may sign in with objects of a kind. */
export function hasCredential(type: string): boolean {
  return kinds.some((kind) => kind.type === type && kind.credential !== undefined);
}

/** The kinds whose objects a creation request makes. Those of others are found: something else makes them. */
export const madeTypes: readonly string[] = kinds.flatMap(({ type, discovery }) => (discovery ? [] : [type]));

/** Of these, the ones without a secret that only the creation shows: what an interrupted run left is taken over. */
export const takenOver = kinds
  .filter(({ type, secretOutputs }) => madeTypes.includes(type) && secretOutputs.length === 0)
  .map(({ type }) => type);

/** The kinds whose objects have a status that operations change. */
export const changedByOperations = definitions
  .filter(
    ({ outputs }) => outputs["status"]?.type.kind === "oneOf" && outputs["status"].type.values.includes("updating"),
  )
  .map(({ type }) => type);

/** Of those taken over, the ones with a status: a creation waits until the object is ready. */
export const awaited = takenOver.filter((type) => changedByOperations.includes(type));

/** The descriptor of a kind. Throws for a kind that has none, and says what to write. */
export function descriptorOf(type: string): KindDescriptor {
  const descriptor = descriptors[type];
  if (descriptor) return descriptor;
  throw new Error(
    `The kind ${type} has no descriptor: write test/kinds/<kind>.ts with its arguments, a wire sample, the creation request, ` +
      `a drift of each field (${fieldsOf(type)}) and its limits, and add it to test/kinds/index.ts.`,
  );
}

function fieldsOf(type: string): string {
  const kind = kinds.find((candidate) => candidate.type === type);
  return kind ? [...Object.keys(kind.policies), ...kind.computed].join(", ") : "an unknown kind";
}
