import { isUtf8 } from "node:buffer";
import type { FastifyInstance } from "fastify";

/**
 * Accepts JSON in UTF-8 of these types, and an empty body of any type. `"*"` accepts JSON of any type, as `curl -d` and
 * a plain `fetch` send it.
 */
export function readJsonBodies(app: FastifyInstance, types: "application/json" | "*" = "application/json"): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser(types, { parseAs: "buffer" }, (request, body, done) => {
    const text = new TextDecoder().decode(body as Buffer);
    // No part of a body in another encoding may be stored.
    if (!isUtf8(body as Buffer)) done(Object.assign(new Error("the body is not UTF-8"), { statusCode: 400 }));
    else if (text === "") done(null, undefined);
    else void parse(request, text, done);
  });
  if (types === "*") return;
  app.addContentTypeParser("*", { parseAs: "buffer" }, (_request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else done(Object.assign(new Error("the body is not JSON"), { statusCode: 415 }));
  });
}
