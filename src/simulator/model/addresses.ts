import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** The public address of an object: the same for the same id, out of a network that nobody routes. */
export function publicAddressOf(id: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(id).digest();
  return `198.${18 + (a & 1)}.${b}.${c}`;
}

/** The private address numbered `index` in a network, behind the few that a gateway takes. */
export function privateAddressIn(cidr: string, index: number): string {
  const [network, bits] = ipaddr.IPv4.parseCIDR(cidr);
  const room = 2 ** (32 - bits) - 6;
  const [a = 0, b = 0, c = 0, d = 0] = network.octets;
  return `${a}.${b}.${c}.${d + 4 + (index % room)}`;
}
