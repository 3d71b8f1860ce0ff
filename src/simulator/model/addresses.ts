import { createHash } from "node:crypto";
import ipaddr from "ipaddr.js";

/** Tells why a text is not a CIDR in network-aligned canonical form (sections 2.7, 2.8). Undefined if it is one. */
export function cidrProblem(text: string): string | undefined {
  const family = familyOf(text);
  if (!family.isValidCIDR(text)) return "must be a CIDR, for example 10.0.0.0/16";
  const [address, bits] = family.parseCIDR(text);
  const canonical = `${family.networkAddressFromCIDR(`${address.toString()}/${bits}`).toString()}/${bits}`;
  return canonical === text ? undefined : `must be network-aligned and canonical: ${canonical}`;
}

/** Whether a canonical CIDR is a single address inside a canonical IPv4 network. */
export function isAddressInside(cidr: string, network: string): boolean {
  const [address, bits] = familyOf(cidr).parseCIDR(cidr);
  return address.kind() === "ipv4" && bits === 32 && address.match(ipaddr.IPv4.parseCIDR(network));
}

/** Only IPv6 has colons. Otherwise the library tries IPv6 first, and throws for each IPv4 address, which is slow. */
function familyOf(text: string): typeof ipaddr.IPv4 | typeof ipaddr.IPv6 {
  return text.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
}

/**
 * The network numbered `index` if 10.0.0.0/8 is divided into /25. The service chooses a VPC's subnet: no request has
 * one.
 */
export function nthSubnet(index: number): string {
  const [high, middle, low] = [(index >> 9) & 255, (index >> 1) & 255, (index & 1) * 128];
  return `10.${high}.${middle}.${low}/25`;
}

/** The public address of an object, from a network that is not routed. An id always gives the same address. */
export function publicAddressOf(id: string): string {
  const [a = 0, b = 0, c = 0] = createHash("sha256").update(id).digest();
  return `198.${18 + (a & 1)}.${b}.${c}`;
}

/** The private address numbered `index` in a network, after the few that the gateway takes. */
export function privateAddressIn(cidr: string, index: number): string {
  const [network, bits] = ipaddr.IPv4.parseCIDR(cidr);
  const room = 2 ** (32 - bits) - 6;
  const [a = 0, b = 0, c = 0, d = 0] = network.octets;
  return `${a}.${b}.${c}.${d + 4 + (index % room)}`;
}

/** The lists of a key's IP rule (section 2.2): IPv4 addresses or networks. */
export interface SourceIpRule {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

/** Tells why a text is not valid in an IP rule. Undefined if it is valid. */
export function sourceIpProblem(text: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return undefined;
  return "must be an IPv4 address or CIDR, for example 192.168.1.0/24";
}

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Parsed once, because each request of a key asks for them. A changed rule has other lists. */
const networks = new WeakMap<readonly string[], readonly Network[]>();

function networksOf(list: readonly string[]): readonly Network[] {
  const known = networks.get(list) ?? list.map((text) => ipaddr.parseCIDR(text.includes("/") ? text : `${text}/32`));
  networks.set(list, known);
  return known;
}

/**
 * Checks an address against a rule (section 7.3). A blocked address is rejected, even if it is also allowed. Without an
 * allowed list, every other address is accepted.
 */
export function isAccepted(clientIp: string, { allowed, blocked }: SourceIpRule): boolean {
  if (allowed.length === 0 && blocked.length === 0) return true;
  const address = ipaddr.process(clientIp);
  const isIn = (network: Network): boolean => network[0].kind() === address.kind() && address.match(network);
  return !networksOf(blocked).some(isIn) && (allowed.length === 0 || networksOf(allowed).some(isIn));
}

/** The client's address for the audit log and the IP rules: IPv4, even if the socket reports ::ffff:a.b.c.d. */
export function clientAddress(remoteAddress: string | undefined): string {
  const text = remoteAddress ?? "0.0.0.0";
  return text.startsWith("::ffff:") ? ipaddr.process(text).toString() : text;
}
