import type { ResourceKind } from "../dynamic/kind";
import type { LocalKind } from "../dynamic/local-kind";
import { apiKey } from "./api-key";
import { connectConnection } from "./connect-connection";
import { costSummary } from "./cost-summary";
import { firewallRule } from "./firewall-rule";
import { rotationSchedule } from "./rotation-schedule";

/** Every kind of resource of this package. A new one is one more line. */
export const kinds: readonly ResourceKind[] = [apiKey, connectConnection, firewallRule];

/** Every kind that is in the state only. */
export const localKinds: readonly LocalKind[] = [costSummary, rotationSchedule];
