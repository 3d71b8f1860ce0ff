import { type ApiError, methodNotAllowed, notFound } from "../model/api-error";
import type { AnyEndpoint } from "../services/endpoint";

/** The refusal of a request without an endpoint. */
export type RouteRefusal = (method: string, path: string) => ApiError;

/**
 * 405 with the path's methods. 404 if it has none, or if the method was not the reason, but an id that is too long or cannot
 * be decoded.
 */
export function missingRoute(endpoints: readonly AnyEndpoint[]): RouteRefusal {
  const paths = [...new Set(endpoints.map(({ path }) => path))];
  const routes = paths.map((path) => ({
    pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
    parameters: path.split("{").length,
    methods: endpoints.filter((endpoint) => endpoint.path === path).map(({ method }) => method),
  }));
  // The word of a path comes before what could be an id.
  routes.sort((a, b) => a.parameters - b.parameters);
  return (method, path) => {
    const methods: readonly string[] = routes.find(({ pattern }) => pattern.test(path))?.methods ?? [];
    return methods.length === 0 || methods.includes(method) ? notFound("path") : methodNotAllowed(methods);
  };
}
