import { ids } from "../api/support/samples";
import { nth, tagLimits, times, type KindDescriptor } from "./descriptor";

export const rpcNodeFlex: KindDescriptor = {
  name: "rpc",
  args: () => ({ blockchain: "ethereum", network: "mainnet" }),
  edited: ({ replace }) => ({ network: nth(["mainnet", "sepolia"], replace) }),
  collection: "rpcNodesFlex",
  wire: {
    id: "123e4567-e89b-12d3-a456-426614174009",
    name: "my-ethereum-node",
    project_id: ids.project,
    blockchain: "ethereum",
    network: "mainnet",
    endpoint: "https://ethereum-mainnet.rpc.invalid/123e4567-e89b-12d3-a456-426614174009",
    tags: [],
    created_at: "2026-01-01T00:00:00Z",
    updated_at: "2026-01-01T00:00:00Z",
  },
  creation: ({ projectId }) => ({
    name: "sample",
    project_id: projectId,
    blockchain: "ethereum",
    network: "mainnet",
    tags: [],
  }),
  inputDrifts: {
    projectId: { wire: { project_id: "another-project" }, shown: "another-project" },
    blockchain: { wire: { blockchain: "base" }, shown: "base" },
    network: { wire: { network: "sepolia" }, shown: "sepolia" },
    tags: { wire: { tags: ["theirs"] }, shown: ["theirs"] },
    name: { wire: { name: "theirs" }, shown: "theirs" },
  },
  outputDrifts: {
    endpoint: { wire: { endpoint: "https://other.rpc.invalid" }, shown: "https://other.rpc.invalid" },
    ...times,
  },
  limits: [
    [{}, undefined],
    [{ blockchain: undefined }, "blockchain: is required"],
    [{ blockchain: 7 }, 'blockchain: must be a string (is the number 7): write "7"'],
    [{ network: undefined }, "network: is required"],
    [{ network: 7 }, 'network: must be a string (is the number 7): write "7"'],
    [{ name: 7 }, 'name: must be a string (is the number 7): write "7"'],
    ...tagLimits,
  ],
};
