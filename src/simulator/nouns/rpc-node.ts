import { z } from "zod";
import { dedicatedBlockchains, flexBlockchains } from "../model/catalogs";
import { filtersOf } from "../schemas/lists";
import { identity, nameAndTags, namedInput } from "../schemas/primitives";
import type { Endpoint } from "../services/endpoint";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { defineNoun } from "./noun";

interface BlockchainNetwork {
  readonly blockchain: string;
  readonly network: string;
}

const network = { blockchain: z.string(), network: z.string() };

const stored = z.object({ ...identity, ...nameAndTags, ...network, project_id: z.string(), endpoint: z.string() });

const blockchainsEndpoint = (type: "flex" | "dedicated", items: readonly BlockchainNetwork[]): Endpoint =>
  listEndpoint<BlockchainNetwork>({
    path: `/v1/rpc_nodes/${type}/blockchains`,
    operationId: `list${type === "flex" ? "Flex" : "Dedicated"}Blockchains`,
    summary: `Lists the blockchains of ${type} RPC nodes.`,
    needs: { resourceType: `rpc_node_${type}`, level: "read" },
    items: fixedItems(items),
    shown: z.object(network),
    filters: filtersOf<BlockchainNetwork>(["blockchain", "network"], network),
    sorts: ["blockchain", "network"],
  });

const common = {
  idParameter: "node_id",
  stored,
  filteredBy: ["name", "tags", "blockchain", "network"],
  sorts: ["name", "blockchain", "network"],
} as const;

const create = z.strictObject({ ...namedInput, ...network, project_id: z.string() });

/** The flex RPC nodes. They have no region, no price and no operations. */
export const rpcNodeFlexNoun = defineNoun({
  ...common,
  key: "rpcNodesFlex",
  kind: "rpc_node_flex",
  noun: "flex RPC node",
  path: "/v1/rpc_nodes/flex",
  create,
  update: create.pick({ name: true, tags: true }).partial(),
  isDeletable: true,
  isDirect: true,
  projectCounter: "blockchain.rpc_nodes_flex",
  createRules(_call, { blockchain, network: wanted }, report) {
    if (blockchain === undefined || wanted === undefined) return;
    const networks = flexBlockchains.filter((known) => known.blockchain === blockchain);
    if (networks.length === 0) report("blockchain", "no such blockchain");
    else if (!networks.some((known) => known.network === wanted))
      report("network", "no such network of this blockchain");
  },
  make: (_call, body, { id }) => ({ endpoint: `https://${body.blockchain}-${body.network}.rpc.invalid/${id}` }),
  endpoints: () => [blockchainsEndpoint("flex", flexBlockchains)],
});

/** The dedicated RPC nodes. The vendor creates them; in the simulator, the control port adds them. */
export const rpcNodeDedicatedNoun = defineNoun({
  ...common,
  // Public clients: null is possible here, and not for flex nodes.
  stored: stored.extend({ project_id: z.string().nullable() }),
  key: "rpcNodesDedicated",
  kind: "rpc_node_dedicated",
  noun: "dedicated RPC node",
  path: "/v1/rpc_nodes/dedicated",
  projectCounter: "blockchain.rpc_nodes_dedicated",
  endpoints: () => [blockchainsEndpoint("dedicated", dedicatedBlockchains)],
});
