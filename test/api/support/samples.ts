import { QuotaLedger } from "../../../src/simulator/model/quota-ledger";

/**
 * Bodies written from the specification's tables and from observed answers, not from the client's schemas. Functions,
 * so that a test can change its copy.
 */

const uuid = (last: number): string => `123e4567-e89b-12d3-a456-${String(426614174000 + last)}`;

export const ids = {
  key: uuid(1),
  connection: uuid(2),
  rule: uuid(3),
  vpc: uuid(4),
  project: uuid(5),
  operation: uuid(6),
};

const times = { created_at: "2026-01-01T00:00:00Z", updated_at: "2026-01-01T00:00:00Z" };

export const sampleApiKeyCreate = () => ({
  name: "deployer",
  expires_at: "2025-12-31T23:59:59Z",
  project_ids: [ids.project],
  permissions: [{ resource_type: "vm", permission: "edit" }],
});

export const sampleApiKey = () => ({
  ...sampleApiKeyCreate(),
  id: ids.key,
  created_at: "2025-01-01T00:00:00Z",
  updated_at: "2025-01-01T00:00:00.123456789Z",
  starts_at: "2025-01-01T00:00:00Z",
  status: "active",
  managed: false,
  source_ip_rule: { allowed: ["192.168.1.0/24", "10.0.0.0/8"], blocked: ["192.168.1.100/32"] },
  tags: ["production"],
});

export const sampleConnectionCreate = () => ({
  name: "my-connect-connection",
  project_id: ids.project,
  region: "us-sva-2",
  bandwidth_mbps: 50,
  cidrs: ["10.0.0.0/16"],
  provider_cidrs: ["172.16.0.0/16"],
  external_provider: { account_id: "523816707215", region: "us-east-1" },
});

export const sampleConnection = () => ({
  ...sampleConnectionCreate(),
  id: ids.connection,
  status: "ready",
  asn: 64512,
  provider_asn: null as number | null,
  router_ip: "169.254.0.1",
  provider_router_ip: null as string | null,
  external_provider: { region: "us-east-1" } as { region: string } | null,
  tags: [] as string[],
  ...times,
});

export const sampleRuleCreate = () => ({
  name: "my-firewall-rule",
  protocol: "tcp",
  source_address: "0.0.0.0/0",
  destination_address: "10.0.0.0/25",
  destination_ports: ["22", "80", "443"],
});

export const sampleRule = () => ({
  ...sampleRuleCreate(),
  ...{ id: ids.rule, vpc_id: ids.vpc, status: "ready", tags: [] as string[], ...times },
});

export const sampleOperation = () => ({
  id: ids.operation,
  kind: "firewall_rule",
  type: "create",
  status: "pending",
  project_id: ids.project,
  resource_id: ids.rule,
  details: null as Record<string, unknown> | null,
  ...times,
});

export const sampleVpc = () => ({
  id: ids.vpc,
  name: "my-vpc",
  project_id: ids.project,
  region: "us-sva-2",
  status: "ready",
  subnet: { id: "subnet-1", name: "my-subnet", cidr: "10.0.0.0/25", ...times },
  firewall_rule_ids: [ids.rule],
  tags: [],
  ...times,
});

/** From the simulator's catalog, which the client does not know. */
export const sampleQuota = () => ({ region: "us-sva-2", ...new QuotaLedger("spec", () => []).of("us-sva-2") });

export const sampleRegion = () => ({
  name: "us-sva-2",
  availability: "live",
  compute: { vms: true },
  networking: { connect: true, vpcs: true },
  nks: { autoscaling: true, clusters: true },
  storage: { abs: true, local_nvme: false },
});

export const sampleRoute = () => ({ platform_region: "us-sva-2", provider: "aws", provider_region: "us-east-1" });

export const sampleAuditLog = () => ({
  id: "log-1",
  action: "api_key.create",
  actor: { id: ids.key, name: null, type: "api_key" },
  client_ip: "192.0.2.1",
  created_at: "2026-01-01T00:00:00Z",
  method: "POST",
  path: "/v1/api_keys",
  status_code: 201,
  user_agent: "curl",
});

const body = { quantity: 50, unit_price: "0.625", monthly_amount: "31.25" };
const row = { dimension: "connect_mbps", dimension_display_name: "Connect (Mbps)" };

export const sampleQuote = () => ({
  currency: "USD",
  monthly_total: "31.25",
  priced_at: "2026-01-01T00:00:00Z",
  usage_dimensions: [{ ...row, ...body }],
});

export const sampleSummary = () => ({
  daily_cost: "1.00",
  effective_balance: "-5",
  monthly_cost: "30.00",
  recharge_threshold_days: "7",
  estimated_next_charge_at: null,
});

export const sampleQuoteUpdate = () => {
  const side = { monthly_total: "31.25", usage_dimensions: [{ ...row, ...body }] };
  const usage_dimensions = [{ ...row, before: body, after: body, monthly_amount_delta: "0" }];
  const diff = { monthly_total_delta: "0", usage_dimensions };
  return { currency: "USD", priced_at: "2026-01-01T00:00:00Z", before: side, after: side, diff };
};

/** HTTPError, section 7.1. */
export const sampleError = (type: string, message: string, parameters: Record<string, unknown> = {}) => ({
  type,
  message,
  request_id: "req-42",
  timestamp: "2026-01-01T00:00:00Z",
  context: { parameters },
});

export const listOf = (items: readonly unknown[], nextCursor: string | null = null) => ({
  items,
  pagination: { next_cursor: nextCursor, previous_cursor: null, total_count: items.length },
});

/** A sample without one member. */
export const without = (sample: object, member: string): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sample).filter(([name]) => name !== member));
