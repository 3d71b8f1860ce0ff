import type { FastifyInstance } from "fastify";

/**
 * Accepts JSON in UTF-8 or an empty body of these types. An empty body may have any type, because public clients send
 * such requests. `"*"` accepts any type, as `curl -d` and a plain `fetch` send it.
 */
export function readJsonBodies(app: FastifyInstance, types: "application/json" | "*" = "application/json"): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser(types, { parseAs: "buffer" }, (request, body, done) => {
    const text = utf8Text(body as Buffer);
    if (text === "") done(null, undefined);
    else if (text === undefined) done(Object.assign(new Error("the body is not UTF-8"), { statusCode: 400 }));
    else void parse(request, text, done);
  });
}

/** Reads a body as text. Undefined if it is not UTF-8: then no part of it may be stored. */
function utf8Text(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}
