import type { FastifyInstance } from "fastify";

/**
 * A body of these types is JSON in UTF-8 or nothing; no content at all is nothing, whatever its type says (public clients
 * send such requests). `"*"`: of any type, as `curl -d` and a bare `fetch` send it.
 */
export function readJsonBodies(app: FastifyInstance, types: "application/json" | "*" = "application/json"): void {
  app.removeAllContentTypeParsers();
  const parse = app.getDefaultJsonParser("error", "error");
  app.addContentTypeParser(types, { parseAs: "buffer" }, (request, body, done) => {
    const text = textOf(body as Buffer);
    if (text === "") done(null, undefined);
    else if (text === undefined) done(malformed());
    else void parse(request, text, done);
  });
}

/** A body as text; undefined where it is not UTF-8, of which nothing may be kept as if it had been sent so. */
function textOf(body: Buffer): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body);
  } catch {
    return undefined;
  }
}

function malformed(): Error {
  return Object.assign(new Error("the body is not UTF-8"), { statusCode: 400 });
}
