import { list, openOneOf, text } from "../../definition/field";
import { times } from "../../definition/standard-fields";
import { rpcNodeFlex, type RpcNodeFlexDefinition } from "../../resources/rpc-node-flex";
import { all, objectsOf, shape, outputForm } from "../lookup";
import { byName, byTags, ofProject, sorted, word } from "./filters";

const byNetwork = {
  /** Only those of this blockchain, such as `ethereum`. */
  blockchain: word,
  /** Only those of this network, such as `mainnet`. */
  network: word,
};
const rpcNodeFilters = { ...byNetwork, ...byName, ...byTags, ...sorted };
const network = {
  /** The blockchain, such as `ethereum`. */
  blockchain: text(),
  /** The network of the blockchain, such as `mainnet`. */
  network: text(),
};

/** The flex RPC nodes of a project. */
export const getRpcNodesFlex = all(
  "getRpcNodesFlex",
  objectsOf(rpcNodeFlex as RpcNodeFlexDefinition, ofProject, [])(rpcNodeFilters),
);
/** The output form of `getRpcNodesFlex`: it accepts Inputs and returns an Output. */
export const getRpcNodesFlexOutput = outputForm(getRpcNodesFlex);
/** The dedicated RPC nodes of a project. */
export const getRpcNodesDedicated = all("getRpcNodesDedicated", {
  path: "/v1/rpc_nodes/dedicated",
  args: { ...ofProject, ...rpcNodeFilters },
  result: shape({
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
  }),
});
/** The output form of `getRpcNodesDedicated`: it accepts Inputs and returns an Output. */
export const getRpcNodesDedicatedOutput = outputForm(getRpcNodesDedicated);
/** The blockchains and networks that RPC nodes of a kind can be of. */
export const getRpcBlockchains = all("getRpcBlockchains", {
  path: "/v1/rpc_nodes/{kind}/blockchains",
  args: {
    /** The kind of RPC nodes: `flex` or `dedicated`. */
    kind: openOneOf(["flex", "dedicated"]),
    ...{ ...byNetwork, ...sorted },
  },
  result: shape(network),
});
/** The output form of `getRpcBlockchains`: it accepts Inputs and returns an Output. */
export const getRpcBlockchainsOutput = outputForm(getRpcBlockchains);
