import type { Dialect } from "../model/dialect";
import { apiKeyNoun } from "./api-key";
import { billingHistoryNoun } from "./billing-history-entry";
import { connectConnectionNoun } from "./connect-connection";
import { firewallRuleNoun } from "./firewall-rule";
import { nksClusterNoun } from "./nks-cluster";
import { nksControllerNoun, nksControllerVolumeNoun } from "./nks-controller";
import { nksLoadBalancerNoun } from "./nks-load-balancer";
import { nksNodeNoun, nksNodeVolumeNoun } from "./nks-node";
import { nksNodePoolNoun } from "./nks-node-pool";
import { nksPersistentVolumeClaimNoun } from "./nks-persistent-volume-claim";
import type { Noun } from "./noun";
import { organizationNoun } from "./organization";
import { organizationAddressNoun } from "./organization-address";
import { organizationMembershipNoun } from "./organization-membership";
import { projectNoun } from "./project";
import { rechargePolicyNoun } from "./recharge-policy";
import { rpcNodeDedicatedNoun, rpcNodeFlexNoun } from "./rpc-node";
import { vmNoun } from "./vm";
import { volumeNoun } from "./volume";
import { vpcNoun } from "./vpc";

/** Every noun of a dialect, and more. A parent stands before its sub-resources. */
export function nounsOf(dialect: Dialect, more: readonly Noun[] = []): readonly Noun[] {
  const inProjects = [
    vpcNoun,
    firewallRuleNoun,
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
    ...more,
  ] as readonly unknown[] as readonly Noun[];
  return [
    apiKeyNoun,
    organizationNoun,
    organizationMembershipNoun,
    organizationAddressNoun,
    rechargePolicyNoun,
    billingHistoryNoun,
    projectNoun(inProjects),
    ...inProjects,
  ] as readonly unknown[] as readonly Noun[];
}
