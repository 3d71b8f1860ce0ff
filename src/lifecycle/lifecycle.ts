import { RequestError } from "../api/errors";
import { keepUnshown } from "../text/shown-text";
import { adoptionOf } from "./adoption/adoption";
import { check } from "./operations/check";
import { hintAtSuccessor, tellSuccessor } from "./credential/own-credential";
import { create } from "./operations/create";
import { remove } from "./operations/delete";
import { diff } from "./operations/diff";
import { type Props, type ResourceKind, secretNames } from "./kind/kind";
import type { LocalKind } from "./local/local-kind";
import { localLifecycleOf } from "./local/local-lifecycle";
import { read } from "./operations/read";
import { wrapped, type Lifecycle, type ResourceRequest } from "./request/resource-request";
import type { Run } from "./run/run";
import { withoutSecretInputs } from "./request/secret-inputs";
import { update } from "./operations/update";

/** The lifecycle of one kind: one for objects at the API, one for kinds in the state only. */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  return withoutSecretInputs("path" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run));
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Any call may be the first of the process. Warnings about earlier runs come before it. */
  const begun = async (request: ResourceRequest): Promise<Run> => {
    keepSecretsOf(kind, request);
    await run().saved.warnOfOther(request.urn);
    run().journal.noteOrganization(request.organization);
    await run().journal.warnOfEarlier(request.urn);
    return run();
  };
  /** After a cancellation, nothing new begins. Not in a preview: a call without requests stays without requests. */
  const begunUpdate = async (request: ResourceRequest, isCreation = false): Promise<Run> => {
    run().cancelled?.throwIfAborted();
    const { journal, lateCreations } = await begun(request);
    if (!request.isReference) journal.noteUpdate();
    await lateCreations.tell(request.urn, isCreation);
    return run();
  };
  const calls: Lifecycle = {
    check: async (request) => {
      run().saved.noteProgram();
      const current = await begun(request);
      if (request.formerBaseUrl !== undefined)
        await current.saved.warnOfMove(request.formerBaseUrl, current.settings.baseUrl);
      if (request.previous) hintAtSuccessor(kind, current, request.urn, request.previous.memory);
      const answer = await check(kind, current, request);
      run().costs.tell(request.urn);
      return answer;
    },
    diff: async (request) => {
      const current = await begun(request);
      if (request.previous) await tellSuccessor(kind, current, request.urn, request.previous);
      const answer = await diff(kind, current, request);
      run().costs.tell(request.urn);
      return answer;
    },
    create: async (request) => {
      const made = await create(kind, await begunUpdate(request, true), request);
      run().memory.claim(made.id, request.urn, true);
      keepSecretsIn(kind, made.state.props);
      return made;
    },
    read: async (request) => {
      const { urn, inputs: props, memory } = request;
      const current = await begunUpdate(request);
      await tellSuccessor(kind, current, urn, { urn, props, memory });
      return read(kind, current, request);
    },
    update: async (request) => update(kind, await begunUpdate(request), request),
    delete: async (request) => remove(kind, await begunUpdate(request), request),
  };
  // The same fault of many resources is explained with the first of them. The engine wants an error for each.
  return wrapped(
    calls,
    (call) => (request) =>
      call(request).catch((error: unknown) => {
        if (error instanceof RequestError && run().explained.has(error.sharedAdvice))
          error.message = error.withoutSharedAdvice;
        else if (error instanceof RequestError && error.sharedAdvice !== "") run().explained.add(error.sharedAdvice);
        throw error;
      }),
  );
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
