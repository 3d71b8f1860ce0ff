import { ConflictError } from "../../api/errors";
import { namingOf } from "../../definition/names";
import { longId } from "../../definition/wire";
import { messageOf, RefusedObjectError } from "../errors";
import { collectionAt } from "../kind/collection-at";
import { callOf, type ResourceCall } from "../objects/resource-call";

/** For a creation that the API refuses although only its name is taken: an error that says which object has the name. */
export async function withTakenName(call: ResourceCall, error: unknown): Promise<unknown> {
  const { kind, inputs } = call;
  const { name } = inputs;
  if (!(error instanceof ConflictError) || namingOf(kind)?.isUnique !== true || typeof name !== "string") return error;
  const owner = await ownerOf(call, name).catch(() => undefined);
  if (owner === undefined) return error;
  return new RefusedObjectError(
    `${messageOf(error)} The name ${JSON.stringify(name)} is taken by ${kind.noun} ${owner}: give another name, or adopt it with ` +
      `adopt: "${longId(kind, owner, inputs)}".`,
    { cause: error },
  );
}

async function ownerOf(call: ResourceCall, name: string): Promise<string | undefined> {
  for await (const object of collectionAt(call.run.api, call.kind, call.inputs).list(callOf(call)))
    if (object["name"] === name) return object.id;
  return undefined;
}
