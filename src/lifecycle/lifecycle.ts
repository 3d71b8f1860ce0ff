import { keepUnshown } from "../shown-text";
import { adoptionOf } from "./adoption/adoption";
import { check, type CheckAnswer } from "./check";
import { create, type CreateAnswer } from "./create";
import { remove } from "./delete";
import { diff, type DiffAnswer } from "./diff";
import type { ResourceKind } from "./kind";
import type { LocalKind } from "./local-kind";
import { localLifecycleOf } from "./local-lifecycle";
import { secretNames } from "./outputs";
import { read, type ReadAnswer } from "./read";
import type { ResourceRequest } from "./request";
import type { Run } from "./run";
import { update, type UpdateAnswer } from "./update";

/** What the engine asks for one kind of resource. All fail with a CloudinfraError; create and update with a HalfMadeError as well. */
export interface Lifecycle {
  readonly check: (request: ResourceRequest) => Promise<CheckAnswer>;
  readonly diff: (request: ResourceRequest) => Promise<DiffAnswer>;
  readonly create: (request: ResourceRequest) => Promise<CreateAnswer>;
  /** Undefined if the object is gone. */
  readonly read: (request: ResourceRequest) => Promise<ReadAnswer | undefined>;
  readonly update: (request: ResourceRequest) => Promise<UpdateAnswer>;
  readonly delete: (request: ResourceRequest) => Promise<void>;
}

/** The lifecycle of one kind: one for objects at the API, one for kinds in the state only. */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  return "handler" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run);
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Any call may be the first of the process. Warnings about earlier runs come before it. */
  const begun = async (request: ResourceRequest): Promise<Run> => {
    keepSecretsOf(kind, request);
    await run().journal.warnOfEarlier(request.urn);
    return run();
  };
  /** Not in a preview: a call without requests stays without requests. */
  const begunUpdate = async (request: ResourceRequest): Promise<Run> => {
    const { journal, lateCreations } = await begun(request);
    journal.noteUpdate();
    await lateCreations.tell(request.urn);
    return run();
  };
  return {
    check: async (request) => {
      if (!request.isPreview) run().journal.noteUpdate();
      return check(kind, await begun(request), request);
    },
    diff: async (request) => diff(kind, await begun(request), request),
    create: async (request) => create(kind, await begunUpdate(request), request),
    read: async (request) => read(kind, await begunUpdate(request), request),
    update: async (request) => update(kind, await begunUpdate(request), request),
    delete: async (request) => remove(kind, await begunUpdate(request), request),
  };
}

/** A secret from a state or a program is never shown, even if a service repeats it. */
function keepSecretsOf(kind: ResourceKind, { inputs, previous }: ResourceRequest): void {
  for (const props of [inputs, previous?.props ?? {}]) {
    const adopted = adoptionOf(kind, props["adopt"])?.secrets ?? {};
    for (const secret of secretNames(kind).flatMap((field) => [adopted[field], props[field]]))
      if (typeof secret === "string") keepUnshown(secret);
  }
}
