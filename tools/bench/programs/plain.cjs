// A dynamic provider as people write one in an afternoon: one file, a fetch for each call, a poll every second.
const pulumi = require("@pulumi/pulumi");
const resources = require("./resources.json");

const POLL_INTERVAL_MS = 1000;

async function call(method, path, body) {
  const response = await fetch(process.env.CLOUDINFRA_BASE_URL + path, {
    method,
    headers: { Authorization: `Bearer ${process.env.CLOUDINFRA_API_KEY}`, "Content-Type": "application/json" },
    body: body && JSON.stringify(body),
  });
  if (response.status === 404 && method !== "POST") return undefined;
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

async function waitFor({ id }) {
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, POLL_INTERVAL_MS));
    const operation = await call("GET", `/v1/operations/${id}`);
    if (operation.status === "done") return;
    if (operation.status === "failed") throw new Error(`operation ${id} failed`);
  }
}

const rulesOf = (vpcId) => `/v1/networking/vpcs/${vpcId}/firewall_rules`;

const toRequest = (inputs) => ({
  name: inputs.name,
  protocol: inputs.protocol,
  source_address: inputs.sourceAddress,
  destination_address: inputs.destinationAddress,
  destination_ports: inputs.destinationPorts,
});

const fromResponse = (rule) => ({
  vpcId: rule.vpc_id,
  name: rule.name,
  protocol: rule.protocol,
  sourceAddress: rule.source_address,
  destinationAddress: rule.destination_address,
  destinationPorts: rule.destination_ports,
  tags: rule.tags,
  status: rule.status,
  createdAt: rule.created_at,
  updatedAt: rule.updated_at,
});

const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);

const firewallRuleProvider = {
  async diff(id, olds, news) {
    const replaces = olds.vpcId === news.vpcId ? [] : ["vpcId"];
    return { replaces, changes: replaces.length > 0 || !same(toRequest(olds), toRequest(news)) };
  },
  async create(inputs) {
    const operation = await call("POST", rulesOf(inputs.vpcId), toRequest(inputs));
    await waitFor(operation);
    const rule = await call("GET", `${rulesOf(inputs.vpcId)}/${operation.resource_id}`);
    return { id: rule.id, outs: fromResponse(rule) };
  },
  async read(id, props) {
    const rule = await call("GET", `${rulesOf(props.vpcId)}/${id}`);
    return rule ? { id, props: fromResponse(rule) } : {};
  },
  async update(id, olds, news) {
    await waitFor(await call("PATCH", `${rulesOf(olds.vpcId)}/${id}`, toRequest(news)));
    return { outs: fromResponse(await call("GET", `${rulesOf(olds.vpcId)}/${id}`)) };
  },
  async delete(id, props) {
    const operation = await call("DELETE", `${rulesOf(props.vpcId)}/${id}`);
    if (operation) await waitFor(operation);
  },
};

class FirewallRule extends pulumi.dynamic.Resource {
  constructor(name, args, opts) {
    const outputs = { tags: undefined, status: undefined, createdAt: undefined, updatedAt: undefined };
    super(firewallRuleProvider, name, { name, ...outputs, ...args }, opts);
  }
}

for (const [name, args] of Object.entries(resources)) new FirewallRule(name, args);
