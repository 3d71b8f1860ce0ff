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

/** The lifecycle of one kind of resource: one for all that the API has, one for those that are in the state only. */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  return "handler" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run);
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Each call may be the process's first: what earlier runs have left open is told before it. */
  const begun = async (request: ResourceRequest): Promise<Run> => {
    keepSecretsOf(kind, request);
    await run().journal.warnOfEarlier(request.urn);
    return run();
  };
  /** Not in a preview, where a call that makes none anyhow stays without one. */
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

/** What a state or a program hands over as a secret is shown nowhere, whoever echoes it. */
function keepSecretsOf(kind: ResourceKind, { inputs, previous }: ResourceRequest): void {
  for (const props of [inputs, previous?.props ?? {}]) {
    const adopted = adoptionOf(kind, props["adopt"])?.secrets ?? {};
    for (const secret of secretNames(kind).flatMap((field) => [adopted[field], props[field]]))
      if (typeof secret === "string") keepUnshown(secret);
  }
}
