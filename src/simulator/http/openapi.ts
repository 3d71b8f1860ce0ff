import swagger from "@fastify/swagger";
import type { FastifyInstance, FastifySchema } from "fastify";
import { jsonSchemaTransform, jsonSchemaTransformObject } from "fastify-type-provider-zod";
import { z } from "zod";
import { httpErrorSchema } from "../schemas/answers";
import { type Endpoint, showEndpoint } from "../services/endpoint";

/** Serves the document to any valid key: there is no public path (section 5.2). */
export function openApiEndpoint(document: () => object): Endpoint {
  return showEndpoint({
    path: "/v1/openapi.json",
    operationId: "getOpenApiDocument",
    summary: "Shows this document, to any valid key.",
    needs: null,
    response: z.record(z.string(), z.unknown()),
    show: document,
  });
}

/** Collects the endpoints registered from now on into an OpenAPI document. It is built at the first request for it. */
export async function collectOpenApi(app: FastifyInstance): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: { title: "Cloud infrastructure API (simulated)", version: "1" },
      components: { securitySchemes: { bearer: { type: "http", scheme: "bearer" } } },
      security: [{ bearer: [] }],
    },
    transform: jsonSchemaTransform,
    transformObject: jsonSchemaTransformObject,
  });
}

/** An endpoint's schemas as Fastify and the document know them. */
export function endpointSchema(endpoint: Endpoint): FastifySchema & Record<string, unknown> {
  const names = Array.from(endpoint.path.matchAll(/\{(\w+)\}/g), ([, name = ""]) => name);
  const params = names.length > 0 ? z.object(Object.fromEntries(names.map((name) => [name, z.string()]))) : undefined;
  return {
    operationId: endpoint.operationId,
    summary: endpoint.summary,
    description: endpoint.needs
      ? `Needs ${endpoint.needs.resourceType}:${endpoint.needs.level}.`
      : endpoint.needsOneOf
        ? `Needs one of ${endpoint.needsOneOf.map((resourceType) => `${resourceType}:read`).join(", ")}.`
        : "Needs no resource permission.",
    ...(params ? { params } : {}),
    ...(endpoint.needsIdempotencyKey ? { headers: z.object({ "Idempotency-Key": z.string() }) } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body ? { body: endpoint.body } : {}),
    response: {
      [endpoint.status]: endpoint.response ?? z.null().describe("No content"),
      "4xx": httpErrorSchema,
      "5xx": httpErrorSchema,
    },
  };
}
