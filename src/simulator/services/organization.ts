import { randomUUID } from "node:crypto";
import { z } from "zod";
import { conflict, notFound } from "../model/api-error";
import type { Dialect } from "../model/dialect";
import { OrderedList } from "../model/ordered-list";
import { quotaLimits, type CountedQuota } from "../model/quotas";
import { findRegion, regions } from "../model/regions";
import { formatTimestamp } from "../model/timestamp";
import type { World } from "../model/world";
import { listOf, pageQuery, sortBy, sortedPageQuery, tagsFilter } from "../schemas/list";
import {
  projectCreateSchema,
  projectSchema,
  projectUpdateSchema,
  quotaSchema,
  regionSchema,
  type Project,
} from "../schemas/organization";
import type { CallContext } from "./call";
import { given } from "./changes";
import { type AnyEndpoint, defineEndpoint } from "./endpoint";
import { answerPage } from "./pages";
import { matchesOf } from "./resource-lists";

const regionList = OrderedList.of(regions);

/** The regions (section 4): any valid key may see them. */
export const regionEndpoints: readonly AnyEndpoint[] = [
  defineEndpoint({
    method: "GET",
    path: "/v1/regions",
    operationId: "listRegions",
    summary: "Lists the regions, to any valid key.",
    needs: null,
    query: pageQuery,
    status: 200,
    response: listOf(regionSchema),
    handle: (call) => answerPage({ list: regionList, wire: (region) => region }, call.query()),
  }),
  defineEndpoint({
    method: "GET",
    path: "/v1/regions/{name}",
    operationId: "getRegion",
    summary: "Shows a region, to any valid key.",
    needs: null,
    status: 200,
    response: regionSchema,
    handle(call) {
      const region = findRegion(call.param("name"));
      if (!region) throw notFound("region");
      return { status: 200, body: region };
    },
  }),
];

/** A project with its counters. */
export function projectOnWire(world: World, { id, ...project }: Project): z.infer<typeof projectSchema> {
  return {
    id,
    ...project,
    resources: {
      blockchain: { rpc_nodes_dedicated: 0, rpc_nodes_flex: 0 },
      cloud: {
        connect_connections: world.connections.partition(id).size,
        nks_clusters: 0,
        nks_node_pools: 0,
        vms: 0,
        volumes: 0,
        vpcs: world.vpcs.partition(id).size,
      },
    },
  };
}

function findProject(call: CallContext): Project {
  const project = call.world.projects.get(call.param("project_id"));
  if (!project) throw notFound("project");
  call.requireReach(project.id);
  return project;
}

const projectItem = "/v1/projects/{project_id}";
const projectAudit = (verb: string) => ({
  action: `project.${verb}`,
  targetType: "project",
  targetParameter: "project_id",
});

/** The projects (section 4): those within the key's scope. */
export const projectEndpoints: readonly AnyEndpoint[] = [
  defineEndpoint({
    method: "POST",
    path: "/v1/projects",
    operationId: "createProject",
    summary: "Creates a project. A key reaches it once its project_ids name it.",
    needs: { resourceType: "project", level: "edit" },
    body: projectCreateSchema,
    status: 201,
    response: projectSchema,
    audit: { action: "project.create", targetType: "project" },
    handle(call) {
      const { name, tags = [] } = call.body();
      const now = formatTimestamp(call.nowMs);
      const project = { id: randomUUID(), name, tags, created_at: now, updated_at: now };
      call.world.projects.insert(project);
      return { status: 201, body: projectOnWire(call.world, project), targetId: project.id };
    },
  }),
  defineEndpoint({
    method: "GET",
    path: "/v1/projects",
    operationId: "listProjects",
    summary: "Lists the projects within the key's scope, oldest first.",
    needs: { resourceType: "project", level: "read" },
    query: sortedPageQuery.extend({
      sort: sortBy("created_at", "updated_at", "name"),
      name: z.string().optional(),
      tags: tagsFilter,
    }),
    status: 200,
    response: listOf(projectSchema),
    handle(call) {
      const { cursor, limit, sort, ...filters } = call.query();
      const { caller, world } = call;
      const isMatch = matchesOf(filters);
      return answerPage(
        {
          list: world.projects.partition(""),
          sort,
          filters: { ...filters, caller: caller.isOwner ? null : caller.actor.id },
          matches: caller.isOwner ? isMatch : (project) => caller.reaches(project.id) && (isMatch?.(project) ?? true),
          wire: (project) => projectOnWire(world, project),
        },
        { cursor, limit },
      );
    },
  }),
  defineEndpoint({
    method: "GET",
    path: projectItem,
    operationId: "getProject",
    summary: "Shows a project.",
    needs: { resourceType: "project", level: "read" },
    status: 200,
    response: projectSchema,
    handle: (call) => ({ status: 200, body: projectOnWire(call.world, findProject(call)) }),
  }),
  defineEndpoint<z.ZodObject, typeof projectUpdateSchema>({
    method: "PATCH",
    path: projectItem,
    operationId: "updateProject",
    summary: "Changes a project, at once.",
    needs: { resourceType: "project", level: "edit" },
    body: projectUpdateSchema,
    status: 200,
    response: projectSchema,
    audit: projectAudit("update"),
    handle(call) {
      const { world } = call;
      const project = findProject(call);
      const members = given(call.body());
      if (Object.keys(members).length > 0) {
        world.projects.update(project.id, { ...members, updated_at: formatTimestamp(call.nowMs) });
      }
      return { status: 200, body: projectOnWire(world, world.projects.get(project.id) ?? project) };
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: projectItem,
    operationId: "deleteProject",
    summary: "Deletes a project that holds no resources.",
    needs: { resourceType: "project", level: "edit" },
    status: 204,
    audit: projectAudit("delete"),
    handle(call) {
      const { world } = call;
      const { id } = findProject(call);
      const resources = world.vpcs.partition(id).size + world.connections.partition(id).size;
      if (resources > 0) throw conflict(`the project holds ${resources} resources, delete them first`);
      world.projects.remove(id);
      return { status: 204 };
    },
  }),
];

function quotaOnWire(world: World, region: string): object {
  const detail = (limit: number, used = 0) => ({ limit, remaining: limit - used, used });
  const unused = (limits: Readonly<Record<string, number>>) =>
    Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, detail(limit)]));
  const counted = (quota: CountedQuota) => detail(quotaLimits.networking[quota], world.quotas.used(region, quota));
  return {
    region,
    compute: unused(quotaLimits.compute),
    networking: {
      public_ips: detail(quotaLimits.networking.public_ips),
      vpcs: counted("vpcs"),
      ...(world.dialect === "nirvana" ? { connect_connections: counted("connect_connections") } : {}),
    },
    nks: unused(quotaLimits.nks),
    storage: unused(quotaLimits.storage),
  };
}

/** The quotas (section 2.11): any valid key may see them, as the permission that it takes is not shown. */
export function quotaEndpoints(dialect: Dialect): readonly AnyEndpoint[] {
  const quota = quotaSchema(dialect);
  return [
    defineEndpoint({
      method: "GET",
      path: "/v1/quotas",
      operationId: "listQuotas",
      summary: "Lists the organization's quotas in every region, to any valid key.",
      needs: null,
      query: pageQuery,
      status: 200,
      response: listOf(quota),
      handle: (call) =>
        answerPage({ list: regionList, wire: ({ name }) => quotaOnWire(call.world, name) }, call.query()),
    }),
    defineEndpoint({
      method: "GET",
      path: "/v1/quotas/{region}",
      operationId: "getQuota",
      summary: "Shows the organization's quotas in a region, to any valid key.",
      needs: null,
      status: 200,
      response: quota,
      handle(call) {
        const region = findRegion(call.param("region"));
        if (!region) throw notFound("region");
        return { status: 200, body: quotaOnWire(call.world, region.name) };
      },
    }),
  ];
}
