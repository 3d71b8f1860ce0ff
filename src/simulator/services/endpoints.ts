import type { Dialect } from "../model/dialect";
import { apiKeyEndpoints } from "./api-keys";
import { auditLogEndpoints } from "./audit-logs";
import { connectionEndpoints, connectRouteEndpoints } from "./connect-connections";
import type { AnyEndpoint } from "./endpoint";
import { firewallRuleEndpoints } from "./firewall-rules";
import { operationEndpoints } from "./operations";
import { projectEndpoints, quotaEndpoints, regionEndpoints } from "./organization";
import { vpcEndpoints } from "./vpcs";

/** Every endpoint that a dialect has, but the one that serves their description. */
export function endpointsOf(dialect: Dialect): readonly AnyEndpoint[] {
  return [
    ...apiKeyEndpoints(dialect),
    ...regionEndpoints,
    ...projectEndpoints,
    ...quotaEndpoints(dialect),
    ...vpcEndpoints,
    ...firewallRuleEndpoints(dialect),
    ...connectionEndpoints(dialect),
    ...connectRouteEndpoints(dialect),
    ...operationEndpoints,
    ...auditLogEndpoints,
  ];
}
