import fc from "fast-check";
import { z } from "zod";
import type { Harness, Json, Reply } from "./harness";
import { type Ids, idsFor } from "./populated";
import { brokenValueOf, type KnownValues, oddText, valueOf } from "./schema-arbitrary";

/** One operation of the OpenAPI document that the simulator serves. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly success: number;
  readonly parameters: readonly { readonly name: string; readonly in: string; readonly schema: Json }[];
  readonly body: Json | undefined;
  readonly responses: unknown;
  /** Tells why an answer is not as documented. Undefined if it is. */
  problemOf(reply: Reply): string | undefined;
}

/** A request as `Harness.call` takes it. */
export interface Attempt {
  readonly target: string;
  readonly body?: string;
  readonly headers: Record<string, string>;
}

/** Reads the document as a client would. */
export async function operationsOf(api: Harness): Promise<Operation[]> {
  const document = (await api.call("GET", "/v1/openapi.json")).body;
  const { schemas } = document["components"] as { schemas: Record<string, Json> };
  return Object.entries(document["paths"] as Record<string, Record<string, Json>>).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => readOperation(method.toUpperCase(), path, operation, schemas)),
  );
}

function readOperation(method: string, path: string, operation: Json, components: Record<string, Json>): Operation {
  const responses = operation["responses"] as Record<string, Json>;
  const success = Number(Object.keys(responses).find((status) => /^2\d\d$/.test(status)));
  const contentOf = (part: unknown): Json | undefined => {
    const content = (part as { content?: Record<string, { schema: Json }> } | undefined)?.content;
    return content?.["application/json"]?.schema;
  };
  const schemaOf = (status: string): z.ZodType => {
    const schema = contentOf(responses[status]) ?? {};
    const reference = String(schema["$ref"]).replace("#/components/schemas/", "");
    return z.fromJSONSchema(components[reference] ?? schema);
  };
  const answers = { success: schemaOf(String(success)), refusal: schemaOf("4XX") };
  return {
    method,
    path,
    success,
    parameters: (operation["parameters"] ?? []) as Operation["parameters"],
    body: contentOf(operation["requestBody"]),
    responses,
    problemOf({ status, body }) {
      if (status !== success && (status < 400 || status > 499)) return `status ${status} is not documented`;
      if (status === 204) return Object.keys(body).length > 0 ? "204 has a body" : undefined;
      return (status === success ? answers.success : answers.refusal).safeParse(body).error?.message;
    },
  };
}

/** Requests to an operation: valid ones as far as the document tells, and broken ones. */
export function attemptsOf(operation: Operation, ids: Ids, known: KnownValues): fc.Arbitrary<Attempt> {
  const parametersIn = (location: string) => operation.parameters.filter((parameter) => parameter.in === location);
  const goodText = (name: string, schema: Json, values: KnownValues) =>
    valueOf(schema, values, name).map((value) => (Array.isArray(value) ? value.join(",") : String(value)));
  const idsOf = (name: string): KnownValues => ({
    ...ids,
    [name]: idsFor(ids, operation.method, operation.path, name) ?? [],
  });
  const path = parametersIn("path").map(({ name, schema }) =>
    fc
      .oneof(
        { weight: 6, arbitrary: goodText(name, schema, idsOf(name)) },
        { weight: 1, arbitrary: fc.constantFrom("..", "a/b", "%00", "constructor", "cost") },
        { weight: 1, arbitrary: oddText },
      )
      .map((value) => [name, value] as const),
  );
  const query = parametersIn("query").map(({ name, schema }) =>
    fc.option(
      fc
        .oneof({ weight: 6, arbitrary: goodText(name, schema, known) }, { weight: 1, arbitrary: oddText })
        .map((value) => `${name}=${encoded(value)}`),
      { nil: "", freq: name === "project_id" ? 9 : 2 },
    ),
  );
  const headers = parametersIn("header").map(({ name }) =>
    fc.option(fc.constantFrom("attempt-1", "attempt-2"), { nil: "", freq: 9 }).map((value) => [name, value] as const),
  );
  const { body: schema } = operation;
  const body = schema ? fc.oneof(valueOf(schema, known), brokenValueOf(schema, known)) : fc.constant(undefined);
  return fc
    .record({ path: fc.tuple(...path), query: fc.tuple(...query), headers: fc.tuple(...headers), body })
    .map((parts) => {
      const values = new Map(parts.path);
      const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => encoded(values.get(name) ?? ""));
      const search = parts.query.filter((part) => part !== "").join("&");
      const given = Object.fromEntries(parts.headers.filter(([, value]) => value !== ""));
      return {
        target: `${filled}?${search}`,
        headers: given,
        ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
      };
    });
}

/** Percent-encodes a text. Lone surrogates, which have no encoding, pass through UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(Buffer.from(text).toString());
}
