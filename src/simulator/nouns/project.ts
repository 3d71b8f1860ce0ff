import { z } from "zod";
import { conflict } from "../model/api-error";
import { seededIds } from "../model/seed";
import { identity, named, namedInput } from "../schemas/primitives";
import { defineNoun, type Noun } from "./noun";

const create = z.strictObject(namedInput);

/** Projects (section 4). They are created at once, and count the objects of the other nouns. */
export function projectNoun(others: readonly Noun[]) {
  const counted = others.flatMap((noun) => {
    const [group = "", name = ""] = noun.projectCounter?.split(".") ?? [];
    return noun.projectCounter === undefined ? [] : [{ noun, group, name }];
  });
  /** A value for each counter, in its group. */
  const grouped = <V>(valueOf: (noun: Noun) => V): Record<string, Record<string, V>> => {
    const groups: Record<string, Record<string, V>> = {};
    for (const { noun, group, name } of counted) (groups[group] ??= {})[name] = valueOf(noun);
    return groups;
  };
  const counters = Object.entries(grouped(() => z.int().min(0)));

  return defineNoun({
    key: "projects",
    kind: "project",
    path: "/v1/projects",
    isOfOrganization: true,
    scopeOf: ({ id }) => [id],
    stored: z.object({ ...identity, ...named }),
    computed: { resources: z.object(Object.fromEntries(counters.map(([group, of]) => [group, z.object(of)]))) },
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
    // Statements still name it.
    afterDelete({ id, name }, world) {
      world.bookkeeping.formerProjects.set(id, name);
    },
    show: ({ id }, world) => ({ resources: grouped((noun) => world.countInProject(noun, id)) }),
    seed: (_world, times) => [{ id: seededIds.project, name: "default", tags: [], ...times }],
  });
}
