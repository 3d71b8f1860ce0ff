import ipaddr from "ipaddr.js";

/** The lists of a key's IP rule (section 2.2): addresses or networks of IPv4. */
export interface SourceIpRule {
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
}

/** Decides whether a client address, in the form `clientAddress` gives, may use a key. */
export type SourceIpCheck = (clientIp: string) => boolean;

type Network = ReturnType<typeof ipaddr.parseCIDR>;

/** Why a text is not valid in an IP rule. Undefined if it is valid. */
export function sourceIpProblem(text: string): string | undefined {
  if (ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv4.isValidCIDRFourPartDecimal(text)) return undefined;
  return "must be an IPv4 address or CIDR, for example 192.168.1.0/24";
}

/**
 * The check of section 7.3 for a rule. A blocked address is refused, even if it is also allowed. Without an allowed list,
 * every other address is accepted.
 */
export function sourceIpCheck(rule: SourceIpRule): SourceIpCheck {
  if (rule.allowed.length === 0 && rule.blocked.length === 0) return () => true;
  const allowed = rule.allowed.map(networkOf);
  const blocked = rule.blocked.map(networkOf);
  return (clientIp) => {
    const address = ipaddr.process(clientIp);
    const isIn = (network: Network): boolean => network[0].kind() === address.kind() && address.match(network);
    if (blocked.some(isIn)) return false;
    return allowed.length === 0 || allowed.some(isIn);
  };
}

/** The client's address as the audit log and the IP rules see it: IPv4, also if the socket says ::ffff:a.b.c.d. */
export function clientAddress(remoteAddress: string | undefined): string {
  const text = remoteAddress ?? "0.0.0.0";
  return text.startsWith("::ffff:") ? ipaddr.process(text).toString() : text;
}

function networkOf(text: string): Network {
  return ipaddr.parseCIDR(text.includes("/") ? text : `${text}/32`);
}
