/** A change at the API that Pulumi has not made. */
export interface Drift {
  /** The members of the object that are another. */
  readonly wire: Readonly<Record<string, unknown>>;
  /** What the field is to Pulumi after a refresh; absent where the object has no such field any more. */
  readonly shown?: unknown;
  /** What of the outputs follows from it. */
  readonly follows?: Readonly<Record<string, unknown>>;
}

/** Why a field cannot drift. */
type Nowhere = "not at the API" | "part of the path: another value is another object";

/** A change of every input, by kind. A field that is not here fails a test. */
export const inputDrifts: Readonly<Record<string, Readonly<Record<string, Drift | Nowhere>>>> = {
  ApiKey: {
    projectIds: { wire: { project_ids: ["another-project"] }, shown: ["another-project"] },
    permissions: {
      wire: { permissions: [{ resource_type: "vpc", permission: "read" }] },
      shown: [{ resourceType: "vpc", permission: "read" }],
    },
    expiresAt: { wire: { expires_at: "2027-01-31T00:00:00Z" }, shown: "2027-01-31T00:00:00Z" },
    startsAt: {
      wire: { starts_at: "2026-07-01T00:00:00Z" },
      shown: "2026-07-01T00:00:00Z",
      follows: { status: "inactive" },
    },
    lifetime: "not at the API",
    rotateBefore: "not at the API",
    rotationTrigger: "not at the API",
    deleteOld: "not at the API",
    rotatesAt: "not at the API",
    generation: "not at the API",
    replacedId: "not at the API",
    sourceIpRule: {
      wire: { source_ip_rule: { allowed: ["192.0.2.0/24"], blocked: ["192.0.2.7"] } },
      shown: { allowed: ["192.0.2.0/24"], blocked: ["192.0.2.7"] },
    },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  ConnectConnection: {
    projectId: { wire: { project_id: "another-project" }, shown: "another-project" },
    region: { wire: { region: "us-wdc-1" }, shown: "us-wdc-1" },
    bandwidthMbps: { wire: { bandwidth_mbps: 2000 }, shown: 2000 },
    cidrs: { wire: { cidrs: ["10.9.0.0/16"] }, shown: ["10.9.0.0/16"] },
    providerCidrs: { wire: { provider_cidrs: ["172.30.0.0/16"] }, shown: ["172.30.0.0/16"] },
    externalProvider: { wire: { external_provider: { region: "eu-west-1" } }, shown: { region: "eu-west-1" } },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  FirewallRule: {
    vpcId: "part of the path: another value is another object",
    protocol: { wire: { protocol: "udp" }, shown: "udp" },
    sourceAddress: { wire: { source_address: "192.0.2.0/24" }, shown: "192.0.2.0/24" },
    destinationAddress: { wire: { destination_address: "10.0.0.7/32" }, shown: "10.0.0.7/32" },
    destinationPorts: { wire: { destination_ports: ["443", "8443"] }, shown: ["443", "8443"] },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
};

const times: Readonly<Record<string, Drift>> = {
  createdAt: { wire: { created_at: "2026-06-01T00:00:00Z" }, shown: "2026-06-01T00:00:00Z" },
  updatedAt: { wire: { updated_at: "2026-06-15T12:34:56Z" }, shown: "2026-06-15T12:34:56Z" },
};

/** A change of every output that no input stands for: a refresh shows it, and nothing is to be done about it. */
export const outputDrifts: Readonly<Record<string, Readonly<Record<string, Drift | "follows from the clock">>>> = {
  ApiKey: { status: "follows from the clock", managed: { wire: { managed: true }, shown: true }, ...times },
  ConnectConnection: {
    status: { wire: { status: "error" }, shown: "error" },
    asn: { wire: { asn: 65_001 }, shown: 65_001 },
    providerAsn: { wire: { provider_asn: null } },
    routerIp: { wire: { router_ip: "169.254.9.1" }, shown: "169.254.9.1" },
    providerRouterIp: { wire: { provider_router_ip: null } },
    ...times,
  },
  FirewallRule: { status: { wire: { status: "error" }, shown: "error" }, ...times },
};
