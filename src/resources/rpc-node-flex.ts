import { define } from "../definition/definition";
import { text } from "../definition/field";
import { resource } from "../dynamic/dynamic-resource";
import { named, ofProject, tagged, times } from "../definition/standard-fields";
import type { AdoptArgs, ArgsOf, NamedType, ResourceClass, ResourceOf } from "../program/resource-types";

/** Public clients, "rpc_nodes / flex": made, changed and deleted at once, without an operation. */
export const rpcNodeFlex = define({
  type: "RpcNodeFlex",
  noun: "flex RPC node",
  path: "/v1/rpc_nodes/flex",
  isQuoted: false,
  inputs: {
    ...ofProject,
    /**
     * The blockchain, such as `ethereum`: `getRpcBlockchains({ kind: "flex" })` lists them. Changing it replaces the
     * node.
     */
    blockchain: text({ names: "flexBlockchain", change: "replace", example: "ethereum" }),
    /** A network of the blockchain, such as `mainnet`, from the same list. Changing it replaces the node. */
    network: text({ names: "flexNetwork", change: "replace", example: "mainnet" }),
    ...tagged,
    ...named({ example: "rpc" }),
  },
  outputs: {
    /** The address that requests are sent to. */
    endpoint: text(),
    ...times,
  },
});

/** Names the type of the definition. */
export interface RpcNodeFlexDefinition extends NamedType<typeof rpcNodeFlex> {}

/** Arguments of an RpcNodeFlex. */
export interface RpcNodeFlexArgs extends ArgsOf<typeof rpcNodeFlex>, AdoptArgs {}

/**
 * A flex RPC node: an address that answers requests about a blockchain.
 *
 * @example
 * ```ts
 * import * as cloudinfra from "pulumi-cloudinfra";
 *
 * const node = new cloudinfra.RpcNodeFlex("ethereum", { blockchain: "ethereum", network: "mainnet" });
 *
 * export const endpoint = node.endpoint;
 * ```
 */
export const RpcNodeFlex: ResourceClass<RpcNodeFlex, RpcNodeFlexArgs> = resource(rpcNodeFlex);

export interface RpcNodeFlex extends ResourceOf<typeof rpcNodeFlex> {}
