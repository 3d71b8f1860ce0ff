import { flag, instant, integer, list, object, openOneOf, text } from "../../definition/field";
import { rpcNodeFlex } from "../../resources/rpc-node-flex";
import { all, bare, bareTwin, lookup, one, shape, shapeOf, twin } from "../lookup";
import { name, projectId, sort, tags, word } from "./filters";

const regionShape = shape({
  name: text(),
  availability: openOneOf(["live", "preview", "maintenance", "sunset"]),
  compute: object({ vms: flag() }),
  networking: object({ connect: flag(), vpcs: flag() }),
  nks: object({ autoscaling: flag(), clusters: flag() }),
  storage: object({ abs: flag(), localNvme: flag() }),
});
const dimensionMembers = { limit: integer(), remaining: integer(), used: integer() };
const dimension = object(dimensionMembers);
const quotaShape = shape({
  region: text(),
  compute: object({ memoryGb: dimension, vcpu: dimension }),
  networking: object({
    connectConnections: object(dimensionMembers, { optional: true, shown: "maybe" }),
    publicIps: dimension,
    vpcs: dimension,
  }),
  nks: object({ clusters: dimension, nodePoolMemoryGb: dimension, nodePoolVcpu: dimension, publicIps: dimension }),
  storage: object({ abs: dimension, localNvme: dimension }),
});
const rpcNodeArgs = { projectId, blockchain: word, network: word, name, tags, sort };

/** The lookups of regions, quotas and RPC nodes. */
export const places = {
  getRegions: lookup({
    about: "The regions, and what each offers.",
    path: "/v1/regions",
    args: {},
    result: regionShape,
    finds: "all",
  }),
  getRegion: lookup({
    about: "One region, and what it offers.",
    path: "/v1/regions/{name}",
    args: { name: text({ configured: "region" }) },
    result: regionShape,
    finds: "one",
    noun: "region",
    listedAt: "/v1/regions",
  }),
  getQuota: lookup({
    about: "Limits and usage in a region.",
    path: "/v1/quotas/{region}",
    args: { region: text({ configured: "region" }) },
    result: quotaShape,
    finds: "one",
    noun: "region",
    listedAt: "/v1/quotas",
  }),
  getQuotas: lookup({
    about: "Limits and usage in every region.",
    path: "/v1/quotas",
    args: {},
    result: quotaShape,
    finds: "all",
  }),
  getRpcNodesFlex: lookup({
    about: "The flex RPC nodes of a project.",
    path: "/v1/rpc_nodes/flex",
    args: rpcNodeArgs,
    result: shapeOf(rpcNodeFlex, []),
    finds: "all",
  }),
  getRpcNodesDedicated: lookup({
    about: "The dedicated RPC nodes of a project.",
    path: "/v1/rpc_nodes/dedicated",
    args: rpcNodeArgs,
    result: shape({
      ...{ id: text(), name: text(), projectId: text({ optional: true }), blockchain: text(), network: text() },
      ...{ endpoint: text(), tags: list(text()), createdAt: instant(), updatedAt: instant() },
    }),
    finds: "all",
  }),
  getRpcBlockchains: lookup({
    about: "The blockchains and networks of RPC nodes: `kind` is `flex` or `dedicated`.",
    path: "/v1/rpc_nodes/{kind}/blockchains",
    args: { kind: openOneOf(["flex", "dedicated"]), blockchain: word, network: word, sort },
    result: shape({ blockchain: text(), network: text() }),
    finds: "all",
  }),
};

/** The regions of the service. Any valid API key may ask. */
export const getRegions = bare(all("getRegions", places.getRegions));
/** The regions of the service, as an output. */
export const getRegionsOutput = bareTwin(getRegions);
/** One region: without a name, that of `cloudinfra:region`. */
export const getRegion = one("getRegion", places.getRegion);
/** One region, as an output. */
export const getRegionOutput = twin(getRegion);

/** Quota usage and limits of the organization in one region: without one, in that of `cloudinfra:region`. */
export const getQuota = one("getQuota", places.getQuota);
/** Quota usage and limits of the organization in one region, as an output. */
export const getQuotaOutput = twin(getQuota);

/** Quota usage and limits of the organization in every region. */
export const getQuotas = bare(all("getQuotas", places.getQuotas));
/** Quota usage and limits of the organization in every region, as an output. */
export const getQuotasOutput = bareTwin(getQuotas);
/** The flex RPC nodes of a project. */
export const getRpcNodesFlex = all("getRpcNodesFlex", places.getRpcNodesFlex);
/** The flex RPC nodes of a project, as an output. */
export const getRpcNodesFlexOutput = twin(getRpcNodesFlex);
/** The dedicated RPC nodes of a project. */
export const getRpcNodesDedicated = all("getRpcNodesDedicated", places.getRpcNodesDedicated);
/** The dedicated RPC nodes of a project, as an output. */
export const getRpcNodesDedicatedOutput = twin(getRpcNodesDedicated);
/** The blockchains and networks that RPC nodes of a kind can be of. */
export const getRpcBlockchains = all("getRpcBlockchains", places.getRpcBlockchains);
/** The blockchains and networks that RPC nodes of a kind can be of, as an output. */
export const getRpcBlockchainsOutput = twin(getRpcBlockchains);
