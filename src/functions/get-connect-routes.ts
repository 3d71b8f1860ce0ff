import type * as pulumi from "@pulumi/pulumi";
import type { ConnectRoute as Wire } from "../api/lookup-schemas";
import { callApi, collect, outputOf } from "./call";

/** Which region of an external provider can be linked with which region of the platform (specification, section 2.7). */
export interface ConnectRouteResult {
  /** What `region` of a ConnectConnection takes. */
  readonly platformRegion: string;
  readonly provider: string;
  /** What `externalProvider.region` of a ConnectConnection takes. */
  readonly providerRegion: string;
}

/** The routes that a ConnectConnection can take. Rejects where the API cannot be asked. */
export function getConnectRoutes(options?: pulumi.InvokeOptions): Promise<ConnectRouteResult[]> {
  return callApi({
    what: "getConnectRoutes",
    options,
    isList: true,
    task: ({ api, call }) => collect(api.connectRoutes.list(call), fromWire),
  });
}

/** The routes that a ConnectConnection can take, as an output. */
export function getConnectRoutesOutput(options?: pulumi.InvokeOutputOptions): pulumi.Output<ConnectRouteResult[]> {
  return outputOf({}, options, (_args, others) => getConnectRoutes(others));
}

function fromWire({ platform_region, provider, provider_region }: Wire): ConnectRouteResult {
  return { platformRegion: platform_region, provider, providerRegion: provider_region };
}
