import type { ResourceKind } from "../dynamic/kind";
import { apiKey } from "./api-key";
import { connectConnection } from "./connect-connection";
import { firewallRule } from "./firewall-rule";

/** Every kind of resource of this package. A new one is one more line. */
export const kinds: readonly ResourceKind[] = [apiKey, connectConnection, firewallRule];
