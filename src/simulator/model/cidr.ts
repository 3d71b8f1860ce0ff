import ipaddr from "ipaddr.js";

/** Why a text is not a CIDR in network-aligned canonical form (sections 2.7, 2.8); undefined when it is one. */
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

/** Only IPv6 has colons. Left to find out, the library tries IPv6 first, and an error thrown for each IPv4 takes its time. */
function familyOf(text: string): typeof ipaddr.IPv4 | typeof ipaddr.IPv6 {
  return text.includes(":") ? ipaddr.IPv6 : ipaddr.IPv4;
}

/** The network numbered `index` when 10.0.0.0/8 is cut into /25 (a VPC's subnet: no request carries one). */
export function nthSubnet(index: number): string {
  const [high, middle, low] = [(index >> 9) & 255, (index >> 1) & 255, (index & 1) * 128];
  return `10.${high}.${middle}.${low}/25`;
}
