import { instant, list, openOneOf, text } from "../../definition/field";
import { rpcNodeFlex } from "../../resources/rpc-node-flex";
import { all, objectsOf, shape, outputForm } from "../lookup";
import { name, projectId, sort, tags, word } from "./filters";

const rpcNodeFilters = { blockchain: word, network: word, name, tags, sort };

/** The flex RPC nodes of a project. */
export const getRpcNodesFlex = all("getRpcNodesFlex", objectsOf(rpcNodeFlex, { projectId }, [])(rpcNodeFilters));
/** The output form of `getRpcNodesFlex`: it accepts Inputs and returns an Output. */
export const getRpcNodesFlexOutput = outputForm(getRpcNodesFlex);
/** The dedicated RPC nodes of a project. */
export const getRpcNodesDedicated = all("getRpcNodesDedicated", {
  path: "/v1/rpc_nodes/dedicated",
  args: { projectId, ...rpcNodeFilters },
  result: shape({
    ...{ id: text(), name: text(), projectId: text({ optional: true }), blockchain: text(), network: text() },
    ...{ endpoint: text(), tags: list(text()), createdAt: instant(), updatedAt: instant() },
  }),
});
/** The output form of `getRpcNodesDedicated`: it accepts Inputs and returns an Output. */
export const getRpcNodesDedicatedOutput = outputForm(getRpcNodesDedicated);
/** The blockchains and networks that RPC nodes of a kind can be of. */
export const getRpcBlockchains = all("getRpcBlockchains", {
  path: "/v1/rpc_nodes/{kind}/blockchains",
  args: { kind: openOneOf(["flex", "dedicated"]), blockchain: word, network: word, sort },
  result: shape({ blockchain: text(), network: text() }),
});
/** The output form of `getRpcBlockchains`: it accepts Inputs and returns an Output. */
export const getRpcBlockchainsOutput = outputForm(getRpcBlockchains);
