import { notFound } from "../model/api-error";
import type { Call } from "../services/call";
import type { Answer, AnyEndpoint } from "../services/endpoint";

/** Answers a request with the service's lag: lists show an earlier state, and the address of a new object is 404. */
export function lateAnswers(endpoints: readonly AnyEndpoint[]): (endpoint: AnyEndpoint, call: Call) => Answer {
  const collections = new Set(
    endpoints.flatMap(({ method, path, audit }) => (method === "POST" && audit ? [path] : [])),
  );
  return (endpoint, call) => {
    if (endpoint.method !== "GET") return endpoint.handle(call);
    if (!endpoint.path.endsWith("}")) return call.world.listing(() => endpoint.handle(call));
    const answer = endpoint.handle(call);
    const isObject = collections.has(endpoint.path.replace(/\/[^/]*$/, ""));
    const { created_at: createdAt } = Object(answer.body) as { readonly created_at?: string };
    const ageMs = createdAt === undefined ? Infinity : call.nowMs - Date.parse(createdAt);
    if (isObject && call.world.lag.readsMs > 0 && ageMs < call.world.lag.readsMs) throw notFound("object");
    return answer;
  };
}
