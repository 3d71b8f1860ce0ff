import { z } from "zod";
import { dedicatedBlockchains, flexBlockchains } from "../model/catalogues";
import type { ResourceType } from "../model/permissions";
import { byName, byTags, equals, type Filters } from "../schemas/filters";
import { dateTime, tags, tagsInput } from "../schemas/primitives";
import type { AnyEndpoint } from "../services/endpoint";
import { fixedItems, listEndpoint } from "../services/list-endpoint";
import { defineNoun } from "./noun";

interface Network {
  readonly blockchain: string;
  readonly network: string;
}

const byNetwork = {
  blockchain: equals(z.string(), ({ blockchain }: Network) => blockchain),
  network: equals(z.string(), ({ network }: Network) => network),
} satisfies Filters<Network>;

const kept = z.object({
  id: z.string(),
  name: z.string(),
  project_id: z.string(),
  blockchain: z.string(),
  network: z.string(),
  endpoint: z.string(),
  tags,
  created_at: dateTime,
  updated_at: dateTime,
});

const blockchains = (kind: "flex" | "dedicated", resourceType: ResourceType, items: readonly Network[]): AnyEndpoint =>
  listEndpoint<Network>({
    path: `/v1/rpc_nodes/${kind}/blockchains`,
    operationId: `list${kind === "flex" ? "Flex" : "Dedicated"}Blockchains`,
    summary: `Lists where ${kind} RPC nodes can be.`,
    needs: { resourceType, level: "read" },
    items: fixedItems(items),
    shown: z.object({ blockchain: z.string(), network: z.string() }),
    filters: byNetwork,
    sorts: ["blockchain", "network"],
  });

const listed = { filters: { ...byName, ...byTags, ...byNetwork }, sorts: ["name", "blockchain", "network"] };

const create = z.strictObject({
  name: z.string(),
  project_id: z.string(),
  blockchain: z.string(),
  network: z.string(),
  tags: tagsInput.optional(),
});

/** The flex RPC nodes: without a region, a price or an operation. */
export const rpcNodeFlexNoun = defineNoun<z.infer<typeof kept>, typeof create>({
  key: "rpcNodesFlex",
  noun: "flex RPC node",
  typeName: "RpcNodeFlex",
  targetType: "rpc_node_flex",
  resourceType: "rpc_node_flex",
  path: "/v1/rpc_nodes/flex",
  idParameter: "node_id",
  kept,
  shown: kept,
  create,
  update: create.pick({ name: true, tags: true }).partial(),
  isDeletable: true,
  isDirect: true,
  projectCounter: "blockchain.rpc_nodes_flex",
  ...listed,
  createRules(_call, { blockchain, network }, report) {
    if (blockchain === undefined || network === undefined) return;
    const networks = flexBlockchains.filter((known) => known.blockchain === blockchain);
    if (networks.length === 0) report("blockchain", "no such blockchain");
    else if (!networks.some((known) => known.network === network)) report("network", "no such network of it");
  },
  make: (_call, { tags = [], ...body }, { id, created_at, updated_at }) => ({
    id,
    ...body,
    endpoint: `https://${body.blockchain}-${body.network}.rpc.invalid/${id}`,
    tags,
    created_at,
    updated_at,
  }),
  more: [blockchains("flex", "rpc_node_flex", flexBlockchains)],
});

/** The dedicated RPC nodes: the vendor makes them, here the control port. */
export const rpcNodeDedicatedNoun = defineNoun<z.infer<typeof kept>>({
  key: "rpcNodesDedicated",
  noun: "dedicated RPC node",
  typeName: "RpcNodeDedicated",
  targetType: "rpc_node_dedicated",
  resourceType: "rpc_node_dedicated",
  path: "/v1/rpc_nodes/dedicated",
  idParameter: "node_id",
  kept,
  shown: kept,
  projectCounter: "blockchain.rpc_nodes_dedicated",
  ...listed,
  more: [blockchains("dedicated", "rpc_node_dedicated", dedicatedBlockchains)],
});
