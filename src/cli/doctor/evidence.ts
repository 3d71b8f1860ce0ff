import { RequestError } from "../../api/errors";
import { isSameId } from "../../definition/same-id";
import type { JournalEntry } from "../../journal/entry";
import { sentSince } from "../../lifecycle/recovery/journal-entry";
import type { Run } from "../../lifecycle/run/run";
import type { NamedPart } from "../../definition/parts";
import { urnParts } from "../../engine/urn";
import { stateFromProps } from "../../state/kept-state";
import { orFailure } from "../command-failure";
import type { CliIo } from "../io";
import { exportStack, stateShowing, stateWithSecrets, type StateResource } from "../pulumi/stack";

/** The proof of the audit log about an entry's request. It proves nothing if the key may not read the log. */
export interface EntryProof {
  /** True if the log shows the request: the key then belongs to the account of the entry. */
  readonly isSameAccount: boolean;
  /** Whether the request made this object. Undefined if the log shows no request that made it. */
  readonly madeIt: (id: string) => boolean | undefined;
  /** The other objects that the request made, without those that the log shows as deleted. */
  readonly alsoMade: (id: string) => readonly string[];
}

/** Reads the audit log back to the time of the entry. */
export async function proofOf({ api, audit }: Run, entry: JournalEntry): Promise<EntryProof> {
  try {
    const view = await audit.read(sentSince(entry, api.now()));
    const shown = view.sentWith(entry.token);
    return {
      isSameAccount: shown.length > 0,
      madeIt: (id) => {
        if (shown.some(({ target }) => isSameId(target?.id, id))) return true;
        return view.isMadeByOther(id, entry.token) ? false : undefined;
      },
      alsoMade: (id) => {
        const made = shown.filter(({ status_code: status }) => status >= 200 && status < 300);
        const isKnown = (other: string): boolean =>
          [id, ...(entry.madeIds ?? [])].some((known) => isSameId(known, other));
        return made.flatMap(({ target }) =>
          target && !isKnown(target.id) && !view.isDeleted(target.id) ? [target.id] : [],
        );
      },
    };
  } catch (error) {
    if (error instanceof RequestError) return { isSameAccount: false, madeIt: () => undefined, alsoMade: () => [] };
    throw error;
  }
}

/**
 * Looks for a use of the object in the state of a stack, also as a secret. `failure`: why some or all of the state is
 * not known. `use`: see `useOf`.
 */
export async function useInStack(
  stack: string,
  id: string,
  parts: readonly NamedPart[],
  io: CliIo,
): Promise<{ readonly use?: string | undefined; readonly failure?: Error }> {
  const state = await orFailure(exportStack(stack, io));
  if (state instanceof Error) return { failure: state };
  const complete = await orFailure(stateShowing(({ outputs }) => outputs, state, stateWithSecrets(stack, io)));
  if (complete instanceof Error) return { use: useOf(id, parts, state), failure: complete };
  return { use: useOf(id, parts, complete) };
}

/**
 * The end of a message: a state has the object, one of its parts, or something in it or attached to it, and what to do.
 * Undefined if the state has none of these.
 */
function useOf(id: string, parts: readonly NamedPart[], state: readonly StateResource[]): string | undefined {
  for (const [label, own] of [["it", id], ...parts.map((each) => [`its ${each.part.of.noun} ${each.id}`, each.id])])
    for (const resource of state) {
      const use = useBy(resource, own);
      if (use === undefined) continue;
      const { project, stack } = urnParts(resource.urn);
      const [as, advice] = use;
      const orDetach = own === id ? "" : ", or detach the part";
      return `the stack ${project}/${stack} has ${label} ${as} ${resource.urn}. ${advice}${orDetach}, and run \`pulumi up\`.`;
    }
  return undefined;
}

/**
 * How a resource uses an object, and how to end that: two parts of a sentence. Undefined if it does not use the object.
 */
function useBy(
  { id, inputs = {}, outputs = {} }: StateResource,
  own: string | undefined,
): readonly [string, string] | undefined {
  const isIt = (other: unknown): boolean => typeof other === "string" && isSameId(other, own);
  if (isIt(id)) return ["as", "Remove the resource from its program"];
  const { retired, ownParts = [] } = stateFromProps(outputs).memory.object;
  if (retired.some((each) => isIt(each.id))) return ["as replaced by", 'Set `deleteOld: "after"` there'];
  if (ownParts.some(isIt)) return ["as a part of", "Remove it from that resource"];
  // A list that is no input, such as the pools of a cluster, only shows what there is.
  const references = Object.entries(outputs).filter(([name, value]) => !Array.isArray(value) || name in inputs);
  if (references.flatMap(([, value]) => value).some(isIt))
    return ["in use by", "Remove that resource, or its reference to the object"];
  return undefined;
}
