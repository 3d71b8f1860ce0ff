import { z } from "zod";
import { conflict } from "../model/api-error";
import { seededIds } from "../model/seed";
import { formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import { byName, byTags } from "../schemas/filters";
import { dateTime, tags, tagsInput } from "../schemas/primitives";
import { defineNoun, type Noun } from "./noun";

const create = z.strictObject({ name: z.string(), tags: tagsInput.optional() });

const kept = z.object({ id: z.string(), name: z.string(), tags, created_at: dateTime, updated_at: dateTime });

const count = z.int().min(0);

/** The number of objects of each kind in a project. The names are those of the public clients. */
const resources = z.object({
  blockchain: z.object({ rpc_nodes_dedicated: count, rpc_nodes_flex: count }),
  cloud: z.object({
    connect_connections: count,
    nks_clusters: count,
    nks_node_pools: count,
    vms: count,
    volumes: count,
    vpcs: count,
  }),
});

/** Projects (section 4). They are made at once. The other nouns say what is in them. */
export function projectNoun(others: readonly Noun[]) {
  const counted = (world: World, id: string): z.infer<typeof resources> => {
    const counters = resources.parse({
      blockchain: { rpc_nodes_dedicated: 0, rpc_nodes_flex: 0 },
      cloud: { connect_connections: 0, nks_clusters: 0, nks_node_pools: 0, vms: 0, volumes: 0, vpcs: 0 },
    });
    const groups = counters as Record<string, Record<string, number>>;
    for (const noun of others) {
      const [group, name] = noun.projectCounter?.split(".") ?? [];
      if (group && name && groups[group]) groups[group][name] = world.countInProject(noun, id);
    }
    return counters;
  };

  return defineNoun<z.infer<typeof kept>, typeof create>({
    key: "projects",
    noun: "project",
    typeName: "Project",
    targetType: "project",
    resourceType: "project",
    path: "/v1/projects",
    idParameter: "project_id",
    isOfOrganization: true,
    scopeOf: ({ id }) => [id],
    kept,
    shown: kept.extend({ resources }),
    create,
    update: create.partial(),
    isDeletable: true,
    isDirect: true,
    filters: { ...byName, ...byTags },
    sorts: ["updated_at", "name"],
    make: (_call, { name, tags = [] }, { id, created_at, updated_at }) => ({ id, name, tags, created_at, updated_at }),
    beforeDelete({ world }, { id }) {
      const held = others.flatMap((noun) => {
        const number = noun.parent || noun.isOfOrganization ? 0 : world.countInProject(noun, id);
        return number === 0 ? [] : [`${number} ${noun.noun}${number === 1 ? "" : "s"}`];
      });
      if (held.length > 0) throw conflict(`the project holds ${held.join(", ")}: delete what is in it first`);
    },
    // Statements still name it.
    afterDelete({ id, name }, world) {
      world.bookkeeping.formerProjects.set(id, name);
    },
    show: (project, world) => ({ ...project, resources: counted(world, project.id) }),
    initial({ clock }) {
      const now = formatTimestamp(clock.now());
      return [{ id: seededIds.project, name: "default", tags: [], created_at: now, updated_at: now }];
    },
  });
}
