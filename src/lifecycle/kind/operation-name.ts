import { urnParts } from "../../engine/urn";
import type { ResourceKind } from "./kind";

/** The attempt and its resource, for messages: `create firewall rule "allow-https"`. */
export function operationName(verb: string, kind: ResourceKind, urn: string): string {
  return urn === "" ? `${verb} ${kind.noun}` : `${verb} ${kind.noun} "${urnParts(urn).name}"`;
}
