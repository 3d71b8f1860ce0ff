import type { Dialect } from "../model/dialect";
import { connectConnectionNoun } from "./connect-connection";
import { firewallRuleNoun } from "./firewall-rule";
import { nksClusterNoun } from "./nks-cluster";
import { nksControllerNoun, nksControllerVolumeNoun } from "./nks-controller";
import { nksLoadBalancerNoun } from "./nks-load-balancer";
import { nksNodeNoun, nksNodeVolumeNoun } from "./nks-node";
import { nksNodePoolNoun } from "./nks-node-pool";
import { nksPersistentVolumeClaimNoun } from "./nks-persistent-volume-claim";
import type { Noun } from "./noun";
import { projectNoun } from "./project";
import { vmNoun } from "./vm";
import { rpcNodeDedicatedNoun, rpcNodeFlexNoun } from "./rpc-node";
import { volumeNoun } from "./volume";
import { vpcNoun } from "./vpc";

/** Every noun of a dialect, what others are in first. */
export function nounsOf(dialect: Dialect): readonly Noun[] {
  const others: readonly Noun[] = [
    vpcNoun,
    firewallRuleNoun(dialect),
    connectConnectionNoun(dialect),
    volumeNoun,
    vmNoun,
    nksClusterNoun,
    nksControllerNoun,
    nksControllerVolumeNoun,
    nksLoadBalancerNoun,
    nksPersistentVolumeClaimNoun,
    nksNodePoolNoun,
    nksNodeNoun,
    nksNodeVolumeNoun,
    rpcNodeFlexNoun,
    rpcNodeDedicatedNoun,
  ] as unknown as readonly Noun[];
  return [projectNoun(others) as unknown as Noun, ...others];
}
