import { urnParts } from "../urn";
import type { ResourceKind } from "./kind";

/** What is being tried, on which resource, for messages: `create firewall rule "allow-https"`. */
export function whatOf(verb: string, kind: ResourceKind, urn: string): string {
  return urn === "" ? `${verb} ${kind.noun}` : `${verb} ${kind.noun} "${urnParts(urn).name}"`;
}
