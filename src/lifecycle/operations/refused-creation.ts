import { BadRequestError, ConflictError } from "../../api/errors";
import { refusalIn } from "../../api/advisory-requests";
import { namingOf } from "../../definition/definition";
import { importId } from "../../definition/import-id";
import { collectionAt } from "../kind/collection-at";
import { objectionsIn } from "../kind/objections";
import { RefusedObjectError, messageOf } from "../errors";
import { callOf, type ResourceCall } from "../objects/resource-call";
import { explainObjection, type NamingProposal } from "../preflight/existence";

/** Rewords the refusal of a creation with the program's names. Other errors stay as they are. */
export async function refusedCreation(call: ResourceCall & NamingProposal, error: unknown): Promise<unknown> {
  return error instanceof BadRequestError ? inProgramWords(call, error) : withTakenName(call, error);
}

/**
 * Adds the program's names and values, and the closest values that the API has. A preview could not add them for values
 * that it did not know.
 */
async function inProgramWords({ kind, run, inputs }: NamingProposal, error: BadRequestError): Promise<unknown> {
  const refusal = refusalIn(error);
  if (refusal === undefined || refusal.faults.length === 0) return error;
  const objections = objectionsIn(kind, run.settings.dialect, inputs, refusal);
  const reasons = await Promise.all(
    objections.map(async (objection) => {
      const { path = "" } = objection;
      const text = await explainObjection({ kind, run, inputs }, objection);
      return [path, text.slice(`${path}: `.length)] as const;
    }),
  );
  return error.reworded(Object.fromEntries(reasons));
}

/** If the creation was refused because its name is taken, the error says which object has the name. */
async function withTakenName(call: ResourceCall, error: unknown): Promise<unknown> {
  const { kind, inputs } = call;
  const { name } = inputs;
  if (!(error instanceof ConflictError) || namingOf(kind)?.isUnique !== true || typeof name !== "string") return error;
  const owner = await idWithName(call, name).catch(() => undefined);
  if (owner === undefined) return error;
  return new RefusedObjectError(
    `${messageOf(error)} The name ${JSON.stringify(name)} is taken by ${kind.noun} ${owner}: give another name, or adopt it with ` +
      `adopt: "${importId(kind, owner, inputs)}". If --replace replaces that ${kind.noun}, set the option deleteBeforeReplace instead.`,
    { cause: error },
  );
}

async function idWithName(call: ResourceCall, name: string): Promise<string | undefined> {
  for await (const object of collectionAt(call.run.api, call.kind, call.inputs).list(callOf(call)))
    if (object["name"] === name) return object.id;
  return undefined;
}
