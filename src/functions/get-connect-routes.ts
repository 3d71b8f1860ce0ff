import type * as pulumi from "@pulumi/pulumi";
import type { ConnectRoute as Wire } from "../api/lookup-schemas";
import { callApi, collect, outputOf } from "./call";

/**
 * A region of an external provider, and the region of the platform that a connection links it with (specification, section
 * 2.7).
 */
export interface ConnectRouteResult {
  /** Use it as `region` of a ConnectConnection. */
  readonly platformRegion: string;
  readonly provider: string;
  /** Use it as `externalProvider.region` of a ConnectConnection. */
  readonly providerRegion: string;
}

/** The routes that a ConnectConnection can take. Rejects if the API cannot be asked. */
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
