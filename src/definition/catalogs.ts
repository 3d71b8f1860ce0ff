/** A list of the API with the values that a field may have. `Names`: the names of all lists. */
interface Catalog<Names extends string = string> {
  /** The word for one item in messages. */
  readonly noun: string;
  readonly path: string;
  readonly valueAt: readonly string[];
  /** The path of the name in an item, if the value is an id. */
  readonly nameAt?: readonly string[];
  /** True if an item says where an object is: the price can depend on that. */
  readonly isLocation?: true;
  /** True if the list must name a project in the query. */
  readonly isOfProject?: true;
  /** The list that contains the items, if each region, or each item of another list, has its own. */
  readonly within?: Container<Names>;
  /** True if the API also accepts values that are not in the list, so that an accepted request proves nothing. */
  readonly acceptsUnlisted?: true;
  /** True if `GET <path>/<value>` shows an item. That is more reliable than a list, which may be late. */
  readonly hasItems?: true;
}

interface Container<Names extends string = string> {
  readonly catalog: Names;
  /** The input with the region or the id of the containing item. */
  readonly input: string;
  /** The member of an item that has the same value as the input. */
  readonly at: string;
}

const vpcs = "/v1/networking/vpcs";
const flexBlockchains = "/v1/rpc_nodes/flex/blockchains";
const inRegion = { catalog: "region", input: "region", at: "region" } as const;

/** Every list that fields take their values from. */
const lists = {
  region: { noun: "region", path: "/v1/regions", valueAt: ["name"], isLocation: true },
  project: {
    noun: "project",
    path: "/v1/projects",
    valueAt: ["id"],
    nameAt: ["name"],
    hasItems: true,
    isLocation: true,
  },
  vpc: { noun: "VPC", path: vpcs, valueAt: ["id"], nameAt: ["name"], isOfProject: true, hasItems: true },
  subnet: {
    noun: "subnet",
    path: vpcs,
    valueAt: ["subnet", "id"],
    nameAt: ["subnet", "name"],
    isOfProject: true,
    within: inRegion,
  },
  osImage: { noun: "image", path: "/v1/compute/vms/os_images", valueAt: ["name"] },
  instanceType: { noun: "instance type", path: "/v1/instance_types", valueAt: ["name"], within: inRegion },
  connectRegion: {
    noun: "route to the provider's region",
    path: "/v1/networking/connect/routes",
    valueAt: ["provider_region"],
    within: { ...inRegion, at: "platform_region" },
    acceptsUnlisted: true,
    isLocation: true,
  },
  kubernetesVersion: { noun: "version of Kubernetes", path: "/v1/nks/kubernetes_versions", valueAt: ["name"] },
  flexBlockchain: { noun: "blockchain", path: flexBlockchains, valueAt: ["blockchain"] },
  flexNetwork: {
    noun: "network",
    path: flexBlockchains,
    valueAt: ["network"],
    within: { catalog: "flexBlockchain", input: "blockchain", at: "blockchain" },
  },
} as const satisfies Readonly<Record<string, Catalog>>;

export type CatalogName = keyof typeof lists;

export const catalogs: Readonly<Record<CatalogName, Catalog<CatalogName>>> = lists;
