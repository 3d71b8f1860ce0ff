/** A list of the API with the values that a field may have. */
export interface Catalog {
  /** The word for one item in messages. */
  readonly noun: string;
  /** The path of the list. */
  readonly path: string;
  /** Where an item has the value. */
  readonly valueAt: readonly string[];
  /** Where an item has its name, if the value is an id. */
  readonly nameAt?: readonly string[];
  /** Whether the list must name a project in the query. */
  readonly isOfProject?: true;
  /** Whether each region has items of its own. An item says which. */
  readonly isOfRegion?: true;
  /** The member of an item with its region, if that is not `region`. */
  readonly regionAt?: string;
  /** Whether the API takes values that are not in the list: that it accepts a request then proves nothing. */
  readonly isUnjudged?: true;
  /** Whether `<path>/<value>` shows an item. It knows more than a list, which may be late. */
  readonly hasItems?: true;
}

const vpcs = "/v1/networking/vpcs";
const flexBlockchains = "/v1/rpc_nodes/flex/blockchains";

/** Every list that fields take their values from. */
const lists = {
  region: { noun: "region", path: "/v1/regions", valueAt: ["name"] },
  project: { noun: "project", path: "/v1/projects", valueAt: ["id"], nameAt: ["name"], hasItems: true },
  vpc: { noun: "VPC", path: vpcs, valueAt: ["id"], nameAt: ["name"], isOfProject: true, hasItems: true },
  subnet: {
    noun: "subnet",
    path: vpcs,
    valueAt: ["subnet", "id"],
    nameAt: ["subnet", "name"],
    isOfProject: true,
    isOfRegion: true,
  },
  osImage: { noun: "image", path: "/v1/compute/vms/os_images", valueAt: ["name"] },
  instanceType: { noun: "instance type", path: "/v1/instance_types", valueAt: ["name"], isOfRegion: true },
  connectRegion: {
    noun: "route to the provider's region",
    path: "/v1/networking/connect/routes",
    valueAt: ["provider_region"],
    isOfRegion: true,
    regionAt: "platform_region",
    isUnjudged: true,
  },
  kubernetesVersion: { noun: "version of Kubernetes", path: "/v1/nks/kubernetes_versions", valueAt: ["name"] },
  flexBlockchain: { noun: "blockchain", path: flexBlockchains, valueAt: ["blockchain"] },
  flexNetwork: { noun: "network", path: flexBlockchains, valueAt: ["network"] },
} as const satisfies Readonly<Record<string, Catalog>>;

/** What a field's value is the name or the id of. */
export type CatalogName = keyof typeof lists;

export const catalogs: Readonly<Record<CatalogName, Catalog>> = lists;
