import { z } from "zod";
import { conflict } from "../model/rejection";
import { seededIds } from "../model/catalogs";
import { grouped } from "../model/quota-ledger";
import { groupSchemas } from "../schemas/answers";
import { identity, nameAndTags, namedInput } from "../schemas/primitives";
import { defineNoun, type Noun } from "./noun";

const create = z.strictObject(namedInput);

/** Projects (section 4). They are created at once, and count the objects of each noun. */
export function projectNoun(others: readonly Noun[]) {
  const counted = new Map(
    others.flatMap((noun) => (noun.projectCounter ? [[noun.projectCounter, noun] as const] : [])),
  );
  const counters = [...counted.keys()];

  return defineNoun({
    key: "projects",
    kind: "project",
    path: "/v1/projects",
    isOfOrganization: true,
    scopeOf: ({ id }) => [id],
    stored: z.object({ ...identity, ...nameAndTags }),
    computed: { resources: z.object(groupSchemas(counters, z.int().min(0))) },
    create,
    update: create.partial(),
    isDeletable: true,
    isDirect: true,
    filteredBy: ["name", "tags"],
    sorts: ["updated_at", "name"],
    beforeDelete({ world }, { id }) {
      const found = others.flatMap((noun) => {
        const number = noun.parent || noun.isOfOrganization ? 0 : world.countInProject(noun, id);
        return number === 0 ? [] : [`${number} ${noun.noun}${number === 1 ? "" : "s"}`];
      });
      if (found.length > 0) throw conflict(`the project contains ${found.join(", ")}: delete them first`);
    },
    // Statements still show its name.
    afterDelete({ id, name }, world) {
      world.billing.formerProjects.set(id, name);
    },
    show: ({ id }, world) => ({
      resources: grouped(counters, (counter) => world.countInProject(counted.get(counter) as Noun, id)),
    }),
    seed: (_world, times) => [{ id: seededIds.project, name: "default", tags: [], ...times }],
  });
}
