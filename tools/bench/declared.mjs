const BANDWIDTHS_MBPS = [50, 200, 500, 1000, 2000];
const SIZES_GB = [10, 20, 30, 40, 50];

/** So many firewall rules of one VPC, by name: what the programs of the bench declare. `changed`: the ports of one are others. */
export function rules(count, { vpcId }, { changed = false } = {}) {
  return byName("rule", count, (i) => ({
    vpcId,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: [changed && i === 0 ? "443" : String(1000 + i)],
  }));
}

/** The number of prices of these connections, and of these volumes. */
export const PRICES = BANDWIDTHS_MBPS.length;

/** So many connect connections, in turn of each bandwidth: each of them has its price. */
export function connections(count, { projectId, region }) {
  return byName("link", count, (i) => ({
    projectId,
    region,
    bandwidthMbps: BANDWIDTHS_MBPS[i % BANDWIDTHS_MBPS.length],
    cidrs: ["10.0.0.0/25"],
    providerCidrs: ["172.16.0.0/16"],
    externalProvider: { accountId: "123456789012", region: "us-west-2" },
  }));
}

/** So many volumes, in turn of each size: each of them has its price. */
export function volumes(count, { projectId, region }) {
  return byName("disk", count, (i) => ({ projectId, region, size: SIZES_GB[i % SIZES_GB.length], type: "abs" }));
}

function byName(name, count, argsOf) {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}-${i}`, argsOf(i)]));
}
