import ipaddr from "ipaddr.js";

/**
 * True if the host of a URL, or an address, is this machine: a loopback address or `localhost`. Names that end in
 * .localhost do not count, because Node asks the network for them.
 */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, "$1");
  return host === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}
