import type { Definition } from "../definition/types";
import { apiKey } from "./api-key";
import { connectConnection } from "./connect-connection";
import { firewallRule } from "./firewall-rule";
import { nksCluster } from "./nks-cluster";
import { nksLoadBalancer } from "./nks-load-balancer";
import { nksNodePool } from "./nks-node-pool";
import { project } from "./project";
import { rpcNodeFlex } from "./rpc-node-flex";
import { vm } from "./vm";
import { volume } from "./volume";
import { vpc } from "./vpc";

/** The definitions of all resources. Add a new one here. */
export const definitions: readonly Definition[] = [
  apiKey,
  connectConnection,
  firewallRule,
  nksCluster,
  nksLoadBalancer,
  nksNodePool,
  project,
  rpcNodeFlex,
  vm,
  volume,
  vpc,
];
