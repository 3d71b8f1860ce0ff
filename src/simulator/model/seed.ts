import { hashSecret, newSecret } from "./api-keys";
import { nthSubnet } from "./cidr";
import type { Caller } from "./permissions";
import { regions } from "./regions";
import { formatTimestamp, oneYearAfter } from "./timestamp";
import { usageOfVpc } from "./usage";
import type { World } from "./world";

/** Ids that stay the same across resets and restarts, so that a stack outlives the simulator it was made with. */
export const seededIds = {
  owner: "00000000-0000-4000-8000-000000000001",
  project: "00000000-0000-4000-8000-000000000002",
  vpc: "00000000-0000-4000-8000-000000000003",
  subnet: "00000000-0000-4000-8000-000000000004",
  managedApiKey: "00000000-0000-4000-8000-000000000005",
} as const;

/**
 * Whom the owner key signs in: the organization's owner, as from the dashboard (section 5.4, rule 4). It is no API key
 * object: it has no window, cannot be deleted, and stands in no list.
 */
export const ownerCaller: Caller = {
  actor: { id: seededIds.owner, name: "owner", type: "user" },
  isOwner: true,
  may: () => true,
  reaches: () => true,
  mayComeFrom: () => true,
};

/** Fills a new world with what is there from the start: a project, a VPC of 10.0.0.0/25 in it, and a managed key. */
export function seed(world: World): void {
  const nowMs = world.clock.now();
  const now = formatTimestamp(nowMs);
  const times = { created_at: now, updated_at: now };
  const region = regions[0].name;
  world.projects.insert({ id: seededIds.project, name: "default", tags: [], ...times });
  world.vpcs.insert({
    id: seededIds.vpc,
    name: "default",
    project_id: seededIds.project,
    region,
    status: "ready",
    subnet: { id: seededIds.subnet, name: "default", cidr: nthSubnet(world.nextSubnet()), ...times },
    tags: [],
    ...times,
  });
  world.quotas.take(region, "vpcs");
  world.running.add(usageOfVpc());
  world.apiKeys.insert({
    id: seededIds.managedApiKey,
    // The platform's own: nobody here is ever shown its secret.
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
  });
}
