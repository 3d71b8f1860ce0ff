import { keepUnshown } from "../shown-text";
import { adoptionOf } from "./adoption/adoption";
import { check } from "./check";
import { create } from "./create";
import { remove } from "./delete";
import { diff } from "./diff";
import type { Props, ResourceKind } from "./kind";
import type { LocalKind } from "./local-kind";
import { localLifecycleOf } from "./local-lifecycle";
import { secretNames } from "./outputs";
import { read } from "./read";
import type { Lifecycle, ResourceRequest } from "./resource-request";
import type { Run } from "./run";
import { update } from "./update";

/** The lifecycle of one kind: one for objects at the API, one for kinds in the state only. */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  return "handler" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run);
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Any call may be the first of the process. Warnings about earlier runs come before it. */
  const begun = async (request: ResourceRequest): Promise<Run> => {
    keepSecretsOf(kind, request);
    run().journal.noteOrganization(request.organization);
    await run().journal.warnOfEarlier(request.urn);
    return run();
  };
  /** After a cancellation, nothing new begins. Not in a preview: a call without requests stays without requests. */
  const begunUpdate = async (request: ResourceRequest): Promise<Run> => {
    run().cancelled?.throwIfAborted();
    const { journal, lateCreations } = await begun(request);
    journal.noteUpdate();
    await lateCreations.tell(request.urn);
    return run();
  };
  return {
    check: async (request) => {
      if (!request.isPreview) run().journal.noteUpdate();
      const answer = await check(kind, await begun(request), request);
      run().costs.tell(request.urn);
      return answer;
    },
    diff: async (request) => {
      const answer = await diff(kind, await begun(request), request);
      run().costs.tell(request.urn);
      return answer;
    },
    create: async (request) => {
      const made = await create(kind, await begunUpdate(request), request);
      keepSecretsIn(kind, made.state.props);
      return made;
    },
    read: async (request) => read(kind, await begunUpdate(request), request),
    update: async (request) => update(kind, await begunUpdate(request), request),
    delete: async (request) => remove(kind, await begunUpdate(request), request),
  };
}

/** A secret from a state or a program is never shown, even if a service repeats it. */
function keepSecretsOf(kind: ResourceKind, { inputs, previous }: ResourceRequest): void {
  for (const props of [inputs, previous?.props ?? {}]) keepSecretsIn(kind, props);
}

function keepSecretsIn(kind: ResourceKind, props: Props): void {
  const adopted = adoptionOf(kind, props["adopt"])?.secrets ?? {};
  for (const secret of secretNames(kind).flatMap((field) => [adopted[field], props[field]]))
    if (typeof secret === "string") keepUnshown(secret);
}
