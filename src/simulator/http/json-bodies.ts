import type { FastifyInstance } from "fastify";

/**
 * A body of these types is JSON in UTF-8 or empty. An empty body has any type, because public clients send such requests.
 * `"*"`: any type, as `curl -d` and a plain `fetch` send it.
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

/** A body as text. Undefined if it is not UTF-8: nothing of it may be stored. */
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
