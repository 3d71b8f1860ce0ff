import ipaddr from "ipaddr.js";
import type { CredentialCapability } from "../definition/capabilities";
import { isRecord, textsIn } from "../definition/compare-values";
import { containsUnknown } from "../engine/values";
import { failure, warning, type Finding, type Props } from "../definition/rule-context";
import type { ApiKeyPermission } from "./api-key-permission";

/**
 * Findings if a change would lock the provider out of its own key: it would lose the permission to manage keys, a
 * project, the provider's own address, or the secret, or it would not work yet.
 */
export function lockOut(
  outputs: Props,
  inputs: Props,
  { type, address, now }: Parameters<CredentialCapability["lockOut"]>[2],
): readonly Finding[] {
  const findings: Finding[] = [];
  const fail = (field: string, reason: string): void => void findings.push(failure(field, reason));
  const managesOwn = ({ resourceType, permission }: ApiKeyPermission): boolean =>
    typeOf(resourceType) === type && permission === "edit";
  const own = permissionsIn(outputs["permissions"]).find(managesOwn);
  if (own && !containsUnknown(inputs["permissions"]) && !permissionsIn(inputs["permissions"]).some(managesOwn))
    fail("permissions", `it would lose ${own.resourceType}:${own.permission}`);
  const lost = containsUnknown(inputs["projectIds"])
    ? []
    : textsIn(outputs["projectIds"]).filter((id) => !textsIn(inputs["projectIds"]).includes(id));
  if (lost.length > 0) fail("projectIds", `it would lose ${lost.join(", ")}`);
  const { adopt, startsAt } = inputs;
  if (startsAt !== outputs["startsAt"] && Date.parse(String(startsAt)) > now)
    fail("startsAt", `the new key would not work before ${String(startsAt)}`);
  if (adopt !== undefined && !(isRecord(adopt) && adopt["key"] !== undefined))
    fail("adopt", "nobody could sign in with the adopted key, whose secret is not given: adopt: { id, key }");
  findings.push(...addressFindings(inputs["sourceIpRule"], outputs["sourceIpRule"], address));
  return findings;
}

function addressFindings(rule: unknown, before: unknown, address: string | undefined): readonly Finding[] {
  if (!isRecord(rule) || containsUnknown(rule) || JSON.stringify(rule) === JSON.stringify(before)) return [];
  const allowed = textsIn(rule["allowed"]);
  const blocked = textsIn(rule["blocked"]);
  if (allowed.length + blocked.length === 0) return [];
  if (address === undefined) {
    const reason =
      "the provider signs in with this key, and its own address is not known: make sure that the rule allows it";
    return [warning("sourceIpRule", reason)];
  }
  const isLockedOut =
    blocked.some((range) => contains(range, address)) ||
    (allowed.length > 0 && !allowed.some((range) => contains(range, address)));
  return isLockedOut ? [failure("sourceIpRule", `it would block ${address}, the provider's address`)] : [];
}

function contains(range: string, address: string): boolean {
  try {
    const [network, mask] = ipaddr.isValidCIDR(range) ? ipaddr.parseCIDR(range) : [ipaddr.process(range), undefined];
    const ip = ipaddr.process(address);
    if (network.kind() !== ip.kind()) return false;
    return ip.match([network, mask ?? (ip.kind() === "ipv4" ? 32 : 128)]);
  } catch {
    return false; // no valid address, which the API reports
  }
}

/** The kind of a permission's resource type, if there is one: `NksNodePool` for `nks_node_pool`. */
function typeOf(resourceType: string): string {
  return resourceType.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** A list for each permission whose resource type is a kind, in the first project. */
export function readableLists({ permissions, projectIds }: Props): ReturnType<CredentialCapability["readableLists"]> {
  const [projectId] = textsIn(projectIds);
  return permissionsIn(permissions).map(({ resourceType }) => ({
    type: typeOf(resourceType),
    inputs: { projectId },
  }));
}

export function reach({ permissions, sourceIpRule }: Props): string {
  const levels = permissionsIn(permissions).map(({ resourceType, permission }) => `${resourceType}:${permission}`);
  const rule = isRecord(sourceIpRule) ? sourceIpRule : {};
  const [allowed, blocked] = [textsIn(rule["allowed"]), textsIn(rule["blocked"])];
  const from = allowed.length > 0 ? [`from ${allowed.join(" and ")}`] : [];
  const not = blocked.length > 0 ? [`not from ${blocked.join(" and ")}`] : [];
  return [levels.join(" and "), ...from, ...not].join(", ");
}

function permissionsIn(permissions: unknown): readonly ApiKeyPermission[] {
  return Array.isArray(permissions) ? (permissions.filter(isRecord) as unknown as ApiKeyPermission[]) : [];
}
