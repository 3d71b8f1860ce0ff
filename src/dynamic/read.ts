import { NotFoundError } from "../api/errors";
import { parseId } from "./adoption";
import { MissingObjectError } from "./errors";
import { hiddenOf, hiddenToProps, visibleOf } from "./hidden-inputs";
import type { Props, ResourceKind } from "./kind";
import { inputsOf, outputsOf } from "./outputs";
import type { Run } from "./run";
import { callOf } from "./settle";

/** What read answers to the engine; without an id the object is gone. */
export interface ReadAnswer {
  readonly id?: string;
  readonly props?: Record<string, unknown>;
  readonly inputs?: Record<string, unknown>;
}

/** A `get` sends the constructor's inputs as they are: check, which takes the mark of the run out, has not seen them. */
function isGet(props: Props): boolean {
  return "__dryRun" in props;
}

/** The object as the API shows it, for refresh and `get`. Inputs are returned too: else the next diff compares with stale ones. */
export async function read(kind: ResourceKind, run: Run, givenId: string, props: Props): Promise<ReadAnswer> {
  const { id, inputs } = parseId(kind, givenId);
  const hidden = hiddenOf(props);
  const known: Props = { ...visibleOf(props), ...inputs, ...hiddenToProps(hidden) };
  try {
    const wire = await kind
      .handler(run.api)
      .get(id, visibleOf(known), callOf({ kind, run, urn: hidden.urn, verb: "read" }));
    const outputs = outputsOf(kind, known, wire, run.api.serverNow());
    return { id, props: outputs, inputs: inputsOf(kind, outputs) };
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error;
    if (isGet(props))
      throw new MissingObjectError(`There is no ${kind.noun} with the id ${givenId}.`, { cause: error });
    return {};
  }
}
