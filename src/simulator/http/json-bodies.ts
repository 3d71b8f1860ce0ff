import type { FastifyInstance } from "fastify";

/** A body is JSON or nothing; no content at all is nothing, whatever its type says (public clients send such requests). */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body === "") done(null, undefined);
    else void parse(request, body as string, done);
  });
}
