import ipaddr from "ipaddr.js";

/**
 * Whether a host of a URL, or an address, is this machine: a loopback address, or `localhost`. For names that end in .localhost, Node asks
 * the network.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}
