import { list, openOneOf, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { rpcNodeFlex, type RpcNodeFlexDefinition } from "../../resources/rpc-node-flex";
import { all, byIdOrName, objectsOf, outputForm, shape, shapeAs, shapeOf, type ArgsOf, type ResultOf } from "../lookup";
import { word } from "./filters";

const byNetwork = {
  /** Only those of this blockchain, such as `ethereum`. */
  blockchain: word,
  /** Only those of this network, such as `mainnet`. */
  network: word,
};

const network = {
  /** The blockchain, such as `ethereum`. */
  blockchain: text(),
  /** The network of the blockchain, such as `mainnet`. */
  network: text(),
};

const rpcNodeFlexShape = shapeOf(rpcNodeFlex as RpcNodeFlexDefinition, []);
/** A flex RPC node. */
export interface RpcNodeFlexResult extends ResultOf<typeof rpcNodeFlexShape> {}
const flexNodes = objectsOf<RpcNodeFlexResult>(rpcNodeFlex, rpcNodeFlexShape);

/** The flex RPC nodes of a project. */
export const getRpcNodesFlex = all("getRpcNodesFlex", {
  ...flexNodes,
  args: byNetwork,
  sharedArgs: ["projectId", "name", "tags", "sort"],
});
export interface GetRpcNodesFlexArgs extends ArgsOf<typeof getRpcNodesFlex> {}
/** The output form of `getRpcNodesFlex`: it accepts Inputs and returns an Output. */
export const getRpcNodesFlexOutput = outputForm(getRpcNodesFlex);
export interface GetRpcNodesFlexOutputArgs extends ArgsOf<typeof getRpcNodesFlexOutput> {}
/** One flex RPC node, by its id or by its exact name (case matters). Rejects if none or several match. */
export const getRpcNodeFlex = byIdOrName("getRpcNodeFlex", { ...flexNodes, sharedArgs: ["projectId"] });
export interface GetRpcNodeFlexArgs extends ArgsOf<typeof getRpcNodeFlex> {}
/** The output form of `getRpcNodeFlex`: it accepts Inputs and returns an Output. */
export const getRpcNodeFlexOutput = outputForm(getRpcNodeFlex);
export interface GetRpcNodeFlexOutputArgs extends ArgsOf<typeof getRpcNodeFlexOutput> {}

const rpcNodeDedicatedShape = shape({
  /** Its id. */
  id: text(),
  /** Its name. */
  name: text(),
  /** The id of its project, if it has one. */
  projectId: text({ optional: true }),
  ...network,
  /** The address that requests are sent to. */
  endpoint: text(),
  /** Its tags. */
  tags: list(text()),
  ...times,
});
export interface RpcNodeDedicatedResult extends ResultOf<typeof rpcNodeDedicatedShape> {}
/** The dedicated RPC nodes of a project. */
export const getRpcNodesDedicated = all("getRpcNodesDedicated", {
  path: "/v1/rpc_nodes/dedicated",
  args: byNetwork,
  sharedArgs: ["projectId", "name", "tags", "sort"],
  result: shapeAs<RpcNodeDedicatedResult>(rpcNodeDedicatedShape),
});
export interface GetRpcNodesDedicatedArgs extends ArgsOf<typeof getRpcNodesDedicated> {}
/** The output form of `getRpcNodesDedicated`: it accepts Inputs and returns an Output. */
export const getRpcNodesDedicatedOutput = outputForm(getRpcNodesDedicated);
export interface GetRpcNodesDedicatedOutputArgs extends ArgsOf<typeof getRpcNodesDedicatedOutput> {}

const rpcBlockchainShape = shape(network);
export interface RpcBlockchainResult extends ResultOf<typeof rpcBlockchainShape> {}
/** The blockchains and networks that RPC nodes of a kind can be of. */
export const getRpcBlockchains = all("getRpcBlockchains", {
  path: "/v1/rpc_nodes/{kind}/blockchains",
  args: {
    /** The kind of RPC nodes: `flex` or `dedicated`. */
    kind: openOneOf(["flex", "dedicated"]),
    ...byNetwork,
  },
  sharedArgs: ["sort"],
  result: shapeAs<RpcBlockchainResult>(rpcBlockchainShape),
});
export interface GetRpcBlockchainsArgs extends ArgsOf<typeof getRpcBlockchains> {}
/** The output form of `getRpcBlockchains`: it accepts Inputs and returns an Output. */
export const getRpcBlockchainsOutput = outputForm(getRpcBlockchains);
export interface GetRpcBlockchainsOutputArgs extends ArgsOf<typeof getRpcBlockchainsOutput> {}
