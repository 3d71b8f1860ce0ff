import type { Dialect } from "../model/catalogs";
import { apiKeyNoun } from "./api-key";
import { billingHistoryNoun, rechargePolicyNoun } from "./billing-nouns";
import { connectConnectionNoun } from "./connect-connection";
import { firewallRuleNoun } from "./firewall-rule";
import {
  nksClusterNoun,
  nksControllerNoun,
  nksControllerVolumeNoun,
  nksLoadBalancerNoun,
  nksPersistentVolumeClaimNoun,
} from "./nks-cluster";
import { nksNodeNoun, nksNodePoolNoun, nksNodeVolumeNoun } from "./nks-node-pool";
import type { Noun } from "./noun";
import { organizationAddressNoun, organizationMembershipNoun, organizationNoun } from "./organization";
import { projectNoun } from "./project";
import { rpcNodeDedicatedNoun, rpcNodeFlexNoun } from "./rpc-node";
import { vmNoun } from "./vm";
import { volumeNoun } from "./volume";
import { vpcNoun } from "./vpc";

/** Every noun of a dialect. A parent comes before its sub-resources. */
export function nounsOf(dialect: Dialect): readonly Noun[] {
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
