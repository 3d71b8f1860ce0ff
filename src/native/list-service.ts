import { collectionAt } from "../lifecycle/kind/collection-at";
import { importId } from "../definition/import-id";
import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { isUnknown } from "../engine/values";
import { type Props, type ResourceKind, defaultsOf } from "../lifecycle/kind/kind";
import type { Run } from "../lifecycle/run/run";
import { fillMessage, messages, recordOf } from "./messages";

/**
 * Lists the objects of a kind: their names, and their ids for `pulumi import`. Answers all objects, or as many as the
 * engine wants on a page, with a token for the next page.
 */
export async function* listForEngine(
  kind: ResourceKind,
  run: Run,
  request: wire.ListRequest,
): AsyncGenerator<wire.ListResponse, void, undefined> {
  const { ListResponse } = messages;
  const query = recordOf(request.getQuery());
  if (Object.values(query).some(isUnknown)) {
    yield fillMessage(new ListResponse(), { computed: new ListResponse.Computed() });
    return;
  }
  const inputs: Props = { ...defaultsOf(kind, run.settings), ...query };
  const missing = kind.pathFields.filter((name) => inputs[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigurationError(`To list ${kind.type}s, the query needs ${missing.join(" and ")}. Give it there.`);
  }
  const [limit, pageSize] = [request.getLimit(), request.getPageSize()]; // 0: none
  const start = startOf(request.getContinuationToken());
  let nth = 0;
  for await (const object of collectionAt(run.api, kind, inputs).list({ purpose: `list ${kind.type}s` })) {
    const sent = nth - start;
    nth += 1;
    if (sent < 0) continue;
    if (sent > 0 && sent === pageSize) {
      const continuationToken = String(start + sent);
      const continuation = fillMessage(new ListResponse.Continuation(), { continuationToken });
      yield fillMessage(new ListResponse(), { continuation });
      return;
    }
    const name = typeof object["name"] === "string" ? object["name"] : object.id;
    const result = fillMessage(new ListResponse.Result(), { id: importId(kind, object.id, inputs), name });
    yield fillMessage(new ListResponse(), { result });
    if (sent + 1 === limit) return;
  }
}

/**
 * Parses a continuation token, which is the number of objects before the page. Throws ConfigurationError for any other
 * text.
 */
function startOf(token: string): number {
  if (/^\d*$/.test(token)) return Number(token);
  throw new ConfigurationError(`${JSON.stringify(token)} is no continuation token of this provider.`);
}
