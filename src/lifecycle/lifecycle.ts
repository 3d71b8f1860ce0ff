import { RequestError } from "../api/errors";
import { redacted, SECRET_INPUT } from "../text/redaction";
import { check } from "./operations/check";
import { hintAtSuccessor, warnOfSuccessor } from "./credential/own-credential";
import { create } from "./operations/create";
import { remove } from "./operations/delete";
import { diff } from "./operations/diff";
import { maskSecrets, type ResourceKind } from "./kind/kind";
import type { LocalKind } from "./local/local-kind";
import { localLifecycleOf } from "./local/local-lifecycle";
import { read } from "./operations/read";
import type { Lifecycle, ResourceRequest } from "./resource-request";
import type { Run } from "./run/run";
import { update } from "./operations/update";

/**
 * The lifecycle of one kind: one for objects at the API, one for kinds in the state only. Errors and findings are safe
 * to show.
 */
export function lifecycleOf(kind: ResourceKind | LocalKind, run: () => Run): Lifecycle {
  const calls = "path" in kind ? apiLifecycleOf(kind, run) : localLifecycleOf(kind, run);
  const safe =
    <Answer>(call: (request: ResourceRequest) => Promise<Answer>) =>
    (request: ResourceRequest): Promise<Answer> =>
      call(request).catch((error: unknown) => {
        // The engine needs an error for each resource.
        if (error instanceof RequestError) error.adviseOnce(run().explained);
        if (error instanceof Error) error.message = redacted(error.message, request.urn);
        throw error;
      });
  return {
    check: safe(async (request) => {
      const { findings, ...answer } = await calls.check(request);
      const shown = findings.map((finding) => ({ ...finding, reason: shownReason(finding.reason, request.urn) }));
      return { ...answer, findings: shown };
    }),
    diff: safe(calls.diff),
    create: safe(calls.create),
    read: safe(calls.read),
    update: safe(calls.update),
    delete: safe(calls.delete),
  };
}

/** Removes the suggested spelling from a reason about a secret input, because it would reveal the value. */
function shownReason(reason: string, urn: string): string {
  const shown = redacted(reason, urn);
  return shown.includes(SECRET_INPUT) ? shown.replace(/: write .*$/s, "") : shown;
}

function apiLifecycleOf(kind: ResourceKind, run: () => Run): Lifecycle {
  /** Any call may be the first of the process. Warnings about earlier runs come before it. */
  const begun = async (request: ResourceRequest): Promise<Run> => {
    // A service may repeat the secrets of the state and the program.
    for (const props of [request.inputs, request.last?.props]) maskSecrets(kind, props ?? {});
    const { urn, organization } = request;
    if (organization !== undefined) run().journal.noteOrganization(urn, organization);
    await run().journal.warnOfEarlier(request.urn);
    return run();
  };
  /**
   * After a cancellation, no new operation begins. Not checked in a preview, so that a call without requests stays
   * without requests.
   */
  const begunUpdate = async (request: ResourceRequest, isCreation = false): Promise<Run> => {
    run().cancelled?.throwIfAborted();
    const { journal, lateCreations } = await begun(request);
    journal.isUpdate ||= !request.isReference;
    await lateCreations.warn(request.urn, isCreation ? "create" : "other");
    return run();
  };
  return {
    check: async (request) => {
      run().saved.noteProgram();
      const current = await begun(request);
      if (request.formerBaseUrl !== undefined)
        await current.saved.warnOfMove(request.formerBaseUrl, current.settings.baseUrl);
      const { urn, last } = request;
      if (last) hintAtSuccessor({ kind, run: current, urn }, last.memory);
      const answer = await check(kind, current, request);
      run().costs.share(request.urn);
      return answer;
    },
    diff: async (request) => {
      await run().saved.warnOfOther(request.urn);
      const current = await begun(request);
      const { urn, last } = request;
      if (last) await warnOfSuccessor({ kind, run: current, urn }, last);
      const answer = await diff(kind, current, request);
      if (current.memory.of(request.urn)?.isPreview === false) {
        const isKept = (answer.replaces ?? []).length === 0;
        await current.lateCreations.warn(request.urn, isKept ? "kept" : "diff");
      }
      run().costs.share(request.urn);
      return answer;
    },
    create: async (request) => {
      const made = await create(kind, await begunUpdate(request, true), request);
      maskSecrets(kind, made.state.props);
      return made;
    },
    read: async (request) => {
      const { urn, inputs: props, memory } = request;
      await run().saved.warnOfOther(urn);
      const current = await begunUpdate(request);
      await warnOfSuccessor({ kind, run: current, urn }, { props, memory });
      return read(kind, current, request);
    },
    update: async (request) => update(kind, await begunUpdate(request), request),
    delete: async (request) => {
      await run().saved.warnOfOther(request.urn);
      return remove(kind, await begunUpdate(request), request);
    },
  };
}
