import type { Dialect } from "../model/dialect";
import { apiKeyNoun } from "./api-key";
import { connectConnectionNoun } from "./connect-connection";
import { firewallRuleNoun } from "./firewall-rule";
import { nksClusterNoun } from "./nks-cluster";
import { nksControllerNoun, nksControllerVolumeNoun } from "./nks-controller";
import { nksLoadBalancerNoun } from "./nks-load-balancer";
import { nksNodeNoun, nksNodeVolumeNoun } from "./nks-node";
import { nksNodePoolNoun } from "./nks-node-pool";
import { nksPersistentVolumeClaimNoun } from "./nks-persistent-volume-claim";
import { billingHistoryNoun } from "./billing-history-entry";
import type { Noun } from "./noun";
import { organizationNoun } from "./organization";
import { organizationAddressNoun } from "./organization-address";
import { organizationMembershipNoun } from "./organization-membership";
import { projectNoun } from "./project";
import { rechargePolicyNoun } from "./recharge-policy";
import { vmNoun } from "./vm";
import { rpcNodeDedicatedNoun, rpcNodeFlexNoun } from "./rpc-node";
import { volumeNoun } from "./volume";
import { vpcNoun } from "./vpc";

/** Every noun of a dialect. A parent stands before the nouns inside it. */
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
  const ofOrganizations: readonly Noun[] = [
    organizationNoun,
    organizationMembershipNoun,
    organizationAddressNoun,
    rechargePolicyNoun,
    billingHistoryNoun,
  ] as unknown as readonly Noun[];
  return [
    apiKeyNoun(dialect) as unknown as Noun,
    ...ofOrganizations,
    projectNoun(others) as unknown as Noun,
    ...others,
  ];
}
