/** So many firewall rules of one VPC, by name: what the programs of the bench declare. `changed`: the ports of one are others. */
export function rules(count, { vpcId }, { changed = false } = {}) {
  const argsOf = (i) => ({
    vpcId,
    protocol: "tcp",
    sourceAddress: "0.0.0.0/0",
    destinationAddress: "10.0.0.0/25",
    destinationPorts: [changed && i === 0 ? "443" : String(1000 + i)],
  });
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`rule-${i}`, argsOf(i)]));
}
