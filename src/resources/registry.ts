import { kindOf } from "../lifecycle/kind-of";
import type { ResourceKind } from "../lifecycle/kind";
import type { LocalKind } from "../lifecycle/local-kind";
import { apiKey } from "./api-key";
import { connectConnection } from "./connect-connection";
import { costSummary } from "./cost-summary";
import { firewallRule } from "./firewall-rule";
import { nksCluster } from "./nks-cluster";
import { nksNodePool } from "./nks-node-pool";
import { project } from "./project";
import { rotationSchedule } from "./rotation-schedule";
import { rpcNodeFlex } from "./rpc-node-flex";
import { vm } from "./vm";
import { volume } from "./volume";
import { vpc } from "./vpc";
import type { Definition } from "../definition/types";

/** Every resource of this package. A new one is one more name. */
export const definitions: readonly Definition[] = [
  apiKey,
  connectConnection,
  firewallRule,
  nksCluster,
  nksNodePool,
  project,
  rpcNodeFlex,
  vm,
  volume,
  vpc,
];

/** The kinds of the lifecycle, one for each definition. */
export const kinds: readonly ResourceKind[] = definitions.map(kindOf);

/** Every kind that is in the state only. */
export const localKinds: readonly LocalKind[] = [costSummary, rotationSchedule];
