import ipaddr from "ipaddr.js";
import { baseUrlName, waysToSet } from "../../config-keys";
import { ConfigurationError } from "../errors/cloudinfra-error";

/** The address of requests: origin, path prefix without a slash at its end, and the host for messages. */
export interface BaseUrl {
  readonly origin: string;
  readonly prefix: string;
  readonly host: string;
  readonly isLoopback: boolean;
}

/**
 * Reads a base URL, of the explicit provider if one is given. Throws ConfigurationError without the URL in its text, because the URL may
 * contain a password.
 */
export function parseBaseUrl(text: string, allowInsecure = false, provider?: string): BaseUrl {
  const subject = baseUrlName(provider).replace("t", "T");
  if (!URL.canParse(text)) throw new ConfigurationError(`${subject} is not a URL: it has the form https://host/path.`);
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    throw new ConfigurationError(
      `${subject} must start with https:// (or http:// on this machine), not ${url.protocol}`,
    );
  }
  if (url.username !== "" || url.password !== "") {
    throw new ConfigurationError(
      `${subject} contains a user name or password. Remove it: the API key is the credential.`,
    );
  }
  if (url.search !== "" || url.hash !== "") {
    throw new ConfigurationError(`${subject} must end with its path. Remove "?" or "#" and the text after it.`);
  }
  const isLocal = isLoopback(url.hostname);
  if (url.protocol === "http:" && !isLocal && !allowInsecure) {
    throw new ConfigurationError(
      `${subject} is http:// on ${url.host}: the API key would cross the network in the clear. ` +
        `Use https://, or allow it with ${waysToSet("allowInsecure", "true", provider)}.`,
    );
  }
  return { origin: url.origin, prefix: url.pathname.replace(/\/+$/, ""), host: url.host, isLoopback: isLocal };
}

/** A loopback address, or `localhost`. For names that end in .localhost, Node asks the network. */
function isLoopback(hostname: string): boolean {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return hostname === "localhost" || (ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback");
}

/** A path from its segments, each percent-encoded. Throws ConfigurationError for a segment that would change the path. */
export function encodePath(segments: readonly string[]): string {
  return segments.map((segment) => `/${encodeSegment(segment)}`).join("");
}

function encodeSegment(segment: string): string {
  if (segment === "" || segment === "." || segment === ".." || loneSurrogate.test(segment)) {
    throw new ConfigurationError(`${JSON.stringify(segment)} cannot be the id or name of anything in the API.`);
  }
  return encodeURIComponent(segment);
}

/** Half a character, which has no encoding. */
const loneSurrogate = /\p{Cs}/u;
