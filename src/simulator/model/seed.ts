import { hashSecret, newSecret, type ApiKeyRecord } from "./api-keys";
import { oneYearAfter } from "./timestamp";

/** Ids that stay the same across resets and restarts, so that a stack outlives the simulator it was made with. */
export const seededIds = {
  owner: "00000000-0000-4000-8000-000000000001",
  project: "00000000-0000-4000-8000-000000000002",
  vpc: "00000000-0000-4000-8000-000000000003",
  subnet: "00000000-0000-4000-8000-000000000004",
  managedApiKey: "00000000-0000-4000-8000-000000000005",
  organization: "00000000-0000-4000-8000-000000000006",
  membership: "00000000-0000-4000-8000-000000000007",
  rechargePolicy: "00000000-0000-4000-8000-000000000008",
  firstCharge: "00000000-0000-4000-8000-000000000009",
} as const;

/** The platform's own key, of which nobody here is ever shown the secret. */
export function managedApiKey(nowMs: number): ApiKeyRecord {
  return {
    id: seededIds.managedApiKey,
    secretHash: hashSecret(newSecret()),
    name: "platform-managed",
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    startsAtMs: undefined,
    expiresAtMs: oneYearAfter(nowMs),
    managed: true,
    permissions: [{ resource_type: "nks_cluster", permission: "edit" }],
    projectIds: [seededIds.project],
    sourceIpRule: { allowed: [], blocked: [] },
    tags: [],
  };
}
