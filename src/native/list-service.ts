import type * as wire from "@pulumi/pulumi/proto/provider_pb";
import { ConfigurationError } from "../api/errors";
import { isUnknown } from "../lifecycle/engine-values";
import type { Props, ResourceKind } from "../lifecycle/kind";
import type { Run } from "../lifecycle/run";
import { messages, recordOf } from "./messages";

/** The ids of the objects of a kind, as `pulumi import` takes them, and their names. All pages of the API's list. */
export async function* listed(
  kind: ResourceKind,
  run: Run,
  request: wire.ListRequest,
): AsyncGenerator<wire.ListResponse, void, undefined> {
  const { ListResponse } = messages;
  const query = recordOf(request.getQuery());
  const answer = new ListResponse();
  if (Object.values(query).some(isUnknown)) {
    answer.setComputed(new ListResponse.Computed());
    yield answer;
    return;
  }
  const inputs: Props = { ...kind.defaults(run.settings), ...query };
  const missing = kind.place.filter((name) => inputs[name] === undefined);
  if (missing.length > 0) {
    throw new ConfigurationError(`To list ${kind.type}s, the query needs ${missing.join(" and ")}. Give it there.`);
  }
  const limit = request.getLimit();
  let count = 0;
  for await (const object of kind.handler(run.api).list(inputs, { what: `list ${kind.type}s` })) {
    yield result(kind, inputs, object);
    count += 1;
    if (count === limit) return; // 0: no limit
  }
}

function result(kind: ResourceKind, inputs: Props, object: Props): wire.ListResponse {
  const { ListResponse } = messages;
  const id = String(object["id"]);
  const found = new ListResponse.Result();
  found.setId(kind.longId(id, inputs));
  found.setName(typeof object["name"] === "string" ? object["name"] : id);
  const answer = new ListResponse();
  answer.setResult(found);
  return answer;
}
