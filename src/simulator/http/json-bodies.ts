import type { FastifyInstance } from "fastify";

/**
 * A body of these types is JSON or nothing; no content at all is nothing, whatever its type says (public clients send such
 * requests). `"*"`: of any type, as `curl -d` and a bare `fetch` send it.
 */
export function readJsonBodies(app: FastifyInstance, types: "application/json" | "*" = "application/json"): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser(types, { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body as string, done);
  });
}
